"""Writes the events of a run to its trace as they occur."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, Self

from pydantic import JsonValue

from quaere.domain.events import Event, ModelCalled, RunFailed, RunFinished
from quaere.domain.trace import Owner
from quaere.errors import RunCancelled
from quaere.store.db.database import patiently
from quaere.store.traces.privacy import Kept
from quaere.store.traces.traces import Entries, Traces

WAITS_S = (0.2, 1.0, 5.0)
"""Seconds between attempts to write an event while the database is not available."""

logger = logging.getLogger(__name__)


class RunSummary(Protocol):
    """What the events of a run add up to in the columns of its trace."""

    @property
    def stage(self) -> str:
        """The phase that the run is in."""
        ...

    @property
    def share(self) -> float:
        """How far the run is, from 0 to 1."""
        ...

    @property
    def state(self) -> Mapping[str, JsonValue]:
        """What is known so far."""
        ...

    @property
    def result(self) -> Mapping[str, JsonValue]:
        """The answer; empty before the report."""
        ...

    @property
    def metrics(self) -> Mapping[str, JsonValue]:
        """What the run took; before the report, what its models did."""
        ...

    def after(self, event: Event) -> Self:
        """Return the summary once ``event`` has happened."""
        ...


class TraceLog:
    """The event log of one run in a database."""

    def __init__(
        self,
        traces: Traces,
        owner: Owner,
        trace_id: str,
        summary: RunSummary,
        *,
        fence: int | None = None,
        events: Sequence[Event] = (),
    ) -> None:
        """Write to the trace ``trace_id``.

        Args:
            traces: The trace service.
            owner: Owner of the trace.
            trace_id: Id of the trace.
            summary: Summary of a run without events.
            fence: Fence of this worker for the run.
            events: Events already in the log, if the run is resumed.
        """
        self._traces = traces
        self._owner = owner
        self._trace_id = trace_id
        self._fence = fence
        self._summary = summary
        self._over = False
        for event in events:
            self._summary = self._summary.after(event)

    async def append(self, kept: Sequence[Kept]) -> None:
        """Add events and bring the trace up to them; a last event of a run ends it.

        A call that failed can be repeated.

        Raises:
            TraceNotFound: when the owner has no such trace.
            TraceConflict: when it has ended, an earlier event is missing, or another worker has it.
            StoreError: when they cannot be saved.
        """
        over = bool(kept) and isinstance(kept[-1].event, RunFinished | RunFailed)
        if over:
            await self._end(kept)
        elif kept:
            await self._go_on(kept)

    @property
    def over(self) -> bool:
        """Whether the last event of the run was added."""
        return self._over

    async def _go_on(self, kept: Sequence[Kept]) -> None:
        summary = self._after(kept)
        entries = self._entries(kept, summary)
        await self._traces.update_progress(
            self._owner,
            self._trace_id,
            stage=summary.stage,
            progress=summary.share,
            state=summary.state if entries.durable else None,
            entries=entries,
        )
        self._summary = summary

    async def _end(self, kept: Sequence[Kept]) -> None:
        """Add the last events of the run in the transaction that ends it."""
        *before, last = kept
        owner, trace_id = self._owner, self._trace_id
        if isinstance(last.event, RunFailed):
            if before:  # how far it came stays in its trace
                await self._go_on(before)
            entries = self._entries([last], self._after([last]))
            cancelled = last.event.error_type == RunCancelled("").type
            end = self._traces.cancel if cancelled else self._traces.fail_trace
            await end(owner, trace_id, last.event.message, entries=entries)
        else:
            summary = self._after(kept)
            await self._traces.complete_trace(
                owner,
                trace_id,
                summary.result,
                summary.metrics,
                state=summary.state,
                entries=replace(self._entries(kept, summary), stage=self._after(before).stage),
            )
        self._over = True

    def _after(self, kept: Sequence[Kept]) -> RunSummary:
        summary = self._summary
        for each in kept:
            summary = summary.after(each.event)
        return summary

    def _entries(self, kept: Sequence[Kept], summary: RunSummary) -> Entries:
        # What a run has spent counts, however it ends; each call of a model adds to it.
        spent = any(each.event.durable or isinstance(each.event, ModelCalled) for each in kept)
        return Entries(
            metrics=summary.metrics if spent else None,
            events=[each.event for each in kept],
            sources=[source for each in kept for source in each.sources],
            fence=self._fence,
        )

    async def append_patiently(self, kept: Sequence[Kept]) -> None:
        """Add events, and retry while the database is not available. Raises as `append`."""

        def told(why: str) -> None:
            logger.warning("cannot write events of run %s yet: %s", self._trace_id, why)

        await patiently(lambda: self.append(kept), WAITS_S, told)
