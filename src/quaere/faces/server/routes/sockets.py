"""The events of a run over a WebSocket, with steering in band (R2.5)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Annotated, Literal

from fastapi import APIRouter, Query, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from quaere.domain.access import Right
from quaere.domain.team import Reply
from quaere.errors import QuaereError
from quaere.faces.server.access import Context, caller_of, context_of
from quaere.faces.server.errors import Refused, problem, refusal_of
from quaere.faces.server.guard import Chair
from quaere.faces.server.stream import SEND_S, check_place, frames
from quaere.runtime.run import Run

router = APIRouter(tags=["runs"])

REFUSED = 1008
END = "\n\n"
"""Ends a frame, and is in none: JSON has its line breaks as escapes."""
MAX_SAID = 20_000


class _Cancel(BaseModel):
    type: Literal["cancel", "finish"]


class _Reply(BaseModel):
    type: Literal["reply"]
    inquiry_id: Annotated[str, Field(max_length=64)]
    reply: Reply


_SAID: TypeAdapter[_Cancel | _Reply] = TypeAdapter(
    Annotated[_Cancel | _Reply, Field(discriminator="type")]
)


@router.websocket("/v1/runs/{run_id}/ws")
async def follow(
    socket: WebSocket, run_id: str, after: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> None:
    """Send the frames of ``GET /v1/runs/{run_id}/events``, each as one text message.

    Takes ``{"type": "cancel"}``, ``{"type": "finish"}`` and ``{"type": "reply", ...}``.
    """
    context = context_of(socket)
    try:
        caller = await caller_of(socket)
        caller.need(Right.READ)
        trace = await (await context.app.traces()).get_trace(caller.owner, run_id)
        check_place(trace, after)
        caller.chair.check()
        run = await context.app.run_of(trace, caller.owner)
    except (Refused, QuaereError) as error:
        refused = refusal_of(error) if isinstance(error, QuaereError) else error
        await socket.send_denial_response(problem(socket, refused))
        return
    await socket.accept()
    steers = bool({Right.RUN, Right.ADMIN} & caller.rights)
    heard = asyncio.create_task(_heard(socket, context, run, steers=steers))
    with suppress(WebSocketDisconnect, TimeoutError, RuntimeError):  # the reader is gone
        try:
            valid = await _told(socket, frames(context, trace, run, after), caller.chair)
        finally:
            heard.cancel()
            await asyncio.gather(heard, return_exceptions=True)
        if valid:
            await socket.close()
        else:
            await socket.close(REFUSED, "The key is no longer valid.")


async def _told(socket: WebSocket, told: AsyncIterator[bytes], chair: Chair) -> bool:
    """Send what is told; return whether all of it: a key may be revoked in between."""
    until = asyncio.timeout(None)
    try:
        async with until:
            chair.take(partial(until.reschedule, 0))
            try:
                async for part in told:  # of the stream: as many frames as came at once
                    for frame in part.decode().split(END)[:-1]:
                        async with asyncio.timeout(SEND_S):
                            await socket.send_text(f"{frame}{END}")
            finally:
                chair.leave()
    except TimeoutError:
        if not until.expired():
            raise
    return not until.expired()


async def _heard(socket: WebSocket, context: Context, run: Run, *, steers: bool) -> None:
    """Do what the reader asks for, and say so when it cannot be done."""
    while True:
        said = await _next_said(socket)
        try:
            if len(said) > MAX_SAID or not steers:
                raise ValueError("This cannot be done over this connection.")
            await _steer(run, _SAID.validate_json(said))
        except ValidationError:
            await _complain(socket, "Unknown message.")
        except QuaereError as error:  # before ValueError, which some are, for it must be masked
            await _complain(socket, context.places.masked(refusal_of(error).message))
        except ValueError as error:
            await _complain(socket, str(error))


async def _next_said(socket: WebSocket) -> str | bytes:
    """Return the next message, which some clients send as bytes.

    Raises:
        WebSocketDisconnect: when there is none any more.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    text: str | None = message.get("text")
    data: bytes = message.get("bytes") or b""
    return data if text is None else text


async def _steer(run: Run, wanted: _Cancel | _Reply) -> None:
    """Do with ``run`` what is wanted."""
    match wanted:
        case _Reply():
            await run.reply(wanted.inquiry_id, wanted.reply)
        case _Cancel(type="cancel"):
            await run.cancel()
        case _Cancel():
            await run.finish()


async def _complain(socket: WebSocket, message: str) -> None:
    data = json.dumps({"message": message})
    await socket.send_text(f"event: refused\ndata: {data}{END}")
