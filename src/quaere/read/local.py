"""Reads hits that are files on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports import Body, Extractor


class LocalReader:
    """Turns hits with ``file:`` URLs into pages; refuses every other URL."""

    def __init__(self, read: Callable[[Path], Body], extractor: Extractor) -> None:
        """Read files with ``read`` and turn them into text with ``extractor``."""
        self._read, self._extractor = read, extractor

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``: of a table, the record that its URL names.

        Raises:
            ReadError: when it is no local file, or there is no text in it.
        """
        parts = urlsplit(hit.url)
        if parts.scheme != "file":
            raise ReadError(
                f"{hit.url} is not on this machine, and nothing here reads the web.",
                status=ReadStatus.REFUSED,
            )
        return await asyncio.to_thread(self._page, Path(unquote(parts.path)), hit.url)

    def _page(self, path: Path, url: str) -> Page:
        first: Page | None = None
        for page in self._extractor.extract(self._read(path)):
            if page.url == url:
                return page
            first = first or page
        if first is None:
            raise ReadError(f"{path} holds no text.", status=ReadStatus.EMPTY)
        return first
