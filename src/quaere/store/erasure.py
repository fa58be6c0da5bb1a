"""Deletes all that a database holds of one user."""

from __future__ import annotations

from sqlalchemy import delete, select

from quaere.domain.trace import Owner
from quaere.store.db.database import Database
from quaere.store.db.schema import (
    api_keys,
    chat_messages,
    conversations,
    deleted_usage,
    idempotency_keys,
    owner_is,
    schedules,
    tool_traces,
)
from quaere.store.request_keys import account_of
from quaere.store.traces.log import drop_orphans


async def erase(database: Database, owner: Owner) -> tuple[str, ...]:
    """Delete all that ``owner`` has; return the ids of the runs.

    A run that is being made ends, because its worker finds it gone. Folders are deleted by
    `quaere.runtime.folders.Folders.delete_all`, as they have files.

    Raises:
        StoreError: when they cannot be deleted; nothing is then.
    """
    mine = owner_is(tool_traces, owner)
    async with database.write() as connection:
        runs = (await connection.execute(select(tool_traces.c.id).where(mine))).scalars().all()
        owned = (chat_messages, conversations, tool_traces, deleted_usage, api_keys, schedules)
        for table in owned:
            await connection.execute(delete(table).where(owner_is(table, owner)))
        requests = idempotency_keys.c.user_id == account_of(owner)
        await connection.execute(delete(idempotency_keys).where(requests))
        await drop_orphans(connection)
    await database.scrub()
    return tuple(sorted(runs))
