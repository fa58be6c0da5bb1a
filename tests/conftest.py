"""What every test may ask for."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable
from types import ModuleType
from typing import cast

import pytest
from hypothesis import HealthCheck, settings
from tests.services import nats as nats_service
from tests.services import postgres as postgres_service
from tests.services.missing import or_without

SERVERS = ("tests.look_alikes.", "tests.misbehaving.", "tests.testing.server")

# Time under load says nothing about the code; hangs are for the tests that look for them.
settings.register_profile(
    "random", deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow]
)
# What fails today fails tomorrow too: new examples are for `make test-random`.
settings.register_profile("quaere", settings.get_profile("random"), derandomize=True)
settings.load_profile("quaere")


@pytest.fixture(scope="session")
def postgres() -> Generator[postgres_service.Server]:
    """A PostgreSQL server; where none can be run, the test is skipped, and fails in CI."""
    with or_without(), postgres_service.server() as running:
        yield running


@pytest.fixture(scope="module")
def nats() -> Generator[nats_service.Server]:
    """A NATS server; where none can be run, the test is skipped, and fails in CI."""
    with or_without(), nats_service.server() as running:
        yield running


@pytest.fixture(autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what tests research out of the folders of whoever runs them."""
    base = tmp_path_factory.getbasetemp()
    monkeypatch.setenv("XDG_DATA_HOME", str(base / "data-home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(base / "cache-home"))


@pytest.fixture(scope="module", autouse=True)
def _leaves_no_connection(request: pytest.FixtureRequest) -> Generator[None]:
    """Let a module that talks to servers fail for what it leaves open, and not a later one."""
    yield
    module = cast("ModuleType", request.module)
    held = cast("Iterable[object]", vars(module).values())
    if any(str(getattr(each, "__module__", "")).startswith(SERVERS) for each in held):
        gc.collect()


@pytest.fixture
def anyio_backend() -> str:
    """LangGraph runs on asyncio, so the tests do."""
    return "asyncio"
