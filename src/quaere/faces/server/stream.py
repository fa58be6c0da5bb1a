"""The events of runs as bytes: framed once, shared by all readers, resumed by number, ended."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from quaere.domain.events import RUN_EVENT, Event, Phase, RunEvent, RunFailed, RunFinished
from quaere.domain.trace import ENDED, Trace, TraceStatus
from quaere.errors import QuaereError, RunCancelled
from quaere.faces.server.context import Context
from quaere.faces.server.errors import Refused
from quaere.faces.server.guard import Chair, chair_of, leave
from quaere.faces.wire.parts import PING, Form, Frame, ended, failed, queued, sse
from quaere.resilience.thread import computed
from quaere.runtime.run import Run
from quaere.store.jobs import Jobs

PING_S = 15.0
"""A stream is never silent for longer, so that proxies do not take it for dead."""
RUN_ID = "X-Quaere-Run-Id"
"""Header of answers that are about one run."""
KEPT_S = 5.0
"""How long a feed without readers is kept for the next one."""

logger = logging.getLogger(__name__)

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


SEND_S = 30.0
"""A reader that takes nothing for so long is cut off; it comes back with the last id it has."""


class EventStream(Response):
    """Server-sent events, one reader's: cut off when it reads too slowly."""

    media_type = "text/event-stream"

    def __init__(
        self,
        frames: AsyncIterator[bytes],
        headers: Mapping[str, str],
        *,
        status_code: int = 200,
        send_s: float = SEND_S,
    ) -> None:
        """Send ``frames`` as they come."""
        super().__init__(None, status_code, headers=dict(headers))
        del self.headers["content-length"]
        self._frames = frames
        self._send_s = send_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin the answer; its frames follow when those who have asked for it have returned.

        Raises:
            Refused: when the user has too many streams open.
        """
        chair = chair_of(scope)
        chair.check()
        await send(
            {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        )
        rest = partial(_follow, self._frames, self._send_s, chair)
        if not leave(scope, rest):
            await rest(receive, send)


async def _follow(
    frames: AsyncIterator[bytes], send_s: float, chair: Chair, receive: Receive, send: Send
) -> None:
    """Send all ``frames``, until there are no more or nobody reads them, or may read them."""
    reading = asyncio.create_task(_left(receive))
    sending = True
    try:
        async with asyncio.timeout(None) as until:

            def stop(_: object = None) -> None:
                if sending:  # a call that is on its way can no longer be taken back
                    until.reschedule(0)

            reading.add_done_callback(stop)
            chair.take(stop)
            try:
                await _sent(frames, send_s, send)
            finally:
                sending = False
                chair.leave()
                reading.remove_done_callback(stop)
    except (OSError, TimeoutError):
        pass  # nobody reads any more, or too slowly, or with a key that is not valid any more
    finally:
        reading.cancel()


async def _sent(frames: AsyncIterator[bytes], send_s: float, send: Send) -> None:
    async for frame in frames:
        async with asyncio.timeout(send_s):
            await send({"type": "http.response.body", "body": frame, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def stream(context: Context, trace: Trace, run: Run, after: int) -> EventStream:
    """Return the events of ``run`` after the one numbered ``after``, to its end."""
    return EventStream(frames(context, trace, run, after), headers(run.id))


def frames(context: Context, trace: Trace, run: Run, after: int) -> AsyncGenerator[bytes]:
    """Yield what a reader of ``run`` gets after the event numbered ``after``."""
    return _frames(context, run, after, waits=trace.status is TraceStatus.PENDING)


async def _frames(context: Context, run: Run, after: int, *, waits: bool) -> AsyncGenerator[bytes]:
    yield b"retry: 1000\n\n" + (await _place_in_queue(context, run.id) if waits else b"")
    begun, first = time.perf_counter(), True
    try:
        async with context.feeds.reading(run) as feed:
            async for frame in feed.follow(after, context.feeds.closing):
                if first and frame is not PING:
                    context.metrics.first_event(time.perf_counter() - begun)
                    first = False
                yield frame
        if context.feeds.closing.is_set():
            return
        traces = await context.app.traces()
        now = await feed.outcome(lambda: traces.get_trace(run.owner, run.id))
        if now.status in ENDED:
            yield sse(ended(str(now.status), now.last_seq))
    except QuaereError as error:
        yield sse(failed(error.type, context.places.masked(error.message), error.retryable))


async def _place_in_queue(context: Context, run_id: str) -> bytes:
    """Return the frame that tells the place in the queue of a run; nothing where it has none."""
    position = await Jobs(await context.app.database()).position(run_id)
    return b"" if position is None else sse(queued(position))


def check_place(trace: Trace, after: int) -> None:
    """Refuse a reader that names an event that there is not: it would wait in silence.

    Raises:
        Refused: when the log of ``trace`` ends before the event numbered ``after``.
    """
    if after > trace.last_seq:
        message = f"There is no event {after}: the last one of the run is {trace.last_seq}."
        raise Refused(HTTPStatus.BAD_REQUEST, "invalid_request", message)


def place_of(connection: HTTPConnection, after: int | None) -> int:
    """Return after which event a reader goes on: by ``?after=``, or ``Last-Event-ID``."""
    if after is not None:
        return after
    given = connection.headers.get("last-event-id", "").strip()
    if given.isascii() and given.isdigit() and len(given) <= 9:
        return int(given)
    return 0


def _every(frame: Frame) -> bool:
    del frame
    return True


async def translated(
    context: Context,
    run: Run,
    form: Form,
    wanted: Callable[[Frame], bool] = _every,
) -> AsyncGenerator[bytes]:
    """Yield ``run`` from its beginning in ``form``, and pings, to the end of the run.

    Ends early when the process stops.

    Args:
        context: What the process shares.
        run: What is streamed.
        form: Takes the events; begun for this stream.
        wanted: Whether a frame is sent; those that a client has already are not.
    """
    closing = asyncio.create_task(context.feeds.closing.wait())
    async with aclosing(told(context, run)) as events:
        coming = asyncio.ensure_future(anext(events, None))
        try:
            while not closing.done():
                await asyncio.wait({coming, closing}, timeout=PING_S, return_when="FIRST_COMPLETED")
                if not coming.done():
                    yield PING
                    continue
                event = coming.result()
                if event is None:
                    return
                if data := b"".join(sse(each) for each in form.frames(event) if wanted(each)):
                    yield data
                coming = asyncio.ensure_future(anext(events, None))
        finally:
            for task in (coming, closing):
                task.cancel()
            await asyncio.gather(coming, closing, return_exceptions=True)


async def told(context: Context, run: Run) -> AsyncGenerator[RunEvent]:
    """Yield the events of ``run`` without paths of this machine, as they come.

    The last one is always an end: where the log has none, because the run was cancelled or its
    worker could not go on, it is made up from the trace.
    """
    last: RunEvent | None = None
    try:
        async for event in run.events():
            last = await computed(partial(masked, context, event))
            yield last
        if not isinstance(last, RunFinished | RunFailed):
            traces = await context.app.traces()
            yield ended_without(await traces.get_trace(run.owner, run.id))
    except QuaereError as error:
        yield _failed(run.id, error.type, context.places.masked(error.message), error.retryable)


def masked(context: Context, event: Event) -> RunEvent:
    """Return ``event`` with ids of folders in place of their paths."""
    return RUN_EVENT.validate_json(context.places.masked(event.model_dump_json()))


def ended_without(trace: Trace) -> RunFailed:
    """Return the end of a run that is over and whose log does not say so."""
    if trace.status is TraceStatus.CANCELLED:
        error = RunCancelled(f"The run {trace.id} was cancelled.")
    else:
        error = QuaereError(trace.error_message or f"The run {trace.id} has no report.")
    return _failed(trace.id, error.type, error.message, error.retryable)


def _failed(run_id: str, kind: str, message: str, retryable: bool) -> RunFailed:
    return RunFailed(
        run_id=run_id,
        phase=Phase.FINALIZING,
        error_type=kind,
        message=message,
        retryable=retryable,
    )
