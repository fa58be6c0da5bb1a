"""The chat API (R3.7): a message is answered by a run, and kept with its answer."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field, StringConstraints

from quaere.domain.budget import Mode
from quaere.domain.conversation import ChatRole, ConversationList, NewMessage, StoredConversation
from quaere.faces.server.access import Context, KnownFirst, Reading, Running, Shared
from quaere.faces.server.asking import accepted
from quaere.faces.server.feed import headers
from quaere.faces.server.forms import MAX_TURNS, FolderIds, Form, Key, Names, Question, RunForm
from quaere.faces.server.stream import EventStream, translated
from quaere.faces.wire.chat import ChatStream
from quaere.runtime.redact import privacy_of
from quaere.runtime.run import Run
from quaere.store.conversations import Conversations

router = APIRouter(prefix="/v1/chat", tags=["chat"], route_class=KnownFirst)

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
    """A message to answer."""

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

    In the mode `chat`, the answer is abandoned ten seconds after its reader has left; in the mode
    `deep_research` it is finished, and can be fetched by the id of its run.
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
    return EventStream(_frames(context, run, abandons=form.mode == "chat"), told)


@router.get("/conversations")
async def listed(
    context: Shared,
    caller: Reading,
    *,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    after: Annotated[str | None, Query(max_length=200, description="Previous `following`.")] = None,
) -> ConversationList:
    """Return the caller's conversations without messages, the latest message first."""
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
    """Change the title of a conversation, and return it with its messages."""
    await (await conversations_of(context)).rename(caller.owner, conversation_id, form.title)
    return await one(conversation_id, context, caller)


@router.delete("/conversations/{conversation_id}", status_code=HTTPStatus.NO_CONTENT)
async def delete(conversation_id: str, context: Shared, caller: Running) -> None:
    """Delete a conversation and its messages; the runs that answered them stay."""
    await (await conversations_of(context)).delete(caller.owner, conversation_id)


async def conversations_of(context: Context) -> Conversations:
    """Return the conversations that the service keeps, as far as its settings let it."""
    return Conversations(await context.app.database(), privacy_of(context.app.settings))


async def _frames(context: Context, run: Run, *, abandons: bool) -> AsyncGenerator[bytes]:
    """Yield the answer of ``run`` as the chat API tells it."""
    with context.chats.reading(run, context.feeds, abandons=abandons):
        async with aclosing(translated(context, run, ChatStream(), resumable=True)) as frames:
            async for frame in frames:
                yield frame
