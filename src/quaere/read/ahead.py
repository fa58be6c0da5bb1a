"""Begins to read what a search has found first while other searches are still on their way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime

from quaere.domain.source import Hit, Page
from quaere.domain.url import canonical_url
from quaere.ports.read import Reader
from quaere.resilience.clock import SYSTEM_CLOCK
from quaere.resilience.deadline import settle


class ReadAhead:
    """``reader`` for one run, which may be told of hits before it is asked for them.

    What is asked for was begun already, or is read now. Pages that were begun and that nobody asks
    for are let go by ``aclose``.
    """

    def __init__(self, reader: Reader, now: Callable[[], datetime] = SYSTEM_CLOCK.now) -> None:
        self._reader = reader
        self._now = now
        self._begun: dict[str, asyncio.Task[Page]] = {}
        self._seconds: dict[str, float] = {}

    def begin(self, hits: Iterable[Hit]) -> None:
        """Begin to read ``hits``, each once."""
        for hit in hits:
            key = canonical_url(hit.url)
            if key not in self._begun:
                self._begun[key] = asyncio.create_task(self._read(hit))

    @property
    def begun(self) -> frozenset[str]:
        """Canonical URLs of the pages that are on their way or there, and not asked for yet."""
        return frozenset(self._begun)

    @property
    def ready(self) -> frozenset[str]:
        """Canonical URLs of those that have been read, or could not be."""
        return frozenset(url for url, task in self._begun.items() if task.done())

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that tells why there is none.
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
        """Return how long reading ``url`` has taken; 0.0 where it did not end."""
        return self._seconds.get(canonical_url(url), 0.0)

    async def _read(self, hit: Hit) -> Page:
        began = self._now()
        try:
            return await self._reader.read(hit)
        finally:
            self._seconds[canonical_url(hit.url)] = max(0.0, (self._now() - began).total_seconds())

    async def aclose(self) -> None:
        """Let go of what was begun and not asked for."""
        left = list(self._begun.values())
        self._begun.clear()
        await settle(left, 0.0)
