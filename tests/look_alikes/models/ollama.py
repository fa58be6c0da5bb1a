"""Ollama's ``/api/chat``: one JSON object a line."""

from __future__ import annotations

import json

from tests.look_alikes.models.server import Answer, Call, Ending, Refusing

_ENDINGS = {Ending.STOP: "stop", Ending.LENGTH: "length"}


class OllamaChat:
    content_type = "application/x-ndjson"

    def streams(self, call: Call) -> bool:
        assert call.path == "/api/chat"
        return call.body.get("stream") is True

    def whole(self, answer: Answer) -> object:
        raise AssertionError("its client always streams")

    def events(self, answer: Answer) -> list[bytes]:
        lines = [_line({"content": piece}) for piece in answer.pieces]
        if answer.thoughts:
            lines.insert(0, _line({"content": "", "thinking": answer.thoughts}))
        last = {**_line({"content": ""}), "done": True, "done_reason": _ENDINGS[answer.ending]}
        if answer.counted:
            last["prompt_eval_count"] = answer.prompt_tokens
            last["eval_count"] = answer.completion_tokens
        return [json.dumps(line).encode() + b"\n" for line in [*lines, last]]

    def refusal(self, refusing: Refusing) -> object:
        return {"error": refusing.message}

    def schema(self, call: Call) -> object:
        return call.body.get("format")


def _line(message: dict[str, str]) -> dict[str, object]:
    message = {"role": "assistant", **message}
    return {
        "model": "moth-1",
        "created_at": "2026-11-20T08:00:00Z",
        "message": message,
        "done": False,
    }
