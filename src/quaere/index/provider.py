"""Searches folders of documents on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event

from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page
from quaere.errors import FolderIndexError, SearchError
from quaere.index.catalogue import FileRecord
from quaere.index.file_readers import Sources
from quaere.index.folder_index import FolderIndex
from quaere.ports.read import Body, Chunker, Extractor
from quaere.ports.search import Progress
from quaere.resilience.thread import in_thread

_READABLE = (
    "What can be read is Markdown, reStructuredText, HTML, PDF, DOCX, XLSX, CSV, JSON, XML and "
    "plain text."
)


class FolderProvider:
    """A `SearchProvider` over files and folders; also `Preparable` and `TermStatistics`."""

    name = "folder"
    kinds = frozenset({SourceKind.FOLDER})

    def __init__(
        self,
        roots: Sequence[str | Path],
        *,
        cache: Path,
        read: Callable[[Path], Body],
        extractor: Extractor,
        chunk: Chunker,
    ) -> None:
        """Search in ``roots``; the index is kept under ``cache``.

        ``read`` returns the bytes of a file, under its URL, or raises ``ReadError``.

        Raises:
            UsageError: when there is no root, or one does not exist.
        """
        self._index = FolderIndex(roots, cache=cache)
        self._sources = Sources(read, extractor, chunk)

    @property
    def roots(self) -> tuple[Path, ...]:
        """What is searched, as absolute paths."""
        return self._index.roots

    async def prepare(self, progress: Progress) -> Sequence[RunWarning]:
        """Bring the index up to date; return which files could not be read, and why.

        A cancelled call leaves what was already read searchable; a hanging file system does not
        delay the cancellation.

        Raises:
            FolderIndexError: when the index cannot be written, or another process is writing it
                all the time.
        """
        loop = asyncio.get_running_loop()
        stop = Event()

        def tell(done: int, total: int, passages: int) -> None:
            if not stop.is_set():
                with suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(progress, done, total, passages)

        try:
            return await in_thread(lambda: self._refreshed(tell, stop))
        finally:
            stop.set()

    def _refreshed(self, tell: Progress, stop: Event) -> list[RunWarning]:
        warnings = self._index.refresh(self._sources, progress=tell, stop=stop)
        counts = self._index.counts()
        if counts and counts[0] == counts[1] and not stop.is_set():
            where, unread = ", ".join(map(str, self.roots)), counts[1]
            tried = "its only file" if unread == 1 else f"none of {unread} files"
            could = "could not" if unread == 1 else "could"
            of_them = f": {tried} {could} be read." if unread else f". {_READABLE}"
            message = f"There is nothing to read in {where}{of_them}"
            warnings.append(RunWarning(kind="empty", message=message))
        return warnings

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` passages, best first; ties by URL and place.

        Raises:
            SearchError: when the folders are not indexed, or the index is damaged.
        """
        try:
            return await in_thread(lambda: self._index.search(query, limit))
        except FolderIndexError as error:
            raise SearchError(error.message) from error

    def document_share(self, word: str) -> float:
        """Return the share of passages, 0 to 1, that hold ``word``; 0.0 without an index."""
        try:
            return self._index.share(word)
        except FolderIndexError:
            return 0.0

    def counts(self) -> tuple[int, int] | None:
        """Return how many files are indexed and how many of them could not be read, if built yet.

        Raises:
            FolderIndexError: when the index is damaged.
        """
        return self._index.counts()

    def files(self) -> Mapping[str, FileRecord] | None:
        """Return the indexed files by path, and how reading each ended, if built yet. It blocks.

        Raises:
            FolderIndexError: when the index is damaged.
        """
        return self._index.files()

    def page(self, url: str, content_hash: str = "") -> Page | None:
        """Return the stored page at ``url``; None when there is none, or its text has changed.

        Raises:
            FolderIndexError: when the folders are not indexed, or the index is damaged.
        """
        return self._index.page(url, content_hash)
