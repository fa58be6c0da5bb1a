"""What is decided by time holds where the clocks of two machines differ: the database's counts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator
from datetime import timedelta

import pytest
from bench.kill_network import wrong_clock
from sqlalchemy import select, update
from tests.services.missing import Missing, go_without
from tests.services.postgres import Server, server

from quaere.domain.request import Listener, RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.store.carriers import Delivery
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database, database_time
from quaere.store.db.schema import jobs, tool_traces
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.traces.traces import Traces
from quaere.store.webhooks import Webhooks

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")
HOUR_S = 3_600.0


@pytest.fixture(scope="module", params=[HOUR_S, -HOUR_S], ids=["ahead", "behind"])
def elsewhere(request: pytest.FixtureRequest) -> Generator[Server]:
    """A PostgreSQL whose clock is an hour wrong."""
    try:
        with server(env=wrong_clock(request.param)) as running:
            yield running
    except (Missing, FileNotFoundError) as reason:
        go_without(str(reason))


@pytest.fixture
async def database(elsewhere: Server) -> AsyncGenerator[Database]:
    async with Database(elsewhere.create()) as made:
        await made.upgrade()
        yield made


async def asked(database: Database, *names: str, within_s: float | None = None) -> None:
    """Submit runs whose ends are told."""
    deadline = None if within_s is None else timedelta(seconds=within_s)
    for name in names:
        spec = RunSpec.of("Who?", run_id=name)
        spec = spec.model_copy(update={"listener": Listener(url="https://hooks.example/")})
        await Jobs(database).submit(Entry.of(ANN, spec, params={}, deadline=deadline))


async def taken(database: Database, lease_s: float = 60.0) -> Delivery | None:
    return await DatabaseCarrier(database).take("w", lease_s=lease_s)


async def test_a_lease_lasts_as_long_as_it_is_given_for(database: Database) -> None:
    await asked(database, "a")
    carrier = DatabaseCarrier(database)
    assert await taken(database)
    assert await taken(database) is None
    assert 50 < await carrier.due_s() <= 60


async def test_a_time_of_day_that_leaps_ahead_takes_no_run_from_who_makes_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of a machine does which has slept: all leases end at once."""
    await asked(database, "a")
    carrier, lease_s, now = DatabaseCarrier(database), 2.0, time.time
    first = await carrier.take("w", lease_s=lease_s)
    assert first
    monkeypatch.setattr(time, "time", lambda: now() + HOUR_S)
    async with database.write() as connection:
        ends = (await connection.execute(select(tool_traces.c.lease_until))).scalar_one()
        assert ends
        before = ends - timedelta(seconds=HOUR_S)
        await connection.execute(update(tool_traces).values(lease_until=before))
    assert await carrier.take("v", lease_s=lease_s) is None
    await carrier.beat([first], lease_s=lease_s)
    assert await carrier.take("v", lease_s=lease_s) is None
    await asyncio.sleep(lease_s + 0.5)
    second = await carrier.take("v", lease_s=lease_s)
    assert second, "nobody has renewed it since"
    assert second.job.taken_over


async def test_a_run_has_the_time_until_its_deadline(database: Database) -> None:
    await asked(database, "a", within_s=60.0)
    delivery = await taken(database)
    assert delivery
    assert delivery.job.left_s
    assert 50 < delivery.job.left_s <= 60


async def test_runs_are_in_the_order_in_which_they_came(database: Database) -> None:
    await asked(database, "a", "b", "c")
    queued = select(jobs.c.run_id, jobs.c.queued_at).order_by(jobs.c.queued_at)
    async with database.read() as connection:
        rows = (await connection.execute(queued)).all()
        now = await database_time(connection)
    assert [row.run_id for row in rows] == ["a", "b", "c"]
    assert timedelta(0) <= now - rows[0].queued_at < timedelta(minutes=10)


async def test_runs_are_as_old_as_the_database_says(database: Database) -> None:
    await asked(database, "a")
    await Jobs(database).cancel(ANN, "a")
    traces = Traces(database)
    assert await traces.prune(None, timedelta(minutes=30)) == ()
    assert await traces.prune(None, timedelta(0)) == ("a",)


async def test_a_webhook_that_failed_is_not_due_before_its_time(database: Database) -> None:
    await asked(database, "a")
    delivery = await taken(database)
    assert delivery
    await Jobs(database).end(delivery.job, TraceStatus.COMPLETED)
    webhooks = Webhooks(database)
    (due,) = await webhooks.take()
    await webhooks.failed(due, "nobody there")
    assert await webhooks.take() == ()
    (waiting,) = await webhooks.undelivered()
    assert waiting.next_at
    async with database.read() as connection:
        assert waiting.next_at - await database_time(connection) < timedelta(seconds=10)
