"""The events of runs as bytes: framed once, shared by all readers of a run, resumed by number.

Only events of the log carry an id, which is their ``seq``; what the service itself says, such as
the place in the queue, carries none, so that no reader's cursor runs ahead of the log.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeVar

from quaere.domain.events import Event
from quaere.domain.trace import Trace
from quaere.errors import QuaereError
from quaere.faces.server.errors import STOPPING, stopping
from quaere.faces.wire.parts import PING
from quaere.runtime.run import Run

PING_S = 15.0
"""A stream is never silent for longer, so that proxies do not take it for dead."""
RUN_ID = "X-Quaere-Run-Id"
"""Header of answers that are about one run."""
KEPT_S = 5.0
"""How long a feed without readers is kept for the next one."""

RUN_GOES_ON = f"{STOPPING} The run goes on, and its report will be at /v1/runs/{{}}/report."
"""What a client that waits for a run is told when the process stops."""

logger = logging.getLogger(__name__)

T = TypeVar("T")
Framed = Callable[[Event], bytes]


@dataclass(slots=True)
class Feed:
    """The events of one run, framed, in the order of ``seq`` from 1."""

    run: Run
    framed: Framed
    frames: list[bytes] = field(default_factory=list[bytes])
    readers: int = 0
    error: QuaereError | None = None
    over: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _pump: asyncio.Task[None] | None = None
    _outcome: asyncio.Task[Trace] | None = None
    _beats: int = 0
    _beat: asyncio.TimerHandle | None = None

    def start(self, *, ping_s: float = PING_S) -> None:
        """Begin to read the log, and to let readers ping every ``ping_s`` seconds."""
        self._ping_in(ping_s)
        self._pump = asyncio.create_task(self._read(), name=f"feed {self.run.id}")

    def stop(self) -> None:
        """Read no further; readers get what is there."""
        if self._pump:
            self._pump.cancel()
        self._end()

    async def follow(self, after: int, closing: asyncio.Event) -> AsyncGenerator[bytes]:
        """Yield the frames after the one numbered ``after``, and pings, to the end of the run.

        Ends early when ``closing`` is set.

        Raises:
            QuaereError: when the log can no longer be read.
        """
        place = max(0, after)
        while not closing.is_set():
            if place < len(self.frames):
                ready, place = self.frames[place:], len(self.frames)
                yield b"".join(ready)
                continue
            if self.over:
                if self.error:
                    raise self.error
                return
            beats = self._beats
            await self._news.wait()
            if self._beats != beats and place >= len(self.frames):
                yield PING

    async def outcome(self, look: Callable[[], Coroutine[None, None, Trace]]) -> Trace:
        """Return the trace once the feed is over; of all readers, the first one looks."""
        if self._outcome is None:
            self._outcome = asyncio.create_task(look())
        return await asyncio.shield(self._outcome)

    async def _read(self) -> None:
        try:
            async for event in self.run.events(after=len(self.frames)):
                self.frames.append(self.framed(event))
                self._tell()
        except QuaereError as error:
            logger.warning("the feed of run %s ended: %s", self.run.id, error.message)
            self.error = error
        finally:
            self._end()

    def _ping_in(self, seconds: float) -> None:
        """Let readers ping every ``seconds``: one timer for all, as there may be a thousand."""

        def beat() -> None:
            self._beats += 1
            self._tell()
            self._ping_in(seconds)

        self._beat = asyncio.get_running_loop().call_later(seconds, beat)

    def _end(self) -> None:
        self.over = True
        if self._beat:
            self._beat.cancel()
        self._tell()

    def _tell(self) -> None:
        told, self._news = self._news, asyncio.Event()
        told.set()

    def wake(self) -> None:
        """Let readers look whether they are to end."""
        self._tell()


class Feeds:
    """The feeds that somebody reads, one a run."""

    def __init__(self, framed: Framed) -> None:
        """Frame events by ``framed``."""
        self.closing = asyncio.Event()
        self._framed = framed
        self._feeds: dict[str, Feed] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    @property
    def readers(self) -> int:
        """Streams that are open."""
        return sum(feed.readers for feed in self._feeds.values())

    def reads(self, run_id: str) -> bool:
        """Return whether somebody reads the feed of that run."""
        feed = self._feeds.get(run_id)
        return feed is not None and feed.readers > 0

    @asynccontextmanager
    async def reading(self, run: Run) -> AsyncGenerator[Feed]:
        """Yield the feed of ``run``, which stays as long as somebody reads it."""
        feed = self._feeds.get(run.id)
        if feed is None or (feed.over and feed.error):
            feed = self._feeds[run.id] = Feed(run, self._framed)
            feed.start()
        feed.readers += 1
        try:
            yield feed
        finally:
            feed.readers -= 1
            if not feed.readers:
                leaving = asyncio.create_task(self._left(run.id, feed))
                self._leaving.add(leaving)
                leaving.add_done_callback(self._leaving.discard)

    async def awaited(self, run_id: str, outcome: Awaitable[T]) -> T:
        """Return the ``outcome`` of a run, which a client waits for in one request.

        Raises:
            Refused: when the process stops before it is there.
        """
        waiting = asyncio.ensure_future(outcome)
        closing = asyncio.create_task(self.closing.wait())
        try:
            await asyncio.wait({waiting, closing}, return_when=asyncio.FIRST_COMPLETED)
            if waiting.done():
                return waiting.result()
        finally:
            waiting.cancel()
            closing.cancel()
        raise stopping(RUN_GOES_ON.format(run_id), {RUN_ID: run_id})

    def close(self) -> None:
        """Let all streams end: their readers come back, to this process or to another."""
        self.closing.set()
        for feed in self._feeds.values():
            feed.wake()

    def forget(self, run_id: str) -> None:
        """Let go of what was read of a run whose log will change: one that is resumed."""
        if feed := self._feeds.pop(run_id, None):
            feed.stop()

    async def _left(self, run_id: str, feed: Feed) -> None:
        await asyncio.sleep(KEPT_S)
        if not feed.readers and self._feeds.get(run_id) is feed:
            del self._feeds[run_id]
            feed.stop()


def headers(run_id: str = "") -> Mapping[str, str]:
    """Return the headers of a stream: nothing on the way keeps or holds it back."""
    told = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return {**told, RUN_ID: run_id} if run_id else told


class ChatReaders:
    """Who reads the answers of chats in this process."""

    def __init__(self, wait_s: float) -> None:
        """Give readers ``wait_s`` seconds to come back."""
        self._wait_s = wait_s
        self._reading = Counter[str]()
        self._leaving: set[asyncio.Task[None]] = set()

    @contextmanager
    def reading(self, run: Run, feeds: Feeds, *, abandons: bool) -> Generator[None]:
        """Count a reader of ``run``; when the last one leaves it may be ended, if it ``abandons``.

        Readers of its feed count as well.
        """
        self._reading[run.id] += 1
        try:
            yield
        finally:
            self._reading[run.id] -= 1
            if not self._reading[run.id]:
                del self._reading[run.id]
            if abandons:
                leaving = asyncio.create_task(self._ended_unless_read(run, feeds))
                self._leaving.add(leaving)
                leaving.add_done_callback(self._leaving.discard)

    async def _ended_unless_read(self, run: Run, feeds: Feeds) -> None:
        await asyncio.sleep(self._wait_s)
        if self._reading[run.id] or feeds.reads(run.id) or feeds.closing.is_set():
            return
        with suppress(QuaereError):  # it is over, or somebody has deleted it
            await run.cancel()
