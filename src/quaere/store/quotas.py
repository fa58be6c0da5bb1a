"""How many runs a user may have, counted in the transaction that adds one.

A day is a calendar day in UTC: when a quota is used up, the user can be told when it is not.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.access import KeyLimits
from quaere.domain.trace import ENDED, Owner
from quaere.errors import QuotaExceeded
from quaere.store.db.database import database_time, take_turn
from quaere.store.db.schema import jobs, tool_traces
from quaere.store.traces.rows import of
from quaere.store.usage import usage_by_day

RETRY_AFTER_S = 5.0
"""After so long one of the runs of a user may be over."""


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
            message = f"You have {going} runs at a time, which is what this key allows."
            raise QuotaExceeded(message, retry_after=RETRY_AFTER_S)
    if limits.runs_per_day is not None or limits.usd_per_day is not None:
        await _check_today(connection, owner, limits)


async def _check_today(connection: AsyncConnection, owner: Owner, limits: KeyLimits) -> None:
    runs, spent = await spent_today(connection, owner)
    retry_after = _until_tomorrow(await database_time(connection))
    if limits.runs_per_day is not None and runs >= limits.runs_per_day:
        message = f"You have begun {runs} runs today, which is what this key allows."
        raise QuotaExceeded(message, retry_after=retry_after)
    if limits.usd_per_day is not None and spent >= limits.usd_per_day:
        message = f"Your runs took ${spent:.2f} today; this key allows ${limits.usd_per_day:.2f}."
        raise QuotaExceeded(message, retry_after=retry_after)


async def spent_today(connection: AsyncConnection, owner: Owner) -> tuple[int, float]:
    """Return how many runs ``owner`` has begun today, and the dollars that they took so far."""
    today = (await database_time(connection)).astimezone(UTC).date()
    days = await usage_by_day(connection, owner, today, today)
    return sum(day.runs for day in days), sum(day.cost_usd for day in days)


async def _going(connection: AsyncConnection, owner: Owner) -> int:
    ended = tool_traces.c.status.in_([str(status) for status in ENDED])
    joined = jobs.join(tool_traces, jobs.c.run_id == tool_traces.c.id)
    counted = select(func.count()).select_from(joined).where(of(owner), ~ended)
    return (await connection.execute(counted)).scalar_one()


def _until_tomorrow(now: datetime) -> float:
    tomorrow = (now.astimezone(UTC) + timedelta(days=1)).date()
    return (datetime.combine(tomorrow, time(), UTC) - now).total_seconds()
