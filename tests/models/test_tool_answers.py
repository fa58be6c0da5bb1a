"""Models that write their answer as the arguments of a tool, in the form of each vendor."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast

import pytest
from tests.contracts.chat_model import CONSTRAINED, streamed
from tests.look_alikes.models.anthropic import Messages
from tests.look_alikes.models.gemini import GenerateContent
from tests.look_alikes.models.ollama import OllamaChat
from tests.look_alikes.models.server import Answer, ModelServer, Wire, sse
from tests.models.vendors import opened

from quaere.domain.model import Finish

pytestmark = pytest.mark.anyio

FOOD = {"food": "lichen"}


@dataclass(frozen=True)
class CallingMessages(Messages):
    """Anthropic's, with a block for a tool."""

    def whole(self, answer: Answer) -> object:
        body = cast("dict[str, object]", super().whole(answer))
        block = {"type": "tool_use", "id": "toolu_1", "name": "food", "input": FOOD}
        return {**body, "content": [block], "stop_reason": "tool_use"}

    def events(self, answer: Answer) -> list[bytes]:
        head, *_, last, stop = super().events(answer)
        block: dict[str, object] = {
            "type": "tool_use",
            "id": "toolu_1",
            "name": "food",
            "input": {},
        }
        told: list[dict[str, object]] = [
            {"type": "content_block_start", "index": 0, "content_block": block}
        ]
        for part in ("", '{"food": ', '"lichen"}'):
            delta = {"type": "input_json_delta", "partial_json": part}
            told.append({"type": "content_block_delta", "index": 0, "delta": delta})
        told.append({"type": "content_block_stop", "index": 0})
        return [head, *(sse(each, str(each["type"])) for each in told), last, stop]


@dataclass(frozen=True)
class CallingGemini(GenerateContent):
    """Google's, with a part for a function, by itself or in an unfinished form."""

    def whole(self, answer: Answer) -> object:
        part: dict[str, object] = {"functionCall": {"name": "food", "args": FOOD}}
        return self._chunk(answer, [part], last=True)

    def events(self, answer: Answer) -> list[bytes]:
        return [sse(self.whole(answer))]


@dataclass(frozen=True)
class CallingOllama(OllamaChat):
    """Ollama's, with a call in the only message."""

    def events(self, answer: Answer) -> list[bytes]:
        *_, end = super().events(answer)
        line = json.loads(end)
        made = {"function": {"name": "food", "arguments": FOOD}}
        message = {"role": "assistant", "content": "", "tool_calls": [made]}
        told = {**line, "message": message, "done": False, "done_reason": None}
        return [json.dumps(told).encode() + b"\n", end]


WIRES: dict[str, Wire] = {
    "anthropic": CallingMessages(),
    "google": CallingGemini(),
    "ollama": CallingOllama(),
}


@pytest.mark.parametrize("vendor", WIRES)
async def test_the_arguments_of_a_tool_are_the_answer_of_every_client(vendor: str) -> None:
    async with ModelServer(WIRES[vendor]) as server, opened(vendor, server) as model:
        whole = await model.complete(CONSTRAINED)
        _, last = await streamed(model.stream(CONSTRAINED))
    for each in (whole, last):
        assert json.loads(each.text) == FOOD
        assert each.finish is Finish.STOP
