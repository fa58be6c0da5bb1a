"""Reads several hits side by side, within a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quaere.domain.source import Hit, Page, Passage, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Cutter, Reader
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
    page: Page | None = None


async def read_all(
    hits: Sequence[Hit],
    reader: Reader,
    cut: Cutter,
    *,
    timeout_s: float,
    on_reading: Callable[[Reading], None] | None = None,
) -> tuple[Reading, ...]:
    """Read ``hits`` at the same time and return how each ended, in their order.

    None holds up the others beyond ``timeout_s`` seconds: what is not there by then is a timeout.
    A bug in the reader costs the one hit. Every reading is given to ``on_reading`` once, as soon
    as it has ended.
    """
    readings: dict[int, Reading] = {}

    def ended(task: asyncio.Task[Reading], *, waiting: bool = True) -> None:
        place = tasks.index(task)
        if place not in readings and not (waiting and task.cancelled()):
            readings[place] = _reading(hits[place], task)
            if on_reading is not None:
                on_reading(readings[place])

    tasks = [asyncio.create_task(_read(hit, reader, cut)) for hit in hits]
    for task in tasks:
        task.add_done_callback(ended)
    await settle(tasks, timeout_s)
    for task in tasks:
        ended(task, waiting=False)
    return tuple(readings[place] for place in range(len(hits)))


async def _read(hit: Hit, reader: Reader, cut: Cutter) -> Reading:
    page = await reader.read(hit)
    return Reading(hit, page.status, tuple(cut(page)), page=page)


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
