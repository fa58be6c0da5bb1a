"""What a probe is told while the database of a service cannot be reached."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr
from tests.faces.server.conftest import settings_in

from quaere.faces.server.routes import about
from quaere.faces.server.service import make_service
from quaere.runtime.settings import Access
from quaere.store.db import database

pytestmark = pytest.mark.anyio

REFUSING = "postgresql://ann:hush@127.0.0.1:1/runs"
HOUR_S = 3_600.0


@asynccontextmanager
async def serving(folder: Path, url: str) -> AsyncGenerator[httpx.AsyncClient]:
    settings = settings_in(folder, database_url=SecretStr(url))
    service = make_service(settings, workers=0, access=Access.OFF)
    async with (
        service.router.lifespan_context(service),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(service), base_url="http://127.0.0.1"
        ) as client,
    ):
        yield client


@pytest.mark.parametrize(("path", "status"), [("/health/ready", 503), ("/metrics", 200)])
async def test_a_probe_does_not_wait_for_a_database_that_refuses_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, status: int
) -> None:
    """Whatever does wait for it sleeps for an hour here."""
    monkeypatch.setattr(database, "_PAUSE_S", HOUR_S)
    async with asyncio.timeout(30), serving(tmp_path, REFUSING) as client:
        answer = await client.get(path)
    assert answer.status_code == status
    assert "hush" not in answer.text
    if status == 503:
        assert answer.json()["error"]["type"] == "not_ready"
        assert answer.headers["retry-after"] == "2"


@pytest.mark.parametrize(("path", "status"), [("/health/ready", 503), ("/metrics", 200)])
async def test_a_probe_waits_a_moment_for_a_database_that_takes_connections_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, status: int
) -> None:
    """As one whose process is stopped, or a port that is forwarded to nowhere."""
    monkeypatch.setattr(about, "PROBE_S", 0.2)
    with socket.create_server(("127.0.0.1", 0), backlog=100) as silent:
        url = f"postgresql://ann:hush@127.0.0.1:{silent.getsockname()[1]}/runs?connect_timeout=30"
        async with serving(tmp_path, url) as client:
            began = time.monotonic()
            answer = await client.get(path)
            took_s = time.monotonic() - began
    assert answer.status_code == status
    assert took_s < 10
