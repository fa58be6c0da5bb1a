"""Reads several hits side by side, within a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from quaere.domain.source import Hit, Passage, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Chunker, Reader
from quaere.resilience.deadline import settle

logger = logging.getLogger(__name__)

_STATUSES = {status.value: status for status in ReadStatus}


@dataclass(frozen=True, slots=True)
class Reading:
    """How the reading of one hit ended."""

    hit: Hit
    status: ReadStatus
    passages: tuple[Passage, ...] = ()
    reason: str = ""


async def read_all(
    hits: Sequence[Hit], reader: Reader, chunk: Chunker, *, timeout_s: float
) -> tuple[Reading, ...]:
    """Read ``hits`` at the same time and return how each ended, in their order.

    None holds up the others beyond ``timeout_s`` seconds: what is not there by then is a timeout.
    A bug in the reader costs the one hit.
    """
    tasks = [asyncio.create_task(_read(hit, reader, chunk)) for hit in hits]
    await settle(tasks, timeout_s)
    return tuple(_reading(hit, task) for hit, task in zip(hits, tasks, strict=True))


async def _read(hit: Hit, reader: Reader, chunk: Chunker) -> Reading:
    page = await reader.read(hit)
    return Reading(hit, page.status, tuple(chunk(page)))


def _reading(hit: Hit, task: asyncio.Task[Reading]) -> Reading:
    if not task.done() or task.cancelled():
        late = "the run's time was over before it was read"
        return Reading(hit, ReadStatus.TIMEOUT, reason=late)
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, ReadError):
        status = _STATUSES.get(error.status, ReadStatus.BROKEN)
        return Reading(hit, status, reason=error.message)
    logger.error("bug in the reader", exc_info=error)
    return Reading(hit, ReadStatus.BROKEN, reason=f"{type(error).__name__}, a bug in the reader")
