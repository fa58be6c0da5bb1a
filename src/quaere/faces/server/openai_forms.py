"""What OpenAI's clients send, as far as it says anything to a research engine, and what they get.

Parameters that would change what an answer means are refused, by name; all others are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Literal, Protocol

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from quaere.domain.budget import ProfileName
from quaere.domain.question import AnswerForm
from quaere.domain.scope import Language, Scope
from quaere.domain.team import Strategy
from quaere.domain.value import Place, plain_faults
from quaere.errors import QuaereError
from quaere.faces.server.access import Caller, Context, KnownFirst
from quaere.faces.server.asking import Chat, Message, accepted, chat_of, continued
from quaere.faces.server.errors import Refused, places_of, refusal_of
from quaere.faces.server.forms import FolderIds, Form, LimitForm, Names, RunForm
from quaere.faces.wire.openai import Sources
from quaere.runtime.run import Run

AUTO = "quaere"
MODELS = MappingProxyType({AUTO: None, **{f"{AUTO}-{name}": name for name in ProfileName}})
"""Profiles by the names under which clients choose them; None leaves the choice to planning."""
TEXTS = frozenset({"text", "input_text", "output_text", "refusal"})
"""Kinds of parts of a message that are text."""
MAX_METADATA = 16
"""As many pairs as OpenAI takes."""
SOURCES, BACKGROUND, PREVIOUS = "quaere.sources", "quaere.background", "quaere.previous"
PASSED_OVER = "quaere.passed_over"
"""The names under which a run keeps how its answer is shown."""


class OwnOptions(Form):
    """What OpenAI's parameters have no name for: ``extra_body={"quaere": {...}}``."""

    limits: LimitForm = LimitForm()
    folders: FolderIds = ()
    providers: Names = ()
    strategy: Strategy | None = None
    scope: Scope = Scope()
    language: Language | None = None
    form: AnswerForm | None = None
    sources: Sources = Sources.APPEND
    """Whether the text of an answer ends with a list of its sources."""


class Lenient(BaseModel):
    """A request of OpenAI's, of which much means nothing here."""

    model_config = ConfigDict(extra="allow")


class Part(Lenient):
    """A part of a message."""

    type: str
    text: str | None = None


class ChatMessageForm(Lenient):
    """A message of a chat, or an item of another kind, which is ignored."""

    role: str = ""
    content: str | list[Part] | None = None


class ItemForm(ChatMessageForm):
    """An item of a response's input: a message, or one that an earlier response has, by its id."""

    type: str = "message"
    id: str | None = None


class Typed(Lenient):
    """Something whose kind decides whether it can be served."""

    type: str = "text"


class StreamOptions(Lenient):
    """How a completion is streamed."""

    include_usage: bool = False


class OpenAiForm(Lenient):
    """What chat completions and responses have in common."""

    model: str = AUTO
    stream: bool | None = False
    metadata: Annotated[
        dict[
            Annotated[str, Field(max_length=64)],
            Annotated[str, Field(max_length=512)],
        ]
        | None,
        Field(max_length=MAX_METADATA),
    ] = None
    quaere: OwnOptions = OwnOptions()
    tool_choice: JsonValue = None


class ChatForm(OpenAiForm):
    """A request for a chat completion."""

    messages: Annotated[list[ChatMessageForm], Field(min_length=1, max_length=1_000)]
    stream_options: StreamOptions | None = None
    n: int | None = None
    response_format: Typed | None = None
    logprobs: bool | None = None
    modalities: list[str] | None = None
    stop: str | list[str] | None = None
    function_call: JsonValue = None


class TextOptions(Lenient):
    """How the text of a response is laid out."""

    format: Typed | None = None


class ResponseForm(OpenAiForm):
    """A request for a response."""

    input: Annotated[str | list[ItemForm], Field(min_length=1)]
    instructions: str | None = None
    background: bool | None = False
    previous_response_id: str | None = None
    conversation: JsonValue = None
    text: TextOptions | None = None


class BadParameter(Refused):
    """A parameter that cannot be served."""

    def __init__(self, param: str, message: str, code: str | None = None) -> None:
        kind = "invalid_request_error"
        status = HTTPStatus.NOT_FOUND if code == "model_not_found" else HTTPStatus.BAD_REQUEST
        super().__init__(status, kind, message)
        self.param, self.code = param, code


def check_chat(form: ChatForm) -> None:
    """Raise BadParameter for what would change the meaning of a completion."""
    _check_common(form)
    if form.n not in {None, 1}:
        raise BadParameter("n", "Only one answer is returned; n must be 1.")
    _check_format("response_format", form.response_format)
    if form.logprobs:
        raise BadParameter("logprobs", "Log probabilities are not supported.")
    if form.modalities and set(form.modalities) != {"text"}:
        raise BadParameter("modalities", "Only text answers are supported.")
    if form.stop:
        raise BadParameter("stop", "Stop sequences are not supported.")
    if form.function_call not in (None, "none", "auto"):
        raise BadParameter("function_call", "Functions are not supported.")


def check_response(form: ResponseForm) -> None:
    """Raise BadParameter for what would change the meaning of a response."""
    _check_common(form)
    if form.conversation is not None:
        raise BadParameter(
            "conversation", "Conversations are not supported; use previous_response_id."
        )
    _check_format("text.format", form.text.format if form.text else None)


def check_model(name: str) -> None:
    """Raise BadParameter for an unknown model."""
    if name not in MODELS:
        message = f"The model {name!r} does not exist; there are: {', '.join(MODELS)}."
        raise BadParameter("model", message, "model_not_found")


def _check_common(form: OpenAiForm) -> None:
    if form.tool_choice not in (None, "none", "auto"):
        raise BadParameter("tool_choice", "No tool can be forced; leave tool_choice out.")


def _check_format(param: str, wanted: Typed | None) -> None:
    if wanted and wanted.type != "text":
        raise BadParameter(param, f"Answers are text with citations, not {wanted.type}.")


def texts_of(items: Sequence[ChatMessageForm], param: str) -> list[Message]:
    """Return ``items`` as plain messages.

    A picture in an earlier message is passed over: whether it matters is not known, and the user
    cannot take it out of the conversation any more.

    Raises:
        BadParameter: when the user has asked with anything but text.
    """
    for each in items[last_turn(items) :]:
        for kind in _other_kinds(each):
            raise BadParameter(
                param, f"Questions are text, not {kind}. Describe its content in words."
            )
    return [Message(each.role, _text(each)) for each in items if each.role]


def passed_over(items: Sequence[ChatMessageForm]) -> tuple[str, ...]:
    """Return what kinds of things besides text the user has sent in earlier messages."""
    return tuple(dict.fromkeys(kind for each in items for kind in _other_kinds(each)))


class _Said(Protocol):
    """A message, as far as it says whose it is."""

    @property
    def role(self) -> str: ...


def last_turn(items: Sequence[_Said]) -> int:
    """Return the place of what was said after the last answer in a conversation."""
    answers = [place for place, each in enumerate(items) if each.role == "assistant"]
    return answers[-1] + 1 if answers else 0


def _text(item: ChatMessageForm) -> str:
    if not isinstance(item.content, list):
        return item.content or ""
    return "\n".join(part.text for part in item.content if part.text)


def _other_kinds(item: ChatMessageForm) -> tuple[str, ...]:
    parts = item.content if item.role == "user" and isinstance(item.content, list) else ()
    return tuple(part.type for part in parts if part.type not in TEXTS)


def run_form_of(
    form: OpenAiForm,
    chat: Chat,
    param: str,
    continues: str | None,
    *,
    asks: bool = False,
    kept: Mapping[str, str] = {},
) -> RunForm:
    """Return the run that ``chat`` asks for.

    Args:
        form: What else the client has sent.
        chat: The question and what came before it.
        param: The parameter that has the chat.
        continues: The run that it goes on from.
        asks: Whether the protocol has a way to ask the user back.
        kept: How the answer is shown; kept with the run.

    Raises:
        BadParameter: when there is no question, or something of it cannot be used.
    """
    check_model(form.model)
    if not chat.question:
        raise BadParameter(param, "The last message must be a question from the user.")
    own = form.quaere.model_dump(exclude={"sources"})
    try:
        return RunForm.model_validate(
            {
                **own,
                "question": chat.question,
                "context": chat.context,
                "conversation": chat.turns,
                "profile": MODELS[form.model],
                "continues": continues,
                **({} if asks else {"approve_plan": False}),
                "metadata": {**(form.metadata or {}), SOURCES: str(form.quaere.sources), **kept},
            }
        )
    except ValidationError as error:
        path, said = plain_faults(error.errors())[0]
        raise BadParameter(param, f"{_named(path)}: {said}") from None


async def begun(
    context: Context,
    caller: Caller,
    form: OpenAiForm,
    messages: Sequence[Message],
    *,
    asks: bool = False,
) -> Run:
    """Return the run for the last question of ``messages``, which goes on from what preceded it.

    It may ask the user back where the protocol ``asks``.

    Raises:
        BadParameter: when there is no question, or something of it cannot be used.
        Refused: when the caller may not begin it.
    """
    chat = chat_of(messages)
    earlier = await continued(context, caller.owner, chat.turns)
    asked = run_form_of(form, chat, "messages", earlier, asks=asks)
    trace = await accepted(context, caller, asked)
    return await context.app.run_of(trace, caller.owner)


class OpenAiErrorDetail(BaseModel):
    """What went wrong, as OpenAI's clients read it."""

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAiError(BaseModel):
    """The body of an error."""

    error: OpenAiErrorDetail


ERRORS: dict[int | str, dict[str, object]] = {
    "4XX": {"model": OpenAiError, "description": "The request is refused."},
    "5XX": {"model": OpenAiError, "description": "The service failed."},
}


class OpenAiRoute(KnownFirst):
    """A route whose errors have the body that OpenAI's clients expect."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[None, None, Response]]:
        """Return the handler, with errors in that form."""
        inner = super().get_route_handler()

        async def handler(request: Request) -> Response:
            try:
                return await inner(request)
            except (QuaereError, RequestValidationError, HTTPException) as error:
                return error_response(request, error)

        return handler


def error_response(
    request: Request, error: QuaereError | RequestValidationError | HTTPException
) -> Response:
    """Return ``error`` as OpenAI would."""
    refused = _refusal(error)
    match refused:
        case BadParameter(param=param, code=code):
            pass
        case Refused(kind=code):
            param = None
        case _:
            param, code = None, "invalid_request_error"
    status = refused.status_code
    if status == HTTPStatus.UNPROCESSABLE_ENTITY:
        status = HTTPStatus.BAD_REQUEST  # what OpenAI answers to anything that cannot be asked
    detail = OpenAiErrorDetail(
        message=places_of(request).masked(str(refused.detail)),
        type=_type_of(status),
        param=param,
        code=code,
    )
    body = OpenAiError(error=detail).model_dump(mode="json")
    return JSONResponse(body, status, headers=refused.headers)


def _refusal(error: QuaereError | RequestValidationError | HTTPException) -> HTTPException:
    """Return the refusal that ``error`` comes to; what does not fit its form is a bad parameter."""
    if isinstance(error, RequestValidationError):
        path, said = plain_faults(error.errors())[0]
        place = _named(path)
        return BadParameter(place, f"{place}: {said}")
    return refusal_of(error) if isinstance(error, QuaereError) else error


def _named(path: Place) -> str:
    """Return the place of a fault as OpenAI writes it, such as "messages[0].content"."""
    parts = path[1:] if path[:1] == ("body",) else path
    if not parts or isinstance(parts[0], int):  # a character of what is not JSON
        return "body"
    steps = (f"[{each}]" if isinstance(each, int) else f".{each}" for each in parts)
    return "".join(steps).removeprefix(".")


def _type_of(status: int) -> Literal["server_error", "rate_limit_error", "invalid_request_error"]:
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "rate_limit_error"
    return "server_error" if status >= 500 else "invalid_request_error"
