"""How well runs went, by day in UTC: how long they took, what their checks found, what failed.

It is read from the traces that are kept; runs that were deleted leave nothing here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from statistics import quantiles

from pydantic import JsonValue
from sqlalchemy import select

from quaere.domain.trace import TOOL
from quaere.domain.value import Value
from quaere.store.db.database import Database
from quaere.store.db.schema import tool_traces

MOST_RUNS = 5_000
"""Runs that are looked at, the latest. Those of an SQLite file are read in a third of a second:
20,000 took 1.0 s."""


class DayQuality(Value):
    """How the runs went that began on one day and have a report."""

    day: date
    runs: int
    seconds_median: float
    seconds_p95: float
    verdicts: Mapping[str, int]
    """Sentences by their verdicts."""
    searches: Mapping[str, int]
    """Searches by provider."""
    failed_searches: Mapping[str, int]
    """Those of them that ended in an error."""


@dataclass(slots=True)
class _Day:
    seconds: list[float] = field(default_factory=list[float])
    verdicts: Counter[str] = field(default_factory=Counter[str])
    searches: Counter[str] = field(default_factory=Counter[str])
    failed: Counter[str] = field(default_factory=Counter[str])

    def add(self, metrics: Mapping[str, JsonValue], seconds: float) -> None:
        """Take in one run."""
        self.seconds.append(seconds)
        self.verdicts.update(_counts(metrics.get("verdicts")))
        self.searches.update(_counts(metrics.get("searches")))
        self.failed.update(_counts(metrics.get("failed_searches")))

    def told(self, day: date) -> DayQuality:
        """Return what was taken in."""
        cuts = quantiles(self.seconds, n=20, method="inclusive") if self.seconds[1:] else None
        return DayQuality(
            day=day,
            runs=len(self.seconds),
            seconds_median=cuts[9] if cuts else self.seconds[0],
            seconds_p95=cuts[18] if cuts else self.seconds[0],
            verdicts=dict(self.verdicts),
            searches=dict(self.searches),
            failed_searches=dict(self.failed),
        )


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of the runs in a database."""

    database: Database

    async def by_day(self, first: date, last: date) -> tuple[DayQuality, ...]:
        """Return how everybody's runs went on the days from ``first`` to ``last``.

        Days without a run are left out. The latest day comes first.

        Raises:
            StoreError: when the database cannot be used.
        """
        moment = tool_traces.c.created_at
        wanted = (
            select(moment, tool_traces.c.metrics)
            .where(
                tool_traces.c.tool_name == TOOL,
                moment >= datetime.combine(first, time(), UTC),
                moment < datetime.combine(last + timedelta(days=1), time(), UTC),
            )
            .order_by(moment.desc())
            .limit(MOST_RUNS)
        )
        days: defaultdict[date, _Day] = defaultdict(_Day)
        async with self.database.read() as connection:
            for began, metrics in (await connection.execute(wanted)).all():
                kept: Mapping[str, JsonValue] = metrics or {}
                seconds = kept.get("seconds")
                if isinstance(seconds, int | float):
                    days[began.astimezone(UTC).date()].add(kept, float(seconds))
        return tuple(days[day].told(day) for day in sorted(days, reverse=True))


def _counts(kept: JsonValue) -> dict[str, int]:
    """Return what was counted; nothing of a run that was kept before it was."""
    counts = kept.items() if isinstance(kept, dict) else ()
    return {name: count for name, count in counts if isinstance(count, int)}
