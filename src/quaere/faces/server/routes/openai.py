"""Chat completions and Responses as OpenAI's clients ask for them, and the models they see."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, JsonValue, TypeAdapter
from starlette.responses import JSONResponse

from quaere.domain.events import Event, RunFailed, RunFinished
from quaere.domain.question import Turn
from quaere.domain.trace import ENDED, Owner, Trace, TraceStatus
from quaere.errors import TraceConflict, TraceNotFound
from quaere.faces.server.access import Context, Reading, Running, Shared
from quaere.faces.server.asking import (
    Chat,
    Message,
    accepted,
    chat_of,
    chore_answer,
    continued,
    has_evidence,
)
from quaere.faces.server.errors import Refused
from quaere.faces.server.feed import RUN_ID, headers
from quaere.faces.server.forms import MAX_TURNS
from quaere.faces.server.openai_forms import (
    AUTO,
    BACKGROUND,
    ERRORS,
    MODELS,
    PASSED_OVER,
    PREVIOUS,
    SOURCES,
    BadParameter,
    ChatForm,
    ItemForm,
    OpenAiRoute,
    ResponseForm,
    begun,
    check_chat,
    check_model,
    check_response,
    passed_over,
    run_form_of,
    texts_of,
)
from quaere.faces.server.stream import EventStream, ended_without, masked, masked_events, translated
from quaere.faces.wire.openai import (
    ChatCompletionStream,
    ChatOptions,
    ResponseOptions,
    ResponseStream,
    Sources,
    message_id,
    plain_completion,
    response_id,
)
from quaere.faces.wire.parts import Body, Frame
from quaere.resilience.thread import computed
from quaere.runtime.run import Run
from quaere.text.sanitize import quoted

router = APIRouter(prefix="/v1", tags=["openai"], route_class=OpenAiRoute, responses=ERRORS)

COMPLETION: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The completion; with `stream`, its chunks as they come.",
        "content": {
            "application/json": {"schema": {"type": "object"}},
            "text/event-stream": {"schema": {"type": "string"}},
        },
    }
}


class Model(BaseModel):
    """A way of researching, which clients choose as a model."""

    id: str
    object: str = "model"
    created: int = 0
    owned_by: str = "quaere"


class ModelList(BaseModel):
    """All models."""

    object: str = "list"
    data: tuple[Model, ...]


@router.get("/models")
async def models(caller: Reading) -> ModelList:
    """Return the profiles as models that a question can be put to."""
    del caller
    return ModelList(data=tuple(Model(id=name) for name in MODELS))


@router.get("/models/{model}")
async def model(model: str, caller: Reading) -> Model:
    """Return one of the models."""
    del caller
    check_model(model)
    return Model(id=model)


@router.post("/chat/completions", response_model=None, responses=COMPLETION)
async def chat_completions(form: ChatForm, context: Shared, caller: Running) -> Response:
    """Research the last question of a chat and answer it, with annotations for its citations.

    Earlier messages are the conversation; the answer draws on what was read for the last one. With
    `stream`, progress comes as `reasoning_content`. Closing the connection does not end the run.
    """
    check_chat(form)
    messages = texts_of(form.messages, "messages")
    if not form.stream and (said := chore_answer(messages)) is not None:
        return JSONResponse(plain_completion(form.model, said))
    if form.stream:
        caller.chair.check()
    run = await begun(context, caller, form, messages)
    wanted = form.stream_options
    options = ChatOptions(
        model=form.model,
        sources=form.quaere.sources,
        include_usage=wanted is not None and wanted.include_usage,
        passed_over=passed_over(form.messages),
    )
    stream = ChatCompletionStream(options)
    if form.stream:
        return EventStream(translated(context, run, stream), headers(run.id))
    completion = await context.feeds.awaited(run.id, _completed(context, run, stream))
    return JSONResponse(completion, headers={RUN_ID: run.id})


async def _completed(
    context: Context, run: Run, stream: ChatCompletionStream
) -> dict[str, JsonValue]:
    """Wait for the end of ``run`` and return its completion.

    Raises:
        Refused: when it came to no report.
    """
    async for event in masked_events(context, run):
        for _ in stream.frames(event):
            continue
        if isinstance(event, RunFinished):
            return stream.completion(event.report)
        if isinstance(event, RunFailed):
            raise failure(event)
    raise AssertionError("a run has an end")


def failure(event: RunFailed) -> Refused:
    """Return the answer to a request whose run came to no report."""
    cancelled = event.error_type == "run_cancelled"
    status = HTTPStatus.CONFLICT if cancelled else HTTPStatus.BAD_GATEWAY
    return Refused(status, event.error_type, event.message, retryable=event.retryable)


responses_router = APIRouter(
    prefix="/v1/responses", tags=["openai"], route_class=OpenAiRoute, responses=ERRORS
)

RESPONSE: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The response; with `stream`, its events as they come.",
        "content": {
            "application/json": {"schema": {"type": "object"}},
            "text/event-stream": {"schema": {"type": "string"}},
        },
    }
}
DELETED: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The response is gone.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}
_TURNS: TypeAdapter[tuple[Turn, ...]] = TypeAdapter(tuple[Turn, ...])
_METADATA: TypeAdapter[dict[str, str]] = TypeAdapter(dict[str, str])
Name = Annotated[str, Path(max_length=100, description="Id: `resp_` and the id of the run.")]


@responses_router.post("", response_model=None, responses=RESPONSE)
async def create(form: ResponseForm, context: Shared, caller: Running) -> Response:
    """Research a question and answer it; with `background`, return at once with its id."""
    check_response(form)
    if form.stream:
        caller.chair.check()
    chat, continues = await _asked(context, caller.owner, form)
    asked = run_form_of(form, chat, "input", continues, kept=_kept(form))
    trace = await accepted(context, caller, asked)
    if form.stream:
        return await _streamed(context, caller.owner, trace, -1)
    if form.background:
        return await _answered(context, caller.owner, trace)
    stream = _begun(trace)
    run = await context.app.run_of(trace, caller.owner)
    await context.feeds.awaited(run.id, _read(context, run, stream))
    return JSONResponse(stream.response, headers={RUN_ID: trace.id})


async def _read(context: Context, run: Run, stream: ResponseStream) -> None:
    """Give all events of ``run`` to ``stream``."""
    async for event in masked_events(context, run):
        for _ in stream.frames(event):
            continue


def _kept(form: ResponseForm) -> dict[str, str]:
    """Return what the run has to remember of ``form``."""
    kept = {BACKGROUND: "true"} if form.background else {}
    if form.previous_response_id:
        kept[PREVIOUS] = form.previous_response_id
    if not isinstance(form.input, str) and (kinds := passed_over(form.input)):
        kept[PASSED_OVER] = ",".join(kinds)
    return kept


@responses_router.get("/{name}", response_model=None, responses=RESPONSE)
async def retrieve(
    name: Name,
    context: Shared,
    caller: Reading,
    *,
    stream: bool = False,
    starting_after: Annotated[int, Query(ge=-1, description="Last `sequence_number` seen.")] = -1,
) -> Response:
    """Return the state of a response; with `stream`, its events after `starting_after`."""
    trace = await _trace(context, caller.owner, name)
    if stream:
        return await _streamed(context, caller.owner, trace, starting_after)
    return await _answered(context, caller.owner, trace)


@responses_router.post("/{name}/cancel", response_model=None, responses=RESPONSE)
async def cancel(name: Name, context: Shared, caller: Running) -> Response:
    """Cancel a response that is in progress; one that has ended is unchanged."""
    trace = await _trace(context, caller.owner, name)
    await _end(context, caller.owner, trace)
    return await _answered(context, caller.owner, await _trace(context, caller.owner, name))


@responses_router.delete("/{name}", response_model=None, responses=DELETED)
async def delete(name: Name, context: Shared, caller: Running) -> JSONResponse:
    """Delete a response and everything stored about its run, cancelling it first if in progress."""
    trace = await _trace(context, caller.owner, name)
    await _end(context, caller.owner, trace)
    await context.app.delete(trace.id, caller.owner)
    return JSONResponse({"id": name, "object": "response", "deleted": True})


async def _end(context: Context, owner: Owner, trace: Trace) -> None:
    """Cancel the run of ``trace`` and wait for its end, unless it is over."""
    run = await context.app.run_of(trace, owner)
    try:
        await run.cancel()
    except TraceConflict:
        return
    async for _ in masked_events(context, run):
        continue


async def _asked(context: Context, owner: Owner, form: ResponseForm) -> tuple[Chat, str | None]:
    """Return what ``form`` asks for, and the run that it goes on from."""
    said = [Message("system", form.instructions or "")]
    if isinstance(form.input, str):
        said.append(Message("user", form.input))
    else:
        items = [await _written_out(context, owner, each) for each in form.input]
        said += texts_of(items, "input")
    chat = chat_of(said)
    if form.previous_response_id is None:
        return chat, await continued(context, owner, chat.turns)
    earlier = await _previous(context, owner, form.previous_response_id)
    turns = (*_turns(context, earlier), *chat.turns)[-MAX_TURNS:]
    draws = has_evidence(earlier) and context.app.settings.stores_all
    return Chat(chat.question, chat.context, turns), earlier.id if draws else None


async def _previous(context: Context, owner: Owner, name: str) -> Trace:
    """Return the trace of the response that another goes on from.

    Raises:
        BadParameter: when there is none, with the code by which clients of OpenAI know that they
            have to send the conversation again; or when it has no answer.
    """
    param = "previous_response_id"
    try:
        earlier = await _trace(context, owner, name)
    except TraceNotFound as error:
        raise BadParameter(param, str(error), "previous_response_not_found") from None
    _need_answer(earlier, param)
    return earlier


async def _written_out(context: Context, owner: Owner, item: ItemForm) -> ItemForm:
    """Return ``item`` with the answer that it refers to: AI SDK sends no answer back in words.

    Raises:
        BadParameter: when there is no such answer.
        TraceNotFound: when ``owner`` has no such run.
    """
    named = item.id or ""
    run_id = named.removeprefix(message_id(""))
    if item.type != "item_reference" or message_id(run_id) != named:
        return item
    try:
        trace = await _trace(context, owner, response_id(run_id))
    except TraceNotFound:
        raise TraceNotFound(f"No answer has the id {quoted(named)}.") from None
    _need_answer(trace, "input")
    return ItemForm(role="assistant", content=_answer(context, trace))


def _need_answer(trace: Trace, param: str) -> None:
    if trace.status is not TraceStatus.COMPLETED:
        message = f"The response {response_id(trace.id)!r} has no answer: {trace.status}."
        raise BadParameter(param, message)


def _answer(context: Context, trace: Trace) -> str:
    return context.places.masked(str((trace.result or {}).get("answer", "")))


def _turns(context: Context, trace: Trace) -> tuple[Turn, ...]:
    """Return the conversation of which the run of ``trace`` is the last question."""
    before = _TURNS.validate_python(trace.input_params.get("conversation", ()))
    return (*before, Turn(question=trace.question, answer=_answer(context, trace)))


async def _trace(context: Context, owner: Owner, name: str) -> Trace:
    """Return the trace of the run that makes a response.

    Raises:
        TraceNotFound: when ``owner`` has none of that name.
    """
    run_id = name.removeprefix(response_id(""))
    unknown = TraceNotFound(f"No response has the id {quoted(name)}.")
    if response_id(run_id) != name:
        raise unknown
    try:
        return await (await context.app.traces()).get_trace(owner, run_id)
    except TraceNotFound:  # names a run, of which these clients know nothing
        raise unknown from None


def _begun(trace: Trace) -> ResponseStream:
    """Return the response of ``trace`` before the first event of its run."""
    asked = trace.input_params
    metadata = _METADATA.validate_python(asked.get("metadata", {}))
    profile, context = asked.get("profile"), asked.get("context")
    options = ResponseOptions(
        model=f"{AUTO}-{profile}" if profile else AUTO,
        sources=_sources(metadata.get(SOURCES, "")),
        background=BACKGROUND in metadata,
        instructions=str(context) if context else None,
        previous_response_id=metadata.get(PREVIOUS),
        passed_over=tuple(filter(None, metadata.get(PASSED_OVER, "").split(","))),
        metadata={key: value for key, value in metadata.items() if not key.startswith(f"{AUTO}.")},
    )
    return ResponseStream(trace.id, trace.created_at.timestamp(), options)


def _sources(said: str) -> Sources:
    """Return what ``said`` names; the default where questions, and with them this, are not kept."""
    return Sources(said) if said in set(Sources) else Sources.APPEND


async def _streamed(context: Context, owner: Owner, trace: Trace, after: int) -> EventStream:
    run = await context.app.run_of(trace, owner)

    def wanted(frame: Frame) -> bool:
        number = "" if isinstance(frame.data, str) else frame.data["sequence_number"]
        return isinstance(number, int) and number > after

    frames = translated(context, run, _begun(trace), wanted, resumable=True)
    return EventStream(frames, headers(trace.id))


async def _answered(context: Context, owner: Owner, trace: Trace) -> JSONResponse:
    """Return how the response of ``trace`` stands."""
    traces = await context.app.traces()
    events = await traces.events(owner, trace.id)
    response = await computed(lambda: _standing(context, trace, events))
    return JSONResponse(response, headers={RUN_ID: trace.id})


def _standing(context: Context, trace: Trace, events: Sequence[Event]) -> Body:
    """Return the response of ``trace`` after ``events``."""
    log = [masked(context, each) for each in events]
    if trace.status in ENDED and not (log and isinstance(log[-1], RunFinished | RunFailed)):
        log.append(ended_without(trace))
    stream = _begun(trace)
    for event in log:
        for _ in stream.frames(event):
            continue
    return stream.response
