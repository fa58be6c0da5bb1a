"""What waits and what is being made, and by whom: for operators, without what was asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select

from quaere.domain.trace import ENDED, Owner, TraceStatus
from quaere.domain.value import Value
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, tool_traces

MAX_LISTED = 500


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
    """A worker that makes runs; one that waits for some is not known."""

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
        async with self.database.read() as connection:
            rows = (await connection.execute(wanted)).all()
        return tuple(
            QueuedRun(
                run_id=row.id,
                owner=Owner(user=row.user_id, org=row.org_id),
                status=row.status,
                priority=row.priority,
                attempts=row.attempts,
                queued_at=row.queued_at,
                started_at=row.started_at,
                deadline=row.deadline,
                worker=row.lease_owner,
                lease_until=row.lease_until,
            )
            for row in rows
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
