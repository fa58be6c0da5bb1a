"""What operators see of workers, what they order, and runs that were given up."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import update

from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import NotFound
from quaere.store.carriers.assignment import MAX_ATTEMPTS
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, workers
from quaere.store.fleet import Fleet, Orders, WorkerReport
from quaere.store.jobs import Jobs
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")
REPORT = WorkerReport(name="w1", version="1", places=4, busy=1, ended=0, takeovers=0)


@pytest.fixture
def fleet(database: Database) -> Fleet:
    return Fleet(database)


async def ask(database: Database, name: str) -> None:
    spec = RunSpec.of(f"What is {name}?", run_id=name)
    await Jobs(database).submit(ANN, spec, params={})


async def test_workers_are_listed_as_they_report_until_they_leave_or_fall_silent(
    fleet: Fleet, database: Database
) -> None:
    assert (await fleet.status()).workers == ()
    await fleet.report(REPORT)
    await fleet.report(REPORT.model_copy(update={"busy": 3, "ended": 9, "takeovers": 2}))
    await fleet.report(REPORT.model_copy(update={"name": "w2"}))
    first, second = (await fleet.status()).workers
    assert (first.name, first.busy, first.ended, first.takeovers) == ("w1", 3, 9, 2)
    assert first.seen_at >= first.started_at
    await fleet.leave(second.name)
    assert [each.name for each in (await fleet.status()).workers] == ["w1"]
    async with database.write() as connection:
        silent = first.seen_at - timedelta(minutes=1)
        await connection.execute(update(workers).values(seen_at=silent))
    assert (await fleet.status()).workers == ()


async def test_the_status_says_how_much_waits_and_for_how_long(
    fleet: Fleet, database: Database
) -> None:
    now = await fleet.status()
    assert (now.unfinished, now.oldest_waiting_s, now.given_up) == (0, None, 0)
    await ask(database, "a")
    await ask(database, "b")
    await asyncio.sleep(0.05)
    taken = await DatabaseCarrier(database).take("w1", lease_s=60.0)
    assert taken
    now = await fleet.status()
    assert now.unfinished == 2
    assert now.oldest_waiting_s is not None
    assert 0.0 < now.oldest_waiting_s < 60.0


async def test_orders_reach_the_workers(fleet: Fleet) -> None:
    assert await fleet.report(REPORT) == Orders(paused=False, drain=False)
    await fleet.pause()
    await fleet.pause()
    assert (await fleet.status()).paused
    other = REPORT.model_copy(update={"name": "w2"})
    assert await fleet.report(other) == Orders(paused=True, drain=False)
    await fleet.resume()
    await fleet.drain("w1")
    assert await fleet.report(REPORT) == Orders(paused=False, drain=True)
    assert await fleet.report(other) == Orders(paused=False, drain=False)
    with pytest.raises(NotFound):
        await fleet.drain("nobody")


async def test_a_run_that_was_given_up_says_why_and_can_be_tried_again_r0_8(
    fleet: Fleet, database: Database
) -> None:
    carrier = DatabaseCarrier(database)
    await ask(database, "a")
    async with database.write() as connection:
        await connection.execute(update(jobs).values(attempts=MAX_ATTEMPTS))
    assert await carrier.take("w1", lease_s=60.0) is None
    (run,) = await fleet.given_up()
    assert (run.run_id, run.user) == ("a", "ann")
    assert run.reason == "Gave up after 5 failed attempts."
    assert (await fleet.status()).given_up == 1
    await fleet.requeue("a")
    assert await fleet.given_up() == ()
    again = await carrier.take("w1", lease_s=60.0)
    assert again
    assert (again.job.run_id, again.job.attempt) == ("a", 1)
    assert again.job.spec.request.question == "What is a?"
    trace = await Traces(database).get_trace(ANN, "a")
    assert (trace.status, trace.error_message) == (TraceStatus.IN_PROGRESS, None)
    with pytest.raises(NotFound):
        await fleet.requeue("a")
