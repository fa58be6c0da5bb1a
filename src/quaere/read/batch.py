"""Reads several hits side by side, within a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from quaere.domain.source import Hit, Passage, ReadStatus
from quaere.errors import ReadError
from quaere.ports import Cutter, Reader

GRACE_S = 0.2
"""How long a reader that was told to stop is waited for before it is left behind."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How the reading of one hit ended."""

    hit: Hit
    status: ReadStatus
    passages: tuple[Passage, ...] = ()
    reason: str = ""


async def read_all(
    hits: Sequence[Hit], reader: Reader, cut: Cutter, *, timeout_s: float
) -> tuple[Reading, ...]:
    """Read ``hits`` at the same time and return how each ended, in their order.

    None holds up the others beyond ``timeout_s`` seconds: what is not there by then is a timeout.
    """
    if not hits:
        return ()
    tasks = [asyncio.create_task(_read(hit, reader, cut)) for hit in hits]
    try:
        await asyncio.wait(tasks, timeout=timeout_s)
    finally:
        late = [task for task in tasks if not task.done()]
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late, timeout=GRACE_S)
    return tuple(
        task.result() if task.done() and not task.cancelled() else _timed_out(hit)
        for hit, task in zip(hits, tasks, strict=True)
    )


async def _read(hit: Hit, reader: Reader, cut: Cutter) -> Reading:
    try:
        page = await reader.read(hit)
    except ReadError as error:
        return Reading(hit, ReadStatus(error.status), reason=error.message)
    return Reading(hit, page.status, tuple(cut(page)))


def _timed_out(hit: Hit) -> Reading:
    return Reading(hit, ReadStatus.TIMEOUT, reason="the run's time was over before it was read")
