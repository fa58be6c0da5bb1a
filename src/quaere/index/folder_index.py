"""The folder index as a whole: refresh it, search it, get text back from it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import time
import zlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Lock
from types import TracebackType

from quaere.domain.question import Intent, Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, Passage
from quaere.errors import FolderIndexError
from quaere.index.analysis import Wanted, terms, understand
from quaere.index.catalogue import Catalogue, FileRecord, PassageGone, connect
from quaere.index.file_readers import Sources
from quaere.index.inverted_index import InvertedIndex, InvertedIndexError
from quaere.index.refresh import Refresh
from quaere.index.scan import describe, resolve_roots
from quaere.index.whole_tables import MOST_ROWS, Record, page_of_records, tables_of, too_large
from quaere.ports.search import Progress

CORRUPTION_ERRORS = (sqlite3.Error, zlib.error, InvertedIndexError, ValueError, TypeError)
"""Raised by reading a corrupted index; the last two when its values are invalid."""

# Marks are files, as the process that finds damage may be one that only searches.
_MARKS = {
    "damaged-terms": ("terms",),
    "damaged-catalogue": ("catalogue.db", "catalogue.db-wal", "catalogue.db-shm", "terms"),
}

# Trouble with the disk or with other processes, not with the stored data.
_PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)


def mark_corrupted(folder: Path, error: Exception) -> bool:
    """Mark in ``folder`` what ``error`` shows to be corrupted; False if it shows no corruption."""
    if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in _PASSING:
        return False
    mark = "damaged-terms" if isinstance(error, InvertedIndexError) else "damaged-catalogue"
    with suppress(OSError):
        (folder / mark).touch()
    return True


def remove_corrupted(folder: Path) -> bool:
    """Remove what is marked in ``folder``, for it to be rebuilt; return whether anything was.

    The caller holds the writer's lock.
    """
    marks = [mark for mark in _MARKS if (folder / mark).exists()]
    for mark in marks:
        for name in (*_MARKS[mark], mark):
            if (folder / name).is_dir():
                shutil.rmtree(folder / name)
            else:
                (folder / name).unlink(missing_ok=True)
    return bool(marks)


_POLL_S = 0.05
FORGET_WAIT_S = 10.0
"""How long to wait for a process that is writing an index to be emptied."""


def forget_files(cache: Path, below: Path) -> None:
    """Empty every index under ``cache`` that holds text of ``below``, a file or a folder.

    Folders are indexed together with others, so that several indexes may hold one text. The next
    refresh of each reads the remaining files again. It blocks.

    Raises:
        FolderIndexError: when an index cannot be changed, or another process is writing it.
    """
    for catalogue in cache.absolute().glob("*/catalogue.db"):
        if not _holds(catalogue, below):
            continue
        folder = catalogue.parent
        with WriterLock(folder / "lock.db", wait_s=FORGET_WAIT_S, stop=Event()):
            try:
                (folder / "damaged-catalogue").touch()
                remove_corrupted(folder)
            except OSError as error:
                raise FolderIndexError(f"Cannot empty the index at {folder}: {error}.") from error


def _holds(catalogue: Path, below: Path) -> bool:
    """Return whether files of ``below`` are in ``catalogue``; True for one that is damaged."""
    path = os.fsencode(below.resolve())
    within = path + os.fsencode(os.sep)
    try:
        with closing(connect(catalogue)) as database:
            found = database.execute(
                "SELECT 1 FROM files WHERE path = ?1 OR substr(path, 1, ?2) = ?3 LIMIT 1",
                (path, len(within), within),
            )
            return found.fetchone() is not None
    except sqlite3.Error:
        return True


class WriterLock:
    """Lets one process (and one thread) write to an index; readers need no lock.

    It is an exclusive SQLite transaction on a file of its own: portable, and freed by the system
    when its holder dies, however it dies.
    """

    def __init__(self, path: Path, *, wait_s: float, stop: Event) -> None:
        """Lock ``path``, waiting ``wait_s`` seconds at most, or until ``stop`` is set."""
        self._path = path
        self._wait_s = wait_s
        self._stop = stop

    def __enter__(self) -> None:
        deadline = time.monotonic() + self._wait_s
        try:
            self._connection = sqlite3.connect(
                self._path, timeout=0, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise FolderIndexError(
                f"Cannot lock the index at {self._path}: {error}. {ELSEWHERE}"
            ) from error
        try:
            while not self._try():
                if self._stop.is_set() or time.monotonic() >= deadline:
                    raise FolderIndexError(
                        f"Another process is writing the index at {self._path.parent}; "
                        f"waited {self._wait_s:g} s. Try again when it has finished."
                    )
                self._stop.wait(_POLL_S)
        except BaseException:
            self._connection.close()
            raise

    def _try(self) -> bool:
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                return False
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                self._path.write_bytes(b"")  # emptied and not replaced: others lock this very file
                return False
            raise FolderIndexError(
                f"Cannot lock the index at {self._path}: {error}. {ELSEWHERE}"
            ) from error
        return True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._connection.close()


FORMAT = 13
"""Raise it when the layout, the analysis, or what extracting and cutting yield has changed."""

LOCK_WAIT_S = 60.0
ELSEWHERE = "To keep indexes elsewhere, set QUAERE_CACHE_DIR."

_SNIPPET_CHARS = 300
TABLES, LOOKED_AT = 8, 30
"""Whole tables that a query for tables brings, and passages whose files they are looked for in."""
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
            reason = (error.strerror if isinstance(error, OSError) else "") or error
            raise FolderIndexError(
                f"Cannot write the index at {self.folder}: {reason}. {ELSEWHERE}"
            ) from error

    def search(self, query: Query, limit: int) -> list[Hit]:
        """Return at most ``limit`` passages, best first; ties by URL and place.

        Raises:
            FolderIndexError: when the index was never built, or is damaged; a refresh repairs it.
        """
        with self._reading():
            wanted = understand(query)
            if query.intent is Intent.TABLE:
                return self._tables(wanted)
            for _ in range(_ATTEMPTS):
                with suppress(PassageGone):
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
        """Return whole tables: of what is found, and of files of records while there is room."""
        catalogue = self._open()[0]
        urls = [hit.url for hit in self._search(wanted, LOOKED_AT)]
        bases = [url if "#row=" not in url else url.partition("#")[0] for url in urls]
        found: list[Passage] = []
        for url in dict.fromkeys([*bases, *catalogue.files_of_records(TABLES)]):
            found += self._tables_at(catalogue, url)
        best = found[:TABLES]
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
            catalogue = self._open()[0]
            return len(catalogue.files()), len(catalogue.failures())

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
