"""Submitted runs: what was asked, who has each, and what its owner wants of it.

Which worker gets which run, and when another one gets it, is decided by a carrier
(`quaere.store.carriers`). Each time a run is assigned its fence grows; writes with an old fence are
rejected, in case a worker that was presumed dead was only suspended. So whatever a carrier repeats
or mixes up, a run is made once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from pydantic import ValidationError
from sqlalchemy import (
    ColumnElement,
    Join,
    RowMapping,
    and_,
    delete,
    func,
    not_,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.access import UNLIMITED, KeyLimits
from quaere.domain.events import InquiryRaised
from quaere.domain.request import RunSpec
from quaere.domain.team import Reply
from quaere.domain.trace import ENDED, Owner, Trace, TraceStatus
from quaere.domain.value import Value
from quaere.errors import SchemaError, TraceConflict, UsageError
from quaere.store.db.database import Database, database_time, insert_new
from quaere.store.db.schema import jobs, run_answers, tool_traces
from quaere.store.submission import Entry
from quaere.store.traces.log import last_event
from quaere.store.traces.rows import begin_together
from quaere.store.traces.traces import Traces
from quaere.store.usage import check_quotas
from quaere.store.webhooks import announce
from quaere.text.sanitize import quoted

COUNTED = 10_000
"""Waiting runs that are counted; of more, their number is estimated where that is faster."""
_MICROSECOND = timedelta(microseconds=1)
_WORKING = (TraceStatus.PENDING, TraceStatus.INTERRUPTED, TraceStatus.IN_PROGRESS)


class Wish(StrEnum):
    """What the owner of a run in progress wants of it."""

    CONTINUE = "continue"
    FINISH = "finish"
    """End the search, and have the answer written from what is there."""
    CANCEL = "cancel"
    LEAVE = "leave"
    """It is over, or another worker has it: leave it alone."""


@dataclass(frozen=True, slots=True)
class Job:
    """A run assigned to one worker."""

    spec: RunSpec
    owner: Owner
    fence: int
    attempt: int
    """1 for the first worker."""
    left_s: float | None
    """Seconds until its deadline when it was assigned, by the clock of the database."""
    finish: bool
    """Whether the search was to end before this worker had the run."""
    taken_over: bool
    """Whether it was in progress with another worker."""
    fresh: bool
    """Whether it was never assigned before and has no events: nothing is known of it yet."""

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

    async def submit(self, entry: Entry, limits: KeyLimits = UNLIMITED) -> Trace:
        """Add a run to the queue; it is durable when this returns.

        Args:
            entry: The run. Submitting the same ``run_id`` twice adds one run.
            limits: What the key of the owner allows, of which the owner's runs are counted here.

        Raises:
            QuotaExceeded: when the owner has as many runs as ``limits`` allow.
            TraceConflict: when another owner has a run with this id.
            StoreError: when it cannot be saved.
        """
        owner = Owner(user=entry.trace.user_id, org=entry.trace.org_id)
        async with self.database.write() as connection:
            if limits != UNLIMITED and not await _is_kept(connection, entry.trace.id):
                await check_quotas(connection, owner, limits)
            (added,) = await _added(connection, [entry])
            if isinstance(added, TraceConflict):
                raise added
        return added

    async def submit_together(self, entries: Sequence[Entry]) -> list[Trace | TraceConflict]:
        """Add runs that no limit holds back, durable when this returns; result by result.

        One transaction for many costs little more than for one.

        Raises:
            StoreError: when they cannot be saved.
        """
        async with self.database.write() as connection:
            return await _added(connection, entries)

    async def wishes(self, held: Sequence[Job]) -> list[Wish]:
        """Return what is wanted of each of these runs, in the same order.

        Raises:
            StoreError: when the database cannot be used.
        """
        columns = (tool_traces.c.id, tool_traces.c.fence, tool_traces.c.status)
        wanted = (
            select(*columns, jobs.c.cancel, jobs.c.finish)
            .select_from(queue())
            .where(tool_traces.c.id.in_([job.run_id for job in held]))
        )
        async with self.database.read() as connection:
            rows = {row.id: row for row in (await connection.execute(wanted)).mappings()}
        return [_wished(job, rows.get(job.run_id)) for job in held]

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
            await _ended(connection, job.run_id, status, message, fence=job.fence)
            await forget(connection, job.run_id)

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

    async def settle(self, job: Job) -> bool:
        """Delete the job and the journal of a run if it has ended; return whether it has.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write(durable=False) as connection:
            wanted = select(tool_traces.c.status).where(tool_traces.c.id == job.run_id)
            over = (await connection.execute(wanted)).scalar_one_or_none() in ENDED
            if over:
                await forget(connection, job.run_id)
        return over

    async def holders(self) -> tuple[str, ...]:
        """Return the names of workers that hold a lease.

        Raises:
            StoreError: when the database cannot be used.
        """
        held = select(tool_traces.c.lease_owner).distinct().select_from(queue())
        wanted = held.where(unfinished(), tool_traces.c.lease_owner.is_not(None))
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

    async def tidy(self, *, given_up: bool = False) -> None:
        """Delete the jobs and journals left by workers that died after their runs had ended.

        Args:
            given_up: Whether to delete also those of runs that were given up.

        Raises:
            StoreError: when the database cannot be used.
        """
        over = select(jobs.c.run_id).select_from(queue()).where(not_(unfinished()))
        if not given_up:
            over = over.where(jobs.c.given_up_at.is_(None))
        async with self.database.read() as connection:
            names = (await connection.execute(over)).scalars().all()
        for name in sorted(names):
            async with self.database.write(durable=False) as connection:
                await forget(connection, name)

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
            if not await _is_held(connection, trace.id):
                await end_run(connection, trace.id, TraceStatus.CANCELLED, None)
                return
            await _wish(connection, trace.id, cancel=True)

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
            await _is_held(connection, trace.id)
            await _wish(connection, trace.id, finish=True)

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
            TraceConflict: when it has already ended, or was given another reply to the same.
            UsageError: when it waits for no such reply, is not with a worker, or cannot make
                anything of the reply.
            StoreError: when the database cannot be used.
        """
        trace = await Traces(self.database).get_trace(owner, run_id)
        async with self.database.write() as connection:
            await _is_held(connection, trace.id)
            asked = await _open_inquiry(connection, trace.id)
            if asked is None or inquiry_id not in (asked.inquiry.id, str(asked.seq)):
                waited = repr(str(asked.seq)) if asked else "nothing"  # what its readers see
                raise UsageError(
                    f"The run {trace.id!r} does not wait for {quoted(inquiry_id)}; it waits for "
                    f"{waited}."
                )
            meant = GivenReply(seq=asked.seq, reply=asked.inquiry.meant(reply))
            await _check_unanswered(connection, trace.id, meant)
            await _wish(connection, trace.id, reply=meant.model_dump_json())

    async def given_reply(self, job: Job) -> GivenReply | None:
        """Return the last reply that the owner of the run of ``job`` has given.

        Raises:
            SchemaError: when another version of Quaere took it.
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            return await _given(connection, job.run_id)

    async def waiting(self) -> int:
        """Return how many runs are waiting or in progress; about how many, if there are very many.

        Raises:
            StoreError: when the database cannot be used.
        """
        first = select(jobs.c.run_id).select_from(queue()).where(unfinished()).limit(COUNTED + 1)
        async with self.database.read() as connection:
            counted = select(func.count()).select_from(first.subquery())
            found = (await connection.execute(counted)).scalar_one()
            if found <= COUNTED:
                return found
            return max(found, await _estimated(connection))

    async def idle(self) -> bool:
        """Return whether no run is waiting or in progress.

        Raises:
            StoreError: when the database cannot be used.
        """
        one = select(jobs.c.run_id).select_from(queue()).where(unfinished()).limit(1)
        async with self.database.read() as connection:
            return (await connection.execute(one)).scalar_one_or_none() is None

    async def listed(self, after: str, limit: int) -> dict[str, int]:
        """Return the priorities of runs that are not over, by their ids, in the order of the ids.

        Args:
            after: Only ids behind this one.
            limit: How many at most.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = select(jobs.c.run_id, jobs.c.priority).where(
            jobs.c.run_id > after, jobs.c.given_up_at.is_(None)
        )
        async with self.database.read() as connection:
            rows = await connection.execute(wanted.order_by(jobs.c.run_id).limit(limit))
            return {row.run_id: row.priority for row in rows}

    async def position(self, run_id: str) -> int | None:
        """Return how many waiting runs go before this one; None when it does not wait.

        Raises:
            StoreError: when the database cannot be used.
        """
        waits = tool_traces.c.status.in_([str(TraceStatus.PENDING), str(TraceStatus.INTERRUPTED)])
        mine = select(jobs.c.priority, jobs.c.queued_at).select_from(queue())
        async with self.database.read() as connection:
            found = await connection.execute(mine.where(waits, jobs.c.run_id == run_id))
            row = found.one_or_none()
            if row is None:
                return None
            earlier = or_(
                jobs.c.priority > row.priority,
                and_(jobs.c.priority == row.priority, jobs.c.queued_at < row.queued_at),
            )
            counted = select(func.count()).select_from(queue()).where(waits, earlier)
            return (await connection.execute(counted)).scalar_one()


async def _wish(connection: AsyncConnection, run_id: str, **wish: object) -> None:
    """Keep for the worker of a run what its owner wishes.

    Raises:
        UsageError: when no worker has it or will get it.
    """
    wished = update(jobs).where(jobs.c.run_id == run_id).values(wish)
    if not (await connection.execute(wished)).rowcount:
        raise UsageError(f"The run {run_id!r} was stopped; resume it first.")


def _wished(job: Job, row: RowMapping | None) -> Wish:
    if row is None or (row["fence"], row["status"]) != (job.fence, str(TraceStatus.IN_PROGRESS)):
        return Wish.LEAVE
    if row["cancel"]:
        return Wish.CANCEL
    return Wish.FINISH if row["finish"] else Wish.CONTINUE


async def _added(
    connection: AsyncConnection, entries: Sequence[Entry]
) -> list[Trace | TraceConflict]:
    """Add ``entries``, in the transaction of their traces: one without a job would wait forever.

    Their times are of the database's clock, like those they are compared with: submitters may have
    others. One is a microsecond after the other, as they came.
    """
    now = await database_time(connection)
    added = [entry.added(now + n * _MICROSECOND) for n, entry in enumerate(entries)]
    begun = await begin_together(connection, [entry.trace for entry in added])
    rows = [
        entry.row
        for entry, trace in zip(added, begun, strict=True)
        if isinstance(trace, Trace) and trace.status not in ENDED
    ]
    await insert_new(connection, jobs, rows)
    return begun


async def _is_kept(connection: AsyncConnection, run_id: str) -> bool:
    wanted = select(tool_traces.c.id).where(tool_traces.c.id == run_id)
    return (await connection.execute(wanted)).scalar_one_or_none() is not None


async def _open_inquiry(connection: AsyncConnection, run_id: str) -> InquiryRaised | None:
    """Return what the run has asked its owner last, unless it was answered."""
    event = await last_event(connection, run_id, "inquiry_raised", "inquiry_answered")
    return event if isinstance(event, InquiryRaised) else None


async def _given(connection: AsyncConnection, run_id: str) -> GivenReply | None:
    """Return the last reply that the owner of a run has given.

    Raises:
        SchemaError: when another version of Quaere took it.
    """
    wanted = select(jobs.c.reply).where(jobs.c.run_id == run_id)
    told = (await connection.execute(wanted)).scalar_one_or_none()
    try:
        return None if told is None else GivenReply.model_validate_json(told)
    except ValidationError as error:
        raise SchemaError("Another version of Quaere has taken the reply.") from error


async def _check_unanswered(connection: AsyncConnection, run_id: str, meant: GivenReply) -> None:
    """Check that the run was given no other reply to the same, which its worker may have read.

    Raises:
        TraceConflict: when it was.
    """
    given = await _given(connection, run_id)
    if given and given.seq == meant.seq and given != meant:
        raise TraceConflict(f"The run {run_id!r} was already given another reply to that.")


async def _is_held(connection: AsyncConnection, run_id: str) -> bool:
    """Return whether a worker has a run, and lock it until the transaction ends.

    Raises:
        TraceConflict: when it has already ended.
        UsageError: when a process makes it that took it from no queue, and so looks for no wishes.
    """
    columns = (tool_traces.c.status, tool_traces.c.lease_owner, tool_traces.c.lease_until)
    joined = tool_traces.join(jobs, jobs.c.run_id == tool_traces.c.id, isouter=True)
    wanted = select(*columns, jobs.c.run_id).select_from(joined).where(tool_traces.c.id == run_id)
    row = (await connection.execute(wanted.with_for_update(of=tool_traces))).one()
    if row.status in ENDED:
        raise TraceConflict(f"The run {run_id!r} has already ended ({row.status}).")
    if row.run_id is None and row.status == str(TraceStatus.IN_PROGRESS):
        raise UsageError(
            f"The run {run_id!r} was not submitted to a worker; stop it where it was started."
        )
    if row.lease_owner is None:
        return False
    return row.lease_until is None or row.lease_until >= await database_time(connection)


async def _estimated(connection: AsyncConnection) -> int:
    """Return about how many submitted runs there are, without counting them where possible."""
    if connection.dialect.name == "sqlite":
        return (await connection.execute(select(func.count()).select_from(jobs))).scalar_one()
    known = text("SELECT reltuples FROM pg_class WHERE oid = 'jobs'::regclass")
    return int((await connection.execute(known)).scalar_one())


async def fenced(connection: AsyncConnection, job: Job) -> None:
    """Check that ``job`` is still assigned to its worker, and lock it until the transaction ends.

    Raises:
        TraceConflict: when it is not.
    """
    wanted = select(tool_traces.c.fence, tool_traces.c.status).where(tool_traces.c.id == job.run_id)
    row = (await connection.execute(wanted.with_for_update())).one_or_none()
    if row is None or (row.fence, row.status) != (job.fence, str(TraceStatus.IN_PROGRESS)):
        raise _lost(job.run_id)


async def count_anew(connection: AsyncConnection, job: Job) -> None:
    """Count this attempt at ``job`` as its first: it got further than those before it."""
    mine = jobs.c.run_id == job.run_id
    await connection.execute(update(jobs).where(mine).values(attempts=1))


def _lost(run_id: str) -> TraceConflict:
    return TraceConflict(f"The run {run_id!r} has ended, or another worker has taken it over.")


async def end_run(
    connection: AsyncConnection, run_id: str, status: TraceStatus, message: str | None
) -> None:
    """End a run that is not over, whatever its worker thinks; forget its request and answers."""
    await _ended(connection, run_id, status, message)
    await forget(connection, run_id)


async def give_up(connection: AsyncConnection, run_id: str, reason: str) -> None:
    """Let a run fail, and keep its request and answers: an operator may have it tried again."""
    await _ended(connection, run_id, TraceStatus.FAILED, reason)
    given_up = update(jobs).where(jobs.c.run_id == run_id).values(given_up_at=datetime.now(UTC))
    told = given_up.returning(jobs.c.webhook, jobs.c.compared_to)
    await announce(connection, run_id, (await connection.execute(told)).one_or_none())


async def _ended(
    connection: AsyncConnection,
    run_id: str,
    status: TraceStatus,
    message: str | None,
    *,
    fence: int | None = None,
) -> None:
    """End a run, under the ``fence`` of its worker if one is given.

    Raises:
        TraceConflict: when the fence is not that of the run any more.
    """
    changing = update(tool_traces).where(tool_traces.c.id == run_id)
    if fence is not None:
        held = tool_traces.c.status == str(TraceStatus.IN_PROGRESS)
        changing = changing.where(tool_traces.c.fence == fence, held)
    changed = await connection.execute(
        changing.values(
            status=str(status),
            fence=tool_traces.c.fence + 1,
            error_message=message,
            completed_at=datetime.now(UTC),
            lease_owner=None,
            lease_until=None,
        )
    )
    if fence is not None and not changed.rowcount:
        raise _lost(run_id)


async def forget(connection: AsyncConnection, run_id: str) -> None:
    """Take a run that has ended out of the queue, with its answers, within a transaction.

    What must be told of its end is kept.
    """
    await connection.execute(delete(run_answers).where(run_answers.c.run_id == run_id))
    gone = delete(jobs).where(jobs.c.run_id == run_id).returning(jobs.c.webhook, jobs.c.compared_to)
    await announce(connection, run_id, (await connection.execute(gone)).one_or_none())


def queue() -> Join:
    """Return traces with their jobs.

    In this order PostgreSQL locks their rows, as do transactions that end a run: in the other one,
    a worker that takes a run and one that ends it would wait for each other.
    """
    return tool_traces.join(jobs, jobs.c.run_id == tool_traces.c.id)


def unfinished() -> ColumnElement[bool]:
    """Return the condition that a run waits or is in progress."""
    return tool_traces.c.status.in_([str(status) for status in _WORKING])
