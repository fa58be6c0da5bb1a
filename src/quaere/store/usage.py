"""What the runs of users took, by day in UTC: for quotas, and for those who pay.

Runs that are deleted leave what they took, and nothing else: a quota that deleting frees is none.
What leaves no trace, such as a check that is answered at once, is added to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date
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
)
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.trace import CHECK_TOOL, TOOL, Owner
from quaere.domain.value import Value
from quaere.store.db.database import Database, database_time
from quaere.store.db.schema import deleted_usage, owner_columns, owner_is, owner_of, tool_traces


class DayUsage(Value):
    """What the runs took that one user began on one day."""

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
            today = (await database_time(connection)).astimezone(UTC).date()
            taken = {"runs": 0, "tokens": tokens, "cost_usd": cost_usd}
            row = {**owner_columns(owner), "day": today.isoformat(), **taken}
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
