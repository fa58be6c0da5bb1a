"""The ``quaere`` command, and ``python -m quaere``: says how garbage is collected, and runs it."""

from __future__ import annotations

import atexit
import gc

GARBAGE_AFTER = 200_000
"""Objects made before garbage is looked for; Python's own number is some hundreds.

What a command imports and reads is kept to its end: looking for garbage in it, while it is made and
once more at the end, took a fourteenth of a short command. No short one makes as many.
"""


def main() -> None:
    """Run the command that the process was called with, and exit.

    Garbage is looked for seldom in this process, which is ours, and not when it ends. That is said
    first: most of what a short command makes is made by importing.
    """
    gc.set_threshold(GARBAGE_AFTER, *gc.get_threshold()[1:])
    atexit.register(gc.freeze)
    from quaere.faces.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
