"""Reads several hits concurrently: ahead of time, within a deadline, and waiting for none too long.

A page that keeps a round waiting is read on while the round ends.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from time import monotonic

from quaere.domain.source import Hit, Page, Passage, ReadStatus
from quaere.domain.url import canonical_url
from quaere.errors import ReadError
from quaere.ports.forwarding import ForwardingReader
from quaere.ports.read import OUT_OF_TIME, Chunker, Reader
from quaere.resilience.thread import in_slices
from quaere.resilience.timing import SYSTEM_CLOCK, forget, settle

logger = logging.getLogger(__name__)

Choose = Callable[[Sequence[Passage]], Awaitable[Sequence[Passage]]]
"""Picks of a page's passages those that fit, the best first."""


async def all_of(passages: Sequence[Passage]) -> Sequence[Passage]:
    """Pick all ``passages``."""
    return passages


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome of reading one hit."""

    hit: Hit
    status: ReadStatus
    passages: tuple[Passage, ...] = ()
    chosen: tuple[Passage, ...] = ()
    """Those of the passages that were picked, the best first."""
    reason: str = ""
    page: Page | None = None


async def read_all(
    hits: Sequence[Hit],
    reader: Reader,
    chunk: Chunker,
    *,
    timeout_s: float,
    choose: Choose = all_of,
    on_reading: Callable[[Reading], None] | None = None,
) -> tuple[Reading, ...]:
    """Read ``hits`` concurrently and return the outcome of each, in the order of ``hits``.

    A hit that is not read, divided and chosen from within ``timeout_s`` seconds counts as a
    timeout. A bug in the reader loses only that hit. Every reading is passed to ``on_reading``
    once, as soon as it has ended.
    """
    readings: dict[int, Reading] = {}

    def ended(task: asyncio.Task[Reading], *, waiting: bool = True) -> None:
        place = tasks.index(task)
        if place not in readings and not (waiting and task.cancelled()):
            readings[place] = _reading(hits[place], task)
            if on_reading is not None:
                on_reading(readings[place])

    tasks = [asyncio.create_task(_read(hit, reader, chunk, choose)) for hit in hits]
    for task in tasks:
        task.add_done_callback(ended)
    await settle(tasks, timeout_s)
    for task in tasks:
        ended(task, waiting=False)
    return tuple(readings[place] for place in range(len(hits)))


async def _read(hit: Hit, reader: Reader, chunk: Chunker, choose: Choose) -> Reading:
    page = await reader.read(hit)
    passages = await divided(page, chunk)
    return Reading(hit, page.status, passages, tuple(await choose(passages)), page=page)


async def divided(page: Page, chunk: Chunker) -> tuple[Passage, ...]:
    """Return the passages of ``page``, however long it is, without holding up the event loop."""
    return tuple(chain.from_iterable(await in_slices(chunk.in_steps(page))))


def _reading(hit: Hit, task: asyncio.Task[Reading]) -> Reading:
    if not task.done() or task.cancelled():
        return Reading(hit, ReadStatus.TIMEOUT, reason=OUT_OF_TIME)
    error = task.exception()
    if error is None:
        return task.result()
    if isinstance(error, ReadError):
        return Reading(hit, _status(error), reason=error.message)
    logger.error("bug in the reader", exc_info=error)
    return Reading(hit, ReadStatus.BROKEN, reason=f"{type(error).__name__}, a bug in the reader")


def _status(error: ReadError) -> ReadStatus:
    try:
        return ReadStatus(error.status)
    except ValueError:  # of an adapter that has its own
        return ReadStatus.BROKEN


class PrefetchingReader:
    """Lets a run start reading the first hits while other searches are still in progress.

    ``read`` returns a page that was started earlier, or reads it now. ``aclose`` cancels what was
    started and never requested.
    """

    def __init__(self, reader: Reader, now: Callable[[], datetime] = SYSTEM_CLOCK.now) -> None:
        self._reader = reader
        self._now = now
        self._seconds: dict[str, float] = {}
        self._begun: dict[str, asyncio.Task[Page]] = {}

    def begin(self, hits: Iterable[Hit]) -> None:
        """Start reading ``hits``, each URL once."""
        for hit in hits:
            key = canonical_url(hit.url)
            if key not in self._begun:
                self._begun[key] = asyncio.create_task(self._read(hit))

    @property
    def begun(self) -> frozenset[str]:
        """Canonical URLs of the pages that were started and not requested yet."""
        return frozenset(self._begun)

    @property
    def ready(self) -> frozenset[str]:
        """Canonical URLs of those started that have been read, or could not be."""
        return frozenset(url for url, task in self._begun.items() if task.done())

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that says why there is none.
        """
        task = self._begun.pop(canonical_url(hit.url), None)
        if task is None:
            return await self._read(hit)
        try:
            return await task
        except asyncio.CancelledError:
            await settle([task], 0.0)
            raise

    def seconds(self, url: str) -> float:
        """Return how long reading ``url`` took; 0.0 when it did not end."""
        return self._seconds.get(canonical_url(url), 0.0)

    async def _read(self, hit: Hit) -> Page:
        began = self._now()
        try:
            return await self._reader.read(hit)
        finally:
            self._seconds[canonical_url(hit.url)] = max(0.0, (self._now() - began).total_seconds())

    async def aclose(self) -> None:
        """Cancel what was started and not requested."""
        left = list(self._begun.values())
        self._begun.clear()
        await settle(left, 0.0)


LATE = "it took far longer than the other pages, and the search did not wait for it"
"""Why a page is missing that was still being read when its round had waited long enough."""

LEAST_PAGES = 4
"""Pages that must have come before another may be late: fewer seldom hold an answer."""
LEAST_S = 1.5
"""Seconds that every page has. A page that a server failed to give at first comes in this time."""
TIMES_MEDIAN = 3.0

LOOK_S = 0.1
"""Seconds between two looks at whether a page is late."""


def late_after_s(seconds: Sequence[float], begun: int) -> float:
    """Return the seconds after which a page is late; infinity while that cannot be told.

    A round waits for its slowest page, and one whose server hangs takes ten times as long as the
    others. Most of them must have come, so that pages that are all slow are waited for.

    Args:
        seconds: How long each page took that has come.
        begun: Those pages, and the others that were begun and have not failed.
    """
    come = len(seconds)
    if come < LEAST_PAGES or 3 * come < 2 * begun:
        return math.inf
    return max(LEAST_S, TIMES_MEDIAN * sorted(seconds)[come // 2])


class PunctualReader(ForwardingReader):
    """``inner`` for one run: a page that takes far longer than the others is not waited for.

    It is read on meanwhile, and a second call for it returns it, unless it is late once more.
    """

    def __init__(self, inner: Reader) -> None:
        super().__init__(inner)
        self._late: dict[str, asyncio.Task[Page]] = {}
        self._seconds: list[float] = []
        self._begun = 0

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that tells why there is none; ``timeout`` for one that is
                late.
        """
        if task := self._late.pop(canonical_url(hit.url), None):
            return await self._in_time(hit, task)
        self._begun += 1
        began = monotonic()
        task = asyncio.create_task(self.inner.read(hit))
        try:
            page = await self._in_time(hit, task)
        except ReadError:
            if task.done():  # one that is late goes on
                self._begun -= 1
            raise
        self._seconds.append(monotonic() - began)
        return page

    async def _in_time(self, hit: Hit, task: asyncio.Task[Page]) -> Page:
        began = monotonic()
        try:
            while not task.done():
                await asyncio.wait([task], timeout=LOOK_S)
                if monotonic() - began > late_after_s(self._seconds, self._begun):
                    break
        except asyncio.CancelledError:
            await settle([task], 0.0)
            raise
        if task.done():
            return task.result()
        if self._late.setdefault(canonical_url(hit.url), task) is not task:
            task.cancel()  # another call for the page goes on
        task.add_done_callback(forget)
        raise ReadError(LATE, status=ReadStatus.TIMEOUT)

    async def aclose(self) -> None:
        """Stop reading what nobody has asked for again."""
        left = list(self._late.values())
        self._late.clear()
        await settle(left, 0.0)
