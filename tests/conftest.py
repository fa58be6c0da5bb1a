"""What every test may ask for."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings
from tests.services.missing import go_without
from tests.services.postgres import Missing, Server, server

# Time under load says nothing about the code; hangs are for the tests that look for them.
settings.register_profile("quaere", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("quaere")


@pytest.fixture(scope="session")
def postgres() -> Generator[Server]:
    """A PostgreSQL server; where none can be run, the test is skipped, and fails in CI."""
    try:
        with server() as running:
            yield running
    except Missing as reason:
        go_without(str(reason))


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what tests research out of the folders of whoever runs them."""
    base = tmp_path_factory.getbasetemp()
    monkeypatch.setenv("XDG_DATA_HOME", str(base / "data-home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(base / "cache-home"))


@pytest.fixture
def anyio_backend() -> str:
    """LangGraph runs on asyncio, so the tests do."""
    return "asyncio"
