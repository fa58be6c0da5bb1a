"""Runs for pages that are built with AG-UI (CopilotKit and others) or with the AI SDK."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import ConfigDict, Field

from quaere.faces.server.access import Caller, Context, KnownFirst, Running, Shared
from quaere.faces.server.asking import Message
from quaere.faces.server.errors import Refused
from quaere.faces.server.feed import headers
from quaere.faces.server.openai_forms import (
    AUTO,
    BadParameter,
    ChatMessageForm,
    Lenient,
    OpenAiForm,
    OwnOptions,
    Part,
    begun,
    last_turn,
    texts_of,
)
from quaere.faces.server.stream import EventStream, translated
from quaere.faces.wire.ai_sdk import HEADERS, UiMessageStream
from quaere.runtime.run import Run

router = APIRouter(tags=["agents"], route_class=KnownFirst)

STREAM: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The run as it comes.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}
MOST = Field(min_length=1, max_length=1_000)


class ForwardedProps(Lenient):
    """What an AG-UI client hands on to the agent."""

    model: str = AUTO
    quaere: OwnOptions = OwnOptions()


class Fact(Lenient):
    """Something about the page that the user is on."""

    description: str = ""
    value: str = ""


class AgUiForm(Lenient):
    """AG-UI's ``RunAgentInput``; state and tools of the client are ignored."""

    model_config = ConfigDict(extra="allow", validate_by_name=True)

    thread_id: Annotated[str, Field(alias="threadId", max_length=200)]
    run_id: Annotated[str, Field(alias="runId", max_length=200)]
    messages: Annotated[list[ChatMessageForm], MOST]
    context: tuple[Fact, ...] = ()
    forwarded_props: Annotated[ForwardedProps | None, Field(alias="forwardedProps")] = None


class UiMessage(Lenient):
    """A message of the AI SDK, in parts."""

    role: str
    parts: tuple[Part, ...] = ()


class UiForm(Lenient):
    """A request of ``useChat`` of the AI SDK."""

    messages: Annotated[list[UiMessage], MOST]
    model: str = AUTO
    quaere: OwnOptions = OwnOptions()


@router.post("/ag-ui", response_class=Response, responses=STREAM)
async def ag_ui(form: AgUiForm, context: Shared, caller: Running) -> EventStream:
    """Research the last message of a thread, as an AG-UI agent."""
    try:
        from quaere.faces.wire.ag_ui import AgUiStream  # noqa: PLC0415 (an extra)
    except ImportError:
        message = "AG-UI needs an extra: pip install 'quaere[ag-ui]'."
        raise Refused(HTTPStatus.NOT_IMPLEMENTED, "not_installed", message) from None
    props = form.forwarded_props or ForwardedProps()
    facts = [Message("system", f"{each.description}: {each.value}") for each in form.context]
    messages = [*facts, *texts_of(form.messages, "messages")]
    asked = OpenAiForm(model=props.model, quaere=props.quaere)
    stream = AgUiStream(form.thread_id, form.run_id)
    run = await _begun(context, caller, asked, messages, asks=True)
    return EventStream(translated(context, run, stream), headers(run.id))


@router.post("/v1/ui/messages", response_class=Response, responses=STREAM)
async def ui_messages(form: UiForm, context: Shared, caller: Running) -> EventStream:
    """Research the last message of a chat, as a UI message stream of the AI SDK."""
    asked = OpenAiForm(model=form.model, quaere=form.quaere)
    for each in form.messages[last_turn(form.messages) :]:
        _check_text(each)
    messages = [Message(each.role, _text(each)) for each in form.messages]
    run = await _begun(context, caller, asked, messages)
    told = {**headers(run.id), **HEADERS}
    return EventStream(translated(context, run, UiMessageStream()), told)


def _check_text(message: UiMessage) -> None:
    """Raise BadParameter when the user has asked with a file."""
    if message.role == "user" and any(part.type == "file" for part in message.parts):
        raise BadParameter(
            "messages", "Questions are text, not file. Describe its content in words."
        )


def _text(message: UiMessage) -> str:
    """Return the text of ``message``; files, progress, sources and data in it are left out."""
    return "\n".join(part.text for part in message.parts if part.type == "text" and part.text)


async def _begun(
    context: Context,
    caller: Caller,
    asked: OpenAiForm,
    messages: Sequence[Message],
    *,
    asks: bool = False,
) -> Run:
    caller.chair.check()
    return await begun(context, caller, asked, messages, asks=asks)
