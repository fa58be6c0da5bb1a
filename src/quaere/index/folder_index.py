"""The folder index as a whole: refresh it, search it, get text back from it; also as a provider."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Lock

from quaere.domain.question import Intent, Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, Passage
from quaere.errors import FolderIndexError, SearchError, cause_of
from quaere.index.analysis import Wanted, terms, understand
from quaere.index.catalogue import Catalogue, FileRecord, PassageGone
from quaere.index.file_readers import Sources
from quaere.index.inverted_index import InvertedIndex
from quaere.index.refresh import (
    CORRUPTION_ERRORS,
    ELSEWHERE,
    Refresh,
    WriterLock,
    mark_corrupted,
    remove_corrupted,
)
from quaere.index.scan import describe, resolve_roots
from quaere.index.whole_tables import (
    MOST_CHARS,
    MOST_ROWS,
    Record,
    no_room,
    page_of_records,
    tables_of,
    too_large,
)
from quaere.ports.read import Body, Chunker, Extractor
from quaere.ports.search import Progress
from quaere.resilience.thread import in_thread

FORMAT = 34
"""Raise it when the layout, the analysis, or what extracting and cutting yield has changed."""

LOCK_WAIT_S = 60.0

_SNIPPET_CHARS = 300
FEW_PAGES = 40, 400_000
"""Pages and characters of a folder, at most, for the tables of all of it to be looked at."""
TABLES, LOOKED_AT = 16, 30
"""Whole tables that a query for tables brings, and passages whose files they are looked for in."""
WEIGHED = 64
"""Tables out of which these are taken: one page may have more than there is room for."""
# A refresh may remove a passage between finding it and fetching it, but not time and again.
_ATTEMPTS = 3


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

        ``progress`` is told from the working thread.

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
            raise FolderIndexError(
                f"Cannot write the index at {self.folder}: {cause_of(error)}. {ELSEWHERE}"
            ) from error

    def search(self, query: Query, limit: int) -> list[Hit]:
        """Return at most ``limit`` passages, best first; ties by URL and place.

        Raises:
            FolderIndexError: when the index was never built, or is damaged; a refresh repairs it.
        """
        with self._reading():
            wanted = understand(query)
            for _ in range(_ATTEMPTS):
                with suppress(PassageGone):
                    if query.intent is Intent.TABLE:
                        return self._tables(wanted)
                    return self._search(wanted, limit)
            message = "the terms know passages that the catalogue does not"
            raise ValueError(message)

    def _search(self, wanted: Wanted, limit: int) -> list[Hit]:
        """Search once; may raise `PassageGone`."""
        catalogue, index = self._open()
        scores = {row: score for score, row in index.search(wanted, limit)}
        candidates = catalogue.candidates(list(scores))
        if len(candidates) < len(scores):
            raise PassageGone
        candidates.sort(key=lambda one: (-scores[one.row], one.url, one.start))
        best = candidates[: max(limit, 0)]
        return [
            _hit(passage, rank, scores[one.row])
            for rank, (one, passage) in enumerate(zip(best, catalogue.passages(best), strict=True))
        ]

    def _tables(self, wanted: Wanted) -> list[Hit]:
        """Return whole tables: of what is found, then of files of records while there is room.

        Then those of all pages, if they are few: no word of a question need be in a table. May
        raise `PassageGone`.
        """
        catalogue = self._open()[0]
        urls = [hit.url for hit in self._search(wanted, LOOKED_AT)]
        bases = [url.partition("#row=")[0] for url in urls]
        found: list[Passage] = []
        others = (*catalogue.files_of_records(TABLES), *catalogue.pages_if_few(*FEW_PAGES))
        room = MOST_CHARS
        for url in dict.fromkeys([*bases, *others]):
            if len(found) >= WEIGHED:
                break
            tables = list(self._tables_at(catalogue, url))
            if (size := sum(len(table.text) for table in tables)) > room:
                tables, size = [no_room(url)], 0
            found += tables
            room -= size
        best = _with_most(wanted.weights, found[:WEIGHED])
        return [_hit(passage, rank, 0.0) for rank, passage in enumerate(best)]

    def _tables_at(self, catalogue: Catalogue, url: str) -> Iterator[Passage]:
        """Yield the tables of the page at ``url``, or what stands for one that is too large."""
        count = catalogue.count_records(url)
        if count > MOST_ROWS:
            yield too_large(url, count)
        elif page := self._page_with_tables(catalogue, url):
            yield from tables_of(page)

    def _page_with_tables(self, catalogue: Catalogue, url: str) -> Page | None:
        """Return the page at ``url``; of a file of records, all of them as one table."""
        records = catalogue.records(url, MOST_ROWS)
        if not records:
            return catalogue.page(url)
        return page_of_records(url, [Record(place, text) for place, text in records])

    def page(self, url: str, content_hash: str = "") -> Page | None:
        """Return the stored page at ``url``; None when there is none, or its text has changed.

        That of a file of records is the table that they make up, as far as it is read as a whole.

        Raises:
            FolderIndexError: when the index was never built, or is damaged.
        """
        with self._reading():
            catalogue = self._open()[0]
            page = catalogue.page(url, content_hash)
            if page is None and "#" not in url:
                page = self._page_with_tables(catalogue, url)
            return page if page is None or content_hash in {"", page.content_hash} else None

    def share(self, word: str) -> float:
        """Return the share of passages, 0 to 1, that hold ``word``.

        Raises:
            FolderIndexError: when the index was never built, or is damaged.
        """
        with self._reading():
            return self._open()[1].share(terms(word, stop_words=True))

    def counts(self) -> tuple[int, int] | None:
        """Return how many files are indexed and how many of them could not be read, if built yet.

        Raises:
            FolderIndexError: when the index is damaged.
        """
        if not self._catalogue.exists():
            return None
        with self._reading():
            return self._open()[0].count_files()

    def files(self) -> dict[str, FileRecord] | None:
        """Return the indexed files by path, and how reading each ended, if built yet.

        Raises:
            FolderIndexError: when the index is damaged.
        """
        if not self._catalogue.exists():
            return None
        with self._reading():
            return self._open()[0].files()

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

    @contextmanager
    def _reading(self) -> Generator[None]:
        """Mark the index when it turns out to be damaged, so that the next refresh repairs it."""
        try:
            yield
        except CORRUPTION_ERRORS as error:
            mark_corrupted(self.folder, error)
            with self._opening:
                self._readers = None
            raise FolderIndexError(
                f"Cannot read the index at {self.folder}: {error}. Refresh it."
            ) from error


def _with_most(asked: Iterable[str], tables: Sequence[Passage]) -> Sequence[Passage]:
    """Return as many of ``tables`` as may be told, those with most of the terms ``asked``."""
    if len(tables) <= TABLES:
        return tables
    wanted = frozenset(asked)
    held = [len(wanted.intersection(terms(f"{each.title}\n{each.text}"))) for each in tables]
    order = sorted(range(len(tables)), key=lambda place: -held[place])
    return [tables[place] for place in sorted(order[:TABLES])]


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


_READABLE = (
    "What can be read is Markdown, reStructuredText, HTML, PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, "
    "EPUB, RTF, CSV, JSON, XML, notebooks, subtitles, calendars, mail (EML, mbox) and plain text."
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
