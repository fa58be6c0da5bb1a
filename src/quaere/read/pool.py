"""A few worker processes that parse what might hang or crash a parser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from time import monotonic
from typing import BinaryIO, Self, cast

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.page import name_of
from quaere.read.formats import Format
from quaere.read.worker import (
    ANSWER_BYTES_PER_BYTE,
    MAX_ANSWER_BYTES,
    MAX_FRAME_BYTES,
    FrameTooLarge,
    Problem,
    Tag,
    Task,
    read_frame,
    write_frame,
)

MEMORY_BYTES = 450_000_000
"""Address space of a worker, 150 MB of which are taken before it has read anything ..."""
_MEMORY_PER_BYTE = 5
"""... and so much more for each byte of the body."""
_START_SECONDS = 60.0
"""For Python to start and the parser to load: the machine may be busy."""
_DYING_S = 0.5
"""What a process that has closed its pipe has left to end by itself."""
_PATIENCE_S = 0.35
"""What it takes to start a process. Tasks may wait so long for those that are running, all of them
together: a page takes 20 ms to read, and what a dozen wait for is not worth another process."""
_SHORT_S = 0.05
"""The clock of a task is looked at no more often than this."""
_TASKS_PER_WORKER = 500
"""Libraries keep caches; a worker that has read so much is replaced by a fresh one."""

# The paths come as arguments, so that a worker finds what its owner finds; -I keeps the working
# folder, where a stranger may have put a module, from coming first.
BOOT = "import sys; sys.path[:] = sys.argv[1:]; from quaere.read.worker import main; main()"


@dataclass(frozen=True, slots=True)
class Extraction:
    """The outcome of one body: its pages, and the problem when something is missing."""

    pages: tuple[Page, ...]
    problem: ReadError | None = None


class WorkerPool:
    """At most ``size`` processes that run ``boot``, started when needed, replaced when they die."""

    def __init__(self, size: int | None = None, *, boot: str = BOOT) -> None:
        self.size = size or min(4, os.cpu_count() or 1)
        self._boot = boot
        self._free = threading.Semaphore(self.size)
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._idle: list[_Worker] = []
        self._starting = 0
        self._patience_s = _PATIENCE_S
        self._alive: set[_Worker] = set()
        self._finalizer = weakref.finalize(self, _end, self._alive)

    def read(
        self, body: Body, kind: Format, *, seconds: float, max_pages: int, stop: Stop
    ) -> Extraction:
        """Return what a worker made of ``body``, all of its pages; see ``pages``.

        They may hold `MAX_ANSWER_BYTES` together, besides `ANSWER_BYTES_PER_BYTE`.
        """
        pages: list[Page] = []
        left = MAX_ANSWER_BYTES + ANSWER_BYTES_PER_BYTE * len(body.data)
        made = self.pages(
            body, kind, seconds=seconds, max_pages=max_pages, stop=stop, most_bytes=left
        )
        try:
            pages.extend(made)
        except ReadError as error:
            return Extraction(tuple(pages), error)
        return Extraction(tuple(pages))

    def pages(
        self,
        body: Body,
        kind: Format,
        *,
        seconds: float,
        max_pages: int,
        stop: Stop,
        most_bytes: int = sys.maxsize,
    ) -> Generator[Page]:
        """Yield the pages that a worker makes of ``body``, read as ``kind``.

        The worker does not run far ahead of who takes them, and while it waits its time stands
        still. One whose pages are not taken to the end is killed.

        Raises:
            ReadError: after the last page; what the extractor raised, or ``timeout`` (it took
                longer than ``seconds`` or ``stop`` was set), ``too_large`` (it took too much
                memory, or its text was more than may be taken over) or ``broken`` (the parser
                crashed, or no process would start).
        """
        task = Task(
            url=body.url,
            content_type=body.content_type,
            retrieved_at=body.retrieved_at,
            with_citations=body.with_citations,
            kind=str(kind),
            max_pages=max_pages,
            cpu_seconds=ceil(seconds) + 1,
            memory_bytes=MEMORY_BYTES + _MEMORY_PER_BYTE * len(body.data),
        )
        with self._hired(task, body) as worker, stop.ending(worker):
            try:
                yield from worker.pages(body, seconds, most_bytes)
            except ReadError as error:
                if stop.is_set:  # it was not the document that ended its process
                    raise _stopped(body) from error
                raise

    def close(self) -> None:
        """End all workers; the pool starts new ones when it is used again."""
        with self._lock:
            self._idle.clear()
            ended = set(self._alive)
            self._alive.clear()
        _end(ended)

    @contextmanager
    def _hired(self, task: Task, body: Body) -> Generator[_Worker]:
        """Hold a worker that has begun with ``task``."""
        with self._free:
            worker = self._begin(task, body)
            try:
                yield worker
            finally:
                with self._lock:
                    if worker.reusable:
                        self._idle.append(worker)
                    else:
                        self._alive.discard(worker)
                    self._changed.notify_all()
                if not worker.reusable:
                    worker.end()

    def _begin(self, task: Task, body: Body) -> _Worker:
        while True:
            worker = self._waited_for()
            fresh = worker is None
            try:
                if worker is None:
                    worker = _Worker(self._boot)
                    with self._lock:
                        self._alive.add(worker)
                if worker.begin(task, body):
                    return worker
            finally:
                if fresh:
                    with self._lock:
                        self._starting -= 1
                        self._changed.notify_all()
            with self._lock:
                self._alive.discard(worker)
            worker.end()
            # One that waited idle may have been ended from outside; a fresh one has no excuse.
            if fresh:
                message = f"{name_of(body)} could not be read: no parser process could be started"
                raise ReadError(message)

    def _waited_for(self) -> _Worker | None:
        """Return a worker that is idle or soon will be; None when one must be started.

        While one is starting no other is started: start-up time says nothing about task time.
        """
        with self._lock:
            began = monotonic()
            while not self._idle and (self._alive or self._starting):
                left = self._patience_s - (monotonic() - began)
                if self._starting:
                    self._changed.wait()
                    began = monotonic()
                elif left > 0:
                    self._changed.wait(left)
                else:
                    break
            self._patience_s -= monotonic() - began
            if self._idle:
                return self._idle.pop()
            self._patience_s = _PATIENCE_S
            self._starting += 1
            return None


class Stop:
    """Ends a reading from another thread, whether it has begun or not."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self.is_set = False

    def set(self) -> None:
        """Kill the worker that reads now, or will."""
        with self._lock:
            self.is_set = True
            if self._worker:
                self._worker.kill()

    @contextmanager
    def ending(self, worker: _Worker) -> Generator[None]:
        """Let ``set`` end ``worker`` while the block runs."""
        with self._lock:
            self._worker = worker
            if self.is_set:
                worker.kill()
        try:
            yield
        finally:
            with self._lock:
                self._worker = None


class _Worker:
    """One process and the pipes to it."""

    def __init__(self, boot: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-I", "-X", "utf8", "-c", boot, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C is for the owner, who then closes the pool.
            process_group=0 if os.name == "posix" else None,
        )
        self._tasks = cast("BinaryIO", self._process.stdin)
        self._answers = cast("BinaryIO", self._process.stdout)
        self._tasks_left = _TASKS_PER_WORKER
        self.reusable = False

    def begin(self, task: Task, body: Body) -> bool:
        """Hand over a task; return whether the worker took it."""
        self.reusable = False
        self._tasks_left -= 1
        with _Allowance(_START_SECONDS, self.kill):
            try:
                write_frame(self._tasks, Tag.TASK, task.model_dump_json().encode())
                write_frame(self._tasks, Tag.DATA, body.data)
                tag, _ = read_frame(self._answers, max_bytes=0)
            except (OSError, EOFError, FrameTooLarge):
                return False
        return tag is Tag.STARTED

    def pages(self, body: Body, seconds: float, most_bytes: int) -> Generator[Page]:
        """Yield the answers to the task that has begun; what came before a death counts."""
        problem: ReadError | None = None
        with _Allowance(seconds, self.kill) as allowance:
            try:
                while (answer := self._next(most_bytes)) is not None:
                    page, size = answer
                    most_bytes -= size
                    if isinstance(page, Page):
                        with allowance.paused():
                            yield page
                    else:
                        problem = ReadError(page.message, status=page.status)
            except (EOFError, ValueError) as error:
                raise self._death(body, seconds, expired=allowance.is_spent) from error
            except FrameTooLarge as error:
                self.end()
                raise _too_large(body) from error
        self.reusable = self._tasks_left > 0 and not allowance.is_spent
        if problem:
            raise problem

    def _next(self, most_bytes: int) -> tuple[Page | Problem, int] | None:
        """Return the next answer and its size; None after the last."""
        tag, payload = read_frame(self._answers, max_bytes=min(most_bytes, MAX_FRAME_BYTES))
        if tag is Tag.DONE:
            return None
        kind = Page if tag is Tag.PAGE else Problem
        return kind.model_validate_json(payload), len(payload)

    def _death(self, body: Body, seconds: float, *, expired: bool) -> ReadError:
        with suppress(subprocess.TimeoutExpired):  # its own code says more than that of the kill
            self._process.wait(_DYING_S)
        self.end()
        code = self._process.returncode
        if expired or code == -getattr(signal, "SIGXCPU", 0):
            message = (
                f"{name_of(body)} took more than {seconds:g} s to read; "
                "split it or save it in another format"
            )
            return ReadError(message, status=ReadStatus.TIMEOUT)
        message = f"{name_of(body)} crashed its parser (exit {code}); save it in another format"
        return ReadError(message, status=ReadStatus.BROKEN)

    def kill(self) -> None:
        """Send the process the signal that it cannot refuse."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process, wait for it and close the pipes."""
        self.kill()
        self._process.wait()
        self._answers.close()
        try:
            self._tasks.close()
        except BrokenPipeError:
            return  # part of a task was still in the buffer


class _Allowance:
    """Calls ``end`` unless its block ends within ``seconds``, pauses not counted."""

    def __init__(self, seconds: float, end: Callable[[], None]) -> None:
        self._seconds, self._end = seconds, end
        self._began, self._pauses_s = monotonic(), 0.0
        self._paused_at: float | None = None
        self._lock = threading.Lock()
        self._is_over = False
        self.is_spent = False

    def __enter__(self) -> Self:
        self._arm(self._seconds)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._is_over = True
            self._timer.cancel()

    @contextmanager
    def paused(self) -> Generator[None]:
        """Let no time pass while the block runs."""
        self._paused_at = begun = monotonic()
        try:
            yield
        finally:
            self._pauses_s += monotonic() - begun
            self._paused_at = None

    def _arm(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True
        self._timer.start()

    def _expire(self) -> None:
        left = self._seconds - ((self._paused_at or monotonic()) - self._began - self._pauses_s)
        with self._lock:
            if self._is_over:
                return
            if left > 0:
                self._arm(max(left, _SHORT_S))
            else:
                self.is_spent = True
                self._end()


def _stopped(body: Body) -> ReadError:
    message = f"{name_of(body)} was not read to its end: reading was stopped"
    return ReadError(message, status=ReadStatus.TIMEOUT)


def _too_large(body: Body) -> ReadError:
    message = f"{name_of(body)} holds more text than is taken from one document; split it"
    return ReadError(message, status=ReadStatus.TOO_LARGE)


def _end(workers: set[_Worker]) -> None:
    """End ``workers``, all killed before the first is waited for."""
    ended = tuple(workers)  # of a live pool: its threads change the set while the process ends
    for worker in ended:
        worker.kill()
    for worker in ended:
        worker.end()
