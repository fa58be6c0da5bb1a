"""Begins to read what a search has found first while other searches are still on their way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from quaere.domain.source import Hit, Page
from quaere.domain.url import canonical_url
from quaere.ports.read import Reader
from quaere.resilience.deadline import settle


class ReadAhead:
    """``reader`` for one run, which may be told of hits before it is asked for them.

    What is asked for was begun already, or is read now. Pages that were begun and that nobody asks
    for are let go by ``aclose``.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._begun: dict[str, asyncio.Task[Page]] = {}

    def begin(self, hits: Iterable[Hit]) -> None:
        """Begin to read ``hits``, each once."""
        for hit in hits:
            key = canonical_url(hit.url)
            if key not in self._begun:
                self._begun[key] = asyncio.ensure_future(self._reader.read(hit))

    @property
    def begun(self) -> frozenset[str]:
        """Canonical URLs of the pages that are on their way or there, and not asked for yet."""
        return frozenset(self._begun)

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that tells why there is none.
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
        """Let go of what was begun and not asked for."""
        left = list(self._begun.values())
        self._begun.clear()
        await settle(left, 0.0)
