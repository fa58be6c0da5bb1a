"""Brings an index up to date with its folders, batch by batch, repairing it first if needed."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event

from quaere.index.catalogue import Catalogue, FileRecord, State
from quaere.index.catalogue_writer import CatalogueWriter, Indexable
from quaere.index.file_readers import End, FileReaders, Job, Part, Sources
from quaere.index.inverted_index import IndexWriter, InvertedIndex, InvertedIndexError
from quaere.index.scan import FileStat, Listing, scan
from quaere.ports.search import Progress

COMMIT_EVERY_S = 3.0
"""How long what was read waits until it can be found; longer where commits are slow."""

_COMMIT_SHARE = 0.1  # of the time, at most

_TELL_EVERY_S = 0.05
_SMALL = 20_000  # passages that are indexed in a fraction of a second
_MOST_DELETED = 0.2
_BATCH = 1000  # passages added at once while the inverted index is rebuilt

# A file may change within one tick of its clock after it was read, with size and time as before.
# Times on whole seconds come from a file system that knows no finer ones (FAT counts by two).
_TICK_NS = 50_000_000
_COARSE_TICK_NS = 2_000_000_000


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
        known = self._catalogue.files()
        self._total, self._passages = len(listing.files), self._ledger.passages()
        if not self._stop.is_set():
            self._remove_all_but(listing, known)
            found = (Job(stat, known.get(stat.path)) for stat in listing.files)
            jobs = [job for job in found if not job.unchanged]
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

    def _remove_all_but(self, listing: Listing, known: dict[str, FileRecord]) -> None:
        here = {file.path for file in listing.files}
        for path, record in known.items():
            if path not in here:
                self._remove(record)

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
    batch: list[Indexable] = []
    for passage in passages:
        batch.append(passage)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
