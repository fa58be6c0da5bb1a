"""Which traces may be deleted, and how: with all that is stored about their runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import (
    ColumnElement,
    LargeBinary,
    and_,
    cast,
    delete,
    func,
    not_,
    or_,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from quaere.domain.trace import ENDED, TraceStatus
from quaere.store.db.schema import jobs, pages, run_events, run_sources, tool_traces
from quaere.store.traces.log import drop_orphans
from quaere.store.usage import keep_usage

BATCH = 500
"""Ids in one statement; databases take no number of them."""


def may_go() -> ColumnElement[bool]:
    """Return the condition that a trace may be deleted to save space.

    It is not pinned, and its run is neither in progress nor waiting for a worker.
    """
    waits = tool_traces.c.id.in_(select(jobs.c.run_id))
    return and_(
        not_(tool_traces.c.pinned),
        tool_traces.c.status != str(TraceStatus.IN_PROGRESS),
        or_(tool_traces.c.status.in_([str(status) for status in ENDED]), not_(waits)),
    )


async def delete_traces(
    connection: AsyncConnection, condition: ColumnElement[bool]
) -> Sequence[str]:
    """Delete the traces that ``condition`` selects and return their ids; their usage is kept."""
    await keep_usage(connection, condition)
    going = delete(tool_traces).where(condition).returning(tool_traces.c.id)
    gone = (await connection.execute(going)).scalars().all()
    if gone:
        await drop_orphans(connection)
    return gone


async def excess(
    connection: AsyncConnection, mine: ColumnElement[bool], most_bytes: int
) -> list[str]:
    """Return the oldest traces that may go, as many as have to for the rest to be small enough."""
    sizes = await _sizes(connection)
    wanted = select(tool_traces.c.id, may_go().label("may_go")).where(mine)
    oldest = wanted.order_by(tool_traces.c.created_at, tool_traces.c.id)
    rows = (await connection.execute(oldest)).all()
    total = sum(sizes.get(row.id, 0) for row in rows)
    going: list[str] = []
    for row in rows:
        if total <= most_bytes:
            break
        if row.may_go:
            going.append(row.id)
            total -= sizes.get(row.id, 0)
    return going


async def _sizes(connection: AsyncConnection) -> dict[str, int]:
    """Return the bytes of the events and pages of each run."""
    if connection.dialect.name == "postgresql":
        written = func.octet_length(run_events.c.body)
    else:
        written = func.length(cast(run_events.c.body, LargeBinary))
    by_run = select(run_events.c.run_id, func.sum(written)).group_by(run_events.c.run_id)
    sizes = {row[0]: int(row[1]) for row in (await connection.execute(by_run)).all()}
    read = select(run_sources.c.run_id, run_sources.c.page_hash).distinct().subquery()
    by_page = (
        select(read.c.run_id, func.sum(func.length(pages.c.body)))
        .select_from(read.join(pages, pages.c.hash == read.c.page_hash))
        .group_by(read.c.run_id)
    )
    for run_id, size in (await connection.execute(by_page)).all():
        sizes[run_id] = sizes.get(run_id, 0) + int(size)
    return sizes


def batched(names: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield ``names`` in parts of ``size`` at most."""
    for first in range(0, len(names), size):
        yield names[first : first + size]
