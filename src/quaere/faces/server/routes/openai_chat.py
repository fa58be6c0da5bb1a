"""Chat completions as OpenAI's clients ask for them, and the models that they choose from."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Response
from pydantic import BaseModel, JsonValue
from starlette.responses import JSONResponse

from quaere.domain.events import RunFailed, RunFinished
from quaere.faces.server.access import Reading, Running
from quaere.faces.server.context import Context, Shared
from quaere.faces.server.feed import RUN_ID, headers
from quaere.faces.server.messages import chore_answer
from quaere.faces.server.openai_forms import (
    ERRORS,
    MODELS,
    ChatForm,
    OpenAiRoute,
    begun,
    check_chat,
    check_model,
    passed_over,
    texts_of,
)
from quaere.faces.server.refused import Refused
from quaere.faces.server.stream import EventStream, told, translated
from quaere.faces.wire.openai_chat import (
    ChatCompletionStream,
    ChatOptions,
    plain_completion,
)
from quaere.runtime.run import Run

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
    """All of them."""

    object: str = "list"
    data: tuple[Model, ...]


@router.get("/models")
async def models(caller: Reading) -> ModelList:
    """Return the profiles under which a question can be asked, as models."""
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
    completion = await _completed(context, run, stream)
    return JSONResponse(completion, headers={RUN_ID: run.id})


async def _completed(
    context: Context, run: Run, stream: ChatCompletionStream
) -> dict[str, JsonValue]:
    """Wait for the end of ``run`` and return its completion.

    Raises:
        Refused: when it came to no report.
    """
    async for event in told(context, run):
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
