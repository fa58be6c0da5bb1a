"""The job queue: runs waiting for a worker, runs in progress, and which worker owns each.

A worker holds a lease on its run and renews it. When a lease expires, the worker is presumed dead
and another one gets the run with a higher fence; writes with the old fence are rejected, in case
the first worker was only suspended. The queue is one table; PostgreSQL workers claim from it with
``SKIP LOCKED``, and SQLite allows one claim at a time. Leases use the clock of the database, so the
clocks of the workers need not agree.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
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

from quaere.domain.access import UNLIMITED, KeyLimits
from quaere.domain.events import RUN_EVENT, InquiryRaised
from quaere.domain.request import RunSpec
from quaere.domain.team import Reply
from quaere.domain.trace import ENDED, Owner, Trace, TraceStatus
from quaere.domain.value import Value
from quaere.errors import TraceConflict, UsageError
from quaere.store.db.database import Database
from quaere.store.db.schema import Utc, jobs, run_answers, run_events, tool_traces
from quaere.store.quotas import check_quotas
from quaere.store.traces.log import insert_new
from quaere.store.traces.rows import asked, begin
from quaere.store.traces.traces import Traces
from quaere.text.sanitize import quoted

MAX_ATTEMPTS = 5
"""Attempts before a run is marked as failed, so that one that kills its workers is not retried
forever."""

CLEARED = 50
"""Unprocessable runs that one claim ends at most, because it blocks all other writers."""
_CLAIMING = 0x71756165
"""Key of the lock that makes claims with a limit per user take turns: "quae"."""
_WORKING = (TraceStatus.PENDING, TraceStatus.INTERRUPTED, TraceStatus.IN_PROGRESS)


class Wish(StrEnum):
    """What the owner of a run in progress wants of it."""

    CONTINUE = "continue"
    FINISH = "finish"
    """End the search, and have the answer written from what is there."""
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Job:
    """A run assigned to one worker."""

    spec: RunSpec
    owner: Owner
    fence: int
    attempt: int
    """1 for the first worker."""
    deadline: datetime | None = None
    finish: bool = False
    """Whether the search was to end before this worker had the run."""

    @property
    def run_id(self) -> str:
        """Id of the run and of its trace."""
        return self.spec.run_id


class GivenReply(Value):
    """What the owner of a run replied to it."""

    seq: int
    """Number of the event that asked for it."""
    reply: Reply


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
        limits: KeyLimits = UNLIMITED,
    ) -> Trace:
        """Add a run to the queue; it is durable when this returns.

        Args:
            owner: Whose run it is.
            spec: What to run. Submitting the same ``run_id`` twice adds one run.
            params: What the trace shows of the request.
            priority: Runs with a higher priority start first.
            deadline: When to give up.
            limits: What the key of the owner allows, of which the owner's runs are counted here.

        Raises:
            QuotaExceeded: when the owner has as many runs as ``limits`` allow.
            TraceConflict: when another owner has a run with this id.
            UsageError: when the id is too long or not printable.
            StoreError: when it cannot be saved.
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
        async with (
            self.database.write() as connection
        ):  # one transaction: a trace without a job would wait forever
            if limits != UNLIMITED and not await _is_kept(connection, trace.id):
                await check_quotas(connection, owner, limits)
            trace = await begin(connection, trace)
            if trace.status not in ENDED:
                await insert_new(connection, jobs, [values])
        return trace

    async def claim(
        self, worker: str, *, lease_s: float, per_user: int | None = None
    ) -> Job | None:
        """Assign the next run to ``worker`` for ``lease_s`` seconds; None when none is waiting.

        Runs with an expired lease count as waiting. Runs that were cancelled, are past their
        deadline or have failed too often are ended on the way.

        Args:
            worker: Name of the worker.
            lease_s: Seconds until the lease expires unless it is renewed.
            per_user: Maximum number of runs of one user in progress.

        Raises:
            StoreError: when the database cannot be used.
        """
        asked = time.monotonic()
        async with self.database.write() as connection:
            now = await _now(connection)
            # While this waited for the database, other workers could not renew their leases either.
            lapsed = now - _s(time.monotonic() - asked)
            for _ in range(CLEARED):
                row = await self._next(connection, lapsed, per_user)
                if row is None:
                    return None
                spec = _spec(row)
                ended = _final_status(row, now)
                if spec and not ended:
                    return await self._give(connection, row, spec, worker, now + _s(lease_s))
                await _end(connection, cast("str", row["run_id"]), *(ended or _UNREADABLE))
        return None

    async def renew(self, job: Job, *, lease_s: float) -> Wish:
        """Renew the lease of ``job``, and return what its owner wants of it.

        Raises:
            TraceConflict: when another worker has taken it over, or it has ended.
            StoreError: when the database cannot be used.
        """
        async with self.database.write(durable=False) as connection:
            await fenced(connection, job)
            await connection.execute(
                update(tool_traces)
                .where(tool_traces.c.id == job.run_id)
                .values(lease_until=await _now(connection) + _s(lease_s))
            )
            wanted = select(jobs.c.cancel, jobs.c.finish).where(jobs.c.run_id == job.run_id)
            row = (await connection.execute(wanted)).one()
        if row.cancel:
            return Wish.CANCEL
        return Wish.FINISH if row.finish else Wish.CONTINUE

    async def release(self, job: Job) -> None:
        """Return ``job`` to the queue, without counting the attempt.

        Raises:
            TraceConflict: when another worker has taken it over.
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
        """End a run without a final event: it was cancelled, or could not start.

        Raises:
            TraceConflict: when another worker has taken it over, or it has ended.
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            await fenced(connection, job)
            await _end(connection, job.run_id, status, message)

    async def ended(self, job: Job) -> bool:
        """Return whether the run has ended in the hands of the worker that ``job`` was given to.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = select(tool_traces.c.fence, tool_traces.c.status).where(
            tool_traces.c.id == job.run_id
        )
        async with self.database.read() as connection:
            row = (await connection.execute(wanted)).one_or_none()
        return row is not None and row.fence == job.fence and row.status in ENDED

    async def settle(self, job: Job) -> None:
        """Delete the job and the journal of a run that has ended; it cannot be resumed.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write(durable=False) as connection:
            wanted = select(tool_traces.c.status).where(tool_traces.c.id == job.run_id)
            if (await connection.execute(wanted)).scalar_one_or_none() in ENDED:
                await _forget(connection, job.run_id)

    async def holders(self) -> tuple[str, ...]:
        """Return the names of workers that hold a lease.

        Raises:
            StoreError: when the database cannot be used.
        """
        held = select(tool_traces.c.lease_owner).distinct().select_from(_queue())
        wanted = held.where(_unfinished(), tool_traces.c.lease_owner.is_not(None))
        async with self.database.read() as connection:
            return tuple((await connection.execute(wanted)).scalars().all())

    async def expire(self, worker: str) -> None:
        """End the leases of a worker that is known to be dead, so that nobody waits for them.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            ended = update(tool_traces).where(tool_traces.c.lease_owner == worker)
            await connection.execute(ended.values(lease_until=None, lease_owner=None))

    async def tidy(self) -> None:
        """Delete the jobs and journals left by workers that died after their runs had ended.

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
        """Cancel a run: at once if it is waiting, through its worker if it is in progress.

        Raises:
            TraceNotFound: when ``owner`` has no such run.
            TraceConflict: when it has already ended.
            UsageError: when it is in progress, but not with a worker.
            StoreError: when the database cannot be used.
        """
        trace = await Traces(self.database).get_trace(owner, run_id)
        async with self.database.write() as connection:
            until = await _reachable(connection, trace.id)
            if until is None or until < await _now(connection):
                await _end(connection, trace.id, TraceStatus.CANCELLED, None)
                return
            await connection.execute(
                update(jobs).where(jobs.c.run_id == trace.id).values(cancel=True)
            )

    async def finish(self, owner: Owner, run_id: str) -> None:
        """End the search of a run; its worker has the answer written from what is there.

        Raises:
            TraceNotFound: when ``owner`` has no such run.
            TraceConflict: when it has already ended.
            UsageError: when no worker has it or will get it.
            StoreError: when the database cannot be used.
        """
        trace = await Traces(self.database).get_trace(owner, run_id)
        async with self.database.write() as connection:
            await _reachable(connection, trace.id)
            wished = await connection.execute(
                update(jobs).where(jobs.c.run_id == trace.id).values(finish=True)
            )
            if not wished.rowcount:
                raise UsageError(f"The run {trace.id!r} was stopped; resume it first.")

    async def reply(self, owner: Owner, run_id: str, inquiry_id: str, reply: Reply) -> None:
        """Answer what a run has asked back; its worker hands the reply to it.

        Args:
            owner: Whose run it is.
            run_id: The run.
            inquiry_id: Id of the inquiry as the run's log has it, or the number of the event that
                raised it, which is all that a reader of the log needs to know.
            reply: What its owner says.

        Raises:
            TraceNotFound: when ``owner`` has no such run.
            TraceConflict: when it has already ended.
            UsageError: when it waits for no such reply, or is not with a worker.
            StoreError: when the database cannot be used.
        """
        trace = await Traces(self.database).get_trace(owner, run_id)
        async with self.database.write() as connection:
            await _reachable(connection, trace.id)
            asked = await _open_inquiry(connection, trace.id)
            if asked is None or inquiry_id not in (asked.inquiry.id, str(asked.seq)):
                waited = f"it waits for {asked.inquiry.id!r}" if asked else "it waits for none"
                raise UsageError(
                    f"The run {trace.id!r} waits for no reply to {quoted(inquiry_id)}; {waited}."
                )
            told = GivenReply(seq=asked.seq, reply=reply).model_dump_json()
            given = await connection.execute(
                update(jobs).where(jobs.c.run_id == trace.id).values(reply=told)
            )
            if not given.rowcount:
                raise UsageError(f"The run {trace.id!r} was stopped; resume it first.")

    async def given_reply(self, job: Job) -> GivenReply | None:
        """Return the last reply that the owner of the run of ``job`` has given.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = select(jobs.c.reply).where(jobs.c.run_id == job.run_id)
        async with self.database.read() as connection:
            told = (await connection.execute(wanted)).scalar_one_or_none()
        return None if told is None else GivenReply.model_validate_json(told)

    async def waiting(self) -> int:
        """Return how many runs are waiting or in progress.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            counted = select(func.count()).select_from(_queue()).where(_unfinished())
            return (await connection.execute(counted)).scalar_one()

    async def position(self, run_id: str) -> int | None:
        """Return how many waiting runs go before this one; None when it does not wait.

        Raises:
            StoreError: when the database cannot be used.
        """
        waits = tool_traces.c.status.in_([str(TraceStatus.PENDING), str(TraceStatus.INTERRUPTED)])
        mine = select(jobs.c.priority, jobs.c.queued_at).select_from(_queue())
        async with self.database.read() as connection:
            found = await connection.execute(mine.where(waits, jobs.c.run_id == run_id))
            row = found.one_or_none()
            if row is None:
                return None
            earlier = or_(
                jobs.c.priority > row.priority,
                and_(jobs.c.priority == row.priority, jobs.c.queued_at < row.queued_at),
            )
            counted = select(func.count()).select_from(_queue()).where(waits, earlier)
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
            if not self.database.sqlite:  # two concurrent counts would both find room
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
            finish=bool(row["finish"]),
        )


async def _is_kept(connection: AsyncConnection, run_id: str) -> bool:
    wanted = select(tool_traces.c.id).where(tool_traces.c.id == run_id)
    return (await connection.execute(wanted)).scalar_one_or_none() is not None


async def _open_inquiry(connection: AsyncConnection, run_id: str) -> InquiryRaised | None:
    """Return what the run has asked its owner last, unless it was answered."""
    wanted = (
        select(run_events.c.body)
        .where(
            run_events.c.run_id == run_id,
            run_events.c.type.in_(["inquiry_raised", "inquiry_answered"]),
        )
        .order_by(run_events.c.seq.desc())
        .limit(1)
    )
    body = (await connection.execute(wanted)).scalar_one_or_none()
    event = None if body is None else RUN_EVENT.validate_json(body)
    return event if isinstance(event, InquiryRaised) else None


async def _reachable(connection: AsyncConnection, run_id: str) -> datetime | None:
    """Return when the lease of a run that goes on ends, and lock it until the transaction ends.

    Raises:
        TraceConflict: when it has already ended.
        UsageError: when a process makes it that took it from no queue, and so looks for no wishes.
    """
    columns = (tool_traces.c.status, tool_traces.c.lease_until, jobs.c.run_id)
    joined = tool_traces.join(jobs, jobs.c.run_id == tool_traces.c.id, isouter=True)
    wanted = select(*columns).select_from(joined).where(tool_traces.c.id == run_id)
    row = (await connection.execute(wanted.with_for_update(of=tool_traces))).one()
    if row.status in ENDED:
        raise TraceConflict(f"The run {run_id!r} has already ended ({row.status}).")
    if row.run_id is None and row.status == str(TraceStatus.IN_PROGRESS):
        raise UsageError(
            f"The run {run_id!r} is not a submitted one; stop it where it was started."
        )
    return row.lease_until


async def _now(connection: AsyncConnection) -> datetime:
    """Return the time of the database; for SQLite, of this machine."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    now = await connection.execute(select(func.clock_timestamp(type_=Utc())))
    return now.scalar_one()


async def fenced(connection: AsyncConnection, job: Job) -> None:
    """Check that ``job`` is still assigned to its worker, and lock it until the transaction ends.

    Raises:
        TraceConflict: when it is not.
    """
    wanted = select(tool_traces.c.fence, tool_traces.c.status).where(tool_traces.c.id == job.run_id)
    row = (await connection.execute(wanted.with_for_update())).one_or_none()
    if row is None or (row.fence, row.status) != (job.fence, str(TraceStatus.IN_PROGRESS)):
        raise TraceConflict(
            f"The run {job.run_id!r} has ended, or another worker has taken it over."
        )


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


_UNREADABLE = (
    TraceStatus.FAILED,
    "It was submitted by another version of Quaere; submit it again.",
)


def _spec(row: Mapping[str, object]) -> RunSpec | None:
    """Return the request; None when another version wrote it and it cannot be read."""
    try:
        return RunSpec.model_validate_json(cast("str", row["request"]))
    except ValidationError:
        return None


def _final_status(
    row: Mapping[str, object], now: datetime
) -> tuple[TraceStatus, str | None] | None:
    """Return the final status of a run that must not be assigned, and why; None if it may be."""
    deadline = cast("datetime | None", row["deadline"])
    if row["cancel"]:
        return TraceStatus.CANCELLED, None
    if deadline is not None and deadline <= now:
        return TraceStatus.FAILED, "The deadline passed before the run finished."
    if cast("int", row["attempts"]) >= MAX_ATTEMPTS:
        return TraceStatus.FAILED, f"Gave up after {MAX_ATTEMPTS} failed attempts."
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
