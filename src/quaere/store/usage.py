"""What users take, by day in UTC, and what the limits of an API key leave to them.

Runs that are deleted leave what they took, and nothing else: a quota that deleting frees is none.
What leaves no trace, such as a check that is answered at once, is added to it.

Quotas are counted over all servers of a database. Runs and dollars are counted in the transaction
that adds a run. A day is a calendar day in UTC: when a quota is used up, the user can be told when
it is not. Requests are counted by the second, so that a row stays small however many there are. A
second counts until its last request is a minute old: never are more than allowed in any minute.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Dialect,
    Double,
    Select,
    String,
    cast,
    func,
    insert,
    literal,
    select,
    type_coerce,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.access import KeyLimits
from quaere.domain.trace import CHECK_TOOL, ENDED, TOOL, Owner
from quaere.domain.value import Value
from quaere.errors import QuotaExceeded
from quaere.store.db.database import Database, database_time, insert_new, take_turn
from quaere.store.db.schema import (
    deleted_usage,
    jobs,
    key_requests,
    owner_columns,
    owner_is,
    owner_of,
    tool_traces,
)


class DayUsage(Value):
    """What the runs used that one user began on one day."""

    owner: Owner
    day: date
    runs: int
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class UsageSums:
    """The usage in a database."""

    database: Database

    async def by_day(self, owner: Owner | None, first: date, last: date) -> tuple[DayUsage, ...]:
        """Return the usage of ``owner``, or of everybody, on the days from ``first`` to ``last``.

        Days on which nothing was taken are left out. The latest day comes first.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            return await usage_by_day(connection, owner, first, last)

    async def add(self, owner: Owner, tokens: int, cost_usd: float) -> None:
        """Add to the day what ``owner`` took outside of runs.

        Raises:
            StoreError: when the database cannot be used.
        """
        async with self.database.write() as connection:
            today = (await database_time(connection)).astimezone(UTC).date().isoformat()
            mine = owner_is(deleted_usage, owner) & (deleted_usage.c.day == today)
            first = select(func.min(deleted_usage.c.id)).where(mine).scalar_subquery()
            taken = {"tokens": tokens, "cost_usd": cost_usd}
            more = {name: deleted_usage.c[name] + figure for name, figure in taken.items()}
            adding = update(deleted_usage).where(deleted_usage.c.id == first).values(more)
            if not (await connection.execute(adding)).rowcount:
                row = {**owner_columns(owner), "day": today, "runs": 0, **taken}
                await connection.execute(insert(deleted_usage).values(row))


async def usage_by_day(
    connection: AsyncConnection, owner: Owner | None, first: date, last: date
) -> tuple[DayUsage, ...]:
    """Return what `UsageSums.by_day` does, within a transaction."""
    kept = _of_traces(connection.dialect, owner_is(tool_traces, owner))
    gone = select(
        deleted_usage.c.user_id,
        deleted_usage.c.org_id,
        deleted_usage.c.day,
        deleted_usage.c.runs,
        deleted_usage.c.tokens,
        deleted_usage.c.cost_usd,
    ).where(owner_is(deleted_usage, owner))
    rows = union_all(kept, gone).subquery()
    key = (rows.c.user_id, rows.c.org_id, rows.c.day)
    wanted = (
        select(
            *key, *(func.sum(rows.c[name]).label(name) for name in ("runs", "tokens", "cost_usd"))
        )
        .where(rows.c.day >= first.isoformat(), rows.c.day <= last.isoformat())
        .group_by(*key)
        .order_by(rows.c.day.desc(), rows.c.user_id, rows.c.org_id)
    )
    found = (await connection.execute(wanted)).mappings()
    return tuple(
        DayUsage(
            owner=owner_of(row),
            day=date.fromisoformat(row["day"]),
            runs=int(row["runs"]),
            tokens=int(row["tokens"]),
            cost_usd=float(row["cost_usd"]),
        )
        for row in found
    )


async def keep_usage(connection: AsyncConnection, going: ColumnElement[bool]) -> None:
    """Keep what the traces took that ``going`` selects, which are about to be deleted."""
    rows = _of_traces(connection.dialect, going).subquery()
    key = (rows.c.user_id, rows.c.org_id, rows.c.day)
    sums = [func.sum(rows.c[name]) for name in ("runs", "tokens", "cost_usd")]
    names = ["user_id", "org_id", "day", "runs", "tokens", "cost_usd"]
    summed = select(*key, *sums).group_by(*key)
    await connection.execute(insert(deleted_usage).from_select(names, summed))


def _of_traces(dialect: Dialect, condition: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Return a row for each run that ``condition`` selects."""
    metrics, moment = tool_traces.c.metrics, tool_traces.c.created_at
    if dialect.name == "postgresql":
        day = func.to_char(func.timezone("UTC", moment), "YYYY-MM-DD")
    else:  # times are kept as text, in UTC
        day = func.substr(cast(moment, String), 1, 10)
    return select(
        tool_traces.c.user_id,
        tool_traces.c.org_id,
        type_coerce(day, String).label("day"),
        literal(1).label("runs"),
        func.coalesce(cast(metrics["tokens"].as_string(), BigInteger), 0).label("tokens"),
        func.coalesce(cast(metrics["cost_usd"].as_string(), Double), 0.0).label("cost_usd"),
    ).where(tool_traces.c.tool_name.in_([TOOL, CHECK_TOOL]), condition)


RETRY_AFTER_S = 5.0
"""After so long one of the runs of a user may be over."""
WINDOW_S = 60
"""How long a request counts."""


async def check_quotas(connection: AsyncConnection, owner: Owner, limits: KeyLimits) -> None:
    """Check that ``limits`` leave room for one more run of ``owner``.

    Until the transaction ends, no other one of the owner's is checked.

    Raises:
        QuotaExceeded: when they do not; with the seconds after which they may.
    """
    await take_turn(connection, "quotas", owner.user, owner.org)
    if limits.runs_at_a_time is not None:
        going = await _going(connection, owner)
        if going >= limits.runs_at_a_time:
            message = f"Runs in progress: {going}, the most that this key allows."
            raise QuotaExceeded(message, retry_after=RETRY_AFTER_S)
    if limits.runs_per_day is not None:
        runs, _ = await spent_today(connection, owner)
        if runs >= limits.runs_per_day:
            message = f"Runs started today: {runs}, the most that this key allows."
            raise QuotaExceeded(message, retry_after=await _until_tomorrow(connection))
    await dollars_left(connection, owner, limits)


async def dollars_left(
    connection: AsyncConnection, owner: Owner, limits: KeyLimits
) -> float | None:
    """Return the dollars that ``owner`` may still spend today, ``None`` for any number.

    Raises:
        QuotaExceeded: when none are left; with the seconds until tomorrow.
    """
    if limits.usd_per_day is None:
        return None
    _, spent = await spent_today(connection, owner)
    if spent >= limits.usd_per_day:
        message = f"You have spent ${spent:.2f} today; this key allows ${limits.usd_per_day:.2f}."
        raise QuotaExceeded(message, retry_after=await _until_tomorrow(connection))
    return limits.usd_per_day - spent


async def spent_today(connection: AsyncConnection, owner: Owner) -> tuple[int, float]:
    """Return how many runs ``owner`` has begun today, and the dollars spent so far."""
    today = (await database_time(connection)).astimezone(UTC).date()
    days = await usage_by_day(connection, owner, today, today)
    return sum(day.runs for day in days), sum(day.cost_usd for day in days)


async def _going(connection: AsyncConnection, owner: Owner) -> int:
    ended = tool_traces.c.status.in_([str(status) for status in ENDED])
    joined = jobs.join(tool_traces, jobs.c.run_id == tool_traces.c.id)
    counted = select(func.count()).select_from(joined).where(owner_is(tool_traces, owner), ~ended)
    return (await connection.execute(counted)).scalar_one()


async def _until_tomorrow(connection: AsyncConnection) -> float:
    now = (await database_time(connection)).astimezone(UTC)
    tomorrow = (now + timedelta(days=1)).date()
    return (datetime.combine(tomorrow, time(), UTC) - now).total_seconds()


@dataclass(frozen=True, slots=True)
class Counted:
    """What is left to a key after a request."""

    allowed: bool
    """Whether the request is one of those that it has; it does not count if it is not."""
    left: int
    reset_s: int
    """Whole seconds until the oldest of its requests no longer counts."""


async def count_request(database: Database, key_id: str, most: int) -> Counted:
    """Count a request by the key of that id, which may make ``most`` in any minute.

    Raises:
        TraceConflict: when the key was deleted meanwhile.
        StoreError: when the database cannot be used.
    """
    mine = key_requests.c.key_id == key_id
    wanted = select(key_requests.c.seconds).where(mine).with_for_update()
    async with database.write(durable=False) as connection:
        seconds = (await connection.execute(wanted)).scalar_one_or_none()
        if seconds is None:
            await insert_new(connection, key_requests, [{"key_id": key_id, "seconds": {}}])
            seconds = (await connection.execute(wanted)).scalar_one()
        before: dict[str, int] = seconds
        now = (await database_time(connection)).timestamp()
        counts = {
            int(second): count
            for second, count in before.items()
            if now - WINDOW_S - 1 < int(second) <= now  # none of a clock that was ahead
        }
        used = sum(counts.values())
        allowed = used < most
        if allowed:
            counts[int(now)] = counts.get(int(now), 0) + 1
            kept = {str(second): count for second, count in counts.items()}
            await connection.execute(update(key_requests).where(mine).values(seconds=kept))
    reset_s = math.ceil(min(counts, default=int(now)) + 1 + WINDOW_S - now)
    return Counted(allowed, max(0, most - used - allowed), reset_s)
