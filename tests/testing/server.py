"""Serves a model for tests on loopback as OpenAI serves its own: for commands and real clients."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Self, cast

from aiohttp import web
from pydantic import JsonValue
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import Answer, Body, Call, Ending, Refusing

from quaere.domain.model import Completion, Finish, Message, ModelRequest, OutputSchema, Role
from quaere.errors import ModelError, ModelRejected
from quaere.testing import ModelDouble

WRITING = "synthesize"
"""The step of a request without a schema."""
STEPS: Mapping[str, str] = MappingProxyType(
    {
        "opening": "plan",
        "opening_answer": "plan",
        "assessment": "evaluate",
        "assessment_answer": "evaluate",
        "inspection": "check",
    }
)
"""The step of a request by the name of its schema; any other name is a step of its own."""
_ENDINGS = {
    Finish.STOP: Ending.STOP,
    Finish.LENGTH: Ending.LENGTH,
    Finish.REFUSAL: Ending.REFUSAL,
}


class DoubleServer:
    """Answers chat completions with what ``model`` answers; its errors become those of HTTP."""

    def __init__(self, model: ModelDouble) -> None:
        self._model = model
        self._wire = ChatCompletions(usage_asked=False)
        self.calls: list[Call] = []
        self.base_url = ""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=32 * 2**20)
        app.router.add_post("/v1/chat/completions", self._handle)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = cast("tuple[str, int]", self._runner.addresses[0])
        self.base_url = f"http://{host}:{port}/v1"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        call = Call(request.path, headers, cast("Body", await request.json()))
        self.calls.append(call)
        try:
            completion = await self._model.complete(request_of(call.body))
        except ModelError as error:
            refusing = Refusing(400 if isinstance(error, ModelRejected) else 503, error.message)
            body = self._wire.refusal(refusing)
            return web.json_response(body, status=refusing.status)
        answer = _answer(completion)
        if not self._wire.streams(call):
            return web.json_response(self._wire.whole(answer))
        response = web.StreamResponse(headers={"Content-Type": self._wire.content_type})
        await response.prepare(request)
        for event in self._wire.events(answer):
            await response.write(event)
        return response


def request_of(body: Body) -> ModelRequest:
    """Return the request that a client has put into ``body``."""
    output = _schema(body)
    limit = body.get("max_completion_tokens") or body.get("max_tokens") or 16_000
    return ModelRequest(
        step=STEPS.get(output.name, output.name) if output else WRITING,
        messages=tuple(
            Message(role=Role(str(message["role"])), content=_content(message["content"]))
            for message in cast("list[Body]", body["messages"])
        ),
        output=output,
        max_output_tokens=int(cast("int", limit)),
    )


def _schema(body: Body) -> OutputSchema | None:
    form = cast("Body", body.get("response_format") or {}).get("json_schema")
    if form is None:
        return None
    held = cast("Body", form)
    definition = cast("dict[str, JsonValue]", held["schema"])
    return OutputSchema(name=str(held["name"]), definition=definition)


def _content(content: object) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(part["text"]) for part in cast("list[Body]", content))


def _answer(completion: Completion) -> Answer:
    text, usage = completion.text, completion.usage
    pieces = [text[start : start + 12] for start in range(0, len(text), 12)]
    return Answer(
        pieces=pieces,
        ending=_ENDINGS[completion.finish],
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cached_tokens=usage.cached_tokens,
        reasoning_tokens=usage.reasoning_tokens,
    )
