"""A run that another process makes or has made, as the database knows it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from quaere.domain.events import Event, RunFailed, RunFinished
from quaere.domain.report import Report
from quaere.domain.request import RunSpec
from quaere.domain.team import Reply
from quaere.domain.trace import ENDED, Owner, TraceStatus
from quaere.errors import QuaereError, RunCancelled, StoreError, TraceNotFound, UsageError, error_of
from quaere.runtime.news import News, wishes
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import runs_folder
from quaere.store.carriers.carrier import Carrier
from quaere.store.recording.run_file import RunFile
from quaere.store.run_id import resolve_run_id
from quaere.text.sanitize import quoted

if TYPE_CHECKING:
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
    news: News = field(default_factory=News)
    """Tells of events, which saves the wait for the next look."""
    carrier: Carrier | None = None
    """What brings the run to a worker, or has brought it."""

    async def events(self, *, after: int = 0) -> AsyncGenerator[Event]:
        """Yield the events after the one numbered ``after``; see `quaere.runtime.run.Run`."""
        with self.news.heard(self.id) as bell:
            while True:
                trace, events = await self.traces.with_events(self.owner, self.id, after=after)
                for event in events:
                    yield event
                    after = event.seq
                if trace.status in ENDED:
                    return
                while brought := await bell.wait(self.news.look_s(POLL_S)):
                    for event in brought:
                        if event.seq == after + 1:
                            yield event
                            after = event.seq
                            if isinstance(event, RunFinished | RunFailed):
                                return

    async def so_far(self) -> tuple[Event, ...]:
        """Return the events until now; see `quaere.runtime.run.Run`."""
        return await self.traces.events(self.owner, self.id)

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
        if failed:
            raise error_of(failed.error_type, failed.message)
        raise QuaereError(trace.error_message or "It has no report.")

    async def cancel(self) -> None:
        """End the run, or have its worker end it.

        Raises:
            TraceConflict: when it is over.
            UsageError: when another process makes it that is not a worker.
            StoreError: when the database cannot be used.
        """
        await self._jobs().cancel(self.owner, self.id)
        self.news.tell(wishes(self.id))
        self.news.tell(self.id)
        if self.carrier:
            with suppress(StoreError):  # it would be brought, and found to be over
                await self.carrier.withdraw(self.id)

    async def finish(self) -> None:
        """Have the worker end the search and write the answer from what is there.

        Raises:
            TraceConflict: when the run is over.
            UsageError: when no worker has it or will get it.
            StoreError: when the database cannot be used.
        """
        await self._jobs().finish(self.owner, self.id)
        self.news.tell(wishes(self.id))

    async def reply(self, inquiry_id: str, reply: Reply) -> None:
        """Answer what the run has asked back; its worker hands the reply to it.

        Raises:
            TraceConflict: when the run is over.
            UsageError: when it waits for no such reply, or no worker has it.
            StoreError: when the database cannot be used.
        """
        await self._jobs().reply(self.owner, self.id, inquiry_id, reply)
        self.news.tell(wishes(self.id))

    def _jobs(self) -> Jobs:
        from quaere.store.jobs import Jobs

        return Jobs(self.traces.database)


@dataclass(frozen=True, slots=True)
class Stopped:
    """A run that was stopped and can be resumed."""

    spec: RunSpec
    stopped: datetime
    answers: int
    """Searches, pages and model calls that it need not make again."""


def stopped_runs(settings: Settings, owner: Owner) -> list[Stopped]:
    """Return the runs that ``owner`` can resume, the last one first, none of them running."""
    found: list[Stopped] = []
    for path in runs_folder(settings).glob("*.run"):
        try:
            stopped = datetime.fromtimestamp(path.stat().st_mtime, UTC)
            file = RunFile.open(path)
        except (FileNotFoundError, UsageError):  # it ended meanwhile, or is running
            continue
        if file.spec.owner == owner:
            found.append(Stopped(file.spec, stopped, file.answers))
        file.close()
    return sorted(found, key=lambda run: run.stopped, reverse=True)


def stopped_run(settings: Settings, owner: Owner, run_id: str) -> RunFile:
    """Return the open file of the run of that id, or the only one whose id begins so.

    Raises:
        UsageError: when ``owner`` has none, several begin so, or somebody works on it.
    """
    ids = [path.stem for path in runs_folder(settings).glob("*.run")]
    kind = "stopped run"
    file = RunFile.open(run_path(settings, resolve_run_id(run_id, ids, kind=kind)))
    if file.spec.owner != owner:
        file.close()
        raise TraceNotFound(f"No {kind} has the id {quoted(run_id)}.")
    return file


def run_path(settings: Settings, run_id: str) -> Path:
    """Return the file of the run of that id."""
    return runs_folder(settings) / f"{run_id}.run"
