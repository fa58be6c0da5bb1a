"""Servers that keep to OpenAI's protocol in their own way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from typing import cast

import pytest
from tests.contracts.chat_model import CONSTRAINED, PLAIN, streamed
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import Answer, Body, ModelServer, Refusing, sse
from tests.models.vendors import KEY, opened

from quaere.domain.model import Finish
from quaere.errors import ModelError, ModelRejected
from quaere.models import LangChainModel
from quaere.models.failures import ModelUnusable

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
    more: Body = field(default_factory=dict[str, object])
    """Put in the place of what a whole answer has."""
    usage_asked: bool = False

    def events(self, answer: Answer) -> list[bytes]:
        return [*self.said, b"data: [DONE]\n\n"]

    def whole(self, answer: Answer) -> object:
        body = cast("dict[str, object]", super().whole(answer))
        choice = {"index": 0, "message": self.message, "finish_reason": "tool_calls"}
        return {**body, "choices": [choice], **self.more}


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


def bare(choice: dict[str, object]) -> bytes:
    return sse({"choices": [{**choice, "finish_reason": None}]})


@pytest.mark.parametrize("place", ["reasoning_content", "reasoning"])
@pytest.mark.parametrize("vendor", VENDORS)
async def test_json_among_the_thoughts_alone_is_the_answer(vendor: str, place: str) -> None:
    """Servers that cut thoughts off at a mark that a grammar does not let a model write."""
    pieces = ('{"food": ', '"lichen"}')
    thoughts = [bare({"index": 0, "delta": {place: piece}}) for piece in pieces]
    said = (*thoughts, delta(0, "stop"))
    message: dict[str, object] = {"role": "assistant", "content": None, place: '{"food": "lichen"}'}
    async with odd(vendor, Odd(said=said, message=message)) as (model, _):
        _, last = await streamed(model.stream(CONSTRAINED))
        whole = await model.complete(CONSTRAINED)
        prose = await model.complete(PLAIN)
    assert last.text == whole.text == '{"food": "lichen"}'
    assert prose.text == "", "thoughts are no prose"


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize(
    "piece",
    [
        {"index": "0", "delta": {"content": "lantern moth"}},
        {"index": 0, "message": {"role": "assistant", "content": "lantern moth"}},
        {"index": 0, "text": "lantern moth"},
    ],
)
async def test_pieces_are_read_wherever_a_server_puts_them(piece: dict[str, object]) -> None:
    async with odd("compatible", Odd(said=(bare(piece), delta(0, "stop")))) as (model, _):
        pieces, last = await streamed(model.stream(PLAIN))
    assert pieces == ["lantern moth"]
    assert last.finish is Finish.STOP


PIECES = ("The moth ", "eats ", "lichen. ", "It eats ", "eats ", "much.")
SENT_AGAIN = {
    "as it is": PIECES,
    "all once more": (*PIECES, "".join(PIECES)),
    "each twice": tuple(piece for piece in PIECES for _ in range(2)),
    "all so far with each": tuple(accumulate(PIECES)),
}


@pytest.mark.parametrize("pieces", SENT_AGAIN.values(), ids=SENT_AGAIN)
async def test_what_a_server_sends_again_counts_once(pieces: Sequence[str]) -> None:
    said = (*(delta(content=piece) for piece in pieces), delta(0, "stop"))
    async with odd("compatible", Odd(said=said)) as (model, _):
        taken, last = await streamed(model.stream(PLAIN))
    assert "".join(taken) == last.text == "".join(PIECES)


async def test_a_stream_without_a_limit_is_left() -> None:
    said = tuple(delta(content=("the moth ", "sat ")[n % 2]) for n in range(3_000))
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


@pytest.mark.parametrize(
    ("content_type", "begins"),
    [("text/html; charset=utf-8", b"\n"), ("Text/HTML", b"\xef\xbb\xbf")],
    ids=["line-break", "byte-order-mark"],
)
@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_web_page_in_place_of_an_answer_says_that_the_address_is_wrong(
    vendor: str, content_type: str, begins: bytes
) -> None:
    page = Odd(content_type=content_type, said=(begins + b"<html>Sign in</html>",))
    async with odd(vendor, page) as (model, server):
        with pytest.raises(ModelUnusable, match="web page; check the base URL"):
            await streamed(model.stream(PLAIN))
    assert len(server.calls) == 1, "it is not asked for a whole answer"


async def test_a_stream_that_is_called_a_page_is_read() -> None:
    said = (delta(content="lantern"), delta(0, "stop"))
    async with odd("compatible", Odd(content_type="text/html", said=said)) as (model, _):
        assert (await streamed(model.stream(PLAIN)))[1].text == "lantern"


@pytest.mark.parametrize("choices", [None, []])
@pytest.mark.parametrize("vendor", VENDORS)
async def test_an_answer_without_a_choice_is_not_asked_for_again(
    vendor: str, choices: object
) -> None:
    async with odd(vendor, Odd(more={"choices": choices})) as (model, _):
        with pytest.raises(ModelRejected, match="contains no choices"):
            await model.complete(PLAIN)


# Servers that say how much room they have


def room(tokens: int) -> Body:
    return {"default_generation_settings": {"n_ctx": tokens, "id": 0}}


@pytest.mark.parametrize(
    ("given", "told", "kept"),
    [
        (None, room(9_000), 9_000),
        (None, room(256), 256),
        (2_000, room(9_000), 2_000),
        (9_000, room(2_000), 2_000),
        (2_000, None, 2_000),
        (None, None, 4_096),
        (None, room(0), 4_096),
        (None, {"error": "no"}, 4_096),
    ],
)
async def test_of_the_room_that_was_set_and_that_a_server_has_the_smaller_counts(
    given: int | None, told: Body | None, kept: int
) -> None:
    async with (
        ModelServer(ChatCompletions()) as server,
        opened("llamacpp", server, context_tokens=given) as model,
    ):
        server.properties = told
        await asyncio.to_thread(model.learn)
        assert model.context_tokens == kept
        (asked,) = server.calls
    assert (asked.path, asked.headers["authorization"]) == ("/props", f"Bearer {KEY}")


async def test_a_server_that_is_down_is_left_to_the_first_call() -> None:
    async with ModelServer(ChatCompletions()) as server:
        pass
    async with opened("llamacpp", server) as model:
        model.learn()
        assert model.context_tokens == 4_096


async def test_a_server_of_another_kind_is_not_asked_for_its_room() -> None:
    async with ModelServer(ChatCompletions()) as server, opened("lmstudio", server) as model:
        server.properties = room(9_000)
        await asyncio.to_thread(model.learn)
        assert server.calls == []


@dataclass(frozen=True)
class Narrow(ChatCompletions):
    """Refuses as llama.cpp does: too long a prompt with the room that there is."""

    kind: str = "exceed_context_size_error"

    def refusal(self, refusing: Refusing) -> object:
        told = {"code": 400, "message": refusing.message, "type": self.kind, "n_ctx": 3_000}
        return {"error": told}


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    ("kind", "given", "kept"),
    [
        ("exceed_context_size_error", None, 3_000),
        ("exceed_context_size_error", 2_000, 2_000),
        ("invalid_request_error", None, 4_096),
    ],
)
async def test_a_refusal_for_its_length_tells_how_much_room_there_is(
    kind: str, given: int | None, kept: int, *, streaming: bool
) -> None:
    async with (
        ModelServer(Narrow(kind=kind)) as server,
        opened("llamacpp", server, context_tokens=given) as model,
    ):
        server.trouble = Refusing(400, "The prompt is too long.")
        with pytest.raises(ModelRejected):
            await (streamed(model.stream(PLAIN)) if streaming else model.complete(PLAIN))
        assert model.context_tokens == kept
