"""How a process of our own stays responsive while it makes many runs at once."""

from __future__ import annotations

import gc
import sys

OLD_AFTER = 500
"""Collections of the middle generation before all is looked at; Python's own number is 10.

To look at everything stops all threads, the event loop among them: with fifty runs at once ten
times for 120 to 140 ms, while nothing else holds it for more than 40 ms. A run leaves some hundred
objects that are not found young; with this number all is looked at every two hundred runs or so.
"""
SWITCH_S = 0.001
"""Seconds after which the thread that computes lets the event loop go on; Python's own are 0.005.

The loop has to wait for them each time that it wakes up while something is computed. In
`bench/loop.py ordinary` one turn in a hundred came 70 and 83 ms late with 5 ms, 60 and 53 with 1.
A statement of SQLite waits a few times, too: with 5 ms, transactions of runs that are made queue up
behind one another for a third of a second.
"""


def keep_responsive() -> None:
    """Look for garbage seldom, not at all in what is loaded by now, and switch threads often.

    It is for a process of our own, such as a server or a worker, once it has loaded what it needs;
    in a process that belongs to others, these are theirs to say.
    """
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, OLD_AFTER)
    sys.setswitchinterval(SWITCH_S)
