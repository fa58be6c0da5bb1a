"""Anthropic's Messages."""

from __future__ import annotations

from typing import cast

from tests.look_alikes.models.server import Answer, Body, Call, Ending, Refusing, sse

_ENDINGS = {
    Ending.STOP: "end_turn",
    Ending.LENGTH: "max_tokens",
    Ending.REFUSAL: "refusal",
}


class Messages:
    content_type = "text/event-stream"

    def streams(self, call: Call) -> bool:
        assert call.path == "/v1/messages"
        assert "anthropic-version" in call.headers
        return call.body.get("stream") is True

    def whole(self, answer: Answer) -> object:
        return {
            **_head(),
            "content": [*_thinking(answer), {"type": "text", "text": answer.text}],
            "stop_reason": _ENDINGS[answer.ending],
            "stop_sequence": None,
            "usage": _usage(answer),
        }

    def events(self, answer: Answer) -> list[bytes]:
        start = {**_head(), "content": (), "stop_reason": None, "stop_sequence": None}
        blocks: list[tuple[dict[str, object], list[dict[str, object]]]] = []
        if answer.thoughts:
            delta: dict[str, object] = {"type": "thinking_delta", "thinking": answer.thoughts}
            blocks.append(({"type": "thinking", "thinking": "", "signature": ""}, [delta]))
        texts: list[dict[str, object]] = [
            {"type": "text_delta", "text": piece} for piece in answer.pieces
        ]
        blocks.append(({"type": "text", "text": ""}, texts))
        usage = {**_usage(answer), "output_tokens": 1}
        events: list[dict[str, object]] = [
            {"type": "message_start", "message": {**start, "usage": usage}}
        ]
        for index, (block, deltas) in enumerate(blocks):
            events.append({"type": "content_block_start", "index": index, "content_block": block})
            events.extend(
                {"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas
            )
            events.append({"type": "content_block_stop", "index": index})
        events.append(
            {
                "type": "message_delta",
                "delta": {"stop_reason": _ENDINGS[answer.ending], "stop_sequence": None},
                "usage": _usage(answer),
            }
        )
        events.append({"type": "message_stop"})
        return [sse(event, str(event["type"])) for event in events]

    def refusal(self, refusing: Refusing) -> object:
        error = {"type": "api_error", "message": refusing.message}
        return {"type": "error", "error": error, "request_id": "req_1"}

    def schema(self, call: Call) -> object:
        form = cast("Body", cast("Body", call.body.get("output_config", {})).get("format", {}))
        assert form.get("type", "json_schema") == "json_schema"
        return form.get("schema")


def _head() -> dict[str, object]:
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": "moth-1"}


def _thinking(answer: Answer) -> list[dict[str, object]]:
    block: dict[str, object] = {
        "type": "thinking",
        "thinking": answer.thoughts,
        "signature": "c2ln",
    }
    return [block] if answer.thoughts else []


def _usage(answer: Answer) -> dict[str, object]:
    return {
        "input_tokens": (answer.prompt_tokens - answer.cached_tokens) * answer.counted,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": answer.cached_tokens * answer.counted,
        "output_tokens": answer.completion_tokens * answer.counted,
        "output_tokens_details": {"thinking_tokens": answer.reasoning_tokens * answer.counted},
    }
