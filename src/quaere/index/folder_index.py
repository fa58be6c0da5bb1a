"""The folder index as a whole: refresh it, search it, get text back from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock

from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, Passage
from quaere.errors import FolderIndexError
from quaere.index.analysis import Wanted, terms, understand
from quaere.index.catalogue import Catalogue, PassageGone
from quaere.index.corruption import CORRUPTION_ERRORS, mark_corrupted, remove_corrupted
from quaere.index.file_readers import Sources
from quaere.index.inverted_index import InvertedIndex
from quaere.index.lock import WriterLock
from quaere.index.refresh import Refresh
from quaere.index.scan import describe, resolve_roots

FORMAT = 1
"""Raise it when the layout, the analysis, or what extracting and cutting yield has changed."""

LOCK_WAIT_S = 60.0

_SNIPPET_CHARS = 300
# A refresh may remove a passage between finding it and fetching it, but not time and again.
_ATTEMPTS = 3

Progress = Callable[[int, int, int], None]
"""Called with files done, files in total and passages, from the working thread."""


def _ignore(done: int, total: int, passages: int) -> None:
    """Ignore progress."""


class FolderIndex:
    """One index over one set of folders and files. Any thread may use it."""

    def __init__(self, roots: Sequence[str | Path], *, cache: Path) -> None:
        """Take ``roots``, whose index lies in a folder of its own under ``cache``.

        Raises:
            UsageError: when there is no root, or one does not exist.
        """
        self.roots = resolve_roots(roots)
        key = json.dumps([FORMAT, *map(str, self.roots)])
        self.folder = cache.absolute() / hashlib.sha256(key.encode()).hexdigest()[:16]
        self._catalogue = self.folder / "catalogue.db"
        self._opening = Lock()
        self._readers: tuple[Catalogue, InvertedIndex] | None = None

    def refresh(
        self,
        sources: Sources,
        *,
        progress: Progress = _ignore,
        stop: Event | None = None,
        lock_wait_s: float = LOCK_WAIT_S,
    ) -> list[RunWarning]:
        """Bring the index up to date and return what could not be read, and why.

        It blocks; once ``stop`` is set it commits what is done and returns.

        Raises:
            FolderIndexError: when the index cannot be written, or another process is still
                writing it after ``lock_wait_s`` seconds.
        """
        stop = stop or Event()
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with WriterLock(self.folder / "lock.db", wait_s=lock_wait_s, stop=stop):
                try:
                    return self._refresh(sources, progress, stop)
                except CORRUPTION_ERRORS as error:
                    if not mark_corrupted(self.folder, error):
                        raise
                    return self._refresh(sources, progress, stop)
        except (*CORRUPTION_ERRORS, OSError) as error:
            raise FolderIndexError(f"Cannot write the index at {self.folder}: {error}.") from error

    def search(self, query: Query, limit: int) -> list[Hit]:
        """Return at most ``limit`` passages, best first; ties by URL and place.

        Raises:
            FolderIndexError: when the index was never built, or is damaged; a refresh mends it.
        """
        try:
            wanted = understand(query)
            for _ in range(_ATTEMPTS):
                with suppress(PassageGone):
                    return self._search(wanted, limit)
            message = "the terms know passages that the catalogue does not"
            raise ValueError(message)
        except CORRUPTION_ERRORS as error:
            raise self._unreadable(error) from error

    def _search(self, wanted: Wanted, limit: int) -> list[Hit]:
        """Search once; may raise `PassageGone`."""
        catalogue, index = self._open()
        scores = {row: score for score, row in index.search(wanted, limit)}
        candidates = catalogue.candidates(list(scores))
        if len(candidates) < len(scores):
            raise PassageGone
        candidates.sort(key=lambda one: (-scores[one.row], one.url, one.start))
        return [
            _hit(catalogue.passage(one), rank, scores[one.row])
            for rank, one in enumerate(candidates[: max(limit, 0)])
        ]

    def page(self, url: str, content_hash: str = "") -> Page | None:
        """Return the stored page at ``url``; None when there is none, or its text has changed.

        Raises:
            FolderIndexError: when the index was never built, or is damaged.
        """
        try:
            return self._open()[0].page(url, content_hash)
        except CORRUPTION_ERRORS as error:
            raise self._unreadable(error) from error

    def share(self, word: str) -> float:
        """Return the share of passages, 0 to 1, that hold ``word``.

        Raises:
            FolderIndexError: when the index was never built, or is damaged.
        """
        try:
            return self._open()[1].share(terms(word, stop_words=True))
        except CORRUPTION_ERRORS as error:
            raise self._unreadable(error) from error

    def counts(self) -> tuple[int, int] | None:
        """Return how many files are indexed and how many of them could not be read, if built yet.

        Raises:
            FolderIndexError: when the index is damaged.
        """
        if not self._catalogue.exists():
            return None
        try:
            catalogue = self._open()[0]
            return len(catalogue.files()), len(catalogue.failures())
        except CORRUPTION_ERRORS as error:
            raise self._unreadable(error) from error

    def _refresh(self, sources: Sources, progress: Progress, stop: Event) -> list[RunWarning]:
        if remove_corrupted(self.folder):
            with self._opening:
                self._readers = None
        refresh = Refresh(self.folder, sources, progress=progress, stop=stop)
        try:
            listing = refresh.run(self.roots)
        finally:
            refresh.close()
        return describe(listing, self._open()[0].failures())

    def _open(self) -> tuple[Catalogue, InvertedIndex]:
        with self._opening:
            if self._readers is None:
                if not self._catalogue.exists():
                    raise FolderIndexError("The folders are not indexed yet; refresh first.")
                self._readers = (Catalogue(self._catalogue), InvertedIndex(self.folder / "terms"))
            return self._readers

    def _unreadable(self, error: Exception) -> FolderIndexError:
        mark_corrupted(self.folder, error)
        with self._opening:
            self._readers = None
        return FolderIndexError(f"Cannot read the index at {self.folder}: {error}. Refresh it.")


def _hit(passage: Passage, rank: int, score: float) -> Hit:
    return Hit(
        url=passage.url,
        title=passage.title,
        snippet=passage.text[:_SNIPPET_CHARS],
        provider="folder",
        rank=rank,
        score=score,
        kind=SourceKind.FOLDER,
        published=passage.published,
        passages=(passage,),
    )
