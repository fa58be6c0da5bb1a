"""Readers, which turn hits into pages: from files, from the web, and by scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from quaere.domain.source import Hit, Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body, Extractor, Reader
from quaere.resilience.thread import in_thread

if TYPE_CHECKING:  # the HTTP client takes long to import, and a folder-only run needs none
    from quaere.read.extractor import SafeExtractor
    from quaere.read.fetch import Fetcher


MAX_RECORDS = 20_000
MAX_RECORD_CHARS = 8_000_000
"""Records of a table that are joined into one page, and the text after which no more are; an index
takes all of them, one by one."""


class LocalReader:
    """Reads ``file:`` URLs inside the folders to be searched, and no others.

    A hit may come from a service on the web, which must not be able to open any file it names.
    """

    def __init__(
        self, read: Callable[[Path], Body], extractor: Extractor, *, roots: Iterable[Path]
    ) -> None:
        """Load files below ``roots`` with ``read`` and extract their text with ``extractor``."""
        self._read, self._extractor = read, extractor
        self._roots = [root.resolve() for root in roots]

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``, or the one record of a table that its fragment names.

        Of a table as a whole it is the first `MAX_RECORDS` records, or `MAX_RECORD_CHARS` of them.

        Raises:
            ReadError: when the file is not below the roots or has no text.
        """
        return await in_thread(lambda: self._page(hit.url))

    def _page(self, url: str) -> Page:
        path = self._path(url)
        pages: list[Page] = []
        left = MAX_RECORD_CHARS
        for page in self._extractor.extract(self._read(path)):
            if page.url == url:
                return page
            if len(pages) < MAX_RECORDS and left > 0:
                pages.append(page)
                left -= len(page.text)
            elif "#" not in url:
                break
        if not pages:
            raise ReadError(f"{path} holds no text.", status=ReadStatus.EMPTY)
        return join_pages(pages)

    def _path(self, url: str) -> Path:
        try:
            parts = urlsplit(url)
            path = Path(url2pathname(parts.path))
            inside = any(path.resolve().is_relative_to(root) for root in self._roots)
        except (ValueError, OSError, RuntimeError) as error:
            raise ReadError(
                f"{url:.200} is not a valid file URL: {error}.", status=ReadStatus.NOT_FOUND
            ) from error
        if parts.scheme != "file" or parts.netloc or not inside:
            raise ReadError(
                f"{url:.200} is outside the folders to be searched.", status=ReadStatus.REFUSED
            )
        return path


_BETWEEN = "\n\n"


def join_pages(pages: Sequence[Page]) -> Page:
    """Return the page of a document, or the records of a table joined into one page.

    Raises:
        IndexError: when ``pages`` is empty.
    """
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


class SchemeReader:
    """Reads each hit with the reader that knows its scheme; refuses every other scheme."""

    def __init__(self, readers: Mapping[str, Reader]) -> None:
        """Read with ``readers``, by scheme in lower case."""
        self._readers = dict(readers)

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: when its scheme is unsupported, or its reader fails.
        """
        try:
            scheme = urlsplit(hit.url).scheme
        except ValueError:
            scheme = ""
        if scheme not in self._readers:
            known = ", ".join(sorted(self._readers))
            wrong = "has an unsupported scheme" if ":" in hit.url else "is not a URL"
            message = f"{hit.url:.200} {wrong}; supported are {known}."
            raise ReadError(message, status=ReadStatus.REFUSED)
        return await self._readers[scheme].read(hit)


class WebReader:
    """Fetches a hit's page through the guard and extracts its text in a worker process."""

    def __init__(self, fetcher: Fetcher, extractor: SafeExtractor) -> None:
        self._fetcher = fetcher
        self._extractor = extractor

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``, under the URL that its redirects ended at.

        Raises:
            ReadError: with the status that says why there is no text.
        """
        fetched = await self._fetcher.fetch(hit.url)
        reading = await self._extractor.read(fetched.body)
        if not reading.pages:
            message = f"{hit.url:.200} holds no text."
            raise reading.problem or ReadError(message, status=ReadStatus.EMPTY)
        return join_pages(reading.pages)

    async def aclose(self) -> None:
        """Close every connection and end the worker processes."""
        await self._fetcher.aclose()
        self._extractor.close()
