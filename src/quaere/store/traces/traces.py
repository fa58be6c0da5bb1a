"""The trace service: the stored trace of every run, by owner (R4.3).

All methods take an owner and see no other owner's traces. Times are in UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol, Self

from pydantic import JsonValue
from sqlalchemy import and_, delete, insert, not_, or_, select, update

from quaere.domain.events import RUN_EVENT, Event, RunFinished
from quaere.domain.trace import ENDED, TOOL, Owner, Source, Trace, TraceList, TraceStatus
from quaere.errors import TraceConflict, TraceNotFound
from quaere.store.db.database import Database
from quaere.store.db.schema import jobs, run_events, tool_traces
from quaere.store.run_id import resolve_run_id
from quaere.store.traces.log import (
    drop_event,
    drop_orphans,
    event_row,
    keep_report,
    keep_sources,
    sources_of,
)
from quaere.store.traces.rows import (
    asked,
    begin,
    beginning,
    behind,
    change,
    following,
    locked,
    named,
    of,
    place,
    trace_of,
)
from quaere.text.sanitize import quoted

MAX_LISTED = 200


class RunSummary(Protocol):
    """What the events of a run add up to in the columns of its trace."""

    def after(self, event: Event) -> Self:
        """Return the summary once ``event`` has happened."""
        ...

    def columns(self, events: Iterable[Event]) -> Mapping[str, object]:
        """Return the columns that ``events`` change, the last of those taken in."""
        ...


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces in a database."""

    database: Database

    async def create_trace(
        self,
        owner: Owner,
        params: Mapping[str, JsonValue],
        *,
        tool: str = TOOL,
        trace_id: str = "",
        created_at: datetime | None = None,
    ) -> Trace:
        """Create a trace with the status ``pending``; it is durable when this returns.

        If the owner already has a trace with that id, it is returned unchanged.

        Args:
            owner: Owner of the trace.
            params: Input of the tool.
            tool: Name of the tool.
            trace_id: At most 64 printable characters; random by default.
            created_at: Time of the request; now by default.

        Raises:
            TraceConflict: when another owner has a trace with that id.
            UsageError: when the id is too long or not printable.
            StoreError: when it cannot be saved.
        """
        trace = asked(owner, params, tool=tool, trace_id=trace_id, created_at=created_at)
        async with self.database.write() as connection:
            return await begin(connection, trace)

    async def update_progress(
        self,
        owner: Owner,
        trace_id: str,
        *,
        stage: str,
        progress: float,
        state: Mapping[str, JsonValue] | None = None,
    ) -> None:
        """Store the progress of a run, and set its status to ``in_progress``.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            TraceConflict: when it has ended.
            StoreError: when it cannot be saved.
        """
        changes: dict[str, object] = {"current_stage": stage, "progress": progress}
        if state is not None:
            changes["state"] = state
        await self._change(owner, trace_id, TraceStatus.IN_PROGRESS, changes, durable=False)

    async def complete_trace(
        self,
        owner: Owner,
        trace_id: str,
        result: Mapping[str, JsonValue],
        metrics: Mapping[str, JsonValue],
    ) -> None:
        """Store the result of a run, and set its status to ``completed``.

        Raises as `update_progress`.
        """
        changes: dict[str, object] = {"result": result, "metrics": metrics, "progress": 1.0}
        await self._change(owner, trace_id, TraceStatus.COMPLETED, changes)

    async def fail_trace(self, owner: Owner, trace_id: str, message: str) -> None:
        """Set the status of a run to ``failed``, with the error. Raises as `update_progress`."""
        await self._change(owner, trace_id, TraceStatus.FAILED, {"error_message": message})

    async def cancel(self, owner: Owner, trace_id: str) -> None:
        """Set the status of a run to ``cancelled``. Raises as `update_progress`."""
        await self._change(owner, trace_id, TraceStatus.CANCELLED, {})

    async def interrupt(self, owner: Owner, trace_id: str) -> None:
        """Set the status of a run to ``interrupted``. Raises as `update_progress`."""
        await self._change(owner, trace_id, TraceStatus.INTERRUPTED, {})

    async def reopen(self, owner: Owner, trace_id: str) -> Trace:
        """Take over a run that was stopped or failed, and return its trace with a new fence.

        Its previous worker can no longer write to it. The event of its failure is deleted.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            TraceConflict: when it was completed.
            StoreError: when it cannot be saved.
        """
        async with self.database.write() as connection:
            trace = await locked(connection, owner, trace_id)
            if trace.status is TraceStatus.COMPLETED:
                raise TraceConflict(f"The run {trace_id!r} has already ended ({trace.status}).")
            last = trace.last_seq - await drop_event(connection, trace_id, "run_failed")
            changes = {
                "status": str(TraceStatus.IN_PROGRESS),
                "fence": trace.fence + 1,
                "last_seq": last,
                "completed_at": None,
                "error_message": None,
            }
            await connection.execute(
                update(tool_traces).where(tool_traces.c.id == trace_id).values(changes)
            )
        return await self.get_trace(owner, trace_id)

    async def get_trace(self, owner: Owner, trace_id: str) -> Trace:
        """Return the trace with that id, or the only one whose id begins with it.

        Raises:
            TraceNotFound: when ``owner`` has none, or several.
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            rows = (await connection.execute(beginning(owner, trace_id))).mappings().all()
        traces = {trace.id: trace for trace in map(trace_of, rows)}
        return traces[resolve_run_id(trace_id, traces)]

    async def list_traces(
        self,
        owner: Owner,
        *,
        tool: str | None = None,
        status: TraceStatus | None = None,
        limit: int = 50,
        following: str | None = None,
    ) -> TraceList:
        """Return the traces of ``owner``, latest first.

        Args:
            owner: Owner of the traces.
            tool: Only traces of this tool.
            status: Only traces with this status.
            limit: Page size, 200 at most.
            following: Cursor from the previous page.

        Raises:
            UsageError: when ``following`` is not a cursor.
            StoreError: when the database cannot be used.
        """
        limit = max(1, min(limit, MAX_LISTED))
        wanted = select(tool_traces).where(of(owner))
        if tool is not None:
            wanted = wanted.where(tool_traces.c.tool_name == tool)
        if status is not None:
            wanted = wanted.where(tool_traces.c.status == str(status))
        if following is not None:
            wanted = wanted.where(behind(following))
        order = (tool_traces.c.created_at.desc(), tool_traces.c.id.desc())
        async with self.database.read() as connection:
            rows = (
                (await connection.execute(wanted.order_by(*order).limit(limit + 1)))
                .mappings()
                .all()
            )
        traces = tuple(trace_of(row) for row in rows[:limit])
        more = len(rows) > limit
        return TraceList(traces=traces, following=place(traces[-1]) if more else None)

    async def delete(self, owner: Owner, trace_id: str) -> None:
        """Delete a trace and everything stored about its run.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when it cannot be deleted.
        """
        async with self.database.write() as connection:
            gone = await connection.execute(delete(tool_traces).where(named(owner, trace_id)))
            if not gone.rowcount:
                raise TraceNotFound(f"There is no trace {quoted(trace_id)}.")
            await drop_orphans(connection)

    async def prune(self, owner: Owner | None, older_than: timedelta) -> tuple[str, ...]:
        """Delete the traces created longer ago than ``older_than``, and return their ids.

        Runs in progress or waiting for a worker are kept. Without an owner, the traces of all
        owners are deleted, which is meant for operators.

        Raises:
            StoreError: when they cannot be deleted.
        """
        waits = tool_traces.c.id.in_(select(jobs.c.run_id))
        old = and_(
            tool_traces.c.created_at < datetime.now(UTC) - older_than,
            tool_traces.c.status != str(TraceStatus.IN_PROGRESS),
            or_(tool_traces.c.status.in_([str(status) for status in ENDED]), not_(waits)),
        )
        async with self.database.write() as connection:
            condition = old if owner is None else and_(of(owner), old)
            going = delete(tool_traces).where(condition).returning(tool_traces.c.id)
            gone = (await connection.execute(going)).scalars().all()
            await drop_orphans(connection)
        return tuple(sorted(gone))

    async def append(
        self,
        owner: Owner,
        trace_id: str,
        events: Sequence[Event],
        *,
        sources: Sequence[Source] = (),
        summary: RunSummary | None = None,
        fence: int | None = None,
    ) -> None:
        """Add ``events`` to the log of a run, all of them or none.

        Existing events are skipped, so that a call can be repeated. The events are durable when
        this returns if one of them completes a step (`Event.durable`).

        Args:
            owner: Owner of the run.
            trace_id: Id of the run.
            events: In the order of ``seq``, without gaps.
            sources: Passages that evidence rests on; only new ones are stored.
            summary: Summary of all events of the run, including these, for the columns of the
                trace. A final event also sets the final status.
            fence: Fence of the worker; rejected once another worker has a higher one.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            TraceConflict: when it has ended, an earlier event is missing, or another worker has it.
            StoreError: when they cannot be saved.
        """
        durable = any(event.durable for event in events)
        async with self.database.write(durable=durable) as connection:
            trace = await locked(connection, owner, trace_id)
            fresh = following(trace, events, fence)
            if not fresh:
                return
            await connection.execute(insert(run_events), [event_row(trace_id, e) for e in fresh])
            await keep_sources(connection, trace_id, sources)
            for event in fresh:
                if isinstance(event, RunFinished):
                    await keep_report(connection, trace_id, event.report)
            changes: Mapping[str, object] = summary.columns(fresh) if summary else {}
            await connection.execute(
                update(tool_traces)
                .where(tool_traces.c.id == trace_id)
                .values({"last_seq": fresh[-1].seq, **changes})
            )

    async def events(self, owner: Owner, trace_id: str, *, after: int = 0) -> tuple[Event, ...]:
        """Return the events of a run after the one numbered ``after``.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when the database cannot be used.
        """
        trace = await self.get_trace(owner, trace_id)
        wanted = (
            select(run_events.c.body)
            .where(run_events.c.run_id == trace.id, run_events.c.seq > after)
            .order_by(run_events.c.seq)
        )
        async with self.database.read() as connection:
            bodies = (await connection.execute(wanted)).scalars().all()
        return tuple(RUN_EVENT.validate_json(body) for body in bodies)

    async def sources(self, owner: Owner, trace_id: str) -> tuple[Source, ...]:
        """Return the passages that the evidence of a run rests on, in the order of the evidence.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when the database cannot be used.
        """
        trace = await self.get_trace(owner, trace_id)
        async with self.database.read() as connection:
            return await sources_of(connection, trace.id)

    async def _change(
        self,
        owner: Owner,
        trace_id: str,
        status: TraceStatus,
        changes: dict[str, object],
        *,
        durable: bool = True,
    ) -> None:
        async with self.database.write(durable=durable) as connection:
            trace = await locked(connection, owner, trace_id)
            await change(connection, trace, status, changes)
