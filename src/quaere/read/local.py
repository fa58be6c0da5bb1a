"""Reads hits that are files on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body, Extractor
from quaere.read.whole import whole
from quaere.resilience.thread import in_thread


class LocalReader:
    """Turns hits with ``file:`` URLs into pages, if the files are among those to be searched.

    A hit may come from a service on the web: what it names is no reason to open a file.
    """

    def __init__(
        self, read: Callable[[Path], Body], extractor: Extractor, *, roots: Iterable[Path]
    ) -> None:
        """Read what lies in ``roots`` with ``read`` and turn it into text with ``extractor``."""
        self._read, self._extractor = read, extractor
        self._roots = [root.resolve() for root in roots]

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``: of a table the record that its URL names, if it names one.

        Raises:
            ReadError: when it is no file in the roots, or there is no text in it.
        """
        return await in_thread(lambda: self._page(hit.url))

    def _page(self, url: str) -> Page:
        path = self._path(url)
        pages: list[Page] = []
        for page in self._extractor.extract(self._read(path)):
            if page.url == url:
                return page
            pages.append(page)
        if not pages:
            raise ReadError(f"{path} holds no text.", status=ReadStatus.EMPTY)
        return whole(pages)

    def _path(self, url: str) -> Path:
        try:
            parts = urlsplit(url)
            path = Path(url2pathname(parts.path))
            inside = any(path.resolve().is_relative_to(root) for root in self._roots)
        except (ValueError, OSError, RuntimeError) as error:
            raise ReadError(
                f"{url:.200} names no file: {error}.", status=ReadStatus.NOT_FOUND
            ) from error
        if parts.scheme != "file" or parts.netloc or not inside:
            raise ReadError(
                f"{url:.200} is not among the files to be searched.", status=ReadStatus.REFUSED
            )
        return path
