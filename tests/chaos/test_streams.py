"""Streams over lines that break, readers that do not read, and stores that go away."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from tests.faces.server.served import QUESTION, Frame, Process, frames_of, write_docs
from tests.services.postgres import Server

from quaere.faces.server.serving import listen
from quaere.faces.server.stream import EventStream
from quaere.runtime.wiring_store import DATABASE_FILE
from quaere.runtime.worker import REPORT_S
from quaere.store.db.database import Database
from quaere.store.fleet import Fleet

PATIENCE_S = 60.0


@contextmanager
def started(tmp_path: Path, environment: Mapping[str, str] | None = None) -> Generator[Process]:
    docs = write_docs(tmp_path / "docs")
    place = {"QUAERE_DATA_DIR": str(tmp_path / "data"), "QUAERE_CACHE_DIR": str(tmp_path / "cache")}
    process = Process(("--docs", str(docs)), {**place, **(environment or {})})
    process.start()
    try:
        yield process
    finally:
        if process.running:
            process.stop(signal.SIGKILL)


class CuttingProxy:
    """Passes bytes on to a server, and cuts each connection, each one some bytes later."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._cuts = count(2_000, 700)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.cut = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self._target)) as server:
            server.sendall(client.recv(65_536))
            left = next(self._cuts)
            while left > 0 and (part := server.recv(min(left, 4_096))):
                client.sendall(part)
                left -= len(part)
            self.cut += left == 0


def test_a_reader_behind_a_line_that_breaks_gets_every_event_once(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        run = httpx.post(f"{process.url}/v1/runs", json={"question": QUESTION}).json()
        with closing(CuttingProxy(process.port)) as proxy:
            seen = _read_again_and_again(proxy.url + run["events_url"])
        assert proxy.cut > 3
    assert [frame.id for frame in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].event == "run_finished"


class HurriedProxy(CuttingProxy):
    """Cuts each connection some time after it was opened, as many do every twenty seconds."""

    CUT_S = 0.4

    def _pass(self, client: socket.socket) -> None:
        with client, socket.create_connection(("127.0.0.1", self._target)) as server:
            server.sendall(client.recv(65_536))
            until = time.monotonic() + self.CUT_S
            try:
                while (left := until - time.monotonic()) > 0:
                    server.settimeout(left)
                    if not (part := server.recv(4_096)):
                        return
                    client.sendall(part)
            except TimeoutError:
                pass
            self.cut += 1


def test_a_reader_that_is_cut_off_by_the_clock_waits_on_and_gets_every_event_once(
    tmp_path: Path,
) -> None:
    with started(tmp_path) as process:
        fleet(tmp_path, Fleet.pause)
        run = httpx.post(f"{process.url}/v1/runs", json={"question": QUESTION}).json()
        with closing(HurriedProxy(process.port)) as proxy:
            resuming = threading.Timer(3 * proxy.CUT_S, fleet, (tmp_path, Fleet.resume))
            resuming.start()
            seen = _read_again_and_again(proxy.url + run["events_url"])
            resuming.join()
        assert proxy.cut >= 3
    assert [frame.id for frame in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].event == "run_finished"


def fleet(tmp_path: Path, order: Callable[[Fleet], Awaitable[None]]) -> None:
    """Order the workers of a service to do something."""

    async def ordered() -> None:
        async with Database.file(tmp_path / "data" / DATABASE_FILE) as database:
            await order(Fleet(database))

    asyncio.run(ordered())
    time.sleep(REPORT_S + 0.5)  # until they have heard


class HoldingProxy(CuttingProxy):
    """Holds back what a server sends until there is much of it, as proxies that buffer do."""

    HELD = 24_000

    def _pass(self, client: socket.socket) -> None:
        held = b""
        with client, socket.create_connection(("127.0.0.1", self._target)) as server:
            server.sendall(client.recv(65_536))
            while part := server.recv(4_096):
                held += part
                over = held.endswith(b"\r\n0\r\n\r\n")  # the last chunk of the answer
                if over or len(held) >= self.HELD:
                    client.sendall(held)
                    held = b""
                if over:
                    return


def test_a_reader_behind_a_proxy_that_buffers_gets_every_event_once(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        run = httpx.post(f"{process.url}/v1/runs", json={"question": QUESTION}).json()
        with closing(HoldingProxy(process.port)) as proxy:
            seen = _read_again_and_again(proxy.url + run["events_url"])
    assert [frame.id for frame in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].event == "run_finished"


def _read_again_and_again(url: str) -> list[Frame]:
    """Follow a run as a browser does: after each break, from the last event that was whole."""
    seen: list[Frame] = []
    until = time.monotonic() + PATIENCE_S
    while not seen or seen[-1].event != "run_finished":
        assert time.monotonic() < until, f"only {len(seen)} events came"
        last = {"Last-Event-ID": str(seen[-1].id)} if seen else {}
        text = ""
        try:
            with httpx.stream("GET", url, headers=last, timeout=10) as stream:
                for part in stream.iter_text():
                    text += part
        except httpx.TransportError:
            pass
        whole = text.rpartition("\n\n")[0]
        seen += [frame for frame in frames_of(whole) if frame.id is not None]
    return seen


@contextmanager
def reading(stream: Callable[[Request], Awaitable[EventStream]]) -> Generator[socket.socket]:
    """Yield a connection that has asked a server for ``stream``."""
    app = Starlette(routes=[Route("/", stream)])
    with listen("127.0.0.1", 0) as opened:
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
        opened.listen()
        thread.start()
        with socket.create_connection(opened.getsockname()[:2]) as reader:
            reader.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            yield reader
        server.should_exit = True
        thread.join(PATIENCE_S)


def test_a_reader_that_takes_nothing_is_cut_off_and_lets_go_of_everything() -> None:
    ended = threading.Event()

    async def frames() -> AsyncGenerator[bytes]:
        try:
            while True:
                yield b"x" * 1_000_000
        finally:
            ended.set()

    async def stream(_: Request) -> EventStream:
        return EventStream(frames(), {}, send_s=0.3)

    with reading(stream) as reader:
        assert ended.wait(PATIENCE_S), "a reader that never reads was kept"
        assert reader.fileno() >= 0  # and it was not the reader who left


def test_a_reader_that_leaves_ends_its_stream() -> None:
    ended = threading.Event()

    async def frames() -> AsyncGenerator[bytes]:
        try:
            yield b": begun\n\n"
            await asyncio.sleep(PATIENCE_S)
        finally:
            ended.set()

    async def stream(_: Request) -> EventStream:
        return EventStream(frames(), {})

    with reading(stream) as reader:
        assert b"200 OK" in reader.recv(4_096)
        reader.close()
        assert ended.wait(PATIENCE_S / 2), "a stream went on without its reader"


def test_a_thousand_idle_connections_hold_nobody_up(tmp_path: Path) -> None:
    with started(tmp_path) as process, ExitStack() as idle:
        for _ in range(1_000):
            idle.enter_context(socket.create_connection(("127.0.0.1", process.port), timeout=30))
        answer = httpx.post(f"{process.url}/run", json={"task": QUESTION}, timeout=PATIENCE_S)
        assert answer.status_code == 200
        assert "Ada Finch" in answer.json()["summary"]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["in order", "as in a crash"])
def test_postgresql_may_be_restarted_under_streams(
    tmp_path: Path, postgres: Server, how: signal.Signals
) -> None:
    environment = {"QUAERE_DATABASE_URL": postgres.create()}
    with started(tmp_path, _migrated(environment)) as process:
        runs = [
            httpx.post(f"{process.url}/v1/runs", json={"question": QUESTION, "reuse": "never"})
            for _ in range(4)
        ]
        urls = [f"{process.url}{run.json()['events_url']}" for run in runs]
        time.sleep(0.2)
        postgres.stop(how)
        postgres.start()
        for url in urls:
            seen = _read_again_and_again(url)
            assert [frame.id for frame in seen] == list(range(1, len(seen) + 1))


def _migrated(environment: Mapping[str, str]) -> Mapping[str, str]:
    """Return ``environment`` once its database has its tables."""
    command = [sys.executable, "-m", "quaere", "db", "upgrade"]
    subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True)
    return environment


def test_a_full_disk_is_told_and_loses_nothing_that_was_accepted(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        first = httpx.post(f"{process.url}/v1/runs", json={"question": QUESTION})
        _read_again_and_again(f"{process.url}{first.json()['events_url']}")
        log = tmp_path / "data" / "quaere.db-wal"
        _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (log.stat().st_size + 50_000, hard))
        accepted: list[str] = []
        body = {"question": QUESTION, "reuse": "never", "context": "x" * 3_000}
        answer = httpx.post(f"{process.url}/v1/runs", json=body, timeout=30)
        while answer.status_code == 202 and len(accepted) < 100:
            accepted.append(answer.json()["events_url"])
            answer = httpx.post(f"{process.url}/v1/runs", json=body, timeout=30)
        assert answer.status_code == 503
        assert answer.json()["error"]["retryable"]
        assert int(answer.headers["retry-after"]) > 0
        assert httpx.get(f"{process.url}/health/live").status_code == 200
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        answer = httpx.post(f"{process.url}/v1/runs", json={"question": QUESTION})
        assert answer.status_code == 202
        for url in accepted:
            assert json.loads(_read_again_and_again(process.url + url)[-1].data)["report"]
