"""What must be told of ended runs, and to whom: kept until it was told or given up.

It is written in the transaction that removes a run from the queue, so that no end is missed. An
address may be told more than once, always under the same id.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Row, and_, false, not_, or_, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.trace import Owner
from quaere.domain.url import host_of
from quaere.domain.value import Value
from quaere.errors import NotFound
from quaere.store.db.database import Database, database_time, insert_new
from quaere.store.db.schema import owner_is, tool_traces, value_of, webhooks
from quaere.text.sanitize import quoted

WAITS_S = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds before each further attempt, as the Standard Webhooks specification proposes them:
https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md"""
HELD_S = 60.0
"""After so long another process tells what one has taken and said nothing of."""
AT_ONCE = 20
MAX_LISTED = 500
_WANTED = select(webhooks, tool_traces.c.user_id, tool_traces.c.org_id).select_from(
    webhooks.join(tool_traces, webhooks.c.run_id == tool_traces.c.id)
)


class Webhook(Value):
    """What must be told of a run."""

    id: str
    run_id: str
    owner: Owner
    """Of the run."""
    url: str
    compared_to: str | None
    """An earlier run; nothing is told if this one has found the same."""
    attempts: int
    created_at: datetime
    next_at: datetime | None
    """When it is tried next; None when it was told or given up."""
    delivered_at: datetime | None
    error: str | None
    """Why the last attempt failed."""

    @property
    def host(self) -> str:
        """That of the address, the rest of which may be a secret."""
        return host_of(self.url)


async def announce(
    connection: AsyncConnection, run_id: str, job: Row[str | None, str | None] | None
) -> None:
    """Keep what must be told of a run that has ended, within the transaction of the caller.

    ``job`` is its webhook and the run it is compared to; nothing is told without a webhook.
    """
    url, compared_to = job or (None, None)
    if url is None:
        return
    wanted = select(tool_traces.c.fence).where(tool_traces.c.id == run_id)
    fence = (await connection.execute(wanted)).scalar_one()
    now = await database_time(connection)
    values = {
        "id": f"msg_{hashlib.sha256(f'{run_id} {fence}'.encode()).hexdigest()[:32]}",
        "run_id": run_id,
        "url": url,
        "compared_to": compared_to,
        "created_at": now,
        "next_at": now,
    }
    await insert_new(connection, webhooks, [values])


@dataclass(frozen=True, slots=True)
class Webhooks:
    """The webhooks of a database."""

    database: Database

    async def take(
        self, most: int = AT_ONCE, *, to: Collection[str] = (), but: Collection[str] = ()
    ) -> tuple[Webhook, ...]:
        """Return those that are due, which no other process takes within `HELD_S` seconds.

        The attempt counts from now on.

        Args:
            most: How many at most.
            to: Beginnings of the addresses to which alone; to any when there are none.
            but: Beginnings of addresses to which not.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = _begins(to) if to else not_(_begins(but))
        async with self.database.read() as connection:  # mostly there are none
            due = wanted & (webhooks.c.next_at <= await database_time(connection))
            first_due = select(webhooks.c.id).where(due).limit(1)
            if (await connection.execute(first_due)).one_or_none() is None:
                return ()
        async with self.database.write() as connection:
            now = await database_time(connection)
            first = _WANTED.where(wanted, webhooks.c.next_at <= now).order_by(webhooks.c.next_at)
            locked = first.limit(most).with_for_update(of=webhooks, skip_locked=True)
            taken = [
                value_of(row, Webhook) for row in (await connection.execute(locked)).mappings()
            ]
            await connection.execute(
                update(webhooks)
                .where(webhooks.c.id.in_([each.id for each in taken]))
                .values(attempts=webhooks.c.attempts + 1, next_at=now + timedelta(seconds=HELD_S))
            )
        return tuple(each.model_copy(update={"attempts": each.attempts + 1}) for each in taken)

    async def mark_told(self, webhook: Webhook) -> None:
        """Keep that it was told, or that there is nothing to tell.

        Raises:
            StoreError: when the database cannot be used; it is told again.
        """
        await self._settle(webhook, error=None)

    async def failed(self, webhook: Webhook, reason: str, *, final: bool = False) -> None:
        """Keep why it could not be told, and when to try again: never if it is ``final``.

        Raises:
            StoreError: when the database cannot be used.
        """
        final = final or webhook.attempts > len(WAITS_S)
        again_s = None if final else WAITS_S[webhook.attempts - 1]
        await self._settle(webhook, error=reason, again_s=again_s)

    async def undelivered(self) -> Sequence[Webhook]:
        """Return those that were not told, the newest first, 500 at most.

        Raises:
            StoreError: when the database cannot be used.
        """
        return await self._newest(webhooks.c.delivered_at.is_(None), MAX_LISTED)

    async def of(
        self,
        owner: Owner,
        *,
        run_id: str | None = None,
        delivered: bool | None = None,
        without: Collection[str] = (),
        limit: int = MAX_LISTED,
    ) -> Sequence[Webhook]:
        """Return those of the runs of ``owner``, the newest first.

        Args:
            owner: Whose runs.
            run_id: Of this run only.
            delivered: Only those that were told, or only those that were not.
            without: Addresses that are not the owner's, but the operator's.
            limit: How many at most.

        Raises:
            StoreError: when the database cannot be used.
        """
        wanted = _of(owner, without)
        if run_id is not None:
            wanted &= webhooks.c.run_id == run_id
        if delivered is not None:
            wanted &= webhooks.c.delivered_at.is_not(None) == delivered
        return await self._newest(wanted, limit)

    async def redeliver(
        self, webhook_id: str, owner: Owner | None = None, *, without: Collection[str] = ()
    ) -> None:
        """Have it told now, also if it was told before or given up.

        Args:
            webhook_id: Which one.
            owner: Of a run of this owner only.
            without: Not one to these addresses.

        Raises:
            NotFound: when there is none of that id.
            StoreError: when the database cannot be used.
        """
        again = update(webhooks).where(webhooks.c.id == webhook_id, _of(owner, without))
        async with self.database.write() as connection:
            values = {
                "next_at": await database_time(connection),
                "attempts": 0,
                "delivered_at": None,
            }
            if not (await connection.execute(again.values(values))).rowcount:
                raise NotFound(f"There is no webhook {quoted(webhook_id)}.")

    async def _newest(self, wanted: ColumnElement[bool], limit: int) -> Sequence[Webhook]:
        newest = _WANTED.where(wanted).order_by(webhooks.c.created_at.desc(), webhooks.c.id)
        return [value_of(row, Webhook) for row in await self.database.rows(newest.limit(limit))]

    async def _settle(
        self, webhook: Webhook, *, error: str | None, again_s: float | None = None
    ) -> None:
        """Keep how an attempt ended, by the clock that says what is due."""
        mine = (webhooks.c.id == webhook.id) & (webhooks.c.attempts == webhook.attempts)
        async with self.database.write() as connection:
            now = await database_time(connection)
            values = {
                "delivered_at": now if error is None else None,
                "next_at": None if again_s is None else now + timedelta(seconds=again_s),
                "error": error,
            }
            await connection.execute(update(webhooks).where(mine).values(values))


def _of(owner: Owner | None, without: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that a webhook is of a run of ``owner``, and not to ``without``."""
    runs = select(tool_traces.c.id).where(owner_is(tool_traces, owner))
    mine = true() if owner is None else webhooks.c.run_id.in_(runs)
    return and_(mine, webhooks.c.url.not_in(tuple(without)))


def _begins(beginnings: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that an address begins in one of these ways."""
    ways = (webhooks.c.url.startswith(each, autoescape=True) for each in beginnings)
    return or_(false(), *ways)
