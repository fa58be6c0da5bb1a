"""Servers that keep to OpenAI's protocol in their own way."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

import pytest
from tests.contracts.chat_model import CONSTRAINED, PLAIN, streamed
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import Answer, ModelServer, sse
from tests.models.vendors import opened

from quaere.domain.model import Finish
from quaere.errors import ModelError
from quaere.models import LangChainModel

pytestmark = pytest.mark.anyio

VENDORS = ("openai", "deepseek", "compatible")


def delta(index: int = 0, finish: str | None = None, **fields: object) -> bytes:
    choice = {"index": index, "delta": fields, "finish_reason": finish}
    return sse({"id": "1", "object": "chat.completion.chunk", "choices": [choice]})


def call(**function: object) -> dict[str, object]:
    return {"index": 0, "id": "call_1", "type": "function", "function": function}


@dataclass(frozen=True)
class Odd(ChatCompletions):
    """Streams these events and the usual end; answers whole with this message."""

    said: tuple[bytes, ...] = ()
    message: dict[str, object] | None = None
    usage_asked: bool = False

    def events(self, answer: Answer) -> list[bytes]:
        return [*self.said, b"data: [DONE]\n\n"]

    def whole(self, answer: Answer) -> object:
        body = cast("dict[str, object]", super().whole(answer))
        choice = {"index": 0, "message": self.message, "finish_reason": "tool_calls"}
        return {**body, "choices": [choice]}


@asynccontextmanager
async def odd(vendor: str, wire: Odd) -> AsyncGenerator[tuple[LangChainModel, ModelServer]]:
    async with ModelServer(wire) as server, opened(vendor, server) as model:
        yield model, server


@pytest.mark.parametrize("vendor", VENDORS)
async def test_only_the_first_choice_is_read(vendor: str) -> None:
    said = (
        delta(1, content="X"),
        delta(content="lantern "),
        delta(1, content="X"),
        delta(content="moth"),
        delta(1, "length"),
        delta(0, "stop"),
    )
    async with odd(vendor, Odd(said=said)) as (model, _):
        pieces, last = await streamed(model.stream(PLAIN))
    assert pieces == ["lantern ", "moth"]
    assert last.finish is Finish.STOP


@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_refusal_beside_the_text_is_heard_in_a_stream(vendor: str) -> None:
    said = (delta(role="assistant", content=""), delta(refusal="I "), delta(0, "stop"))
    async with odd(vendor, Odd(said=said)) as (model, _):
        pieces, last = await streamed(model.stream(PLAIN))
    assert pieces == []
    assert last.finish is Finish.REFUSAL


async def test_a_stream_without_an_end_serves_for_json_and_not_for_prose() -> None:
    async with odd("compatible", Odd(said=(delta(content='{"food": 1}'),))) as (model, _):
        _, last = await streamed(model.stream(CONSTRAINED))
        assert (last.text, last.finish) == ('{"food": 1}', Finish.LENGTH)
        with pytest.raises(ModelError, match="ended its answer half-way"):
            await streamed(model.stream(PLAIN))


async def test_what_was_written_as_arguments_of_a_tool_is_the_answer() -> None:
    said = (
        delta(tool_calls=[call(name="food", arguments='{"food": ')]),
        delta(tool_calls=[call(arguments='"lichen"}')]),
        delta(0, "tool_calls"),
    )
    made = call(name="food", arguments='{"food": "lichen"}')
    message: dict[str, object] = {"role": "assistant", "content": None, "tool_calls": [made]}
    async with odd("compatible", Odd(said=said, message=message)) as (model, _):
        _, last = await streamed(model.stream(CONSTRAINED))
        whole = await model.complete(CONSTRAINED)
        prose = await model.complete(PLAIN)
    assert last.text == whole.text == '{"food": "lichen"}'
    assert prose.text == ""


async def test_a_stream_without_a_limit_is_left() -> None:
    said = tuple(delta(content="the moth ") for _ in range(3_000))
    async with odd("compatible", Odd(said=said)) as (model, _):
        pieces, last = await streamed(model.stream(PLAIN))
    assert last.finish is Finish.LENGTH
    assert 100 < len(pieces) < 500


@pytest.mark.parametrize("role", ["user", "system", "developer", "tool", "narrator", None])
@pytest.mark.parametrize("vendor", VENDORS)
async def test_words_of_somebody_else_are_a_typed_error(vendor: str, role: str | None) -> None:
    wire = Odd(message={"role": role, "content": "The lantern was lit in 1911."})
    async with odd(vendor, wire) as (model, _):
        with pytest.raises(ModelError):
            await model.complete(PLAIN)


async def test_a_stream_of_somebody_else_is_a_typed_error() -> None:
    said = (delta(role="user", content="The lantern "), delta(content="was lit."), delta(0, "stop"))
    async with odd("compatible", Odd(said=said)) as (model, _):
        with pytest.raises(ModelError):
            await streamed(model.stream(PLAIN))
