"""Reads files concurrently, in threads that a hanging file system cannot block for ever."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Lock, Thread
from typing import NamedTuple

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.index.catalogue import FileRecord
from quaere.index.catalogue_writer import Bundle, Bundler
from quaere.index.scan import FileStat
from quaere.ports.read import Body, Chunker, Extractor

THREADS = 2
"""Files read at once: enough to keep two extracting processes busy."""
PATIENCE_S = 30.0
"""Without a sign of life for so long, a file is given up and its thread left behind."""

# Failures that may be over the next time although the file did not change.
_PASSING = frozenset({ReadStatus.TIMEOUT, ReadStatus.REFUSED, ReadStatus.NOT_FOUND})
_TWICE = " (tried twice)"

_PART = 400  # pages and passages that travel together
_QUEUED = 16  # parts that may wait for the writer


@dataclass(frozen=True, slots=True)
class Sources:
    """How a path becomes pages and passages."""

    read: Callable[[Path], Body]
    extractor: Extractor
    chunk: Chunker


class Job(NamedTuple):
    """A file to read, and what is known of it from the last time."""

    stat: FileStat
    known: FileRecord | None

    @property
    def unchanged(self) -> bool:
        """Whether size and time say that there is nothing to read.

        A file that could not be opened is tried again, and once more one for which the time was
        too short: the machine may have been busy. One that an extractor refused is not.
        """
        stat, known = self.stat, self.known
        if known is None or (stat.size, stat.mtime_ns) != (known.size, known.mtime_ns):
            return False
        if known.hash:
            return known.status != ReadStatus.TIMEOUT or known.reason.endswith(_TWICE)
        return known.status not in _PASSING

    def holds(self, digest: str) -> bool:
        """Whether the file was read before with the same bytes in it."""
        known = self.known
        return known is not None and known.hash == digest and known.status not in _PASSING

    def is_late_again(self, status: str, digest: str) -> bool:
        """Whether the time was too short for the same bytes the last time, too."""
        known = self.known
        late = status == ReadStatus.TIMEOUT and known is not None and known.status == status
        return late and known is not None and digest != "" and known.hash == digest

    def failed_alike(self, status: str, reason: str, digest: str) -> bool:
        """Whether the file, which gave no page now, failed in the same way the last time.

        One that was opened did when the time was too short for the same bytes: what was read of
        them then is worth keeping.
        """
        if digest:
            return self.is_late_again(status, digest)
        known = self.known
        return known is not None and (known.status, known.reason) == (status, reason)


class Part(NamedTuple):
    """Some pages of a file, in page order."""

    job: Job
    url: str
    bundle: Bundle


class End(NamedTuple):
    """A file is done; ``same`` when it holds what it held the last time."""

    job: Job
    status: str = ReadStatus.OK
    reason: str = ""
    hash: str = ""
    url: str = ""
    same: bool = False


class FileReaders:
    """Works through jobs in daemon threads; a read that hangs holds up neither us nor the exit."""

    def __init__(
        self,
        jobs: Iterable[Job],
        sources: Sources,
        stop: Event,
        *,
        threads: int = THREADS,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._jobs = iter(jobs)
        self._sources = sources
        self._stop = stop
        self._patience_s = patience_s
        self._turn = Lock()
        self._queue: Queue[tuple[_Reader, Part | End | None]] = Queue(_QUEUED)
        self._busy = [self._start() for _ in range(threads)]

    @property
    def done(self) -> bool:
        """Whether everything has been taken."""
        return not self._busy

    def take(self, timeout_s: float) -> list[Part | End]:
        """Return what is there, after ``timeout_s`` seconds at the latest; possibly nothing."""
        taken: list[Part | End] = []
        try:
            reader, message = self._queue.get(timeout=timeout_s)
        except Empty:
            return self._give_up()
        if reader in self._busy:  # not one that was given up
            reader.seen = time.monotonic()
            if message is None:
                self._busy.remove(reader)
            else:
                taken.append(message)
        return taken

    def next_job(self) -> Job | None:
        """Hand out the next job; None when there is none, or it is time to stop."""
        with self._turn:
            return None if self._stop.is_set() else next(self._jobs, None)

    def put(self, reader: _Reader, message: Part | End | None) -> bool:
        """Queue ``message``; False when it is no longer wanted."""
        while not self._stop.is_set() and not reader.given_up:
            try:
                self._queue.put((reader, message), timeout=0.1)
            except Full:
                reader.seen = time.monotonic()
            else:
                return True
        return False

    def _start(self) -> _Reader:
        reader = _Reader(self, self._sources)
        reader.start()
        return reader

    def _give_up(self) -> list[Part | End]:
        late: list[Part | End] = []
        for reader in list(self._busy):
            job = reader.job
            if job is not None and time.monotonic() - reader.seen > self._patience_s:
                reader.given_up = True
                self._busy.remove(reader)
                self._busy.append(self._start())
                reason = f"gave no text within {self._patience_s:g} s"
                late.append(End(job, ReadStatus.TIMEOUT, reason))
        return late


class _Reader(Thread):
    def __init__(self, readers: FileReaders, sources: Sources) -> None:
        super().__init__(name="quaere-folder-reader", daemon=True)
        self._readers = readers
        self._sources = sources
        self.job: Job | None = None
        self.seen = time.monotonic()
        self.given_up = False

    def run(self) -> None:
        while not self.given_up and (job := self._readers.next_job()):
            self.seen = time.monotonic()
            self.job = job
            self._read(job)
            self.job = None
        self._readers.put(self, None)

    def _read(self, job: Job) -> None:
        outcome = _Outcome()
        url = digest = ""
        same = False
        bundler = Bundler(url)
        with outcome:
            body = self._sources.read(Path(job.stat.path))
            url, digest = body.url, hashlib.blake2b(body.data, digest_size=16).hexdigest()
            same = job.holds(digest)
            bundler = Bundler(url)
            if not same and not self._extract(job, body, bundler):
                return
        # Pages that came before a failure are good ones.
        if bundler.size:
            self._put_pages(job, url, bundler)
        elif not bundler.pages:
            same = same or job.failed_alike(outcome.status, outcome.reason, digest)
        late = job.is_late_again(outcome.status, digest)
        reason = outcome.reason + _TWICE * late
        self._readers.put(self, End(job, outcome.status, reason, digest, url, same=same))

    def _extract(self, job: Job, body: Body, bundler: Bundler) -> bool:
        """Gather the pages of ``body``, and put full parts; False when they are not wanted."""
        for page in self._sources.extractor.extract(body):
            bundler.add(page, self._sources.chunk(page))
            if bundler.size >= _PART and not self._put_pages(job, body.url, bundler):
                return False
        return True

    def _put_pages(self, job: Job, url: str, bundler: Bundler) -> bool:
        return self._readers.put(self, Part(job, url, bundler.take()))


class _Outcome:
    """Catches whatever reading one file raises: no file may end the reading of the others."""

    status: str = ReadStatus.OK
    reason: str = ""

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        if isinstance(error, ReadError):
            self.status, self.reason = error.status, error.message
        elif isinstance(error, Exception):
            self.status = ReadStatus.BROKEN
            self.reason = f"{type(error).__name__}: {error}"[:500]
        return isinstance(error, Exception)
