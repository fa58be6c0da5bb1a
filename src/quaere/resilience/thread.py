"""Keeps the event loop free of calls that block and of calls that compute.

Each call that blocks is made in a daemon thread of its own, which neither cancellation nor exit
waits for; all that compute are made in one thread. `keep_responsive` is for processes that make
many runs at once.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from threading import Lock, Thread
from time import perf_counter, thread_time
from typing import Generic, TypeVar

from quaere.resilience.timing import own_work

T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """Return the result of ``call``, made in a thread of its own.

    Neither cancelling nor the end of the interpreter waits for the thread, as they would for those
    of ``asyncio.to_thread``: a hanging file system blocks nothing else.

    Raises:
        BaseException: what ``call`` raised.
    """
    outcome = _Outcome[T](asyncio.get_running_loop())

    def run() -> None:
        with outcome:
            outcome.settle(call())

    Thread(target=run, name="quaere-blocking", daemon=True).start()
    return await outcome.future


SLICE_S = 0.01
"""Processor time that one computation gets before the next one has its turn."""


async def computed(call: Callable[[], T]) -> T:
    """Return the result of ``call``, which computes and waits for nothing.

    All such calls of a process are made in one thread, in turn: Python computes in one thread at a
    time anyway, and the event loop has to wait for one other at most. A call that was cancelled
    before its turn is not made; one that has begun goes on to its end, so one that grows with its
    input is for ``in_slices``.

    Raises:
        BaseException: what ``call`` raised.
    """
    outcome = _Outcome[T](asyncio.get_running_loop())
    context = copy_context()

    def run() -> None:
        if not outcome.future.cancelled():
            with outcome:
                outcome.settle(context.run(call))

    _COMPUTING.put(run)
    with own_work():
        return await outcome.future


async def in_slices(steps: Iterable[T]) -> list[T]:
    """Return what ``steps`` yields, computed as by ``computed``, but some milliseconds at a time.

    Between two slices others have their turn, and cancelling takes effect. No step should take
    long.

    Raises:
        BaseException: what ``steps`` raised.
    """
    taken: list[T] = []
    left = iter(steps)

    def slice_taken() -> bool:
        until, looks_at = thread_time() + SLICE_S, perf_counter() + SLICE_S
        for step in left:
            taken.append(step)
            # The clock runs no slower than processor time does, and looking at it is far cheaper.
            if (now := perf_counter()) >= looks_at:
                if (spent := thread_time()) >= until:
                    return True
                looks_at = now + until - spent
        return False

    while await computed(slice_taken):
        pass
    return taken


class _ComputingThread:
    """Makes calls one after the other; its thread starts with the first, and anew after a fork."""

    def __init__(self) -> None:
        self._calls = SimpleQueue[Callable[[], None]]()
        self._thread: Thread | None = None
        self._lock = Lock()

    def put(self, call: Callable[[], None]) -> None:
        self._calls.put(call)
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="quaere-computing", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._calls.get()()


_COMPUTING = _ComputingThread()


class _Outcome(Generic[T]):
    """Carries a result, or whatever was raised, from a thread to the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.future: asyncio.Future[T] = loop.create_future()

    def settle(self, result: T) -> None:
        self._call(lambda: self.future.done() or self.future.set_result(result))

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        if error is not None:
            self._call(lambda: self.future.done() or self.future.set_exception(error))
        return True

    def _call(self, settle: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(settle)


YOUNG_AFTER, MIDDLE_AFTER = 700, 10
"""Python's own: few objects are looked at in one go, so that the event loop is let on soon."""
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
    gc.set_threshold(YOUNG_AFTER, MIDDLE_AFTER, OLD_AFTER)
    sys.setswitchinterval(SWITCH_S)
