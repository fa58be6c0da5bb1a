"""What every ``ChatModel`` does.

A model's tests subclass `ChatModelContract` and give it a ``model`` that answers every request,
constrained ones with JSON that fits `FOOD`, and a ``broken`` one that answers none.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import cast

import pytest

from quaere.domain.model import Completion, Finish, Message, ModelRequest, OutputSchema, Role
from quaere.errors import ModelError
from quaere.ports.model import ChatModel

FOOD = OutputSchema(
    name="food",
    definition={
        "type": "object",
        "properties": {"food": {"type": "string"}, "hour": {"type": "integer"}},
        "required": ["food"],
        "additionalProperties": False,
    },
)

ODD_TEXTS = (
    "{braces} {{and}} %s $more",
    "\x00\x01\x07\x1b[31m",
    "\ud83e alone",
    "؟ما هي العثة",
    "\u202emoth\u202c",
    "灯蛾とは何ですか 🦋",
    "lichen " * 30_000,
)


def asking(text: str, output: OutputSchema | None = None) -> ModelRequest:
    messages = (
        Message(role=Role.SYSTEM, content="Answer as JSON." if output else "Be brief."),
        Message(role=Role.USER, content=text),
    )
    return ModelRequest(step="plan", messages=messages, output=output, max_output_tokens=200)


PLAIN = asking("What does the lantern moth feed on?")
CONSTRAINED = asking("What does the lantern moth feed on?", FOOD)


async def streamed(items: AsyncIterator[str | Completion]) -> tuple[list[str], Completion]:
    """Return the pieces, and the completion that comes last."""
    taken = [item async for item in items]
    pieces = [item for item in taken if isinstance(item, str)]
    last = taken[-1]
    assert isinstance(last, Completion), "the last item is no completion"
    assert len(taken) == len(pieces) + 1, "there is more than one completion"
    return pieces, last


class ChatModelContract:
    """The behaviour that callers of any model rely on."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    async def model(self) -> ChatModel:
        raise NotImplementedError

    @pytest.fixture
    async def broken(self) -> ChatModel:
        raise NotImplementedError

    async def test_it_has_a_name_and_a_window(self, model: ChatModel) -> None:
        vendor, colon, name = model.name.partition(":")
        assert vendor
        assert colon
        assert name
        assert model.context_tokens >= 1

    @pytest.mark.parametrize("request_", [PLAIN, CONSTRAINED], ids=["plain", "constrained"])
    async def test_an_answer_is_whole_and_counted(
        self, model: ChatModel, request_: ModelRequest
    ) -> None:
        completion = await model.complete(request_)
        assert completion.text.strip()
        assert completion.finish is Finish.STOP
        assert completion.model == model.name
        usage = completion.usage
        assert usage.prompt_tokens > 0
        assert usage.completion_tokens > 0
        assert usage.cached_tokens <= usage.prompt_tokens
        assert usage.reasoning_tokens <= usage.completion_tokens

    @pytest.mark.parametrize("request_", [PLAIN, CONSTRAINED], ids=["plain", "constrained"])
    async def test_the_pieces_of_a_stream_make_up_the_answer_that_ends_it(
        self, model: ChatModel, request_: ModelRequest
    ) -> None:
        pieces, completion = await streamed(model.stream(request_))
        assert all(pieces)
        assert "".join(pieces) == completion.text
        assert completion.text.strip()
        assert completion.finish is Finish.STOP
        assert completion.model == model.name
        assert completion.usage.total_tokens > 0

    async def test_a_constrained_answer_fits_its_schema(self, model: ChatModel) -> None:
        for completion in (
            await model.complete(CONSTRAINED),
            (await streamed(model.stream(CONSTRAINED)))[1],
        ):
            answer = cast("dict[str, object]", json.loads(completion.text))
            assert isinstance(answer["food"], str)
            assert set(answer) <= {"food", "hour"}

    async def test_calls_side_by_side_are_all_answered(self, model: ChatModel) -> None:
        requests = [PLAIN, CONSTRAINED, PLAIN, CONSTRAINED]
        completions = await asyncio.gather(*map(model.complete, requests))
        assert [c.text.startswith("{") for c in completions] == [False, True, False, True]

    async def test_any_text_can_be_said_to_it(self, model: ChatModel) -> None:
        for text in ODD_TEXTS:
            completion = await model.complete(asking(text))
            assert completion.text
            pieces, _ = await streamed(model.stream(asking(text)))
            assert pieces

    async def test_a_stream_may_be_left_early(self, model: ChatModel) -> None:
        items = cast("AsyncGenerator[str | Completion, None]", model.stream(PLAIN))
        assert isinstance(await anext(items), str)
        await items.aclose()
        assert (await model.complete(PLAIN)).text

    async def test_a_call_may_be_cancelled(self, model: ChatModel) -> None:
        call = asyncio.ensure_future(model.complete(PLAIN))
        await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
        assert (await model.complete(PLAIN)).text

    async def test_what_cannot_answer_says_so(self, broken: ChatModel) -> None:
        with pytest.raises(ModelError) as raised:
            await broken.complete(PLAIN)
        assert raised.value.message
        with pytest.raises(ModelError):
            await streamed(broken.stream(PLAIN))
