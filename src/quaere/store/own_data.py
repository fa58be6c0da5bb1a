"""All that is stored of a run, as one value, and the deletion of all that is stored of a user."""

from __future__ import annotations

from sqlalchemy import delete, select

from quaere.domain.events import RunEvent, RunFinished
from quaere.domain.report import Report
from quaere.domain.trace import Owner, Source, Trace
from quaere.domain.value import Value
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
from quaere.store.submission import account_of
from quaere.store.traces.log import drop_orphans
from quaere.store.traces.traces import Traces


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


async def run_ids(database: Database, owner: Owner) -> tuple[str, ...]:
    """Return the ids of all runs of ``owner``, the latest first, whether they can be read or not.

    Raises:
        StoreError: when the database cannot be used.
    """
    columns = tool_traces.c
    wanted = select(columns.id).where(owner_is(tool_traces, owner))
    async with database.read() as connection:
        found = await connection.execute(wanted.order_by(columns.created_at.desc(), columns.id))
        return tuple(found.scalars())


class UnreadableRun(Value):
    """A run that is stored, and cannot be read here."""

    id: str
    error: str
    """Why."""


class ExportedRun(Value):
    """All that is stored about a run."""

    trace: Trace
    events: tuple[RunEvent, ...]
    sources: tuple[Source, ...]
    report: Report | None


async def export_run(traces: Traces, owner: Owner, trace_id: str) -> ExportedRun:
    """Return all that is stored about a run.

    Raises:
        TraceNotFound: when ``owner`` has no such run.
        StoreError: when the database cannot be used.
    """
    trace = await traces.get_trace(owner, trace_id)
    events = await traces.events(owner, trace.id)
    reports = [event.report for event in events if isinstance(event, RunFinished)]
    return ExportedRun.model_construct(
        trace=trace,
        events=events,
        sources=await traces.sources(owner, trace.id),
        report=reports[-1] if reports else None,
    )
