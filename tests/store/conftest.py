"""Databases of both kinds, each test with an empty one of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from tests.services.postgres import Server

from quaere.store.db.database import Database
from quaere.store.traces.traces import Traces

BOTH = ("sqlite", "postgres")


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'quaere.db'}"
    running: Server = request.getfixturevalue("postgres")
    return running.create()


@pytest.fixture
async def database(url: str) -> AsyncGenerator[Database]:
    """A database with its tables."""
    async with Database(url) as made:
        await made.upgrade()
        yield made


@pytest.fixture
def traces(database: Database) -> Traces:
    """The traces in it."""
    return Traces(database)
