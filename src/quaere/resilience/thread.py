"""Runs blocking calls in daemon threads that neither cancellation nor exit waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import TracebackType
from typing import Generic, TypeVar

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


class _Outcome(Generic[T]):
    """Carries a result, or whatever was raised, from a thread to the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.future: asyncio.Future[T] = loop.create_future()

    def settle(self, result: T) -> None:
        self._call(lambda: self.future.done() or self.future.set_result(result))

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if error is not None:
            self._call(lambda: self.future.done() or self.future.set_exception(error))
        return True

    def _call(self, settle: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(settle)
