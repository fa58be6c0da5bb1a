"""Chat completions, as OpenAI answers them and those that took over its protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from tests.look_alikes.models.server import Answer, Body, Call, Ending, Refusing, sse

_ENDINGS = {
    Ending.STOP: "stop",
    Ending.LENGTH: "length",
    Ending.REFUSAL: "content_filter",
}


@dataclass(frozen=True)
class ChatCompletions:
    """OpenAI's protocol; the fields say where others differ."""

    content_type: str = "text/event-stream"
    thoughts: str = ""
    """Where the thoughts of the model stand beside its text, if anywhere."""
    groq: bool = False
    """Whether streamed usage stands where Groq has it."""
    usage_with_last: bool = False
    """Whether streamed usage comes with the last piece, as Mistral's."""
    usage_asked: bool = True
    """Whether streamed usage has to be asked for."""

    def streams(self, call: Call) -> bool:
        options = call.body.get("stream_options")
        if call.body.get("stream") is True and self.usage_asked:
            assert options == {"include_usage": True}, "usage was not asked for"
        return call.body.get("stream") is True

    def whole(self, answer: Answer) -> object:
        message: dict[str, object] = {"role": "assistant", "content": answer.text}
        if self.thoughts and answer.thoughts:
            message[self.thoughts] = answer.thoughts
        return {
            **_head("chat.completion"),
            "choices": [
                {
                    "index": 0,
                    "message": message,
                    "logprobs": None,
                    "finish_reason": _ENDINGS[answer.ending],
                }
            ],
            **({"usage": self._usage(answer)} if answer.counted else {}),
        }

    def events(self, answer: Answer) -> list[bytes]:
        events = [_delta({"role": "assistant", "content": ""})]
        if self.thoughts and answer.thoughts:
            events.append(_delta({self.thoughts: answer.thoughts}))
        events += [_delta({"content": piece}) for piece in answer.pieces]
        last = _delta({}, _ENDINGS[answer.ending])
        if answer.counted and self.groq:
            last["x_groq"] = {"id": "req_1", "usage": self._usage(answer)}
        if answer.counted and self.usage_with_last:
            last["usage"] = self._usage(answer)
        events.append(last)
        if answer.counted and not self.groq and not self.usage_with_last:
            usage = self._usage(answer)
            events.append({**_head("chat.completion.chunk"), "choices": [], "usage": usage})
        return [*map(sse, events), b"data: [DONE]\n\n"]

    def refusal(self, refusing: Refusing) -> object:
        error = {"message": refusing.message, "type": "error", "param": None, "code": None}
        return {"error": error}

    def schema(self, call: Call) -> object:
        form = cast("Body", call.body.get("response_format", {}))
        if form.get("type") == "json_object":
            return {}
        return cast("Body", form.get("json_schema", {})).get("schema")

    def _usage(self, answer: Answer) -> Mapping[str, object]:
        return {
            "prompt_tokens": answer.prompt_tokens,
            "completion_tokens": answer.completion_tokens,
            "total_tokens": answer.prompt_tokens + answer.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": answer.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": answer.reasoning_tokens},
        }


def _head(kind: str) -> dict[str, object]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_790_000_000, "model": "moth-1"}


def _delta(delta: Mapping[str, object], finish: str | None = None) -> dict[str, object]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {**_head("chat.completion.chunk"), "choices": [choice]}
