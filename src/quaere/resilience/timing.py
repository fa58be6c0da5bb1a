"""Sources of time and randomness: the clock of the engine, and what the policies are given."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import Protocol, TypeVar


@dataclass(frozen=True, slots=True)
class Timing:
    """Time and chance as the policies see them; a test hands in its own."""

    monotonic: Callable[[], float] = time.monotonic
    """Seconds on a clock that never goes back."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Waits for that many seconds."""
    jitter: Callable[[], float] = random.random
    """Draws from U(0, 1), so that callers who failed together do not come back together."""


REAL_TIME = Timing()


class Clock(Protocol):
    """Time as the engine sees it."""

    def monotonic(self) -> float:
        """Seconds on a clock that never goes back."""
        ...

    def now(self) -> datetime:
        """The time of day, in UTC."""
        ...


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        return monotonic()

    def now(self) -> datetime:
        """Return the time of day, in UTC."""
        return datetime.now(UTC)


SYSTEM_CLOCK = SystemClock()

T = TypeVar("T")


logger = logging.getLogger(__name__)


def begin(chore: Coroutine[None, None, None]) -> asyncio.Task[None]:
    """Begin what a process does besides its work, for as long as it lives.

    Nobody waits for that, so that the log says at once when it ends by an error.
    """
    task = asyncio.create_task(chore)
    task.add_done_callback(_note_error)
    return task


def _note_error(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        logger.error("a bug ended %s", task.get_coro(), exc_info=error)


async def end(task: asyncio.Task[object] | asyncio.Future[T]) -> None:
    """Cancel ``task`` and wait for its end; raise what else it raises."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


GRACE_S = 0.2
"""Seconds that a cancelled task may take to clean up before it is left to itself."""


@dataclass(slots=True)
class _Wait:
    """A wait for others that ends with ``timeout``; its time stands still during own work."""

    timeout: asyncio.Timeout
    outer: _Wait | None
    working: int = 0
    left_s: float = 0.0
    over: bool = False

    def begin_work(self) -> None:
        when = self.timeout.when()
        if not self.working and when is not None and self._counts():
            self.left_s = max(0.0, when - asyncio.get_running_loop().time())
            self.timeout.reschedule(None)
        self.working += 1

    def end_work(self) -> None:
        self.working -= 1
        if not self.working and self._counts():
            self.timeout.reschedule(asyncio.get_running_loop().time() + self.left_s)

    def _counts(self) -> bool:
        return not (self.over or self.timeout.expired())


_wait: ContextVar[_Wait | None] = ContextVar("wait", default=None)


@asynccontextmanager
async def others_time(seconds: float) -> AsyncGenerator[None]:
    """Allow ``seconds`` for what is done by others; the time of `own_work` in it does not count.

    Under load, what a service has answered long ago may wait for its turn to be looked at, and the
    service is not to blame for that.

    Raises:
        TimeoutError: when they are over.
    """
    async with asyncio.timeout(seconds) as timeout:
        wait = _Wait(timeout, _wait.get())
        token = _wait.set(wait)
        try:
            yield
        finally:
            wait.over = True
            _wait.reset(token)


@contextmanager
def own_work() -> Generator[None]:
    """Stop the time of every `others_time` that this is done in."""
    waits: list[_Wait] = []
    wait = _wait.get()
    while wait is not None:
        waits.append(wait)
        wait = wait.outer
    for each in waits:
        each.begin_work()
    try:
        yield
    finally:
        for each in waits:
            each.end_work()


async def settle(tasks: Sequence[asyncio.Task[T]], timeout_s: float) -> None:
    """Wait until ``tasks`` are done, at most ``timeout_s`` seconds; then cancel the rest.

    A task that ignores its cancelling is left behind, so a caller must ask each whether it is
    ``done()``. When the caller is cancelled, so are the tasks.
    """
    if not tasks:
        return
    try:
        await asyncio.wait(tasks, timeout=timeout_s)
    finally:
        late = [task for task in tasks if not task.done()]
        for task in late:
            task.cancel()
            task.add_done_callback(forget)
        if late:
            await asyncio.wait(late, timeout=GRACE_S)


async def unless(ended: asyncio.Event, work: Coroutine[object, object, T]) -> T | None:
    """Return what ``work`` comes to, or None when ``ended`` is set before; then it is cancelled.

    Raises:
        Exception: whatever ``work`` raises.
    """
    task = asyncio.create_task(work)
    bell = asyncio.create_task(ended.wait())
    try:
        await asyncio.wait([task, bell], return_when=asyncio.FIRST_COMPLETED)
    finally:
        bell.cancel()
        await settle([task], 0.0)
    return None if not task.done() or task.cancelled() else task.result()


def forget(task: asyncio.Task[T]) -> None:
    """Take note of what a late task raised, or asyncio reports it as never looked at."""
    if not task.cancelled():
        task.exception()
