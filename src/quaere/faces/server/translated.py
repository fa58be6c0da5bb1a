"""Streams in the forms of other protocols: one reader's, made from the log as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial

from quaere.domain.events import RUN_EVENT, Event, Phase, RunEvent, RunFailed, RunFinished
from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.errors import QuaereError, RunCancelled
from quaere.faces.server.context import Context
from quaere.faces.server.feed import PING_S
from quaere.faces.wire.frames import PING, Form, Frame, sse
from quaere.resilience.thread import computed
from quaere.runtime.run import Run


def _every(frame: Frame) -> bool:
    del frame
    return True


async def translated(
    context: Context,
    owner: Owner,
    run: Run,
    form: Form,
    wanted: Callable[[Frame], bool] = _every,
) -> AsyncGenerator[bytes]:
    """Yield ``run`` from its beginning in ``form``, and pings, to the end of the run.

    Ends early when the process stops.

    Args:
        context: What the process shares.
        owner: Whose run it is.
        run: What is streamed.
        form: Takes the events; begun for this stream.
        wanted: Whether a frame is sent; those that a client has already are not.
    """
    closing = asyncio.create_task(context.feeds.closing.wait())
    async with aclosing(told(context, owner, run)) as events:
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


async def told(context: Context, owner: Owner, run: Run) -> AsyncGenerator[RunEvent]:
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
            yield ended_without(await traces.get_trace(owner, run.id))
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
