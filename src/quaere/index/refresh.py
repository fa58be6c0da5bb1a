"""Writes an index: up to date with its folders, batch by batch, repaired first if needed.

One process at a time, which holds the lock.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import islice
from pathlib import Path
from threading import Event

from quaere.errors import FolderIndexError, cause_of
from quaere.index.catalogue import Catalogue, FileRecord, Stamp, State, connect
from quaere.index.catalogue_writer import CatalogueWriter, Indexable
from quaere.index.file_readers import End, FileReaders, Job, Part, Sources
from quaere.index.inverted_index import IndexWriter, InvertedIndex, InvertedIndexError
from quaere.index.scan import FileStat, Listing, scan
from quaere.ports.search import Progress
from quaere.text.zstd import ZstdError

ELSEWHERE = "To keep indexes elsewhere, set QUAERE_CACHE_DIR."

CORRUPTION_ERRORS = (sqlite3.Error, ZstdError, InvertedIndexError, ValueError, TypeError)
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
                raise FolderIndexError(
                    f"Cannot empty the index at {folder}: {cause_of(error)}."
                ) from error


def _holds(catalogue: Path, below: Path) -> bool:
    """Return whether files of ``below`` are in ``catalogue``; True for one that is damaged."""
    path = os.fsencode(below.resolve())
    within = path + os.fsencode(os.sep)
    try:
        with closing(connect(catalogue)) as database:
            found = database.execute(
                "SELECT 1 FROM files WHERE path = ? OR substr(path, 1, ?) = ? LIMIT 1",
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
            raise self._failed(error) from error
        with ExitStack() as unless_locked:
            unless_locked.callback(self._connection.close)
            while not self._try():
                if self._stop.is_set() or time.monotonic() >= deadline:
                    raise FolderIndexError(
                        f"Another process is writing the index at {self._path.parent}; "
                        f"waited {self._wait_s:g} s. Try again when it has finished."
                    )
                self._stop.wait(_POLL_S)
            unless_locked.pop_all()

    def _try(self) -> bool:
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                return False
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                self._path.write_bytes(b"")  # emptied and not replaced: others lock this very file
                return False
            raise self._failed(error) from error
        return True

    def _failed(self, error: sqlite3.Error) -> FolderIndexError:
        return FolderIndexError(f"Cannot lock the index at {self._path}: {error}. {ELSEWHERE}")

    def __exit__(self, *_error: object) -> None:
        self._connection.close()


COMMIT_EVERY_S = 3.0
"""How soon new passages can be found after they were read; later where commits are slow."""

_COMMIT_SHARE = 0.1  # of the time, at most

_TELL_EVERY_S = 0.25
_SMALL = 2_000  # passages that are indexed in a fraction of a second
_MOST_DELETED = 0.2  # of a larger index, before deleted passages distort its scores
_BATCH = 1000  # passages added at once while the inverted index is rebuilt

# A file may change within one tick of its clock after it was read, with size and time as before.
# Times on whole seconds come from a file system that keeps no finer ones (FAT counts by two).
_TICK_NS = 50_000_000
_COARSE_TICK_NS = 2_000_000_000

_NO_STAMP: Stamp = (-1, None, -1)


class Refresh:
    """One refresh of one index. The caller holds the writer's lock."""

    def __init__(
        self,
        folder: Path,
        sources: Sources,
        *,
        progress: Progress,
        stop: Event,
    ) -> None:
        """Prepare to write the index in ``folder``.

        Raises:
            sqlite3.Error: when the catalogue is damaged.
        """
        self._cache = folder.parent
        self._terms_folder = folder / "terms"
        self._sources = sources
        self._tell = progress
        self._stop = stop
        self._ledger = CatalogueWriter(folder / "catalogue.db")
        self._catalogue = Catalogue(folder / "catalogue.db")
        self._terms = self._open_terms()
        self._writer: IndexWriter | None = None
        self._open: dict[str, tuple[int, int]] = {}
        self._done = self._total = self._passages = 0
        self._told = time.monotonic()
        self._next_commit = self._told + COMMIT_EVERY_S

    def close(self) -> None:
        """Close the index; uncommitted changes are rolled back."""
        if self._writer is not None:
            with suppress(InvertedIndexError):  # all that counts is committed
                self._writer.close()
        self._ledger.close()
        self._catalogue.close()

    def run(self, roots: Sequence[Path]) -> Listing:
        """Read what is new or changed under ``roots``, remove what is gone; return what is there.

        Once ``stop`` is set it commits what is done and returns.
        """
        self._repair()
        started_ns = time.time_ns()
        listing = scan(roots, without=self._cache, stopped=self._stop.is_set)
        self._total, self._passages = len(listing.files), self._ledger.passages()
        if not self._stop.is_set():
            jobs, gone = self._changes(listing)
            for record in gone:
                self._remove(record)
            self._done = self._total - len(jobs)
            self._read(jobs, started_ns)
        self._commit()
        if not self._stop.is_set():
            self._tidy()
        self._report(at_once=True)
        return listing

    # repair

    def _open_terms(self) -> InvertedIndex:
        try:
            return InvertedIndex(self._terms_folder)
        except InvertedIndexError:
            shutil.rmtree(self._terms_folder, ignore_errors=True)
            return InvertedIndex(self._terms_folder)

    def _repair(self) -> None:
        """Finish what a killed refresh had begun; rebuild a lost inverted index."""
        for file in self._ledger.in_state(State.READING):
            self._ledger.mark(file, State.LEAVING)
        for file in self._ledger.in_state(State.LEAVING):
            self._write().remove(file)
        for file in self._ledger.in_state(State.PENDING):
            self._write().remove(file)
            self._index_again(file)
        self._commit()
        if self._terms.count != self._ledger.passages():
            self._rebuild_terms()

    def _tidy(self) -> None:
        """Rebuild the inverted index when removed passages distort the statistics of its scores."""
        if distorts(self._terms.deleted, self._terms.count):
            self._rebuild_terms()

    def _rebuild_terms(self) -> None:
        self._write().remove_all()
        for file in self._ledger.in_state(State.LIVE):
            self._index_again(file)
        if self._stop.is_set():
            self._write().undo()
        self._commit()

    def _index_again(self, file: int) -> None:
        for batch in _batches(self._ledger.indexable(file), _BATCH):
            if self._stop.is_set():
                break
            self._write().add(batch)

    # what changed

    def _changes(self, listing: Listing) -> tuple[list[Job], list[FileRecord]]:
        """Return what to read, and the files that are no longer there.

        Of the files that are as they were nothing but size and time is looked at: there may be
        a great many.
        """
        stamps, ids = self._catalogue.stamps(), list[int]()
        differ = list[FileStat]()
        for stat in listing.files:
            size, mtime_ns, file = stamps.pop(stat.path, _NO_STAMP)
            if (size, mtime_ns) != (stat.size, stat.mtime_ns):
                differ.append(stat)
                ids.append(file)
        known = self._catalogue.files_among([*ids, *(file for _, _, file in stamps.values())])
        found = (Job(stat, known.pop(stat.path, None)) for stat in differ)
        jobs = [job for job in found if not job.unchanged]
        return jobs, list(known.values())

    def _remove(self, record: FileRecord) -> None:
        self._ledger.mark(record.id, State.LEAVING)
        self._write().remove(record.id)
        self._passages -= record.passages

    def _read(self, jobs: list[Job], started_ns: int) -> None:
        readers = FileReaders(jobs, self._sources, self._stop)
        while not readers.done and not self._stop.is_set():
            for message in readers.take(timeout_s=0.1):
                if isinstance(message, Part):
                    self._add(message)
                else:
                    self._end(message, started_ns)
            if time.monotonic() > self._next_commit:
                self._commit()
            self._report()

    def _add(self, part: Part) -> None:
        file, count = self._enter(part.job, part.url)
        passages = self._ledger.add(file, part.bundle)
        self._write().add(passages)
        self._open[part.job.stat.path] = (file, count + len(passages))
        self._passages += len(passages)

    def _enter(self, job: Job, url: str) -> tuple[int, int]:
        """Return the file's id and its passages so far; its first pages replace its old ones."""
        path = job.stat.path
        if path not in self._open:
            if job.known is not None:
                self._remove(job.known)
            self._open[path] = (self._ledger.open_file(path, url), 0)
        return self._open[path]

    def _end(self, end: End, started_ns: int) -> None:
        self._done += 1
        stat = trusted(end.job.stat, started_ns)
        known = end.job.known
        if end.same and known is not None:
            self._ledger.touch(known.id, stat, end.reason or known.reason)
            return
        file, count = self._enter(end.job, end.url)
        del self._open[stat.path]
        self._ledger.close_file(
            FileRecord(
                id=file,
                path=stat.path,
                size=stat.size,
                mtime_ns=stat.mtime_ns,
                hash=end.hash,
                status=end.status,
                reason=end.reason,
                passages=count,
            )
        )

    # commits and progress

    def _write(self) -> IndexWriter:
        if self._writer is None:
            self._writer = self._terms.writer()
        return self._writer

    def _commit(self) -> None:
        """Commit the catalogue, then the terms, then that both agree: any crash can be repaired."""
        begun = time.monotonic()
        self._ledger.commit()
        if self._writer is not None:
            self._writer.commit()
        self._ledger.settle()
        now = time.monotonic()
        self._next_commit = now + max(COMMIT_EVERY_S, (now - begun) / _COMMIT_SHARE)

    def _report(self, *, at_once: bool = False) -> None:
        now = time.monotonic()
        if at_once or now - self._told > _TELL_EVERY_S:
            self._tell(self._done, self._total, self._passages)
            self._told = now


def distorts(deleted: int, held: int) -> bool:
    """Return whether ``deleted`` passages still count too much in an index that holds ``held``.

    In a small index any do, since it is rebuilt at once: the same files then score the same,
    whatever came before.
    """
    return deleted > (0 if held <= _SMALL else held * _MOST_DELETED)


def trusted(stat: FileStat, started_ns: int) -> FileStat:
    """Return ``stat`` with a time that never matches if the file may change unnoticed after it."""
    tick = _TICK_NS if stat.mtime_ns % 1_000_000_000 else _COARSE_TICK_NS
    fresh = stat.mtime_ns > started_ns - tick
    return FileStat(stat.path, stat.size, -1) if fresh else stat


def _batches(passages: Iterator[Indexable], size: int) -> Iterator[list[Indexable]]:
    return iter(lambda: list(islice(passages, size)), [])
