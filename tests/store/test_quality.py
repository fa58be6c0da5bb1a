"""How runs went by day, on both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import JsonValue

from quaere.domain.trace import CHECK_TOOL, TOOL, Owner
from quaere.store import quality as module
from quaere.store.db.database import Database
from quaere.store.quality import DayQuality, Quality
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mills"), Owner(user="ben")
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
