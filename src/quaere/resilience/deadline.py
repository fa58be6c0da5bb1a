"""Waits for tasks no longer than it may, whatever they do."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import TypeVar

T = TypeVar("T")

GRACE_S = 0.2
"""Seconds that a cancelled task may take to clean up before it is left to itself."""


async def settle(tasks: Sequence[asyncio.Task[T]], timeout_s: float) -> None:
    """Wait until ``tasks`` are done, at the most ``timeout_s`` seconds; then cancel the rest.

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
            task.add_done_callback(_forget)
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


def _forget(task: asyncio.Task[T]) -> None:
    """Take note of what a late task raised, or asyncio reports it as never looked at."""
    if not task.cancelled():
        task.exception()
