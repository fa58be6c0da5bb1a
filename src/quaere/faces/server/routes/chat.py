"""The chat API (R3.7): a message is answered by a run, and kept with its answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field, StringConstraints

from quaere.domain.conversation import ChatRole, ConversationList, NewMessage, StoredConversation
from quaere.domain.events import RUN_EVENT
from quaere.domain.precedence import Mode
from quaere.domain.trace import ENDED, Trace
from quaere.errors import QuaereError, RunCancelled
from quaere.faces.server.access import Reading, Running
from quaere.faces.server.asking import accepted
from quaere.faces.server.context import Context, Shared
from quaere.faces.server.feed import PING_S, headers
from quaere.faces.server.forms import MAX_TURNS, FolderIds, Form, Names, Question, RunForm
from quaere.faces.server.routes.legacy import Key
from quaere.faces.server.stream import EventStream
from quaere.faces.wire.chat import ChatStream
from quaere.faces.wire.chat_events import StreamError, StreamEventError
from quaere.faces.wire.frames import PING, Frame, sse
from quaere.resilience.timing import end
from quaere.runtime.redact import privacy_of
from quaere.runtime.run import Run
from quaere.store.conversations import Conversations

router = APIRouter(prefix="/v1/chat", tags=["chat"])

TITLE_CHARS = 80
STREAMED: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The answer as it comes: `metadata`, `progress`, `token`, `citation`, "
        "`usage` and `done`, with `warning` in between, or `error`.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
        "headers": {
            "X-Quaere-Conversation-Id": {"schema": {"type": "string"}},
            "X-Quaere-Run-Id": {"schema": {"type": "string"}},
        },
    }
}


class MessageForm(Form):
    """A message to be answered."""

    message: Annotated[Question, Field(examples=["Who built the mill?"])]
    mode: Literal["chat", "deep_research"] = "chat"
    conversation_id: Annotated[str | None, Field(max_length=64)] = None
    """The conversation that it continues; a new one when left out."""
    folders: FolderIds = ()
    providers: Names = ()
    model: Annotated[str | None, Field(max_length=200)] = None
    """Language model of every step, ``vendor:model``; ``none`` for none."""


class TitleForm(Form):
    """A new title of a conversation."""

    title: Annotated[str, StringConstraints(min_length=1, max_length=200)]


@router.post("/messages", response_class=Response, responses=STREAMED)
async def message(form: MessageForm, context: Shared, caller: Running, key: Key = None) -> Response:
    """Answer a message as server-sent events, and keep both in a conversation.

    In the mode `chat` an answer that nobody reads for ten seconds is not made any further; in the
    mode `deep_research` it is, and can be read under the id of its run.
    """
    caller.chair.check()
    talks = await conversations_of(context)
    earlier = None
    if form.conversation_id is not None:
        earlier = await talks.get(caller.owner, form.conversation_id)
    asked = RunForm(
        question=form.message,
        mode=Mode(form.mode),
        conversation=earlier.turns[-MAX_TURNS:] if earlier else (),
        folders=form.folders,
        providers=form.providers,
        model=form.model,
    )
    trace = await accepted(context, caller, asked, key)
    talk_id = await talks.of_run(caller.owner, trace.id)
    if talk_id is None:
        talk = earlier or await talks.start(caller.owner, form.message[:TITLE_CHARS])
        talk_id = talk.id
        said = NewMessage(role=ChatRole.USER, content=form.message)
        answer = NewMessage(role=ChatRole.ASSISTANT, trace_id=trace.id)
        await talks.add(caller.owner, talk_id, [said, answer])
    run = await context.app.run_of(trace, caller.owner)
    told = {**headers(trace.id), "X-Quaere-Conversation-Id": talk_id}
    return EventStream(_frames(context, trace, run, abandons=form.mode == "chat"), told)


@router.get("/conversations")
async def listed(
    context: Shared,
    caller: Reading,
    *,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    after: Annotated[
        str | None, Query(max_length=200, description="`following` of a page.")
    ] = None,
) -> ConversationList:
    """Return the caller's conversations without messages, the last one added to first."""
    talks = await conversations_of(context)
    return await talks.list(caller.owner, limit=limit, after=after)


@router.get("/conversations/{conversation_id}")
async def one(conversation_id: str, context: Shared, caller: Reading) -> StoredConversation:
    """Return a conversation with its messages and what the answers cite."""
    talk = await (await conversations_of(context)).get(caller.owner, conversation_id)
    return StoredConversation.model_validate_json(context.places.masked(talk.model_dump_json()))


@router.patch("/conversations/{conversation_id}")
async def rename(
    conversation_id: str, form: TitleForm, context: Shared, caller: Running
) -> StoredConversation:
    """Change the title of a conversation."""
    return await (await conversations_of(context)).rename(caller.owner, conversation_id, form.title)


@router.delete("/conversations/{conversation_id}", status_code=HTTPStatus.NO_CONTENT)
async def delete(conversation_id: str, context: Shared, caller: Running) -> None:
    """Delete a conversation with its messages; the runs of its answers stay."""
    await (await conversations_of(context)).delete(caller.owner, conversation_id)


async def conversations_of(context: Context) -> Conversations:
    """Return the conversations that the service keeps, as far as its settings let it."""
    return Conversations(await context.app.database(), privacy_of(context.app.settings))


async def _frames(
    context: Context, trace: Trace, run: Run, *, abandons: bool
) -> AsyncGenerator[bytes]:
    """Yield the answer of ``run`` as the chat API tells it."""
    with context.chats.reading(run, context.feeds, abandons=abandons):
        async for frame in _with_pings(_told(context, trace, run), context.feeds.closing):
            yield frame


async def _told(context: Context, trace: Trace, run: Run) -> AsyncGenerator[bytes]:
    chat, last = ChatStream(), None
    try:
        async for event in run.events():
            last = RUN_EVENT.validate_json(context.places.masked(event.model_dump_json()))
            for frame in chat.frames(last):
                yield sse(frame)
        now = await (await context.app.traces()).get_trace(run.owner, trace.id)
        if now.status in ENDED and (
            last is None or last.type not in {"run_finished", "run_failed"}
        ):
            yield _failure(RunCancelled(now.error_message or "The run was cancelled."))
    except QuaereError as error:
        yield _failure(error, context.places.masked(error.message))


def _failure(error: QuaereError, message: str = "") -> bytes:
    told = StreamError(type=error.type, message=message or error.message, retryable=error.retryable)
    event = StreamEventError(error=told)
    return sse(Frame(event.model_dump(mode="json"), event=event.type))


async def _with_pings(
    frames: AsyncGenerator[bytes], closing: asyncio.Event
) -> AsyncGenerator[bytes]:
    """Yield ``frames``, and a ping whenever none has come for a while; end with ``closing``."""
    stopped = asyncio.create_task(closing.wait())
    coming = asyncio.create_task(anext(frames, None))
    try:
        while True:
            done, _ = await asyncio.wait(
                {coming, stopped}, timeout=PING_S, return_when=asyncio.FIRST_COMPLETED
            )
            if stopped in done:
                return
            if coming not in done:
                yield PING
                continue
            frame = coming.result()
            if frame is None:
                return
            yield frame
            coming = asyncio.create_task(anext(frames, None))
    finally:
        for task in (stopped, coming):
            await end(task)
        await frames.aclose()
