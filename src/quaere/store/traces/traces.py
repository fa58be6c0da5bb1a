"""The trace service: what is kept of every run, each owner's own (R4.3).

All methods take the owner and find nothing of anybody else's. Times are in UTC.
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
from quaere.store.db.tables import jobs, run_events, tool_traces
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
from quaere.text.quoting import quoted

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

    async def create(
        self,
        owner: Owner,
        params: Mapping[str, JsonValue],
        *,
        tool: str = TOOL,
        trace_id: str = "",
        created_at: datetime | None = None,
    ) -> Trace:
        """Keep that ``owner`` asks for something; the trace is ``pending``, and on the disk.

        A trace that is there already is returned as it is, where it is the owner's.

        Args:
            owner: Whose it is.
            params: What the tool was given.
            tool: Name of the tool.
            trace_id: Its id, of at most 64 printable characters; a random one when left out.
            created_at: When it was asked for; now when left out.

        Raises:
            TraceConflict: when somebody else's trace has that id.
            UsageError: when the id is too long or not printable.
            StoreError: when it cannot be kept.
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
        """Keep how far a run has come; from now on it is ``in_progress``.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            TraceConflict: when it has ended.
            StoreError: when it cannot be kept.
        """
        changes: dict[str, object] = {"current_stage": stage, "progress": progress}
        if state is not None:
            changes["state"] = state
        await self._change(owner, trace_id, TraceStatus.IN_PROGRESS, changes, durable=False)

    async def complete(
        self,
        owner: Owner,
        trace_id: str,
        result: Mapping[str, JsonValue],
        metrics: Mapping[str, JsonValue],
    ) -> None:
        """Keep what came of a run. Raises as `update_progress`."""
        changes: dict[str, object] = {"result": result, "metrics": metrics, "progress": 1.0}
        await self._change(owner, trace_id, TraceStatus.COMPLETED, changes)

    async def fail(self, owner: Owner, trace_id: str, message: str) -> None:
        """Keep that a run ended in an error. Raises as `update_progress`."""
        await self._change(owner, trace_id, TraceStatus.FAILED, {"error_message": message})

    async def cancel(self, owner: Owner, trace_id: str) -> None:
        """Keep that a run was ended by its owner. Raises as `update_progress`."""
        await self._change(owner, trace_id, TraceStatus.CANCELLED, {})

    async def interrupt(self, owner: Owner, trace_id: str) -> None:
        """Keep that nobody works on a run any more. Raises as `update_progress`."""
        await self._change(owner, trace_id, TraceStatus.INTERRUPTED, {})

    async def reopen(self, owner: Owner, trace_id: str) -> Trace:
        """Take over a run that was stopped or failed, and return its trace with a new fence.

        Who worked on it before can write to it no more. The event that told of its failure goes.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            TraceConflict: when it was completed.
            StoreError: when it cannot be kept.
        """
        async with self.database.write() as connection:
            trace = await locked(connection, owner, trace_id)
            if trace.status is TraceStatus.COMPLETED:
                raise TraceConflict(f"The trace {trace_id!r} is {trace.status}.")
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
        return await self.get(owner, trace_id)

    async def get(self, owner: Owner, trace_id: str) -> Trace:
        """Return the trace with that id, or with the one id that begins so.

        Raises:
            TraceNotFound: when ``owner`` has none, or several.
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            rows = (await connection.execute(beginning(owner, trace_id))).mappings().all()
        for row in rows:
            if row["id"] == trace_id:
                return trace_of(row)
        if len(rows) == 1:
            return trace_of(rows[0])
        several = "Several traces begin" if rows else "There is no trace that begins"
        raise TraceNotFound(f"{several} with {quoted(trace_id)}; `quaere trace list` shows them.")

    async def list(
        self,
        owner: Owner,
        *,
        tool: str | None = None,
        status: TraceStatus | None = None,
        limit: int = 50,
        following: str | None = None,
    ) -> TraceList:
        """Return the traces of ``owner``, the latest first.

        Args:
            owner: Whose.
            tool: Of this tool alone.
            status: That stand so alone.
            limit: Traces on a page, 200 at most.
            following: What the page before gave to ask for this one.

        Raises:
            UsageError: when ``following`` is nothing that a page gave.
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
        """Delete a trace with all that is kept of its run.

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
        """Delete the traces that were begun longer ago than that, and return their ids.

        Runs that are in progress or wait for a worker stay. Without an owner, everybody's are
        deleted: that is for those who run the installation.

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

        Events that are there already are passed over, so that what may have failed can be done
        again. They are on the disk at the end where one of them completes a step (`Event.durable`).

        Args:
            owner: Whose run it is.
            trace_id: Which run.
            events: One after another, by ``seq``.
            sources: Passages that evidence rests on; kept where they are new.
            summary: What all events of the run add up to, these included; the trace's columns
                follow it, and the run ends with the event that ends it.
            fence: What the worker was given; it may write no more once another was given a higher.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            TraceConflict: when it has ended, an event before is missing, or another works on it.
            StoreError: when they cannot be kept.
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
        """Return the events of a run from the one behind ``after`` on.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when the database cannot be used.
        """
        trace = await self.get(owner, trace_id)
        wanted = (
            select(run_events.c.body)
            .where(run_events.c.run_id == trace.id, run_events.c.seq > after)
            .order_by(run_events.c.seq)
        )
        async with self.database.read() as connection:
            bodies = (await connection.execute(wanted)).scalars().all()
        return tuple(RUN_EVENT.validate_json(body) for body in bodies)

    async def sources(self, owner: Owner, trace_id: str) -> tuple[Source, ...]:
        """Return the passages that the evidence of a run rests on, by number.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when the database cannot be used.
        """
        trace = await self.get(owner, trace_id)
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
