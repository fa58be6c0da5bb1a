"""What is done about a page that keeps a round waiting: the round ends, its reading goes on."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from time import monotonic

from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.url import canonical_url
from quaere.errors import ReadError
from quaere.ports.forwarding import ForwardingReader
from quaere.ports.read import Reader
from quaere.resilience.timing import forget, settle

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
