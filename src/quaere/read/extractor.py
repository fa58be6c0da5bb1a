"""Reads any supported body without letting it hang, crash or starve the caller."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from queue import PriorityQueue
from time import monotonic
from types import TracebackType
from typing import NamedTuple, Self

from quaere.domain.source import Page
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.page import at_most
from quaere.read.formats import Format, extractor_for, sniff_body
from quaere.read.pool import Extraction, Stop, WorkerPool

_BLANK = Body(data=b"<!doctype html><html><body><p>.</p></body></html>", url="about:blank")

INLINE_BYTES = 200_000
"""Of a body from elsewhere that is read in this process, where its format allows as much."""
MAX_PAGES = 20_000
"""Of one body when it is read as a whole; who wants every record of a data set iterates."""


_LINE_BYTES = 20_000
"""Of a line that is read in this process. What is looked for in a line may take time that grows
faster than the line does, and in a worker no longer than its seconds."""

READ_BYTES_PER_S = 500_000
"""What a worker reads of web pages in a second, on a machine that has other work."""


class SniffingExtractor:
    """Reads every format in the calling process, without any limits."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the pages of ``body``; see ``Extractor``."""
        yield from extractor_for(sniff_body(body)).extract(body)


class SafeExtractor:
    """Reads small and harmless formats in the calling thread, and all others in worker processes.

    The processes start with the first body that needs one. ``close`` ends them; they end by
    themselves when this process does, however it does.
    """

    def __init__(self, pool: WorkerPool | None = None) -> None:
        self._pool = pool or WorkerPool()
        self._threads = _ShortFirst(self._pool.size)

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the pages of ``body``; see ``Extractor``. May be called from any thread.

        Raises:
            ReadError: when there is no text, or after the last page when some is missing;
                ``timeout``, ``too_large`` or ``broken`` when the parser had to be ended.
        """
        kind = sniff_body(body)
        form = kind.reading
        if len(body.data) <= form.inline_bytes and (_refuses(kind) or _has_short_lines(body)):
            yield from extractor_for(kind).extract(body)
            return
        yield from self._pool.pages(
            body, kind, seconds=form.seconds, max_pages=sys.maxsize, stop=Stop()
        )

    async def read(self, body: Body) -> Extraction:
        """Return all pages of ``body``, and what is missing, without holding up the event loop.

        When the task is cancelled, the worker that reads for it is killed at once.
        """
        stop = Stop()
        try:
            return await asyncio.wrap_future(
                self._threads.submit(lambda: self._read(body, stop), len(body.data))
            )
        finally:
            stop.set()

    async def warm(self) -> None:
        """Start a worker and let it load what reads web pages, which takes a third of a second."""
        await self.read(_BLANK)

    def close(self) -> None:
        """End all workers; readings under way end with an error."""
        self._pool.close()
        self._threads.shutdown()

    async def aclose(self) -> None:
        """Do the same without holding up the event loop."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self, body: Body, stop: Stop) -> Extraction:
        kind = sniff_body(body)
        form = kind.reading
        cheap = _refuses(kind) or (len(body.data) <= INLINE_BYTES and _has_short_lines(body))
        if len(body.data) > form.inline_bytes or not cheap:
            return self._pool.read(body, kind, seconds=form.seconds, max_pages=MAX_PAGES, stop=stop)
        pages: list[Page] = []
        try:
            for page in at_most(MAX_PAGES, extractor_for(kind).extract(body), body):
                pages.append(page)
                if stop.is_set:
                    break
        except ReadError as error:
            return Extraction(tuple(pages), error)
        return Extraction(tuple(pages))


def _refuses(kind: Format) -> bool:
    """Whether a body of that ``kind`` is looked at no further."""
    return kind is Format.UNSUPPORTED


def _has_short_lines(body: Body) -> bool:
    return max(map(len, body.data.split(b"\n"))) <= _LINE_BYTES


class _ShortFirst:
    """Reads in a few threads, a small body before large ones that wait.

    A body has its turn as if it had come later by the time that it takes to read, so that fifty
    large pages do not keep an ordinary one waiting, and none waits for ever.
    """

    def __init__(self, size: int) -> None:
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="quaere-read")
        self._waiting = PriorityQueue[_Turn]()
        self._numbers = count()

    def submit(self, read: Callable[[], Extraction], size: int) -> Future[Extraction]:
        """Return the future of ``read``, which is to read ``size`` bytes."""
        turn = _Turn(monotonic() + size / READ_BYTES_PER_S, next(self._numbers), Future(), read)
        self._waiting.put(turn)
        self._threads.submit(self._next)
        return turn.future

    def shutdown(self) -> None:
        """Read nothing more; wait for what is being read."""
        self._threads.shutdown(cancel_futures=True)
        while not self._waiting.empty():
            self._waiting.get().future.cancel()

    def _next(self) -> None:
        turn = self._waiting.get()
        if not turn.future.set_running_or_notify_cancel():
            return
        try:
            turn.future.set_result(turn.read())
        except BaseException as error:
            turn.future.set_exception(error)  # raised where it is waited for
            raise


class _Turn(NamedTuple):
    at: float
    number: int
    """Of two that have the same turn the first comes first."""
    future: Future[Extraction]
    read: Callable[[], Extraction]
