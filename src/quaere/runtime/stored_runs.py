"""Runs as they are stored: to follow from another process, to resume, and to draw on (R4.5)."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pydantic import ValidationError

from quaere.domain.events import RunEvent, RunFailed, RunFinished
from quaere.domain.report import AnswerStatus, EarlierRun, Report
from quaere.domain.request import ReusedEvidence, RunRequest, RunSpec
from quaere.domain.source import Passage, table_id
from quaere.domain.team import Reply
from quaere.domain.trace import ENDED, TOOL, Owner, Source, Trace, TraceStatus
from quaere.errors import (
    QuaereError,
    RunCancelled,
    StoreError,
    StoreUnavailable,
    TraceNotFound,
    UsageError,
    error_of,
)
from quaere.evidence.quality import is_fresh, same_question
from quaere.runtime.news import News, wishes
from quaere.runtime.run import DO_WITHOUT
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import (
    DATABASE_FILE,
    database_name,
    runs_folder,
    spool_folder,
)
from quaere.store.carriers import Carrier
from quaere.store.recording.run_file import RunFile
from quaere.store.run_id import resolve_run_id
from quaere.store.traces.spool import Head, read, waiting
from quaere.text.sanitize import quoted

if TYPE_CHECKING:
    from quaere.store.jobs import Jobs
    from quaere.store.traces.traces import Traces

UNRESUMABLE = "this run cannot be resumed"
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

    async def events(self, *, after: int = 0) -> AsyncGenerator[RunEvent]:
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
                            yield cast("RunEvent", event)
                            after = event.seq
                            if isinstance(event, RunFinished | RunFailed):
                                return

    async def so_far(self) -> tuple[RunEvent, ...]:
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


def begun_file(settings: Settings, spec: RunSpec, notices: list[str]) -> RunFile | None:
    """Return a new file that the run can be resumed from; None, with a notice, where none may be.

    There is no notice where the settings switch such files off.
    """
    if not settings.resumable:
        return None
    if not settings.stores_all:
        withheld = "QUESTIONS" if settings.store_pages else "PAGES"
        notices.append(f"{UNRESUMABLE}, because QUAERE_STORE_{withheld}=false.")
        return None
    try:
        return RunFile.create(run_path(settings, spec.run_id), spec)
    except StoreUnavailable as error:
        notices.append(f"{UNRESUMABLE}: {error.message} {DO_WITHOUT}")
        return None


LOOKED_AT = 500
"""The last runs among which one that asked the same is looked for."""

_LAST_QUESTIONS = """
SELECT id, input_params, completed_at FROM tool_traces
WHERE user_id = ? AND tool_name = ? AND status = 'completed'
AND json_extract(result, '$.status') IS NOT 'no_evidence' ORDER BY created_at DESC LIMIT ?
"""


async def reused_from(traces: Traces, owner: Owner, request: RunRequest) -> ReusedEvidence | None:
    """Return what is reusable of the run that ``request`` continues, or of the last similar one.

    Raises:
        TraceNotFound: when there is no run to continue.
        UsageError: when nothing of what it read was kept.
        StoreError: when the database cannot be used.
    """
    if request.continues is None:
        earlier = await stored_run(traces, owner, request.question)
        if earlier is None:
            return None
        trace = await traces.get_trace(owner, earlier.run_id)
        return await _reused(
            traces, owner, trace, f"The same was asked before, in the run {trace.id}"
        )
    trace = await traces.get_trace(owner, request.continues)
    reused = await _reused(traces, owner, trace, f"This continues the run {trace.id}")
    if not reused.passages:
        raise UsageError(
            f"Nothing that the run {quoted(request.continues)} read is still stored; ask the "
            "question again instead."
        )
    return reused


async def similar_run(
    settings: Settings, owner: Owner, question: str, traces: Traces | None = None
) -> EarlierRun | None:
    """Return the last run that asked nearly the same and is fresh enough.

    Without ``traces`` it looks into the files of the data folder with the standard library alone,
    since opening the database takes half a second.

    Raises:
        StoreError: when the database cannot be used.
    """
    found = await asyncio.to_thread(_local, settings, owner, question, stored=traces is None)
    kept = await stored_run(traces, owner, question) if traces else None
    return max(filter(None, (kept, found)), key=lambda run: run.completed, default=None)


async def stored_run(traces: Traces, owner: Owner, question: str) -> EarlierRun | None:
    """Return the last run in the database that asked nearly the same and is fresh enough.

    Raises:
        StoreError: when the database cannot be used.
    """
    now = datetime.now(UTC)
    asked = await traces.completed_questions(owner, limit=LOOKED_AT)

    def found() -> EarlierRun | None:
        return next((run for run in asked if _serves(run, question, now)), None)

    return await asyncio.to_thread(found)


def _local(settings: Settings, owner: Owner, question: str, *, stored: bool) -> EarlierRun | None:
    now, database = datetime.now(UTC), database_name(settings)

    def serves(run: EarlierRun) -> bool:
        return _serves(run, question, now)

    runs = [*islice(_spooled(spool_folder(settings), database, owner, serves), 1)]
    if stored and not database:
        runs += filter(serves, _stored(settings.data_folder / DATABASE_FILE, owner))
    return max(runs, key=lambda run: run.completed, default=None)


def _spooled(
    folder: Path, database: str, owner: Owner, serves: Callable[[EarlierRun], bool]
) -> Iterator[EarlierRun]:
    """Yield the runs that serve and found something, but are not in the database yet; last first.

    Hundreds may wait there, with all that they read: only those that serve are read beyond their
    heads.
    """
    heads = waiting(folder, database).items()
    runs = [(_begun(head), path) for path, head in heads if head and head.owner == owner]
    for run, path in sorted(runs, key=lambda each: each[0].completed, reverse=True):
        if serves(run) and _found_something(path):
            yield run


def _begun(head: Head) -> EarlierRun:
    question = str(head.params.get("question", ""))
    return EarlierRun(run_id=head.trace_id, question=question, completed=head.created_at)


def _found_something(path: Path) -> bool:
    """Return whether the run of a spool file has ended, with more than "no evidence"."""
    try:
        kept = read(path).kept
    except OSError:  # taken in meanwhile
        return False
    last = kept[-1].event if kept else None
    return isinstance(last, RunFinished) and last.report.status is not AnswerStatus.NO_EVIDENCE


def _stored(path: Path, owner: Owner) -> Iterator[EarlierRun]:
    """Yield the runs in the database file that found something, if it can be read."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(_LAST_QUESTIONS, (owner.user, TOOL, LOOKED_AT)).fetchall()
        for run_id, params, completed in rows:
            moment = datetime.fromisoformat(completed)
            yield EarlierRun(
                run_id=run_id,
                question=str(json.loads(params).get("question", "")),
                completed=moment if moment.tzinfo else moment.replace(tzinfo=UTC),
            )
    except (sqlite3.Error, ValueError, TypeError, ValidationError):
        return  # not there yet, locked or of another version: nothing is offered


def _serves(run: EarlierRun, question: str, now: datetime) -> bool:
    return same_question(question, run.question) and is_fresh(question, read=run.completed, now=now)


async def _reused(traces: Traces, owner: Owner, trace: Trace, begun: str) -> ReusedEvidence:
    passages = [_passage(source) for source in await traces.sources(owner, trace.id)]
    return ReusedEvidence(
        run_id=trace.id,
        told=f"{begun} ({trace.created_at:%Y-%m-%d}): what it read was checked again.",
        passages=tuple(passage for passage in passages if passage.text),
    )


def _passage(source: Source) -> Passage:
    evidence = source.evidence
    return Passage(
        id=evidence.passage,
        url=evidence.url,
        title=evidence.title,
        text=source.text,
        start=source.start,
        end=source.end,
        locator=evidence.locator,
        content_hash=source.content_hash,
        retrieved_at=source.retrieved_at,
        published=source.published,
        provided=source.provided,
        whole_table=evidence.passage == table_id(evidence.url, source.start, source.text),
    )
