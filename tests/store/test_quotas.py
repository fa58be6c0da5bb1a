"""How many runs a user may add, on both databases."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import update

from quaere.domain.access import KeyLimits
from quaere.domain.request import RunSpec
from quaere.domain.trace import Owner, Trace
from quaere.errors import QuotaExceeded
from quaere.store.db.database import Database
from quaere.store.db.schema import tool_traces
from quaere.store.jobs import Jobs
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN, BEN, OTHER_ANN = Owner(user="ann", org="mills"), Owner(user="ben"), Owner(user="ann")
HOUR_S = 3600


async def submit(database: Database, name: str, limits: KeyLimits, owner: Owner = ANN) -> Trace:
    spec = RunSpec.of("Who?", run_id=name)
    return await Jobs(database).submit(owner, spec, params={}, limits=limits)


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
    assert await refused(database, "c", limits) > 0
    await Jobs(database).cancel(ANN, "b")
    assert await refused(database, "c", limits) > 0
    await submit(database, "c", KeyLimits(usd_per_day=1.2))
