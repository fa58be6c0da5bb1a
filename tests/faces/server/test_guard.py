"""What a request passes before anything is done for it, without a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable

import pytest
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaere.faces.server.guard import (
    LOOPBACK,
    MAX_BODY_BYTES,
    MAX_HEAD_BYTES,
    MAX_UPLOAD_BYTES,
    SAFETY,
    Guard,
    Hosts,
    leave,
)

pytestmark = pytest.mark.anyio

APP = FastAPI()
FILES = "/v1/folders/f1/files"


@pytest.mark.parametrize(
    ("listens", "names", "host", "known"),
    [
        ("127.0.0.1", [], "localhost:8000", True),
        ("localhost", [], "LOCALHOST", True),
        ("::1", [], "[::1]", True),
        ("::1", [], "[::1]:8000", True),
        ("::1", [], "::1", True),
        ("127.0.0.1", [], "a.example", False),
        ("127.0.0.1", ["A.example"], "a.example:80", True),
        ("127.0.0.1", ["a.example"], "localhost", True),
        ("192.0.2.1", [], "anything.example", True),
        ("192.0.2.1", ["a.example"], "b.example", False),
        ("192.0.2.1", ["a.example"], "localhost", False),
        ("192.0.2.1", ["a.example"], "", False),
    ],
)
def test_a_service_knows_its_own_names(
    listens: str, names: list[str], host: str, *, known: bool
) -> None:
    assert Hosts.of(listens, names, []).knows(host) is known


@pytest.mark.parametrize(
    ("origin", "host", "trusted"),
    [
        ("https://a.example", "a.example", True),
        ("http://A.example:80", "a.EXAMPLE:80", True),
        ("https://a.example", "b.example", False),
        ("https://app.example", "b.example", True),
        ("null", "null", False),
        ("https://", "", False),
        ("a.example", "a.example", False),
    ],
)
def test_pages_of_the_service_and_of_listed_sites_are_trusted(
    origin: str, host: str, *, trusted: bool
) -> None:
    hosts = Hosts.of("192.0.2.1", [], ["https://app.example"])
    assert hosts.trusts(origin, host) is trusted


def scope(
    path: str = "/v1/runs", method: str = "POST", kind: str = "http", **headers: str
) -> Scope:
    """Return a request by ``headers``, whose names have _ for a hyphen."""
    told = {"host": "localhost", **headers}
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in told.items()]
    asked = {"type": kind, "method": method, "path": path, "headers": raw, "query_string": b""}
    return {**asked, "app": APP}


async def reading(scope: Scope, receive: Receive, send: Send) -> None:
    """Take in all of a body, then answer."""
    del scope
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"served"})


async def served(
    asked: Scope, pieces: Iterable[bytes] = (b"",), layer: ASGIApp = reading
) -> list[Message]:
    """Return what is sent in answer to a request whose body comes in ``pieces``."""
    sent: list[Message] = []
    waiting = list(pieces)

    async def receive() -> Message:
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message: Message) -> None:
        sent.append(message)

    await Guard(layer, Hosts.of("localhost", [], []))(asked, receive, send)
    return sent


async def status(asked: Scope, pieces: Iterable[bytes] = (b"",)) -> int:
    start, *_ = await served(asked, pieces)
    return start["status"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (scope(), 200),
        (scope(host="evil.example"), 421),
        (scope("/health/live", host="evil.example"), 200),
        (scope(origin="http://localhost"), 200),
        (scope(origin="https://evil.example"), 403),
        (scope(method="GET", origin="https://evil.example"), 200),
        (scope(method="DELETE", origin="https://evil.example"), 403),
        (scope(method="HEAD", origin="https://evil.example"), 200),
        (scope(content_length=str(MAX_BODY_BYTES)), 200),
        (scope(content_length=str(MAX_BODY_BYTES + 1)), 413),
        (scope(content_length="many"), 413),
        (scope(content_length="-1"), 413),
        (scope(FILES, content_length=str(MAX_UPLOAD_BYTES)), 200),
        (scope(FILES, content_length=str(MAX_UPLOAD_BYTES + 1)), 413),
        (scope(f"{FILES}/x", content_length=str(MAX_BODY_BYTES + 1)), 413),
    ],
)
async def test_what_may_not_pass_is_refused(asked: Scope, code: int) -> None:
    assert await status(asked) == code


@pytest.mark.parametrize(("name", "value"), [("host", "localhost"), ("origin", "http://localhost")])
async def test_a_request_that_names_two_hosts_or_sites_is_refused(name: str, value: str) -> None:
    asked = scope(origin="http://localhost")
    for other in (value, "http://evil.example"):
        twice = {**asked, "headers": [*asked["headers"], (name.encode(), other.encode())]}
        assert await status(twice) == 400


async def test_the_headers_may_have_so_many_bytes_together() -> None:
    taken = len("host") + len("localhost") + len("a")
    assert await status(scope(a="x" * (MAX_HEAD_BYTES - taken))) == 200
    assert await status(scope(a="x" * (MAX_HEAD_BYTES - taken + 1))) == 431


async def test_a_body_is_measured_as_it_comes_whatever_its_headers_say() -> None:
    half = b"x" * (MAX_BODY_BYTES // 2)
    assert await status(scope(), [half, half]) == 200
    assert await status(scope(), [half, half, b"x"]) == 413
    assert await status(scope(FILES), [half, half, b"x"]) == 200


async def test_every_answer_has_its_id_and_the_headers_of_safety() -> None:
    async def own(scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        headers = [
            (b"referrer-policy", b"origin"),
            (b"x-told", scope["quaere.request_id"].encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    (start,) = await served(scope(x_request_id="a-1.B_2"), layer=own)
    told = {name.decode(): value.decode() for name, value in start["headers"]}
    assert told.pop("x-told") == told.pop("x-request-id") == "a-1.B_2"
    assert told == {name.lower(): value for name, value in SAFETY.items()} | {
        "referrer-policy": "origin"
    }
    for bad in ("", "a b", "x" * 65):
        (start,) = await served(scope(x_request_id=bad), layer=own)
        ids = {value for name, value in start["headers"] if name in {b"x-told", b"x-request-id"}}
        assert len(ids) == 1
        assert len(ids.pop()) == 36


async def test_a_fault_inside_is_told_unless_an_answer_has_begun() -> None:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        if scope["path"] == "/late":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    start, body = await served(scope(), layer=broken)
    assert start["status"] == 500
    assert json.loads(body["body"])["error"]["type"] == "internal"
    with pytest.raises(ZeroDivisionError):
        await served(scope("/late"), layer=broken)
    with pytest.raises(ZeroDivisionError):
        await served(scope(kind="websocket"), layer=broken)


async def test_what_the_server_cancels_as_it_stops_is_told_so_unless_an_answer_has_begun() -> None:
    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        if scope["path"] == "/late":
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise asyncio.CancelledError

    start, body = await served(scope(), layer=slow)
    assert start["status"] == 503
    assert (b"retry-after", b"5") in start["headers"]
    told = json.loads(body["body"])["error"]
    assert (told["type"], told["retryable"]) == ("stopping", True)
    with pytest.raises(asyncio.CancelledError):
        await served(scope("/late"), layer=slow)


async def test_a_socket_that_may_not_be_opened_is_closed_with_its_reason() -> None:
    (closed,) = await served(scope(kind="websocket", method="GET", origin="https://evil.example"))
    assert closed == {
        "type": "websocket.close",
        "code": 1008,
        "reason": "Pages of other sites may not do that.",
    }


async def test_what_is_no_request_passes_as_it_is() -> None:
    seen: list[str] = []

    async def layer(scope: Scope, receive: Receive, send: Send) -> None:
        del receive, send
        seen.append(scope["type"])

    assert await served({"type": "lifespan"}, layer=layer) == []
    assert seen == ["lifespan"]


async def test_the_rest_of_an_answer_is_sent_when_the_layers_are_gone() -> None:
    order: list[str] = []

    async def rest(receive: Receive, send: Send) -> None:
        del receive
        order.append("rest")
        await send({"type": "http.response.body", "body": b"later"})

    async def layer(scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        assert leave(scope, rest)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        order.append("layer")

    *_, last = await served(scope(), layer=layer)
    assert order == ["layer", "rest"]
    assert last["body"] == b"later"
    assert not leave({"type": "http"}, rest), "without a guard the caller sends it"


def test_loopback_has_all_its_names() -> None:
    for name in LOOPBACK:
        assert Hosts.of(name, [], []).knows("localhost")
