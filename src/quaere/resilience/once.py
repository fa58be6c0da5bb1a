"""Lets everybody who asks the same wait for one answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

from quaere.resilience.deadline import settle

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


@dataclass(slots=True)
class _Call(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class Once(Generic[K, T]):
    """Makes each call once and keeps what came of it.

    A call is cancelled when nobody waits for it any more. One that failed is told to all who
    waited, and made again for the next.
    """

    def __init__(self) -> None:
        self._calls: dict[K, _Call[T]] = {}

    async def get(self, key: K, make: Callable[[], Coroutine[object, object, T]]) -> T:
        """Return what the call of ``key`` gives; ``make`` begins it, if nobody has."""
        call = self._calls.get(key)
        if call is None:
            call = self._calls[key] = _Call(asyncio.create_task(make()))
        call.waiting += 1
        try:
            return await asyncio.shield(call.task)
        finally:
            call.waiting -= 1
            if not call.waiting:
                await self._let_go(key, call)

    async def _let_go(self, key: K, call: _Call[T]) -> None:
        """Forget a call that brought nothing; end it first if it goes on."""
        task = call.task
        if task.done() and not task.cancelled() and task.exception() is None:
            return
        if self._calls.get(key) is call:
            del self._calls[key]
        await settle([task], 0.0)
