"""What runs took by day: those whose cost nobody knows, and those that never got that far."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from quaere.domain.trace import Owner
from quaere.store.db.database import Database
from quaere.store.traces.traces import Traces
from quaere.store.usage import DayUsage, UsageSums

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann"), Owner(user="ben")


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
    assert await used(database, ANN) == [("ann", 0, 10, 0.75)]
    assert await used(database, BEN) == []


async def test_only_the_days_that_are_asked_for_are_told(database: Database) -> None:
    await UsageSums(database).add(ANN, 7, 0.5)
    long_ago = date(2001, 1, 1)
    assert await UsageSums(database).by_day(ANN, long_ago, long_ago) == ()
    (told,) = await UsageSums(database).by_day(ANN, long_ago, date(2999, 1, 1))
    same_day: tuple[DayUsage, ...] = await UsageSums(database).by_day(ANN, told.day, told.day)
    assert same_day == (told,)
