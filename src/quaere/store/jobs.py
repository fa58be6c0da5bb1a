"""Runs that wait for a worker, those that are at work, and who may write to them.

A worker holds a lease on its run and renews it. When the lease is over, the worker is taken for
dead and another is given the run, with a higher fence: whatever the first one still writes, should
it only have been frozen, is refused. The queue is one table, claimed by ``SKIP LOCKED`` where there
are many workers; SQLite lets one claim at a time. Leases go by the clock of the database, so that
the machines of the workers need not agree on the time.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast

from pydantic import JsonValue, ValidationError
from sqlalchemy import (
    ColumnElement,
    Join,
    Select,
    and_,
    delete,
    func,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.request import RunSpec
from quaere.domain.trace import ENDED, Owner, Trace, TraceStatus
from quaere.errors import TraceConflict
from quaere.store.db.database import Database
from quaere.store.db.tables import Utc, jobs, run_answers, tool_traces
from quaere.store.traces.log import insert_new
from quaere.store.traces.rows import asked, begin
from quaere.store.traces.traces import Traces

MAX_ATTEMPTS = 5
"""Workers that may die over one run before it is given up: one that kills is not tried for ever."""

CLEARED = 50
"""Runs that nobody can make any more which one claim ends on its way: it holds up all writers."""
_CLAIMING = 0x71756165
"""Of the lock that claims take turns by where they count the runs of a user: "quae"."""
_WORKING = (TraceStatus.PENDING, TraceStatus.INTERRUPTED, TraceStatus.IN_PROGRESS)


@dataclass(frozen=True, slots=True)
class Job:
    """A run that one worker was given."""

    spec: RunSpec
    owner: Owner
    fence: int
    attempt: int
    """1 for the first worker."""
    deadline: datetime | None = None

    @property
    def run_id(self) -> str:
        """The name of the run and of its trace."""
        return self.spec.run_id


@dataclass(frozen=True, slots=True)
class Jobs:
    """The queue in a database."""

    database: Database

    async def submit(
        self,
        owner: Owner,
        spec: RunSpec,
        *,
        params: Mapping[str, JsonValue],
        priority: int = 0,
        deadline: datetime | None = None,
    ) -> Trace:
        """Accept a run; when this returns, it is on the disk and will be made.

        Args:
            owner: Whose run it is.
            spec: What is asked; ``run_id`` names the run, and asking twice is asking once.
            params: What its trace tells of the request.
            priority: Higher ones go first.
            deadline: When it is given up.

        Raises:
            TraceConflict: when somebody else's run has that name.
            UsageError: when the name is too long or not printable.
            StoreError: when it cannot be kept.
        """
        trace = asked(owner, params, trace_id=spec.run_id)
        values = {
            "run_id": trace.id,
            "request": spec.model_dump_json(exclude_defaults=True),
            "user_id": owner.user,
            "priority": priority,
            "queued_at": trace.created_at,
            "deadline": deadline,
        }
        async with self.database.write() as connection:  # one: a trace alone would wait for ever
            trace = await begin(connection, trace)
            if trace.status not in ENDED:
                await insert_new(connection, jobs, [values])
        return trace

    async def claim(
        self, worker: str, *, lease_s: float, per_user: int | None = None
    ) -> Job | None:
        """Give ``worker`` the next run for ``lease_s`` seconds; None when none waits.

        Runs whose worker let its lease pass wait again. Those that were cancelled, are too late or
        have cost too many workers are ended on the way.

        Args:
            worker: A name.
            lease_s: How long it may go without renewing.
            per_user: Runs of one user that may be at work at a time.

        Raises:
            StoreError: when the database cannot be used.
        """
        asked = time.monotonic()
        async with self.database.write() as connection:
            now = await _now(connection)
            # Who could not renew a lease while this waited for the database is not dead for that.
            lapsed = now - _s(time.monotonic() - asked)
            for _ in range(CLEARED):
                row = await self._next(connection, lapsed, per_user)
                if row is None:
                    return None
                spec = _spec(row)
                hopeless = _hopeless(row, now)
                if spec and not hopeless:
                    return await self._give(connection, row, spec, worker, now + _s(lease_s))
                await _end(connection, cast("str", row["run_id"]), *(hopeless or _STRANGE))
        return None

    async def renew(self, job: Job, *, lease_s: float) -> bool:
        """Hold on to ``job``; False when it is to be cancelled.

        Raises:
            TraceConflict: when it was given to another worker, or is over.
            StoreError: when the database cannot be used.
        """
        async with self.database.write(durable=False) as connection:
            await fenced(connection, job)
            await connection.execute(
                update(tool_traces)
                .where(tool_traces.c.id == job.run_id)
                .values(lease_until=await _now(connection) + _s(lease_s))
            )
            wanted = select(jobs.c.cancel).where(jobs.c.run_id == job.run_id)
            return not (await connection.execute(wanted)).scalar_one()

    async def release(self, job: Job) -> None:
        """Let another worker have ``job``, through no fault of the run: it costs no attempt.

        Raises:
            TraceConflict: when another has it already.
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            await fenced(connection, job)
            await connection.execute(
                update(tool_traces)
                .where(tool_traces.c.id == job.run_id)
                .values(lease_owner=None, lease_until=None, status=str(TraceStatus.INTERRUPTED))
            )
            await connection.execute(
                update(jobs).where(jobs.c.run_id == job.run_id).values(attempts=jobs.c.attempts - 1)
            )

    async def end(self, job: Job, status: TraceStatus, message: str | None = None) -> None:
        """End a run whose own events do not say how: it was cancelled, or could not begin.

        Raises:
            TraceConflict: when it was given to another worker, or is over.
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            await fenced(connection, job)
            await _end(connection, job.run_id, status, message)

    async def settle(self, job: Job) -> None:
        """Forget what a run was told, if it is over: it will not be gone on with.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write(durable=False) as connection:
            wanted = select(tool_traces.c.status).where(tool_traces.c.id == job.run_id)
            if (await connection.execute(wanted)).scalar_one_or_none() in ENDED:
                await _forget(connection, job.run_id)

    async def tidy(self) -> None:
        """Forget what is left of runs whose workers died when they were over.

        Raises:
            StoreError: when the database cannot be used.
        """
        over = select(jobs.c.run_id).select_from(_queue()).where(not_(_unfinished()))
        async with self.database.read() as connection:
            names = (await connection.execute(over)).scalars().all()
        for name in sorted(names):
            async with self.database.write(durable=False) as connection:
                await _forget(connection, name)

    async def cancel(self, owner: Owner, run_id: str) -> None:
        """End a run that waits, or have its worker end it.

        Raises:
            TraceNotFound: when ``owner`` has no such run.
            TraceConflict: when it is over.
            StoreError: when the database cannot be used.
        """
        trace = await Traces(self.database).get_trace(owner, run_id)
        async with self.database.write() as connection:
            columns = (tool_traces.c.status, tool_traces.c.lease_until)
            wanted = select(*columns).where(tool_traces.c.id == trace.id).with_for_update()
            status, until = (await connection.execute(wanted)).one()
            if status in ENDED:
                raise TraceConflict(f"The run {trace.id!r} is over: {status}.")
            if until is None or until < await _now(connection):
                await _end(connection, trace.id, TraceStatus.CANCELLED, None)
                return
            await connection.execute(
                update(jobs).where(jobs.c.run_id == trace.id).values(cancel=True)
            )

    async def waiting(self) -> int:
        """Return how many runs wait or are at work.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            counted = select(func.count()).select_from(_queue()).where(_unfinished())
            return (await connection.execute(counted)).scalar_one()

    async def _next(
        self, connection: AsyncConnection, lapsed: datetime, per_user: int | None
    ) -> Mapping[str, object] | None:
        free = or_(
            tool_traces.c.status != str(TraceStatus.IN_PROGRESS),
            tool_traces.c.lease_until.is_(None),
            tool_traces.c.lease_until < lapsed,
        )
        conditions = [_unfinished(), free]
        if per_user is not None:
            if not self.database.sqlite:  # two that count at a time would both find room
                await connection.execute(select(func.pg_advisory_xact_lock(_CLAIMING)))
            conditions.append(not_(jobs.c.user_id.in_(_busy(lapsed, per_user))))
        wanted = (
            select(jobs, tool_traces.c.fence, tool_traces.c.org_id)
            .select_from(_queue())
            .where(*conditions)
            .order_by(jobs.c.priority.desc(), jobs.c.queued_at, jobs.c.run_id)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        row = (await connection.execute(wanted)).mappings().one_or_none()
        return cast("Mapping[str, object] | None", row)

    async def _give(
        self,
        connection: AsyncConnection,
        row: Mapping[str, object],
        spec: RunSpec,
        worker: str,
        until: datetime,
    ) -> Job:
        run_id, fence = cast("str", row["run_id"]), cast("int", row["fence"]) + 1
        attempt = cast("int", row["attempts"]) + 1
        await connection.execute(
            update(tool_traces)
            .where(tool_traces.c.id == run_id)
            .values(
                status=str(TraceStatus.IN_PROGRESS),
                fence=fence,
                lease_owner=worker,
                lease_until=until,
                started_at=func.coalesce(tool_traces.c.started_at, datetime.now(UTC)),
            )
        )
        await connection.execute(
            update(jobs).where(jobs.c.run_id == run_id).values(attempts=attempt)
        )
        return Job(
            spec=spec,
            owner=Owner(user=cast("str", row["user_id"]), org=cast("str | None", row["org_id"])),
            fence=fence,
            attempt=attempt,
            deadline=cast("datetime | None", row["deadline"]),
        )


async def _now(connection: AsyncConnection) -> datetime:
    """Return the time of the database, which that of a SQLite file is the machine's."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    now = await connection.execute(select(func.clock_timestamp(type_=Utc())))
    return now.scalar_one()


async def fenced(connection: AsyncConnection, job: Job) -> None:
    """Make sure that ``job`` is still its worker's, until the transaction is over.

    Raises:
        TraceConflict: when it is not.
    """
    wanted = select(tool_traces.c.fence, tool_traces.c.status).where(tool_traces.c.id == job.run_id)
    row = (await connection.execute(wanted.with_for_update())).one_or_none()
    if row is None or (row.fence, row.status) != (job.fence, str(TraceStatus.IN_PROGRESS)):
        raise TraceConflict(f"The run {job.run_id!r} is over, or another worker has it.")


async def _end(
    connection: AsyncConnection, run_id: str, status: TraceStatus, message: str | None
) -> None:
    await connection.execute(
        update(tool_traces)
        .where(tool_traces.c.id == run_id)
        .values(
            status=str(status),
            fence=tool_traces.c.fence + 1,
            error_message=message,
            completed_at=datetime.now(UTC),
            lease_owner=None,
            lease_until=None,
        )
    )
    await _forget(connection, run_id)


async def _forget(connection: AsyncConnection, run_id: str) -> None:
    await connection.execute(delete(run_answers).where(run_answers.c.run_id == run_id))
    await connection.execute(delete(jobs).where(jobs.c.run_id == run_id))


_STRANGE = (TraceStatus.FAILED, "It was asked for by another version of Quaere; ask again.")


def _spec(row: Mapping[str, object]) -> RunSpec | None:
    """Return what was asked; None where another version wrote it, and it cannot be read."""
    try:
        return RunSpec.model_validate_json(cast("str", row["request"]))
    except ValidationError:
        return None


def _hopeless(row: Mapping[str, object], now: datetime) -> tuple[TraceStatus, str | None] | None:
    """Return how a run that no worker is to be given ends, and why; None when it may go on."""
    deadline = cast("datetime | None", row["deadline"])
    if row["cancel"]:
        return TraceStatus.CANCELLED, None
    if deadline is not None and deadline <= now:
        return TraceStatus.FAILED, "Its deadline passed before it was finished."
    if cast("int", row["attempts"]) >= MAX_ATTEMPTS:
        return TraceStatus.FAILED, f"{MAX_ATTEMPTS} workers died over it."
    return None


def _queue() -> Join:
    return jobs.join(tool_traces, jobs.c.run_id == tool_traces.c.id)


def _unfinished() -> ColumnElement[bool]:
    return tool_traces.c.status.in_([str(status) for status in _WORKING])


def _busy(now: datetime, per_user: int) -> Select[tuple[str]]:
    working = and_(
        tool_traces.c.status == str(TraceStatus.IN_PROGRESS), tool_traces.c.lease_until >= now
    )
    return (
        select(tool_traces.c.user_id)
        .where(working)
        .group_by(tool_traces.c.user_id)
        .having(func.count() >= per_user)
    )


def _s(seconds: float) -> timedelta:
    return timedelta(seconds=seconds)
