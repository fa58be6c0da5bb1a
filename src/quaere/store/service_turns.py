"""What all processes know together of a service: when the next call may begin, and that it is down.

Each is one row a service, with a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select, update

from quaere.resilience.limits import Turn
from quaere.store.db.database import Database, database_time, insert_new
from quaere.store.db.schema import service_limits

SKEWED_S = 3_600.0
"""A turn further ahead than this is not waited for: the clock of the database was set back."""
_DOWN = "\tdown"
"""Ends the name of the row that says until when a service is taken to be down."""
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ServiceTurns:
    """The turns of `quaere.resilience.limits` in a database, by its clock.

    It is also what keeps the hints of `quaere.resilience.breaker`.
    """

    database: Database

    async def take(self, name: str, *, from_s: float, ahead_s: float, for_s: float) -> Turn:
        """Take the next turn of a service, unless it comes later than ``ahead_s`` from now."""
        mine = service_limits.c.name == name
        wanted = select(service_limits.c.free_at).where(mine).with_for_update()
        async with self.database.write(durable=False) as connection:
            free_at = (await connection.execute(wanted)).scalar_one_or_none()
            if free_at is None:
                await insert_new(connection, service_limits, [{"name": name, "free_at": _LONG_AGO}])
                free_at = (await connection.execute(wanted)).scalar_one()
            now = await database_time(connection)
            at = max(free_at, now + timedelta(seconds=from_s))
            if at > now + timedelta(seconds=SKEWED_S):
                at = now
            if at > now + timedelta(seconds=ahead_s):
                return Turn(at.timestamp(), now.timestamp(), taken=False)
            until = at + timedelta(seconds=for_s)
            await connection.execute(update(service_limits).where(mine).values(free_at=until))
        return Turn(at.timestamp(), now.timestamp(), taken=True)

    async def tell_down(self, name: str, *, for_s: float) -> None:
        """Keep that a service is down for so many seconds; 0 when it is well again."""
        row = service_limits.c.name == name + _DOWN
        async with self.database.write(durable=False) as connection:
            if for_s <= 0:
                await connection.execute(delete(service_limits).where(row))
                return
            until = await database_time(connection) + timedelta(seconds=for_s)
            await insert_new(connection, service_limits, [{"name": name + _DOWN, "free_at": until}])
            await connection.execute(update(service_limits).where(row).values(free_at=until))

    async def down(self) -> frozenset[str]:
        """Return the names of services that are down, as far as somebody told and it holds yet."""
        async with self.database.read() as connection:
            now = await database_time(connection)
            held = service_limits.c.free_at.between(now, now + timedelta(seconds=SKEWED_S))
            wanted = select(service_limits.c.name).where(held)
            names = (await connection.execute(wanted)).scalars().all()
        return frozenset(name.removesuffix(_DOWN) for name in names if name.endswith(_DOWN))
