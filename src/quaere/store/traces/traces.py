"""The trace service: the stored trace of every run, by owner (R4.3).

All methods take an owner and see no other owner's traces. Times are in UTC.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import JsonValue
from sqlalchemy import and_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import Unpack

from quaere.domain.events import Event, RunEvent
from quaere.domain.report import AnswerStatus, EarlierRun
from quaere.domain.trace import ENDED, TOOL, Owner, Source, Trace, TraceList, TraceStatus
from quaere.errors import TraceConflict, TraceNotFound, UsageError
from quaere.store.db.database import Database, database_time
from quaere.store.db.schema import owned_row, owner_is, run_events, tool_traces
from quaere.store.run_id import is_run_id, resolve_run_id
from quaere.store.traces.log import (
    add_to_log,
    drop_event,
    event_of,
    sources_of,
)
from quaere.store.traces.rows import (
    EXACT,
    TraceFilter,
    batched,
    begin,
    beginning,
    change,
    delete_traces,
    exactly,
    excess,
    following,
    locked,
    matching,
    may_go,
    new_trace,
    page,
    readable,
    tags_of,
    trace_of,
)
from quaere.text.sanitize import quoted

Ending = Callable[[AsyncConnection, str], Awaitable[None]]
"""Does within a transaction what the end of the run of that id brings about."""
SHARE_BYTES = 24
"""Of randomness in what a link to a trace carries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """What is added to the log of a run, all of it or nothing, with a change of its trace."""

    events: Sequence[Event] = ()
    """In the order of ``seq``, without gaps. Existing ones are skipped, and a change that brings
    only such changes nothing, so that a call can be repeated."""
    sources: Sequence[Source] = ()
    """Passages that evidence rests on; only new ones are stored."""
    metrics: Mapping[str, JsonValue] | None = None
    """What the run has taken so far; None leaves what is known of that."""
    fence: int | None = None
    """Fence of the worker; rejected once another worker has a higher one."""
    stage: str = ""
    """The phase that the run was in before its last event; "" leaves what is known of that."""

    @property
    def durable(self) -> bool:
        """Whether one of the events completes a step."""
        return any(event.durable for event in self.events)


NOTHING = Entries()


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces in a database."""

    database: Database
    ending: Ending | None = None
    """What else the transaction does that ends a run."""

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
        trace = new_trace(owner, params, tool=tool, trace_id=trace_id, created_at=created_at)
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
        entries: Entries = NOTHING,
    ) -> None:
        """Store the progress of a run, and set its status to ``in_progress``.

        The change is durable when this returns if one of the events completes a step.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            TraceConflict: when it has ended, an earlier event is missing, or another worker has it.
            UsageError: when the progress is not from 0 to 1.
            StoreError: when it cannot be saved.
        """
        if not 0 <= progress <= 1:
            raise UsageError(f"The progress of a run must be from 0 to 1, not {progress}.")
        changes: dict[str, object] = {"current_stage": stage, "progress": progress}
        if state is not None:
            changes["state"] = state
        await self._change(
            owner, trace_id, TraceStatus.IN_PROGRESS, changes, entries, durable=entries.durable
        )

    async def complete_trace(
        self,
        owner: Owner,
        trace_id: str,
        result: Mapping[str, JsonValue],
        metrics: Mapping[str, JsonValue],
        *,
        state: Mapping[str, JsonValue] | None = None,
        entries: Entries = NOTHING,
    ) -> None:
        """Store the result of a run, and set its status to ``completed``.

        Raises as `update_progress`.
        """
        changes: dict[str, object] = {"result": result, "metrics": metrics, "progress": 1.0}
        if state is not None:
            changes["state"] = state
        await self._change(owner, trace_id, TraceStatus.COMPLETED, changes, entries)

    async def fail_trace(
        self, owner: Owner, trace_id: str, message: str, *, entries: Entries = NOTHING
    ) -> None:
        """Set the status of a run to ``failed``, with the error. Raises as `update_progress`."""
        changes: dict[str, object] = {"error_message": message}
        await self._change(owner, trace_id, TraceStatus.FAILED, changes, entries)

    async def cancel(
        self,
        owner: Owner,
        trace_id: str,
        message: str | None = None,
        *,
        entries: Entries = NOTHING,
    ) -> None:
        """Set the status of a run to ``cancelled``. Raises as `update_progress`."""
        changes: dict[str, object] = {"error_message": message}
        await self._change(owner, trace_id, TraceStatus.CANCELLED, changes, entries)

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

    async def get_trace(self, owner: Owner | None, trace_id: str) -> Trace:
        """Return the trace with that id, or the only one whose id begins with it.

        Args:
            owner: Owner of the trace; None for anybody.
            trace_id: Id, or its beginning.

        Raises:
            TraceNotFound: when ``owner`` has none, or several.
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            return await _found(connection, owner, trace_id)

    async def list_traces(
        self,
        owner: Owner | None,
        *,
        limit: int = 50,
        following: str | None = None,
        **only: Unpack[TraceFilter],
    ) -> TraceList:
        """Return the traces of ``owner`` that can be read here, latest first.

        Args:
            owner: Owner of the traces; None for those of everybody.
            limit: Page size, 200 at most.
            following: Cursor from the previous page.
            only: Which of them.

        Raises:
            UsageError: when ``following`` is not a cursor.
            StoreError: when the database cannot be used.
        """
        wanted = select(tool_traces).where(owner_is(tool_traces, owner), *matching(only))
        order = (tool_traces.c.created_at, tool_traces.c.id)
        rows, beyond = await page(self.database, wanted, order, limit=limit, after=following)
        return TraceList(traces=tuple(readable(rows)), following=beyond)

    async def completed_questions(self, owner: Owner, *, limit: int) -> tuple[EarlierRun, ...]:
        """Return what the last research runs of ``owner`` asked, the latest first.

        Those that found nothing are left out.

        Raises:
            StoreError: when the database cannot be used.
        """
        columns = tool_traces.c
        wanted = (
            select(columns.id, columns.input_params, columns.completed_at, columns.created_at)
            .where(owner_is(tool_traces, owner), columns.tool_name == TOOL)
            .where(columns.status == str(TraceStatus.COMPLETED))
            .where(columns.result["status"].as_string().is_distinct_from(AnswerStatus.NO_EVIDENCE))
            .order_by(columns.created_at.desc(), columns.id.desc())
            .limit(limit)
        )
        return tuple(
            EarlierRun(
                run_id=row["id"],
                question=str(row["input_params"].get("question", "")),
                completed=row["completed_at"] or row["created_at"],
            )
            for row in await self.database.rows(wanted)
        )

    async def label(
        self,
        owner: Owner,
        trace_id: str,
        *,
        tags: Sequence[str] | None = None,
        pinned: bool | None = None,
    ) -> Trace:
        """Change the tags of a trace, or whether it is pinned, and return it.

        Args:
            owner: Owner of the trace.
            trace_id: The trace.
            tags: All that it has from now on, as `tags_of` returns them; None leaves them.
            pinned: Whether it is kept whatever its age; None leaves it.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            UsageError: when there are too many tags, or one cannot be used.
            StoreError: when it cannot be saved.
        """
        changes: dict[str, object] = {}
        if tags is not None:
            changes["tags"] = tags_of(tags)
        if pinned is not None:
            changes["pinned"] = pinned
        return await self._labelled(owner, trace_id, changes)

    async def share(self, owner: Owner, trace_id: str) -> str:
        """Return what a link to the trace carries, by which anybody finds it; made on first use.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when it cannot be saved.
        """
        async with self.database.write() as connection:
            trace = await locked(connection, owner, trace_id)
            nonce = trace.share or secrets.token_urlsafe(SHARE_BYTES)
            await connection.execute(
                update(tool_traces).where(tool_traces.c.id == trace_id).values(share=nonce)
            )
        return nonce

    async def unshare(self, owner: Owner, trace_id: str) -> None:
        """Let no link lead to the trace; one that is made later is another.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when it cannot be saved.
        """
        await self._labelled(owner, trace_id, {"share": None})

    async def shared(self, nonce: str) -> Trace:
        """Return the trace that is shared by a link that carries ``nonce``, of any owner.

        Raises:
            TraceNotFound: when there is none, or no longer.
            StoreError: when the database cannot be used.
        """
        wanted = select(tool_traces).where(tool_traces.c.share == nonce)
        row = await self.database.row(wanted) if is_run_id(nonce) else None
        if row is None:
            raise TraceNotFound("There is no such report, or it is no longer shared.")
        return trace_of(row)

    async def delete(self, owner: Owner, trace_id: str) -> None:
        """Delete a trace and everything stored about its run but what it took.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when it cannot be deleted.
        """
        async with self.database.write() as connection:
            if not await delete_traces(connection, owned_row(tool_traces, owner, trace_id)):
                raise TraceNotFound(f"There is no trace {quoted(trace_id)}.")

    async def prune(
        self,
        owner: Owner | None,
        older_than: timedelta | None = None,
        *,
        most_bytes: int | None = None,
    ) -> tuple[str, ...]:
        """Delete old traces, and return their ids.

        Those that are pinned are kept, as are runs in progress or waiting for a worker.

        Args:
            owner: Whose traces; those of all owners when None, which is meant for operators.
            older_than: Delete those created longer ago.
            most_bytes: Delete the oldest until the events and pages of the rest have so many bytes
                at most. A page that several runs have read counts for each.

        Raises:
            StoreError: when they cannot be deleted.
        """
        mine = owner_is(tool_traces, owner)
        async with self.database.write() as connection:
            gone: list[str] = []
            if older_than is not None:
                old = tool_traces.c.created_at < await database_time(connection) - older_than
                gone += await delete_traces(connection, and_(mine, may_go(), old))
            if most_bytes is not None:
                for names in batched(await excess(connection, mine, most_bytes)):
                    gone += await delete_traces(connection, tool_traces.c.id.in_(names))
        return tuple(sorted(gone))

    async def events(self, owner: Owner, trace_id: str, *, after: int = 0) -> tuple[RunEvent, ...]:
        """Return the events of a run after the one numbered ``after``.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when the database cannot be used.
        """
        _, events = await self.with_events(owner, trace_id, after=after)
        return events

    async def with_events(
        self, owner: Owner, trace_id: str, *, after: int = 0
    ) -> tuple[Trace, tuple[RunEvent, ...]]:
        """Return the trace, as `get_trace` does, and the events after the one numbered ``after``.

        All events of a run that the trace says has ended are there.

        Raises as `get_trace`.
        """
        async with self.database.read() as connection:
            trace = await _found(connection, owner, trace_id)
            if trace.last_seq <= after:
                return trace, ()
            wanted = (
                select(run_events.c.body)
                .where(run_events.c.run_id == trace.id, run_events.c.seq > after)
                .order_by(run_events.c.seq)
            )
            bodies = (await connection.execute(wanted)).scalars().all()
        return trace, tuple(map(event_of, bodies))

    async def sources(self, owner: Owner, trace_id: str) -> tuple[Source, ...]:
        """Return the passages that the evidence of a run rests on, in the order of the evidence.

        Raises:
            TraceNotFound: when ``owner`` has no such trace.
            StoreError: when the database cannot be used.
        """
        async with self.database.read() as connection:
            trace = await _found(connection, owner, trace_id)
            return await sources_of(connection, trace.id)

    async def _change(
        self,
        owner: Owner,
        trace_id: str,
        status: TraceStatus,
        changes: dict[str, object],
        entries: Entries = NOTHING,
        *,
        durable: bool = True,
    ) -> None:
        async with self.database.write(durable=durable) as connection:
            trace = await locked(connection, owner, trace_id)
            fresh = following(trace, entries.events, entries.fence)
            if entries.events and not fresh:
                return
            await add_to_log(connection, trace_id, fresh, entries.sources)
            if entries.metrics is not None:
                changes = {"metrics": entries.metrics, **changes}
            if entries.stage:
                changes = {"current_stage": entries.stage, **changes}
            await change(connection, trace, status, changes, fresh)
            if status in ENDED and self.ending:
                await self.ending(connection, trace_id)

    async def _labelled(self, owner: Owner, trace_id: str, changes: dict[str, object]) -> Trace:
        async with self.database.write() as connection:
            trace = await locked(connection, owner, trace_id)
            if not changes:
                return trace
            changing = update(tool_traces).where(tool_traces.c.id == trace_id).values(changes)
            row = (await connection.execute(changing.returning(tool_traces))).mappings().one()
        return trace_of(row)


async def _found(connection: AsyncConnection, owner: Owner | None, trace_id: str) -> Trace:
    rows = None
    if owner:
        rows = (await connection.execute(EXACT, exactly(owner, trace_id))).mappings().all()
    if not rows:  # looks at every trace of the owner
        rows = (await connection.execute(beginning(owner, trace_id))).mappings().all()
    traces = {trace.id: trace for trace in map(trace_of, rows)}
    return traces[resolve_run_id(trace_id, traces)]
