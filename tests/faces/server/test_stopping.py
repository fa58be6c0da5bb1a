"""What clients are told that wait for a run when the server stops."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, serving
from tests.faces.server.test_leaving import PROTOCOLS, data_in

from quaere.faces.server import serving as serving_module
from quaere.faces.server.feed import RUN_ID
from quaere.faces.server.service import make_service
from quaere.runtime.app import App
from quaere.runtime.settings import Access

PATIENCE_S = 60.0
SAID = "The server is stopping. The run goes on, and its report will be at /v1/runs/"


@dataclass
class Idle:
    """A server that takes runs and makes none."""

    service: FastAPI
    url: str

    def stop_once_asked(self) -> None:
        """Have it stop as soon as a run waits."""
        until = time.monotonic() + PATIENCE_S
        while not httpx.get(f"{self.url}/v1/runs").json()["runs"]:
            assert time.monotonic() < until
            time.sleep(0.05)
        time.sleep(0.2)  # its client waits by then
        self.service.state.stop()


@pytest.fixture
def idle(tmp_path: Path) -> Generator[Idle]:
    service = make_service(settings_in(tmp_path), workers=0, access=Access.OFF)
    with serving(service) as url:
        yield Idle(service, url)


WHOLE = {
    "run": ("/run", {"task": QUESTION}),
    "tool": ("/v1/tools/deep_research", {"question": QUESTION}),
    "openai chat": (
        "/v1/chat/completions",
        {"model": "quaere", "messages": [{"role": "user", "content": QUESTION}]},
    ),
    "openai responses": ("/v1/responses", {"model": "quaere", "input": QUESTION}),
}


@pytest.mark.parametrize(("path", "body"), WHOLE.values(), ids=WHOLE)
def test_who_waits_for_an_answer_is_told_where_it_will_be(
    idle: Idle, path: str, body: dict[str, object]
) -> None:
    with ThreadPoolExecutor() as clients:
        waiting = clients.submit(httpx.post, f"{idle.url}{path}", json=body, timeout=PATIENCE_S)
        idle.stop_once_asked()
        refused = waiting.result(PATIENCE_S)
    assert refused.status_code == 503
    assert refused.headers["Retry-After"]
    told = refused.json()["error"]["message"]
    assert told == f"{SAID}{refused.headers[RUN_ID]}/report."


def test_who_waits_for_what_is_no_run_is_told_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checking = threading.Event()

    async def check(*_: object) -> None:
        checking.set()
        await asyncio.sleep(PATIENCE_S)

    monkeypatch.setattr(App, "check", check)
    monkeypatch.setattr(serving_module, "STOPS_S", 1)
    service = make_service(settings_in(tmp_path), workers=0, access=Access.OFF)
    with ThreadPoolExecutor() as clients:
        with serving(service) as url:
            asked = {"text": "The mill is old."}
            waiting = clients.submit(httpx.post, f"{url}/v1/checks", json=asked, timeout=PATIENCE_S)
            assert checking.wait(PATIENCE_S)
        refused = waiting.result(PATIENCE_S)
    assert refused.status_code == 503
    assert refused.headers["Retry-After"]
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert refused.json()["error"]["type"] == "stopping"


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_stream_that_nobody_resumes_ends_in_an_error(idle: Idle, name: str) -> None:
    def told() -> list[str]:
        with (
            httpx.Client(base_url=idle.url, timeout=PATIENCE_S) as client,
            PROTOCOLS[name].asking(client) as answer,
        ):
            return [*data_in(answer)]

    with ThreadPoolExecutor() as clients:
        reading = clients.submit(told)
        idle.stop_once_asked()
        said = reading.result(PATIENCE_S)
    resumable = name in {"chat", "run", "openai responses"}
    assert any(SAID in each for each in said) != resumable
    assert name == "ai sdk" or "[DONE]" not in said  # whose failures have this end as well
