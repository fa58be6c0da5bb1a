"""Prepares a provider and reports its progress as events."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence

from quaere.domain.events import Event, IndexProgress, Phase, WarningRaised
from quaere.domain.report import RunWarning
from quaere.errors import QuaereError
from quaere.ports.search import Preparable

logger = logging.getLogger(__name__)

GRACE_S = 0.2
"""Seconds that a cancelled provider may take to stop before the run goes on without it."""


async def prepare(provider: Preparable, name: str, seconds: float) -> AsyncGenerator[Event]:
    """Prepare ``provider`` within ``seconds`` and yield its progress and its warnings as events.

    After a timeout, or a bug in the provider, the run continues with what is ready by then, and a
    warning says so.

    Raises:
        QuaereError: what the provider raised.
    """
    queue: asyncio.Queue[Event | None] = asyncio.Queue()

    def progress(done: int, total: int, passages: int) -> None:
        queue.put_nowait(
            IndexProgress(
                phase=Phase.INDEXING, folder=name, done=done, total=total, passages=passages
            )
        )

    task = asyncio.ensure_future(provider.prepare(progress))
    task.add_done_callback(lambda _: queue.put_nowait(None))
    timer = asyncio.get_running_loop().call_later(max(0.0, seconds), queue.put_nowait, None)
    try:
        while event := await queue.get():
            yield event
    finally:
        timer.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=GRACE_S)
    for warning in _warnings(task, name, seconds):
        yield WarningRaised(phase=Phase.INDEXING, warning=warning)


def _warnings(
    task: asyncio.Future[Sequence[RunWarning]], name: str, seconds: float
) -> Sequence[RunWarning]:
    """Return what went wrong in ``task``; raise what is not the provider's own bug."""
    if task.cancelled() or not task.done():
        late = f"{name} was not ready after {seconds:.0f} s; the answer uses what was ready."
        return (RunWarning(kind="index", message=late, subject=name, retryable=True),)
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, QuaereError):
        raise error
    logger.error("bug in search provider %s", name, exc_info=error)
    bug = f"{name}: {type(error).__name__}, a bug in this provider"
    return (RunWarning(kind="index", message=bug, subject=name),)
