"""The events of a run as one reader gets them: from its feed or in another form, to its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from functools import partial
from http import HTTPStatus

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from quaere.domain.events import RUN_EVENT, Event, Phase, RunEvent, RunFailed, RunFinished
from quaere.domain.trace import ENDED, Trace, TraceStatus
from quaere.errors import QuaereError, RunCancelled
from quaere.faces.server.access import Context
from quaere.faces.server.errors import Refused, refusal_of
from quaere.faces.server.feed import PING_S, RUN_GOES_ON, headers
from quaere.faces.server.guard import Chair, chair_of, leave
from quaere.faces.wire.parts import PING, Form, Frame, ended, failed, queued, sse
from quaere.resilience.thread import computed
from quaere.runtime.run import Run
from quaere.store.jobs import Jobs

SEND_S = 30.0
"""Seconds after which a reader that takes nothing is cut off; it resumes from its last id."""


class EventStream(Response):
    """Server-sent events for one reader, which is cut off when it reads too slowly."""

    media_type = "text/event-stream"

    def __init__(
        self,
        frames: AsyncIterator[bytes],
        headers: Mapping[str, str],
        *,
        send_s: float = SEND_S,
    ) -> None:
        """Send ``frames`` as they come."""
        super().__init__(headers=dict(headers))
        del self.headers["content-length"]
        self._frames = frames
        self._send_s = send_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Begin the answer; its frames follow when all layers around it have returned.

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
    begun, first = time.perf_counter(), True
    try:
        yield b"retry: 1000\n\n" + (await _place_in_queue(context, run.id) if waits else b"")
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
        message = context.places.masked(refusal_of(error).message)
        yield sse(failed(error.type, message, error.retryable))


async def _place_in_queue(context: Context, run_id: str) -> bytes:
    """Return the frame that tells the place in the queue of a run; nothing where it has none."""
    position = await Jobs(await context.app.database()).position(run_id)
    return b"" if position is None else sse(queued(position))


def check_place(trace: Trace, after: int) -> None:
    """Refuse a reader that names an event beyond the last one: it would wait in silence.

    Raises:
        Refused: when the log of ``trace`` ends before the event numbered ``after``.
    """
    if after > trace.last_seq:
        message = f"There is no event {after}: the last one of the run is {trace.last_seq}."
        raise Refused(HTTPStatus.BAD_REQUEST, "invalid_request", message)


def place_of(connection: HTTPConnection, after: int | None) -> int:
    """Return after which event a reader goes on: by ``Last-Event-ID``, or ``?after=``.

    A browser that was cut off asks for the address it began with, and says in the header how far
    it has come since.
    """
    given = connection.headers.get("last-event-id", "").strip()
    if given.isascii() and given.isdigit() and len(given) <= 9:
        return int(given)
    return after or 0


def _every(frame: Frame) -> bool:
    del frame
    return True


async def translated(
    context: Context,
    run: Run,
    form: Form,
    wanted: Callable[[Frame], bool] = _every,
    *,
    resumable: bool = False,
) -> AsyncGenerator[bytes]:
    """Yield ``run`` from its beginning in ``form``, and pings, to the end of the run.

    Ends early when the process stops; with an error where a client could take that for the end.

    Args:
        context: What the process shares.
        run: What is streamed.
        form: Takes the events; begun for this stream.
        wanted: Whether a frame is sent; those that a client has already are not.
        resumable: Whether clients come back for the rest of a stream that has no end.
    """
    closing = asyncio.create_task(context.feeds.closing.wait())
    async with aclosing(masked_events(context, run)) as events:
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
            if not resumable:
                stopping = _failed(run.id, "stopping", RUN_GOES_ON.format(run.id), retryable=True)
                yield b"".join(map(sse, form.frames(stopping)))
        finally:
            for task in (coming, closing):
                task.cancel()
            await asyncio.gather(coming, closing, return_exceptions=True)


async def masked_events(context: Context, run: Run) -> AsyncGenerator[RunEvent]:
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
        message = context.places.masked(refusal_of(error).message)
        yield _failed(run.id, error.type, message, retryable=error.retryable)


def masked(context: Context, event: Event) -> RunEvent:
    """Return ``event`` with ids of folders in place of their paths."""
    return RUN_EVENT.validate_json(context.places.masked(event.model_dump_json()))


def ended_without(trace: Trace) -> RunFailed:
    """Return the end of a run that is over and whose log does not say so."""
    if trace.status is TraceStatus.CANCELLED:
        error = RunCancelled(f"The run {trace.id} was cancelled.")
    else:
        error = QuaereError(trace.error_message or f"The run {trace.id} has no report.")
    return _failed(trace.id, error.type, error.message, retryable=error.retryable)


def _failed(run_id: str, kind: str, message: str, *, retryable: bool) -> RunFailed:
    return RunFailed(
        run_id=run_id,
        phase=Phase.FINALIZING,
        error_type=kind,
        message=message,
        retryable=retryable,
    )
