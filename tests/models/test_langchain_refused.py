"""Servers that do not take what is usual, and say so: gateways, small and old ones."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import cast

import pytest
from aiohttp import web
from tests.contracts.chat_model import CONSTRAINED, PLAIN, streamed
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import Body, Call, ModelServer, Refusing
from tests.models.vendors import opened

from quaere.domain.model import ModelRequest
from quaere.errors import ModelError, ModelRejected
from quaere.models import LangChainModel
from quaere.models.failures import ModelUnusable

pytestmark = pytest.mark.anyio

Complaint = Callable[[Body], str]
"""What is wrong with a request, in the words of a server; empty where nothing is."""


class Choosy(ModelServer):
    """Refuses with status 400 what it complains about."""

    complains: Complaint
    in_one_piece = False
    """Whether streams are answered in one piece."""
    spoilt = False
    """Whether the body is cut in the middle of its JSON."""

    async def _answer(self, request: web.Request, call: Call) -> web.StreamResponse:
        if said := self.complains(call.body):
            return web.json_response(self._wire.refusal(Refusing(400, said)), status=400)
        if self.spoilt:
            return web.Response(text='{"choices": [', content_type="application/json")
        if self.in_one_piece:
            return web.json_response(self._wire.whole(self.answer))
        return await super()._answer(request, call)


def nothing(body: Body) -> str:
    return ""


_WIRE = ChatCompletions()


@asynccontextmanager
async def choosy(
    complains: Complaint = nothing, wire: ChatCompletions = _WIRE
) -> AsyncGenerator[tuple[LangChainModel, Choosy]]:
    async with (
        Choosy(wire) as server,
        opened("compatible", server, context_tokens=16_000) as model,
    ):
        server.complains = complains
        yield model, server


async def answer(model: LangChainModel, request: ModelRequest, *, streaming: bool) -> str:
    if not streaming:
        return (await model.complete(request)).text
    _, last = await streamed(model.stream(request))
    return last.text


def untempered(body: Body) -> str:
    return "'temperature' does not support 0.0 with this model." if "temperature" in body else ""


def form(body: Body) -> str:
    return str(cast("Body", body.get("response_format") or {}).get("type", ""))


def any_object(body: Body) -> str:
    wrong = form(body) == "json_schema"
    return "'response_format.type' must be 'json_object' or 'text'" if wrong else ""


def both(body: Body) -> str:
    return untempered(body) or any_object(body)


def formless(body: Body) -> str:
    return "Unrecognized request argument supplied: response_format" if form(body) else ""


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("complains", "request_", "calls"),
    [
        (untempered, PLAIN, 2),
        (any_object, CONSTRAINED, 2),
        (formless, CONSTRAINED, 2),
        (both, CONSTRAINED, 3),
    ],
)
async def test_what_a_server_refuses_is_left_out_at_once_and_for_good(
    complains: Complaint, request_: ModelRequest, calls: int, *, streaming: bool
) -> None:
    async with choosy(complains) as (model, server):
        assert await answer(model, request_, streaming=streaming)
        assert len(server.calls) == calls
        assert await answer(model, request_, streaming=streaming)
        assert len(server.calls) == calls + 1


@pytest.mark.parametrize(("complains", "left"), [(any_object, "json_object"), (formless, "")])
async def test_a_schema_that_is_refused_is_told_in_the_prompt(
    complains: Complaint, left: str
) -> None:
    async with choosy(complains) as (model, server):
        assert model.traits.schema_unseen
        await model.complete(CONSTRAINED)
        assert not model.traits.schema_unseen
        last = server.calls[-1].body
    turns = cast("list[Body]", last["messages"])
    assert form(last) == left
    assert "JSON schema" in str(turns[-1]["content"])


async def test_other_complaints_are_not_argued_with() -> None:
    async with choosy(lambda body: "The prompt is not acceptable.") as (model, server):
        for streaming in (False, True):
            with pytest.raises(ModelRejected):
                await answer(model, CONSTRAINED, streaming=streaming)
        assert len(server.calls) == 2


async def test_a_complaint_that_stays_is_raised_in_the_end() -> None:
    async with choosy(lambda body: "No temperature, no json_schema.") as (model, server):
        with pytest.raises(ModelRejected):
            await model.complete(CONSTRAINED)
        assert len(server.calls) == 3


async def test_a_server_that_does_not_stream_is_asked_for_whole_answers() -> None:
    async with choosy() as (model, server):
        server.in_one_piece = True
        for calls in (2, 3):
            assert await answer(model, PLAIN, streaming=True) == server.answer.text
            assert len(server.calls) == calls
        assert [call.body.get("stream") for call in server.calls] == [True, False, False]


async def test_an_error_that_is_no_stream_is_told_in_its_own_words() -> None:
    async with choosy(wire=Failing()) as (model, server):
        server.in_one_piece = True
        with pytest.raises(ModelError, match="The provider behind it is busy"):
            await answer(model, PLAIN, streaming=True)


async def test_a_spoilt_answer_to_a_stream_is_not_taken_for_one_piece() -> None:
    """Else one bad moment would have the server asked without streams for good."""
    async with choosy() as (model, server):
        server.spoilt = True
        with pytest.raises(ModelError) as found:
            await answer(model, PLAIN, streaming=True)
        assert found.value.retryable
        assert len(server.calls) == 1
        server.spoilt = False
        assert await answer(model, PLAIN, streaming=True) == server.answer.text
        assert [call.body.get("stream") for call in server.calls] == [True, True]


class Failing(ChatCompletions):
    """Says what is wrong in a body with status 200."""

    def whole(self, answer: object) -> object:
        return {"error": {"message": "The provider behind it is busy.", "code": 502}}


@pytest.mark.parametrize(
    ("said", "tokens"),
    [
        ("This model's maximum context length is 3000 tokens. However, you requested 9100.", 3_000),
        ("Trying to keep 5008 tokens when context length of only 4096 tokens is loaded", 4_096),
        ("The temperature of the context length is unknown.", 16_000),
        ("This model's maximum context length is 32768 tokens, you asked for 40000.", 16_000),
    ],
)
async def test_the_room_that_a_refusal_tells_in_words_is_kept(said: str, tokens: int) -> None:
    async with choosy(lambda body: said) as (model, _):
        with pytest.raises(ModelRejected):
            await model.complete(PLAIN)
        assert model.context_tokens == tokens


@pytest.mark.parametrize(
    "said",
    [
        "Invalid model name passed in model=org/moth-8b. Call `/v1/models` to view models.",
        "org/moth-8b is not a valid model ID",
    ],
)
async def test_a_gateway_that_does_not_know_the_model_is_not_asked_again(said: str) -> None:
    async with choosy(lambda body: said) as (model, _):
        with pytest.raises(ModelUnusable, match="There is no model 'org/moth-8b'"):
            await model.complete(PLAIN)
