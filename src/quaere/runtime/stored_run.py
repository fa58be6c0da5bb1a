"""A run that another process makes or has made, as the database knows it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from quaere.domain.events import Event, RunFailed, RunFinished
from quaere.domain.report import Report
from quaere.domain.team import Reply
from quaere.domain.trace import ENDED, Owner, TraceStatus
from quaere.errors import QuaereError, RunCancelled, UsageError
from quaere.store.jobs import Jobs
from quaere.store.traces.traces import Traces

POLL_S = 0.25
"""How often the database is asked for further events of a run that is being made."""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A `quaere.runtime.run.Run` of another process."""

    id: str
    owner: Owner
    traces: Traces

    async def events(self, *, after: int = 0) -> AsyncGenerator[Event]:
        """Yield the events after the one numbered ``after``; see `quaere.runtime.run.Run`."""
        while True:
            over = (await self.traces.get_trace(self.owner, self.id)).status in ENDED
            for event in await self.traces.events(self.owner, self.id, after=after):
                yield event
                after = event.seq
            if over:
                return
            await asyncio.sleep(POLL_S)

    async def report(self) -> Report:
        """Wait for the end of the run and return its report; see `quaere.runtime.run.Run`."""
        failed: RunFailed | None = None
        async for event in self.events():
            if isinstance(event, RunFinished):
                return event.report
            if isinstance(event, RunFailed):
                failed = event
        trace = await self.traces.get_trace(self.owner, self.id)
        if trace.status is TraceStatus.CANCELLED:
            raise RunCancelled(f"The run {self.id} was cancelled.")
        raise QuaereError(failed.message if failed else trace.error_message or "It has no report.")

    async def cancel(self) -> None:
        """End the run, or have its worker end it.

        Raises:
            TraceConflict: when it is over.
            StoreError: when the database cannot be used.
        """
        await Jobs(self.traces.database).cancel(self.owner, self.id)

    async def finish(self) -> None:
        """Raise UsageError: only the process that makes a run can end its search."""
        raise UsageError(f"The run {self.id} is made by another process; cancel it instead.")

    async def reply(self, inquiry_id: str, reply: Reply) -> None:
        """Raise UsageError: only the process that makes a run can hand it a reply."""
        raise UsageError(f"The run {self.id} is made by another process ({inquiry_id}, {reply}).")
