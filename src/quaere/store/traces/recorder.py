"""Writes the events of a run to its trace as they occur."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from quaere.domain.events import Event, RunFailed, RunFinished
from quaere.domain.trace import Owner, TraceStatus
from quaere.errors import StoreError, StoreUnavailable
from quaere.store.traces.privacy import Kept, TraceRedactor
from quaere.store.traces.traces import RunSummary, Traces

WAITS_S = (0.2, 1.0, 5.0)
"""Seconds between attempts to write an event while the database is not available."""

logger = logging.getLogger(__name__)


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
        for event in events:
            self._summary = self._summary.after(event)

    async def append(self, kept: Sequence[Kept]) -> None:
        """Add events, all of them or none. Raises as `quaere.store.traces.traces.Traces.append`."""
        summary = self._summary
        for each in kept:
            summary = summary.after(each.event)
        await self._traces.append(
            self._owner,
            self._trace_id,
            [each.event for each in kept],
            sources=[source for each in kept for source in each.sources],
            summary=summary,
            fence=self._fence,
        )
        self._summary = summary

    async def append_patiently(self, kept: Sequence[Kept]) -> None:
        """Add events, and retry while the database is not available. Raises as `append`."""
        for wait_s in WAITS_S:
            try:
                await self.append(kept)
            except StoreUnavailable as error:
                logger.warning(
                    "cannot write events of run %s yet: %s", self._trace_id, error.message
                )
                await asyncio.sleep(wait_s)
            else:
                return
        await self.append(kept)

    async def stop(self, status: TraceStatus) -> None:
        """Record that the run was stopped before its end; failing to do so is only logged."""
        try:
            if status is TraceStatus.CANCELLED:
                await self._traces.cancel(self._owner, self._trace_id)
            else:
                await self._traces.interrupt(self._owner, self._trace_id)
        except StoreError as error:
            logger.warning(
                "cannot record that run %s was stopped: %s", self._trace_id, error.message
            )


async def recorded(
    stream: AsyncGenerator[Event],
    log: TraceLog,
    redactor: TraceRedactor,
    *,
    stopped: TraceStatus = TraceStatus.CANCELLED,
) -> AsyncGenerator[Event]:
    """Yield the events of ``stream``, each once it is in the ``log``.

    The last event ends the trace: a report completes it, an error fails it. If the stream is closed
    or cancelled before, the trace gets the status ``stopped``.

    Raises:
        StoreError: when an event cannot be stored, which ends the run.
        QuaereError: what ``stream`` raises.
    """
    over = False
    try:
        async with aclosing(stream) as events:
            async for event in events:
                await log.append_patiently([redactor.take(event)])
                over = isinstance(event, RunFinished | RunFailed)
                yield event
    finally:
        if not over:
            await log.stop(stopped)
