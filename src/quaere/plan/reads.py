"""Decides how many pages a loop opens."""

from __future__ import annotations

LEAST = 4
"""Pages that a loop opens when the budget has them: fewer seldom hold an answer."""


def reads_now(*, left: int, loops_left: int) -> int:
    """Return how many of the ``left`` pages to open in this loop, the first of ``loops_left``.

    Half of what is left, so that most is read where the raw question led and something remains for
    what is learned on the way; everything in the last loop.
    """
    return left if loops_left <= 1 else min(left, max(LEAST, -(-left // 2)))
