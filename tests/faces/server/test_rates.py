"""What is left of a key's minute is told with each of its answers."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send

from quaere.faces.server.rates import RateHeaders
from quaere.store.quotas import WINDOW_S

pytestmark = pytest.mark.anyio


async def answered(scope: Scope) -> list[Message]:
    """Return what a client gets of an answer with one header."""
    sent: list[Message] = []

    async def layer(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]})
        await send({"type": "http.response.body", "body": b"x"})

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    await RateHeaders(layer)(scope, receive, send)
    return sent


async def test_a_counted_request_is_told_its_limit_and_what_is_left() -> None:
    start, body = await answered({"type": "http", "quaere.rate_limit": (60, 59, 42)})
    assert dict(start["headers"]) == {
        b"a": b"b",
        b"ratelimit-policy": f'"requests";q=60;w={WINDOW_S}'.encode(),
        b"ratelimit": b'"requests";r=59;t=42',
    }
    assert body == {"type": "http.response.body", "body": b"x"}


async def test_a_request_that_is_not_counted_is_told_nothing() -> None:
    start, _ = await answered({"type": "http"})
    assert start["headers"] == [(b"a", b"b")]
