"""How a process that makes many runs looks for garbage: seldom, and not in what it has loaded."""

from __future__ import annotations

import gc

OLD_AFTER = 500
"""Collections of the middle generation before all is looked at; Python's own number is 10.

To look at everything stops all threads, the event loop among them: with fifty runs at once ten
times for 120 to 140 ms, while nothing else holds it for more than 40 ms. A run leaves some hundred
objects that are not found young; with this number all is looked at every two hundred runs or so.
"""


def look_seldom() -> None:
    """Set what is there by now apart, for the life of this process, and look at the rest seldom.

    It is for a process of our own, such as a server or a worker, once it has loaded what it needs;
    in a process that belongs to others, how garbage is collected is theirs to say.
    """
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, OLD_AFTER)
