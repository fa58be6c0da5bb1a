"""What users took by day, and how many runs they may add, on both databases."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from quaere.domain.access import KeyLimits
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, Trace
from quaere.errors import QuotaExceeded
from quaere.store.db.database import Database
from quaere.store.db.schema import deleted_usage, key_requests, tool_traces
from quaere.store.jobs import Jobs
from quaere.store.keys import Keys
from quaere.store.submission import Entry
from quaere.store.traces.traces import Traces
from quaere.store.usage import Counted, DayUsage, UsageSums, count_request

pytestmark = pytest.mark.anyio

ANN, BEN, OTHER_ANN = Owner(user="ann", org="mills"), Owner(user="ben"), Owner(user="ann")
HOUR_S = 3600


async def submit(database: Database, name: str, limits: KeyLimits, owner: Owner = ANN) -> Trace:
    spec = RunSpec.of("Who?", run_id=name)
    return await Jobs(database).submit(Entry.of(owner, spec, params={}), limits)


async def refused(database: Database, name: str, limits: KeyLimits) -> float:
    with pytest.raises(QuotaExceeded) as error:
        await submit(database, name, limits)
    assert name not in {trace.id for trace in (await Traces(database).list_traces(ANN)).traces}
    return error.value.retry_after


async def test_runs_at_a_time_are_those_that_wait_or_go_on(database: Database) -> None:
    two = KeyLimits(runs_at_a_time=2)
    for name in ("a", "b"):
        await submit(database, name, two)
    assert await refused(database, "c", two) < 60
    assert (await submit(database, "a", two)).id == "a", "asked twice is asked once"
    for owner in (BEN, OTHER_ANN):
        await submit(database, f"{owner.user}-{owner.org}-other", two, owner)
    await Jobs(database).cancel(ANN, "a")
    await submit(database, "c", two)


async def test_as_many_runs_begin_as_are_allowed_however_they_come(database: Database) -> None:
    """Two counts at the same time would both find room."""
    limits = KeyLimits(runs_at_a_time=3)
    asking = (submit(database, f"r{number}", limits) for number in range(10))
    outcomes = await asyncio.gather(*asking, return_exceptions=True)
    assert sum(isinstance(each, Trace) for each in outcomes) == 3
    assert sum(isinstance(each, QuotaExceeded) for each in outcomes) == 7


async def test_deleting_runs_does_not_free_the_quota_of_the_day(database: Database) -> None:
    limits = KeyLimits(runs_per_day=2)
    for name in ("a", "b"):
        await submit(database, name, limits)
        await Jobs(database).cancel(ANN, name)
        await Traces(database).delete(ANN, name)
    assert 0 < await refused(database, "c", limits) <= 24 * HOUR_S
    await submit(database, "d", KeyLimits(runs_per_day=3))


async def test_dollars_count_whatever_became_of_the_runs(database: Database) -> None:
    limits = KeyLimits(usd_per_day=1.0)
    for name, cost in (("a", 0.4), ("b", 0.7)):
        await submit(database, name, limits)
        async with database.write() as connection:
            spent = update(tool_traces).where(tool_traces.c.id == name)
            await connection.execute(spent.values(metrics={"tokens": 1, "cost_usd": cost}))
    assert 0 < await refused(database, "c", limits) <= 24 * HOUR_S
    await Jobs(database).cancel(ANN, "b")
    await refused(database, "c", limits)
    await submit(database, "c", KeyLimits(usd_per_day=1.2))


async def used(database: Database, owner: Owner | None) -> list[tuple[str, int, int, float]]:
    today = datetime.now(UTC).date()
    day = timedelta(days=1)
    found = await UsageSums(database).by_day(owner, today - day, today + day)
    return [(each.owner.user, each.runs, each.tokens, each.cost_usd) for each in found]


async def test_a_run_that_failed_or_told_no_figures_counts_and_costs_nothing(
    database: Database, traces: Traces
) -> None:
    failed = await traces.create_trace(ANN, {"question": "Who?"})
    await traces.fail_trace(ANN, failed.id, "it broke")
    told = await traces.create_trace(ANN, {"question": "Who?"})
    await traces.complete_trace(ANN, told.id, {"answer": "x"}, {"tokens": 90, "cost_usd": 0.25})
    silent = await traces.create_trace(BEN, {"question": "Who?"})
    await traces.complete_trace(BEN, silent.id, {"answer": "x"}, {})
    assert await used(database, ANN) == [("ann", 2, 90, 0.25)]
    assert await used(database, None) == [("ann", 2, 90, 0.25), ("ben", 1, 0, 0.0)]


async def test_what_leaves_no_trace_is_added_to_its_day_without_a_run(database: Database) -> None:
    sums = UsageSums(database)
    await sums.add(ANN, 7, 0.5)
    await sums.add(ANN, 3, 0.25)
    await sums.add(OTHER_ANN, 1, 0.25)
    assert await used(database, ANN) == [("ann", 0, 10, 0.75)]
    assert await used(database, BEN) == []
    async with database.read() as connection:
        rows = await connection.scalar(select(func.count()).select_from(deleted_usage))
    assert rows == 2, "one a day for each owner, however much is added"


async def test_a_request_of_a_clock_that_was_ahead_counts_no_more(database: Database) -> None:
    key, _ = await Keys(database).create(ANN, "mine")
    ahead = int(datetime.now(UTC).timestamp()) + 86_400
    assert (await count_request(database, key.id, most=2)).allowed
    async with database.write() as connection:
        await connection.execute(update(key_requests).values(seconds={str(ahead): 2}))
    assert await count_request(database, key.id, most=2) == Counted(True, 1, 61)


async def test_only_the_days_that_are_asked_for_are_told(database: Database) -> None:
    await UsageSums(database).add(ANN, 7, 0.5)
    long_ago = date(2001, 1, 1)
    assert await UsageSums(database).by_day(ANN, long_ago, long_ago) == ()
    (told,) = await UsageSums(database).by_day(ANN, long_ago, date(2999, 1, 1))
    same_day: tuple[DayUsage, ...] = await UsageSums(database).by_day(ANN, told.day, told.day)
    assert same_day == (told,)
