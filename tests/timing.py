"""How long a piece of work takes, on machines that do other work too, and on slow ones."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import cache

TRIES = 5
COUNTED, USUAL_S = 300_000, 0.016
"""Steps of a plain loop, and the CPU seconds they take on a machine for which limits are set."""


def cpu_s(work: Callable[[], object], *, enough_s: float) -> float:
    """Return the fewest CPU seconds that ``work`` took in some tries, as on the usual machine.

    One of at most ``enough_s`` ends them. A busy machine makes a try slow, and so does a collection
    of all that a thousand tests before have left: neither does so `TRIES` times. What a slower
    processor takes is told in seconds of the usual one; a faster one is taken as it is.
    """
    least_s = float("inf")
    for _ in range(TRIES):
        least_s = min(least_s, _taken_s(work) / _slowness())
        if least_s <= enough_s:
            break
    return least_s


def _taken_s(work: Callable[[], object]) -> float:
    gc.disable()
    try:
        began = time.thread_time()
        work()
        return time.thread_time() - began
    finally:
        gc.enable()


@cache
def _slowness() -> float:
    """Return how many times as long as the usual machine this one takes, 1 at least."""
    return max(1.0, min(_taken_s(_count) for _ in range(TRIES)) / USUAL_S)


def _count() -> int:
    return sum(each % 7 for each in range(COUNTED))
