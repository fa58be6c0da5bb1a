"""Migrations: from nothing and from every version before, with rows in it, on both databases."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta, timezone
from typing import Protocol

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, inspect, select, table
from sqlalchemy.ext.asyncio import AsyncConnection
from tests.store.filled import FILLED, PAGE

from quaere.domain.events import SourceRead
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import SchemaError
from quaere.store.db import schema
from quaere.store.db.database import Database
from quaere.store.db.schema import REVISION, metadata
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ME = Owner()


class Begin(Protocol):
    """Begins a transaction without asking which version the tables are of."""

    def __call__(self, *, durable: bool) -> AbstractAsyncContextManager[AsyncConnection]: ...


def unchecked(database: Database) -> Begin:
    return database._write


def counted(connection: Connection) -> dict[str, int]:
    """Return how many rows each table has."""
    tables = {name: table(name) for name in inspect(connection).get_table_names()}
    counts = {name: select(func.count()).select_from(each) for name, each in tables.items()}
    return {name: connection.execute(count).scalar_one() for name, count in counts.items()}


def test_every_migration_follows_the_one_before_and_has_rows_to_be_tried_on() -> None:
    scripts = ScriptDirectory(str(schema.MIGRATIONS))
    revisions = [script.revision for script in scripts.walk_revisions()]
    assert revisions == sorted(revisions, reverse=True), "names say the order"
    assert revisions[0] == REVISION
    assert set(revisions) == set(FILLED)


async def test_the_tables_that_migrations_make_are_those_of_the_code(database: Database) -> None:
    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        return compare_metadata(context, metadata)

    async with database.write() as connection:
        assert await connection.run_sync(differences) == []


@pytest.mark.parametrize("revision", FILLED)
async def test_rows_of_every_version_are_there_after_the_upgrade(url: str, revision: str) -> None:
    async with Database(url) as database:
        async with unchecked(database)(durable=True) as connection:
            await connection.run_sync(schema.upgrade, revision)
            await connection.run_sync(FILLED[revision])
            before = await connection.run_sync(counted)
        assert set(before.values()) == {1}
        if revision != REVISION and not database.sqlite:
            with pytest.raises(SchemaError, match="quaere db upgrade"):
                await Traces(database).get_trace(ME, "run-old")
        await database.upgrade()
        await database.upgrade()  # once more is nothing more
        traces = Traces(database)
        trace = await traces.get_trace(ME, "run-old")
        assert (trace.question, trace.status, trace.fence) == ("When?", TraceStatus.INTERRUPTED, 3)
        (event,) = await traces.events(ME, "run-old")
        assert isinstance(event, SourceRead)
        (source,) = await traces.sources(ME, "run-old")
        assert source.text == PAGE
        async with database.read() as connection:
            after = await connection.run_sync(counted)
        assert {name: after[name] for name in before} == before


async def test_an_upgrade_that_fails_changes_nothing(url: str) -> None:
    async def upgraded(database: Database) -> None:
        async with unchecked(database)(durable=True) as connection:
            await connection.run_sync(schema.upgrade)
            raise ZeroDivisionError

    async with Database(url) as database:
        with pytest.raises(ZeroDivisionError):
            await upgraded(database)
        assert await database.version() is None
        async with unchecked(database)(durable=True) as connection:
            tables = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
        assert tables == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (None, None),
        ("", ""),
        ("Sket \0 weir", "Sket \ufffd weir"),
        ("half a pair: \ud83d", "half a pair: ?"),
        ("\U0001f98b \u706f", "\U0001f98b \u706f"),
    ],
)
async def test_words_from_outside_are_kept_as_far_as_every_database_takes_them(
    database: Database, given: str | None, kept: str | None
) -> None:
    table = schema.tool_traces
    await Traces(database).create_trace(ME, {}, trace_id="a")
    async with database.write() as connection:
        await connection.execute(table.update().values(error_message=given))
        (found,) = (await connection.execute(select(table.c.error_message))).scalars()
    assert found == kept


@pytest.mark.parametrize("hours", [None, 0, 9, -5])
async def test_a_time_of_any_zone_is_kept_and_comes_back_in_utc(
    database: Database, hours: int | None
) -> None:
    zone = timezone(timedelta(hours=hours or 0))
    given = None if hours is None else datetime(2031, 5, 4, 23, 30, 1, 250_000, tzinfo=zone)
    table = schema.tool_traces
    await Traces(database).create_trace(ME, {}, trace_id="a")
    async with database.write() as connection:
        await connection.execute(table.update().values(completed_at=given))
        (found,) = (await connection.execute(select(table.c.completed_at))).scalars()
    assert found == given
    assert found is None or found.tzinfo is UTC


async def test_the_first_version_can_be_taken_back(database: Database) -> None:
    def downgrade(connection: Connection) -> list[str]:
        command.downgrade(schema.config(connection), "base")
        return inspect(connection).get_table_names()

    async with database.write() as connection:
        assert await connection.run_sync(downgrade) == ["alembic_version"]
