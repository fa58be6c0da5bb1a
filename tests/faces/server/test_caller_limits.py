"""How many streams one user may have open, and what each answer tells of a key's minute."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import ExitStack

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import QUESTION, served
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from quaere.faces.server.guard import MOST_STREAMS, RateHeaders
from quaere.runtime.settings import Access
from quaere.store.usage import WINDOW_S

PATIENCE_S = 60.0
ASKED = [{"role": "user", "content": QUESTION}]
PARTS = [{"type": "text", "text": QUESTION}]
STREAMED: dict[str, dict[str, object]] = {
    "/run": {"question": QUESTION, "stream": True},
    "/v1/chat/messages": {"message": QUESTION},
    "/v1/chat/completions": {"model": "quaere", "stream": True, "messages": ASKED},
    "/v1/responses": {"model": "quaere", "stream": True, "input": QUESTION},
    "/v1/ui/messages": {"messages": [{"id": "1", "role": "user", "parts": PARTS}]},
}
"""What begins a run and streams it."""

POSTED = {
    "/run": {"question": QUESTION, "stream": True},
    "/v1/chat/messages": {"message": QUESTION},
    "/v1/chat/completions": {
        "model": "quaere",
        "stream": True,
        "messages": [{"role": "user", "content": QUESTION}],
    },
    "/v1/responses": {"model": "quaere", "stream": True, "input": QUESTION},
    "/v1/ui/messages": {
        "messages": [{"id": "1", "role": "user", "parts": [{"type": "text", "text": QUESTION}]}]
    },
}
pytestmark = pytest.mark.anyio


@pytest.fixture
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[str, str, str]]:
    """The address of a service that makes no runs, and the keys of two users."""
    settings = settings_in(tmp_path_factory.mktemp("crowd"), auth=Access.KEYS)
    keys = issued(settings, "ann"), issued(settings, "bob")
    with served(settings, workers=0) as url:
        yield url, *keys


def streaming(url: str, path: str, key: str) -> socket.socket:
    """Return a connection on which a stream has begun."""
    host, port = url.removeprefix("http://").split(":")
    opened = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n\r\n"
    opened.sendall(head.encode())
    assert b"200 OK" in opened.recv(4_096)
    return opened


def read_all(opened: socket.socket) -> None:
    """Read what comes on a connection, to its end."""
    while opened.recv(4_096):
        pass


def test_a_user_has_so_many_streams_and_others_have_their_own(
    crowded: tuple[str, str, str],
) -> None:
    url, ann, bob = crowded
    with client_of(url, ann) as client, client_of(url, bob) as other, ExitStack() as streams:
        run = client.post("/v1/runs", json={"question": QUESTION}).json()
        opened = [
            streams.enter_context(streaming(url, run["events_url"], ann))
            for _ in range(MOST_STREAMS)
        ]
        refused = client.get(run["events_url"])
        assert refused.status_code == 429, refused.text
        assert refused.json()["error"]["type"] == "too_many_streams"
        assert refused.headers["retry-after"]
        address = f"{url.replace('http', 'ws', 1)}/v1/runs/{run['run_id']}/ws"
        headers = {"Authorization": f"Bearer {ann}"}
        with pytest.raises((ConnectionClosedError, InvalidStatus)):
            list(connect(address, additional_headers=headers, proxy=None))
        for path, body in STREAMED.items():
            answer = client.post(path, json=body)
            assert answer.status_code == 429, (path, answer.text)
        assert [each["run_id"] for each in client.get("/v1/runs").json()["runs"]] == [run["run_id"]]
        assert client.get(run["status_url"]).status_code == 200
        as_list = client.get(run["events_url"], headers={"Accept": "application/json"})
        assert as_list.status_code == 200
        mine = other.post("/v1/runs", json={"question": QUESTION}).json()
        streams.enter_context(streaming(url, mine["events_url"], bob))
        opened[0].close()
        assert streams_again(client, run["events_url"])


def test_streams_end_when_their_key_is_revoked(crowded: tuple[str, str, str]) -> None:
    url, ann, bob = crowded
    with client_of(url, ann) as client, client_of(url, bob) as other, ExitStack() as streams:
        run = client.post("/v1/runs", json={"question": QUESTION}).json()
        theirs = other.post("/v1/runs", json={"question": QUESTION}).json()
        opened = streams.enter_context(streaming(url, run["events_url"], ann))
        untouched = streams.enter_context(streaming(url, theirs["events_url"], bob))
        address = f"{url.replace('http', 'ws', 1)}/v1/runs/{run['run_id']}/ws"
        headers = {"Authorization": f"Bearer {ann}"}
        socket = streams.enter_context(connect(address, additional_headers=headers, proxy=None))
        (mine,) = client.get("/v1/keys").json()["keys"]
        assert client.delete(f"/v1/keys/{mine['id']}").is_success
        with pytest.raises(ConnectionClosedError) as ended:
            list(socket)
        assert ended.value.rcvd
        assert ended.value.rcvd.code == 1008
        read_all(opened)  # the service ends it
        assert client.get(run["status_url"]).status_code == 401
        untouched.settimeout(0.5)
        with pytest.raises(TimeoutError):
            read_all(untouched)


def streams_again(client: httpx.Client, path: str) -> bool:
    """Return whether a stream is given before long: the service has to see that one has ended."""
    for _ in range(100):
        with client.stream("GET", path) as answer:
            if answer.status_code == 200:
                return True
    return False


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
