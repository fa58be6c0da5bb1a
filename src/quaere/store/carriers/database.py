"""Which worker gets a run: what every carrier does to its row, and the database as a carrier.

The database alone carries runs for one machine, or a few, with any number of processes. A worker
holds a lease on its run, in the row of its trace, and renews it. When the lease expires, the run is
there to be taken again. Leases use the clock of the database, so the clocks of the workers need not
agree. PostgreSQL workers take runs with ``SKIP LOCKED``, and SQLite allows one claim at a time.

News travel by LISTEN and NOTIFY; with SQLite they stay in the process.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final, cast
from uuid import uuid4

from pydantic import ValidationError
from sqlalchemy import (
    ARRAY,
    RowMapping,
    Select,
    String,
    and_,
    bindparam,
    func,
    not_,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.request import RunSpec
from quaere.domain.trace import TraceStatus
from quaere.store.carriers import QUEUE, Delivery
from quaere.store.db.database import Database, database_time, now_of
from quaere.store.db.schema import jobs, owner_of, tool_traces
from quaere.store.jobs import Job, end_run, give_up, queue, unfinished

MAX_ATTEMPTS = 5
"""Attempts before a run is marked as failed, so that one that kills its workers is not retried
forever. One that got an answer which those before it had not is the first again."""


class Denied(StrEnum):
    """Why a run is not assigned to a worker."""

    OVER = "over"
    """It has ended, before or just now: it was cancelled, too late, or has failed too often."""
    LATER = "later"
    """Its user has as many in progress as are allowed."""


async def take(
    database: Database, run_id: str, worker: str, *, per_user: int | None = None
) -> Job | Denied:
    """Assign a run to ``worker``, even if another has it, or say why not.

    Args:
        database: Where it is.
        run_id: Id of the run, which need not exist.
        worker: Name of the worker.
        per_user: Maximum number of runs of one user in progress.

    Raises:
        StoreError: when the database cannot be used.
    """
    # A failure of the machine that has a file ends its workers, too.
    async with database.write(durable=False) as connection:
        wanted = assignable(connection).where(jobs.c.run_id == run_id).with_for_update()
        row = (await connection.execute(wanted)).mappings().one_or_none()
        if row is None:
            return Denied.OVER
        if per_user is not None and await _is_busy(connection, row, per_user):
            return Denied.LATER
        return await assign(connection, row, worker) or Denied.OVER


async def assign(
    connection: AsyncConnection,
    row: RowMapping,
    worker: str,
    *,
    lease_s: float | None = None,
) -> Job | None:
    """Assign a run to ``worker`` within a transaction that has locked it; None if it ends instead.

    It ends if it was cancelled or is past its deadline. It is given up if it has failed too often
    or cannot be read, and then kept for an operator.

    Args:
        connection: That of the transaction.
        row: What `assignable` selects of it.
        worker: Name of the worker.
        lease_s: Seconds until its lease ends, with carriers that keep leases in the database.
    """
    run_id, spec = cast("str", row["run_id"]), _spec(row)
    now = cast("datetime", row["now"])
    until = None if lease_s is None else now + timedelta(seconds=lease_s)
    if await _ends(connection, row, now, readable=spec is not None) or spec is None:
        return None
    before, attempt = cast("int", row["fence"]), cast("int", row["attempts"]) + 1
    fence = before + 1
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
    await connection.execute(update(jobs).where(jobs.c.run_id == run_id).values(attempts=attempt))
    return Job(
        spec=spec,
        owner=owner_of(row),
        fence=fence,
        attempt=attempt,
        left_s=_left_s(row, now),
        finish=bool(row["finish"]),
        taken_over=row["status"] == str(TraceStatus.IN_PROGRESS),
        fresh=before == 0 and row["last_seq"] == 0,
    )


def assignable(connection: AsyncConnection) -> Select[tuple[object, ...]]:
    """Return what selects runs that are not over, and the time, as `assign` takes them."""
    seen = tool_traces.c
    columns = (seen.fence, seen.status, seen.org_id, seen.last_seq)
    now = now_of(connection).label("now")
    return select(jobs, *columns, now).select_from(queue()).where(unfinished())


def _left_s(row: RowMapping, now: datetime) -> float | None:
    deadline = cast("datetime | None", row["deadline"])
    return None if deadline is None else (deadline - now).total_seconds()


async def _is_busy(connection: AsyncConnection, row: RowMapping, per_user: int) -> bool:
    """Return whether the user of the run in ``row`` has ``per_user`` others in progress."""
    user = cast("str", row["user_id"])
    if connection.dialect.name != "sqlite":  # two concurrent counts would both find room
        key = func.hashtextextended(user, 0)
        await connection.execute(select(func.pg_advisory_xact_lock(key)))
    others = (
        select(func.count())
        .select_from(queue())
        .where(
            jobs.c.user_id == user,
            jobs.c.run_id != row["run_id"],
            tool_traces.c.status == str(TraceStatus.IN_PROGRESS),
        )
    )
    return (await connection.execute(others)).scalar_one() >= per_user


def _spec(row: RowMapping) -> RunSpec | None:
    """Return the request; None when another version wrote it and it cannot be read."""
    try:
        return RunSpec.model_validate_json(cast("str", row["request"]))
    except ValidationError:
        return None


async def _ends(
    connection: AsyncConnection, row: RowMapping, now: datetime, *, readable: bool
) -> bool:
    """End a run that must not be assigned; return whether it is one."""
    run_id, deadline = cast("str", row["run_id"]), cast("datetime | None", row["deadline"])
    if row["cancel"]:
        await end_run(connection, run_id, TraceStatus.CANCELLED, None)
    elif deadline is not None and deadline <= now:
        late = "The deadline passed before the run finished."
        await end_run(connection, run_id, TraceStatus.FAILED, late)
    elif cast("int", row["attempts"]) >= MAX_ATTEMPTS:
        await give_up(connection, run_id, f"Gave up after {MAX_ATTEMPTS} failed attempts.")
    elif not readable:
        await give_up(
            connection, run_id, "It was submitted by another version of Quaere; submit it again."
        )
    else:
        return False
    return True


CLEARED = 50
"""Runs that one claim ends at most because they cannot be made: it blocks all other writers."""
CHANNEL = "quaere_news"
_CLAIMING = 0x71756165
"""Key of the lock that makes claims with a limit per user take turns: "quae"."""
_LEAP_S = 1.0
"""A time of day that gains more at once was set, or the machine has slept."""


@dataclass(frozen=True, slots=True)
class DatabaseDelivery:
    """A run with a lease, which ends with the run or its release."""

    job: Job

    async def done(self) -> None:
        """Do nothing: a run that has ended is not taken again."""

    async def back(self) -> None:
        """Do nothing: a run that was released has no lease."""


class DatabaseCarrier:
    """A `quaere.store.carriers.Carrier` that needs nothing but the database."""

    def __init__(self, database: Database) -> None:
        self.database: Final = database
        self._self = uuid4().hex
        self._waking: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()
        self._ahead = _ahead_s()
        self._leap_s, self._leap_holds = 0.0, -math.inf

    @property
    def name(self) -> str:
        """The address of the database."""
        return self.database.name

    @property
    def wakes(self) -> bool:
        """Whether it is PostgreSQL."""
        return not self.database.sqlite

    async def check(self) -> None:
        """Look at the tables."""
        await self.database.version()

    async def offer(self, run_id: str, priority: int) -> None:
        """Wake the workers, once for all runs that come while that is done for others."""
        del run_id, priority
        if self.database.sqlite:
            return
        if self._waking is None:
            self._waking = asyncio.create_task(self._wake())
        await asyncio.shield(self._waking)

    async def take(
        self, worker: str, *, lease_s: float, per_user: int | None = None
    ) -> Delivery | None:
        """Return the next run by priority, then by age, with a lease of ``lease_s`` seconds."""
        asked = time.monotonic()
        async with self.database.write(durable=False) as connection:
            # While this waited for the database, other workers could not renew their leases either.
            waited_s = time.monotonic() - asked + self._leapt_s(lease_s)
            for _ in range(CLEARED):
                row = await self._next(connection, waited_s, per_user)
                if row is None:
                    return None
                if job := await assign(connection, row, worker, lease_s=lease_s):
                    return DatabaseDelivery(job)
        return None

    async def due_s(self) -> float:
        """Return the seconds until the first of the leases ends, unless it is renewed."""
        until, working = tool_traces.c.lease_until, str(TraceStatus.IN_PROGRESS)
        first = select(func.min(until, type_=until.type)).where(tool_traces.c.status == working)
        async with self.database.read() as connection:
            ends = (await connection.execute(first)).scalar_one()
            if ends is None:
                return math.inf
            return max(0.0, (ends - await database_time(connection)).total_seconds())

    async def beat(self, held: Sequence[Delivery], *, lease_s: float) -> None:
        """Renew the leases, in one statement."""
        mine = tuple_(tool_traces.c.id, tool_traces.c.fence)
        async with self.database.write(durable=False) as connection:
            until = await database_time(connection) + timedelta(seconds=lease_s)
            await connection.execute(
                update(tool_traces)
                .where(
                    mine.in_([(each.job.run_id, each.job.fence) for each in held]),
                    tool_traces.c.status == str(TraceStatus.IN_PROGRESS),
                )
                .values(lease_until=until)
            )

    async def withdraw(self, run_id: str) -> None:
        """Do nothing: a run that was cancelled is not taken."""

    async def sweep(self) -> bool:
        """Do nothing: whatever is not over is in the queue."""
        return False

    async def tell(self, subjects: Collection[str]) -> None:
        """Notify those who listen at PostgreSQL."""
        if self.database.sqlite or not subjects:
            return
        told = bindparam("told", [f"{self._self} {each}" for each in subjects], ARRAY(String))
        async with self.database.write(durable=False) as connection:
            await connection.execute(
                select(
                    func.set_config("synchronous_commit", "off", True),
                    func.pg_notify(CHANNEL, func.unnest(told)),
                )
            )

    async def news(self) -> AsyncGenerator[str]:
        """Yield what is notified by other processes; nothing with SQLite."""
        if self.database.sqlite:
            return
        async with aclosing(self.database.listen(CHANNEL)) as notices:
            async for notice in notices:
                sender, _, subject = notice.partition(" ")
                if sender != self._self:
                    yield subject

    async def aclose(self) -> None:
        """Do nothing: the database is somebody else's."""

    async def _wake(self) -> None:
        async with self._turn:
            self._waking = None  # runs that come from now on are not in what is sent
            await self.tell((QUEUE,))

    def _leapt_s(self, lease_s: float) -> float:
        """Return what the time of day has gained at once, for as long as a lease lasts.

        All leases have then ended at once; until then, those who make runs have renewed theirs.
        """
        before, self._ahead = self._ahead, _ahead_s()
        if self._ahead - before > _LEAP_S:
            self._leap_s = self._ahead - before
            self._leap_holds = time.monotonic() + lease_s
        return self._leap_s if time.monotonic() < self._leap_holds else 0.0

    async def _next(
        self, connection: AsyncConnection, waited_s: float, per_user: int | None
    ) -> RowMapping | None:
        lapsed = now_of(connection, before_s=waited_s)
        held = and_(
            tool_traces.c.status == str(TraceStatus.IN_PROGRESS),
            tool_traces.c.lease_until >= lapsed,
        )
        free = or_(
            tool_traces.c.status != str(TraceStatus.IN_PROGRESS),
            tool_traces.c.lease_until.is_(None),
            tool_traces.c.lease_until < lapsed,
        )
        conditions = [free]
        if per_user is not None:
            if not self.database.sqlite:  # two concurrent counts would both find room
                await connection.execute(select(func.pg_advisory_xact_lock(_CLAIMING)))
            busy = select(tool_traces.c.user_id).where(held).group_by(tool_traces.c.user_id)
            conditions.append(not_(jobs.c.user_id.in_(busy.having(func.count() >= per_user))))
        wanted = (
            assignable(connection)
            .where(*conditions)
            .order_by(jobs.c.priority.desc(), jobs.c.queued_at, jobs.c.run_id)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        return (await connection.execute(wanted)).mappings().one_or_none()


def _ahead_s() -> float:
    """Return how far the time of day is ahead of a clock that is never set."""
    return time.time() - time.monotonic()
