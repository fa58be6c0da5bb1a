"""What operators see and order: the queue, its workers, how well runs went; never what was asked.

How runs went is read from the traces that are kept; runs that were deleted leave nothing there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from statistics import quantiles

from pydantic import JsonValue
from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.trace import ENDED, TOOL, Owner, TraceStatus
from quaere.domain.value import Value
from quaere.errors import NotFound
from quaere.store.db.database import Database, database_time, insert_new
from quaere.store.db.schema import jobs, switches, tool_traces, value_of, workers
from quaere.store.jobs import Jobs, queue
from quaere.text.sanitize import quoted

SILENT_S = 20.0
"""Seconds without a report after which a worker is no longer listed."""
FORGOTTEN_S = 86_400.0
"""Seconds after which its row is deleted."""
PAUSED = "paused"
MAX_LISTED = 500
"""Runs of the queue that are shown at most."""
_WAITS = (str(TraceStatus.PENDING), str(TraceStatus.INTERRUPTED))


class WorkerReport(Value):
    """The state of a worker, as it reports it."""

    name: str
    version: str
    places: int
    """Runs that it makes at a time at most."""
    busy: int
    """Runs that it makes now."""
    ended: int
    """Runs that have ended with it."""
    takeovers: int
    """Runs that it has taken over from others."""


class KnownWorker(WorkerReport):
    """A worker that has reported a short while ago."""

    started_at: datetime
    seen_at: datetime
    drain: bool
    """Whether it is to leave when its runs have ended."""


class GivenUp(Value):
    """A run that was given up; it can be tried again."""

    run_id: str
    user: str
    reason: str
    at: datetime


class GivenUpList(Value):
    """Runs that were given up, the last one first."""

    runs: tuple[GivenUp, ...]


class FleetStatus(Value):
    """What the fleet is doing."""

    paused: bool
    """Whether no worker takes further runs."""
    unfinished: int
    """Runs that wait or are in progress; an estimate beyond 10,000."""
    oldest_waiting_s: float | None
    """How long the oldest of the runs that wait has waited; None when none waits."""
    given_up: int
    workers: tuple[KnownWorker, ...]


@dataclass(frozen=True, slots=True)
class Orders:
    """What operators want of a worker."""

    paused: bool
    drain: bool


@dataclass(frozen=True, slots=True)
class Fleet:
    """The workers of a database."""

    database: Database

    async def report(self, worker: WorkerReport) -> Orders:
        """Keep the report of a worker, and return what it is to do.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write(durable=False) as connection:
            now = await database_time(connection)
            values = worker.model_dump() | {"seen_at": now}
            await insert_new(connection, workers, [values | {"started_at": now}])
            mine = workers.c.name == worker.name
            await connection.execute(update(workers).where(mine).values(values))
            drain = await connection.execute(select(workers.c.drain).where(mine))
            return Orders(paused=await _is_paused(connection), drain=drain.scalar_one())

    async def leave(self, name: str) -> None:
        """Forget a worker, and those that have been silent for a day.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write(durable=False) as connection:
            old = await database_time(connection) - timedelta(seconds=FORGOTTEN_S)
            gone = (workers.c.name == name) | (workers.c.seen_at < old)
            await connection.execute(delete(workers).where(gone))

    async def status(self) -> FleetStatus:
        """Return what the fleet is doing.

        Raises:
            StoreError: when the database cannot be used.
        """
        unfinished = await Jobs(self.database).waiting()
        async with self.database.read() as connection:
            now = await database_time(connection)
            seen = workers.c.seen_at >= now - timedelta(seconds=SILENT_S)
            known = select(workers).where(seen).order_by(workers.c.name)
            rows = (await connection.execute(known)).mappings().all()
            waits = tool_traces.c.status.in_(_WAITS)
            oldest = select(func.min(jobs.c.queued_at)).select_from(queue()).where(waits)
            since = (await connection.execute(oldest)).scalar_one_or_none()
            given_up = select(func.count()).where(jobs.c.given_up_at.is_not(None))
            return FleetStatus(
                paused=await _is_paused(connection),
                unfinished=unfinished,
                oldest_waiting_s=max(0.0, (now - since).total_seconds()) if since else None,
                given_up=(await connection.execute(given_up)).scalar_one(),
                workers=tuple(value_of(row, KnownWorker) for row in rows),
            )

    async def pause(self) -> None:
        """Have no worker take a further run, those that come included, until `resume`.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            row = {"name": PAUSED, "since": await database_time(connection)}
            await insert_new(connection, switches, [row])

    async def resume(self) -> None:
        """Have the workers take runs again.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            await connection.execute(delete(switches).where(switches.c.name == PAUSED))

    async def drain(self, name: str) -> None:
        """Have a worker leave when the runs that it has have ended.

        Raises:
            NotFound: when no worker of that name has reported.
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            wanted = update(workers).where(workers.c.name == name).values(drain=True)
            if not (await connection.execute(wanted)).rowcount:
                raise NotFound(f"There is no worker {quoted(name)}.")

    async def given_up(self) -> tuple[GivenUp, ...]:
        """Return the runs that were given up, and why, the last one first.

        Raises:
            StoreError: when the database cannot be used.
        """
        columns = (jobs.c.run_id, jobs.c.user_id, jobs.c.given_up_at, tool_traces.c.error_message)
        wanted = (
            select(*columns)
            .select_from(queue())
            .where(jobs.c.given_up_at.is_not(None))
            .order_by(jobs.c.given_up_at.desc(), jobs.c.run_id)
        )
        async with self.database.read() as connection:
            return tuple(
                GivenUp(
                    run_id=row.run_id,
                    user=row.user_id,
                    reason=row.error_message or "",
                    at=row.given_up_at,
                )
                for row in await connection.execute(wanted)
            )

    async def requeue(self, run_id: str) -> int:
        """Have a run that was given up tried again, with what it was told; return its priority.

        It still has to be offered to the carrier.

        Raises:
            NotFound: when no run of that id was given up.
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            mine = (jobs.c.run_id == run_id) & jobs.c.given_up_at.is_not(None)
            again = update(jobs).where(mine).values(given_up_at=None, attempts=0)
            found = await connection.execute(again.returning(jobs.c.priority))
            priority = found.scalar_one_or_none()
            if priority is None:
                raise NotFound(f"No run {quoted(run_id)} was given up.")
            await connection.execute(
                update(tool_traces)
                .where(tool_traces.c.id == run_id)
                .values(
                    status=str(TraceStatus.INTERRUPTED),
                    fence=tool_traces.c.fence + 1,
                    error_message=None,
                    completed_at=None,
                )
            )
        return priority


async def _is_paused(connection: AsyncConnection) -> bool:
    found = await connection.execute(select(switches.c.name).where(switches.c.name == PAUSED))
    return found.scalar_one_or_none() is not None


class QueuedRun(Value):
    """A run in the queue. Times are in UTC."""

    run_id: str
    owner: Owner
    status: TraceStatus
    priority: int
    attempts: int
    """Workers that have had it."""
    queued_at: datetime
    started_at: datetime | None
    deadline: datetime | None
    worker: str | None
    """Who makes it."""
    lease_until: datetime | None
    """When it is given to another worker unless this one gives a sign of life."""


class BusyWorker(Value):
    """A worker with runs in progress; idle workers are not known."""

    name: str
    runs: int
    lease_until: datetime
    """Of the run for which it gave a sign of life last."""


@dataclass(frozen=True, slots=True)
class QueueView:
    """The queue in a database."""

    database: Database

    async def runs(self) -> tuple[QueuedRun, ...]:
        """Return the runs that wait or are being made, in the order of the queue, 500 at most.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = (
            select(jobs, tool_traces)
            .select_from(jobs.join(tool_traces, jobs.c.run_id == tool_traces.c.id))
            .where(tool_traces.c.status.not_in([str(status) for status in ENDED]))
            .order_by(jobs.c.priority.desc(), jobs.c.queued_at, jobs.c.run_id)
            .limit(MAX_LISTED)
        )
        return tuple(
            value_of(row, QueuedRun, worker=row["lease_owner"])
            for row in await self.database.rows(wanted)
        )

    async def workers(self) -> tuple[BusyWorker, ...]:
        """Return the workers that have runs, by name.

        Raises:
            StoreError: when the database cannot be used.
        """
        name, until = tool_traces.c.lease_owner, tool_traces.c.lease_until
        wanted = (
            select(name, func.count(), func.max(until, type_=until.type))
            .where(tool_traces.c.status == str(TraceStatus.IN_PROGRESS), name.is_not(None))
            .group_by(name)
            .order_by(name)
        )
        async with self.database.read() as connection:
            rows = (await connection.execute(wanted)).all()
        return tuple(BusyWorker(name=row[0], runs=row[1], lease_until=row[2]) for row in rows)


MOST_RUNS = 5_000
"""Runs that are looked at, the latest. Those of an SQLite file are read in a third of a second:
20,000 took 1.0 s."""


class DayQuality(Value):
    """Figures on the runs that began on one day and have a report."""

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

    def quality(self, day: date) -> DayQuality:
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
        return tuple(days[day].quality(day) for day in sorted(days, reverse=True))


def _counts(kept: JsonValue) -> dict[str, int]:
    """Return what was counted; nothing of a run that was kept before it was."""
    counts = kept.items() if isinstance(kept, dict) else ()
    return {name: count for name, count in counts if isinstance(count, int)}
