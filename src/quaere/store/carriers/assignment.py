"""Which worker gets a run: what every carrier does to its row."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import cast

from pydantic import ValidationError
from sqlalchemy import RowMapping, Select, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.request import RunSpec
from quaere.domain.trace import TraceStatus
from quaere.store.db.database import Database, now_of
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
