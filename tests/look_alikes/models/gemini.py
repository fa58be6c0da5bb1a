"""Google's ``generateContent`` and ``streamGenerateContent``."""

from __future__ import annotations

from typing import cast

from tests.look_alikes.models.server import Answer, Body, Call, Ending, Refusing, sse

_ENDINGS = {
    Ending.STOP: "STOP",
    Ending.LENGTH: "MAX_TOKENS",
    Ending.REFUSAL: "SAFETY",
}


class GenerateContent:
    content_type = "text/event-stream"

    def streams(self, call: Call) -> bool:
        assert call.path.startswith("/v1beta/models/")
        return call.path.endswith(":streamGenerateContent")

    def whole(self, answer: Answer) -> object:
        return self._chunk(answer, [*_thoughts(answer), {"text": answer.text}], last=True)

    def events(self, answer: Answer) -> list[bytes]:
        chunks: list[object] = []
        if answer.thoughts:
            chunks.append(self._chunk(answer, _thoughts(answer)))
        chunks += [self._chunk(answer, [{"text": piece}]) for piece in answer.pieces]
        chunks.append(self._chunk(answer, [{"text": ""}], last=True))
        return [sse(chunk) for chunk in chunks]

    def refusal(self, refusing: Refusing) -> object:
        error: dict[str, object] = {
            "code": refusing.status,
            "message": refusing.message,
            "status": "ABORTED",
        }
        if seconds := refusing.headers.get("Retry-After"):
            kind = "type.googleapis.com/google.rpc.RetryInfo"
            error["details"] = [{"@type": kind, "retryDelay": f"{seconds}s"}]
        return {"error": error}

    def schema(self, call: Call) -> object:
        config = cast("Body", call.body.get("generationConfig", {}))
        schema = config.get("responseJsonSchema")
        assert schema is None or config["responseMimeType"] == "application/json"
        return schema

    def _chunk(
        self, answer: Answer, parts: list[dict[str, object]], *, last: bool = False
    ) -> dict[str, object]:
        candidate: dict[str, object] = {"content": {"role": "model", "parts": parts}, "index": 0}
        if last:
            candidate["finishReason"] = _ENDINGS[answer.ending]
        chunk: dict[str, object] = {"candidates": [candidate], "modelVersion": "moth-1"}
        if answer.counted:
            chunk["usageMetadata"] = {
                "promptTokenCount": answer.prompt_tokens,
                "cachedContentTokenCount": answer.cached_tokens,
                "thoughtsTokenCount": answer.reasoning_tokens,
                "candidatesTokenCount": answer.completion_tokens - answer.reasoning_tokens,
                "totalTokenCount": answer.prompt_tokens + answer.completion_tokens,
            }
        return chunk


def _thoughts(answer: Answer) -> list[dict[str, object]]:
    return [{"text": answer.thoughts, "thought": True}] if answer.thoughts else []
