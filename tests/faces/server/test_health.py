"""What a probe is told while the database of a service cannot be reached."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr
from tests.faces.server.conftest import settings_in

from quaere.faces.server.service import make_service
from quaere.runtime.settings import Access
from quaere.store.db import database

pytestmark = pytest.mark.anyio

REFUSING = "postgresql://ann:hush@127.0.0.1:1/runs"
HOUR_S = 3_600.0


@pytest.mark.parametrize(("path", "status"), [("/health/ready", 503), ("/metrics", 200)])
async def test_a_probe_does_not_wait_for_a_database_that_refuses_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, status: int
) -> None:
    """Whatever does wait for it sleeps for an hour here."""
    monkeypatch.setattr(database, "_PAUSE_S", HOUR_S)
    settings = settings_in(tmp_path, database_url=SecretStr(REFUSING))
    service = make_service(settings, workers=0, access=Access.OFF)
    async with (
        asyncio.timeout(30),
        service.router.lifespan_context(service),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(service), base_url="http://127.0.0.1"
        ) as client,
    ):
        answer = await client.get(path)
    assert answer.status_code == status
    assert "hush" not in answer.text
    if status == 503:
        assert answer.json()["error"]["type"] == "not_ready"
        assert answer.headers["retry-after"] == "2"
