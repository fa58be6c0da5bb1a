"""Earlier runs that a new one may draw on, and whether one asked nearly the same (R4.5)."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from quaere.domain.events import RunFinished
from quaere.domain.report import AnswerStatus, EarlierRun
from quaere.domain.request import ReusedEvidence, RunRequest
from quaere.domain.source import Passage
from quaere.domain.trace import TOOL, Owner, Source, Trace
from quaere.errors import UsageError
from quaere.evidence.quality import is_fresh, same_question
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import DATABASE_FILE, data_folder, database_name, spool_folder
from quaere.store.traces.spool import read, waiting
from quaere.text.sanitize import quoted

if TYPE_CHECKING:
    from quaere.store.traces.traces import Traces

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
            f"Nothing that the run {quoted(request.continues)} read was kept; ask again instead."
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
    runs = [*_spooled(spool_folder(settings), database, owner)]
    if stored and not database:
        runs += _stored(data_folder(settings) / DATABASE_FILE, owner)
    latest = sorted(runs, key=lambda run: run.completed, reverse=True)
    return next((run for run in latest if _serves(run, question, now)), None)


def _spooled(folder: Path, database: str, owner: Owner) -> Iterator[EarlierRun]:
    """Yield the runs that found something and that the database has not taken in yet."""
    for path in waiting(folder, database):
        try:
            spooled = read(path)
        except OSError:  # taken in meanwhile
            continue
        head, last = spooled.head, spooled.kept[-1].event if spooled.kept else None
        if head and head.owner == owner and isinstance(last, RunFinished):
            if last.report.status is AnswerStatus.NO_EVIDENCE:
                continue
            yield EarlierRun(
                run_id=head.trace_id,
                question=str(head.params.get("question", "")),
                completed=head.created_at,
            )


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
    )
