"""Reads hits that are pages of the web."""

from __future__ import annotations

from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import ReadError
from quaere.read.extractor import SafeExtractor
from quaere.read.fetch import Fetcher
from quaere.read.whole import whole


class WebReader:
    """Fetches a hit's page through the guard and extracts its text in a worker process."""

    def __init__(self, fetcher: Fetcher, extractor: SafeExtractor) -> None:
        self._fetcher = fetcher
        self._extractor = extractor

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``, under the URL that its redirects ended at.

        Raises:
            ReadError: with the status that tells why there is no text.
        """
        fetched = await self._fetcher.fetch(hit.url)
        reading = await self._extractor.read(fetched.body)
        if not reading.pages:
            message = f"{hit.url:.200} holds no text."
            raise reading.problem or ReadError(message, status=ReadStatus.EMPTY)
        return whole(reading.pages)

    async def aclose(self) -> None:
        """Close every connection and end the worker processes."""
        await self._fetcher.aclose()
        self._extractor.close()
