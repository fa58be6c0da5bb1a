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


@pytest.fixture
def anyio_backend() -> str:
    """LangGraph runs on asyncio, so the tests do."""
    return "asyncio"
