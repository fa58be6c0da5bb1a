"""What operators see of workers, what they order, and runs that were given up."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import JsonValue
from sqlalchemy import update

from quaere.domain.request import RunSpec
from quaere.domain.trace import CHECK_TOOL, TOOL, Owner, TraceStatus
from quaere.errors import NotFound
from quaere.store import fleet as module
from quaere.store.carriers.database import MAX_ATTEMPTS, DatabaseCarrier
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, workers
from quaere.store.fleet import DayQuality, Fleet, Orders, Quality, WorkerReport
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")
REPORT = WorkerReport(name="w1", version="1", places=4, busy=1, ended=0, takeovers=0)


@pytest.fixture
def fleet(database: Database) -> Fleet:
    return Fleet(database)


async def ask(database: Database, name: str) -> None:
    spec = RunSpec.of(f"What is {name}?", run_id=name)
    await Jobs(database).submit(Entry.of(ANN, spec, params={}))


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


NOON = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)


async def kept(
    database: Database, owner: Owner, began: datetime, metrics: dict[str, JsonValue], tool: str
) -> None:
    traces = Traces(database)
    made = await traces.create_trace(owner, {}, tool=tool, created_at=began)
    await traces.complete_trace(owner, made.id, {}, metrics)


async def test_the_runs_of_a_day_are_added_up_whoever_asked(database: Database) -> None:
    for at, owner in enumerate([ANN, BEN, ANN]):
        metrics: dict[str, JsonValue] = {
            "seconds": 10.0 * (at + 1),
            "verdicts": {"quoted": 2, "partly_supported": at},
            "searches": {"folder": 1, "wikipedia": 2},
            "failed_searches": {"wikipedia": 1} if at else {},
        }
        await kept(database, owner, NOON + timedelta(hours=at), metrics, TOOL)
    late = datetime(2031, 5, 3, 23, 59, 59, tzinfo=UTC)
    await kept(database, ANN, late, {"seconds": 7}, TOOL)
    await kept(database, ANN, NOON, {"seconds": 900.0}, CHECK_TOOL)
    await kept(database, ANN, NOON, {"tokens": 5}, TOOL)  # failed before its report
    await kept(database, ANN, NOON + timedelta(days=1), {"seconds": 900.0}, TOOL)
    today, before = await Quality(database).by_day(NOON.date() - timedelta(days=9), NOON.date())
    assert (today.day, today.runs, today.seconds_median) == (NOON.date(), 3, 20.0)
    assert today.seconds_p95 == pytest.approx(29.0)
    assert today.verdicts == {"quoted": 6, "partly_supported": 3}
    assert today.searches == {"folder": 3, "wikipedia": 6}
    assert today.failed_searches == {"wikipedia": 2}
    assert before == DayQuality(
        day=late.date(), runs=1, seconds_median=7, seconds_p95=7,
        verdicts={}, searches={}, failed_searches={},
    )  # fmt: skip
    assert await Quality(database).by_day(late.date(), late.date()) == (before,)


async def test_of_very_many_runs_the_latest_are_looked_at(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_RUNS", 2)
    for hours, seconds in ((0, 900.0), (1, 10.0), (2, 20.0)):
        await kept(database, ANN, NOON + timedelta(hours=hours), {"seconds": seconds}, TOOL)
    (day,) = await Quality(database).by_day(NOON.date(), NOON.date())
    assert (day.runs, day.seconds_median) == (2, 15.0)


async def test_what_was_kept_in_another_form_counts_nothing(database: Database) -> None:
    odd: dict[str, JsonValue] = {"seconds": 3, "verdicts": [1], "searches": {"folder": "many"}}
    await kept(database, ANN, NOON, odd, TOOL)
    await kept(database, ANN, NOON, {"seconds": "long"}, TOOL)
    (day,) = await Quality(database).by_day(NOON.date(), NOON.date())
    assert (day.runs, day.verdicts, day.searches, day.failed_searches) == (1, {}, {}, {})
