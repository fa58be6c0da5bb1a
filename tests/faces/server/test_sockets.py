"""The events of a run over a WebSocket, and what is said in band (R2.5)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr
from tests.faces.server.conftest import settings_in
from tests.faces.server.issuing import client_of, issued
from tests.faces.server.served import QUESTION, Frame, frames_of, served
from tests.services.missing import or_without
from tests.services.postgres import server
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from quaere.domain.access import Right
from quaere.runtime.settings import Access, Settings
from quaere.runtime.wiring_store import build_database
from quaere.store.db.database import Database
from quaere.store.fleet import Fleet

PATIENCE_S = 60.0


def opened(
    url: str, run_id: str, secret: str = "", *, after: int = 0, origin: str = ""
) -> ClientConnection:
    """Return a WebSocket that follows a run, with a key where one is given."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    if origin:
        headers["Origin"] = origin
    address = f"{url.replace('http', 'ws', 1)}/v1/runs/{run_id}/ws?after={after}"
    return connect(address, additional_headers=headers, open_timeout=PATIENCE_S, proxy=None)


def heard(socket: ClientConnection) -> list[Frame]:
    """Return the frames of a WebSocket to its end, each of which is a message."""
    messages = [str(said) for said in socket]
    assert all(each.endswith("\n\n") and each.count("\n\n") == 1 for each in messages)
    return frames_of("".join(messages))


def test_the_frames_are_those_of_the_stream_r2_5(client: httpx.Client, url: str) -> None:
    run = client.post("/v1/runs", json={"question": QUESTION, "reuse": "never"}).json()
    with opened(url, run["run_id"]) as socket:
        told = heard(socket)
    logged = [frame for frame in told if frame.id is not None]
    assert [frame.id for frame in logged] == list(range(1, len(logged) + 1))
    assert logged[-1].event == "run_finished"
    stream = frames_of(client.get(run["events_url"]).text)
    assert logged == [frame for frame in stream if frame.id is not None]
    for after in range(len(logged) + 1):
        with opened(url, run["run_id"], after=after) as socket:
            assert [each for each in heard(socket) if each.id is not None] == logged[after:]


async def paused(settings: Settings) -> None:
    """Make the tables, and have no worker take a run."""
    async with build_database(settings) as database:
        await database.upgrade()
        await Fleet(database).pause()


@pytest.fixture
def waiting(tmp_path: Path) -> Generator[tuple[Settings, str]]:
    """The address of a service with keys whose worker waits, and its settings."""
    settings = settings_in(tmp_path, auth=Access.KEYS)

    asyncio.run(paused(settings))
    with served(settings) as address:
        yield settings, address


def test_a_run_is_steered_in_band_by_who_may_r2_5(waiting: tuple[Settings, str]) -> None:
    settings, url = waiting
    ann, reader = issued(settings, "ann"), issued(settings, "ann", scopes={Right.READ})
    with client_of(url, ann) as client:
        run_id = client.post("/v1/runs", json={"question": QUESTION}).json()["run_id"]
        with opened(url, run_id, reader) as looking:
            looking.send('{"type": "cancel"}')
            assert "cannot be done over this connection" in refusal(looking)
        with opened(url, run_id, ann) as socket:
            for odd in (
                "",
                "{",
                "[]",
                '{"type": "delete"}',
                "\0",
                '{"type": "reply"}',
                b"\xff",
                b"",
            ):
                socket.send(odd)
                assert "Unknown message" in refusal(socket)
            socket.send(json.dumps({"type": "cancel", "x": "y" * 20_000}))
            assert "cannot be done over this connection" in refusal(socket)
            socket.send(b'{"type": "cancel"}')
            assert heard(socket)[-1].event == "end"
        assert client.get(f"/v1/runs/{run_id}").json()["status"] == "cancelled"


def refusal(socket: ClientConnection) -> str:
    """Return what the service complains of next."""
    while True:
        for frame in frames_of(str(socket.recv(timeout=PATIENCE_S))):
            if frame.event == "refused":
                return frame.data


def test_a_message_that_is_too_large_ends_the_connection_alone(
    waiting: tuple[Settings, str],
) -> None:
    settings, url = waiting
    ann = issued(settings, "ann")
    with client_of(url, ann) as client:
        run_id = client.post("/v1/runs", json={"question": QUESTION}).json()["run_id"]
        with opened(url, run_id, ann) as socket:
            socket.send("x" * 100_000)
            with pytest.raises(ConnectionClosedError) as closed:
                heard(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        assert client.get(f"/v1/runs/{run_id}").json()["status"] == "pending"


def test_who_may_not_read_a_run_gets_no_socket(waiting: tuple[Settings, str]) -> None:
    settings, url = waiting
    ann, bob = issued(settings, "ann"), issued(settings, "bob")
    with client_of(url, ann) as client:
        run_id = client.post("/v1/runs", json={"question": QUESTION}).json()["run_id"]
    nobodys = "00000000-0000-0000-0000-000000000000"
    said = {
        refused(url, run_id, bob).replace(run_id, "ID"),
        refused(url, nobodys, bob).replace(nobodys, "ID"),
    }
    assert len(said) == 1, "whether there is such a run is told"
    assert refused(url, run_id) == refused(url, nobodys)
    assert refused(url, run_id, "qk_00000000_" + "x" * 43) == refused(url, run_id)
    assert "404" in refused(url, nobodys, bob)
    assert "401" in refused(url, run_id)
    with pytest.raises(InvalidStatus) as unknown:
        opened(url, nobodys, ann)
    assert f"No run has the id '{nobodys}'" in unknown.value.response.body.decode()
    refused(url, run_id, ann, origin="https://evil.example")
    with opened(url, run_id, ann, origin=url) as socket:
        told = [str(socket.recv(timeout=PATIENCE_S)) for _ in range(2)]
    assert told[0].startswith("retry: ")
    assert "queued" in told[1]


@pytest.mark.slow
def test_a_database_that_is_away_is_told_as_such_and_not_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Database.__init__, "__kwdefaults__", {"busy_s": 1.0, "connect_s": 0.5})
    with or_without(), server() as running:
        settings = settings_in(tmp_path, database_url=SecretStr(running.create()))
        asyncio.run(paused(settings))
        with served(settings, workers=0) as url, httpx.Client(base_url=url) as client:
            run = client.post("/v1/runs", json={"question": QUESTION}).json()
            with opened(url, run["run_id"]) as socket:
                while "queued" not in str(socket.recv(timeout=PATIENCE_S)):
                    pass
                running.stop()
                last = heard(socket)[-1]
            with pytest.raises(InvalidStatus) as away:
                opened(url, run["run_id"])
    assert (last.event, json.loads(last.data)["message"]) == (
        "error",
        "The database cannot be used at the moment.",
    )
    assert away.value.response.status_code == 503
    assert "The database cannot be used at the moment." in away.value.response.body.decode()


def refused(url: str, run_id: str, secret: str = "", *, origin: str = "") -> str:
    """Return how a WebSocket is refused, which has to be before anything is told."""
    try:
        with opened(url, run_id, secret, origin=origin) as socket:
            heard(socket)
            raise AssertionError("the socket was opened")
    except (InvalidStatus, ConnectionClosedError, ConnectionClosedOK) as error:
        return str(error)
