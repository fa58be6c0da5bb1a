"""Reads hits that are pages of the web."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from quaere.domain.source import Hit, Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.read.extractor import SafeExtractor
from quaere.read.fetch import Fetcher

_BETWEEN = "\n\n"


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
        return _whole(reading.pages)

    async def aclose(self) -> None:
        """Close every connection and end the worker processes."""
        await self._fetcher.aclose()
        self._extractor.close()


def _whole(pages: Sequence[Page]) -> Page:
    """Return the one page of a document, or all records of a table as one."""
    first = pages[0]
    if len(pages) == 1:
        return first
    starts = accumulate((len(page.text) + len(_BETWEEN) for page in pages), initial=0)
    marks = [
        Mark(start=start + mark.start, label=mark.label)
        for start, page in zip(starts, pages, strict=False)
        for mark in page.marks
    ]
    url, _, _ = first.url.partition("#")
    text = _BETWEEN.join(page.text for page in pages)
    return first.model_copy(update={"url": url, "text": text, "marks": tuple(marks)})
