"""How long a piece of work takes, on machines that do other work too."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

TRIES = 5


def cpu_s(work: Callable[[], object], *, enough_s: float) -> float:
    """Return the fewest CPU seconds that ``work`` took in some tries.

    One of at most ``enough_s`` ends them. A busy machine makes a try slow, and so does a collection
    of all that a thousand tests before have left: neither does so `TRIES` times.
    """
    least_s = float("inf")
    for _ in range(TRIES):
        gc.disable()
        try:
            began = time.thread_time()
            work()
            least_s = min(least_s, time.thread_time() - began)
        finally:
            gc.enable()
        if least_s <= enough_s:
            break
    return least_s
