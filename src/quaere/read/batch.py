"""Reads several hits concurrently: ahead of time, and all of them within a deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quaere.domain.source import Hit, Page, Passage, ReadStatus
from quaere.domain.url import canonical_url
from quaere.errors import ReadError
from quaere.ports.read import Chunker, Reader
from quaere.resilience.deadline import settle

logger = logging.getLogger(__name__)

_STATUSES = {status.value: status for status in ReadStatus}


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome of reading one hit."""

    hit: Hit
    status: ReadStatus
    passages: tuple[Passage, ...] = ()
    reason: str = ""


async def read_all(
    hits: Sequence[Hit], reader: Reader, chunk: Chunker, *, timeout_s: float
) -> tuple[Reading, ...]:
    """Read ``hits`` concurrently and return the outcome of each, in their order.

    A hit that is not read within ``timeout_s`` seconds counts as a timeout.
    A bug in the reader loses only that hit.
    """
    tasks = [asyncio.create_task(_read(hit, reader, chunk)) for hit in hits]
    await settle(tasks, timeout_s)
    return tuple(_reading(hit, task) for hit, task in zip(hits, tasks, strict=True))


async def _read(hit: Hit, reader: Reader, chunk: Chunker) -> Reading:
    page = await reader.read(hit)
    return Reading(hit, page.status, tuple(chunk(page)))


def _reading(hit: Hit, task: asyncio.Task[Reading]) -> Reading:
    if not task.done() or task.cancelled():
        late = "the run ran out of time before this page was read"
        return Reading(hit, ReadStatus.TIMEOUT, reason=late)
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, ReadError):
        status = _STATUSES.get(error.status, ReadStatus.BROKEN)
        return Reading(hit, status, reason=error.message)
    logger.error("bug in the reader", exc_info=error)
    return Reading(hit, ReadStatus.BROKEN, reason=f"{type(error).__name__}, a bug in the reader")


class PrefetchingReader:
    """Lets a run start reading the first hits while other searches are still in progress.

    ``read`` returns a page that was started earlier, or reads it now. ``aclose`` cancels what was
    started and never requested.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._begun: dict[str, asyncio.Task[Page]] = {}

    def begin(self, hits: Iterable[Hit]) -> None:
        """Start reading ``hits``, each URL once."""
        for hit in hits:
            key = canonical_url(hit.url)
            if key not in self._begun:
                self._begun[key] = asyncio.ensure_future(self._reader.read(hit))

    @property
    def begun(self) -> frozenset[str]:
        """Canonical URLs of the pages that were started and not requested yet."""
        return frozenset(self._begun)

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that says why there is none.
        """
        task = self._begun.pop(canonical_url(hit.url), None)
        if task is None:
            return await self._reader.read(hit)
        try:
            return await task
        except asyncio.CancelledError:
            await settle([task], 0.0)
            raise

    async def aclose(self) -> None:
        """Cancel what was started and not requested."""
        left = list(self._begun.values())
        self._begun.clear()
        await settle(left, 0.0)
