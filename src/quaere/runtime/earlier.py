"""Earlier runs that a new one may draw on."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from quaere.domain.source import Passage
from quaere.domain.trace import Owner, Source, Trace, TraceStatus
from quaere.errors import UsageError
from quaere.evidence.reuse import is_fresh, same_question
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import open_traces
from quaere.store.recording.run_file import Earlier
from quaere.store.traces.traces import Traces
from quaere.text.sanitize import quoted

LOOKED_AT = 500
"""The last runs among which one that asked the same is looked for."""


def followed(settings: Settings, run: str) -> Earlier:
    """Return the evidence of the run called ``run``, or whose name begins so.

    Raises:
        TraceNotFound: when there is none.
        UsageError: when nothing of what it read was kept.
        StoreError: when the database cannot be used.
    """

    async def found() -> Earlier:
        async with open_traces(settings) as (traces, _):
            trace = await traces.get(Owner(), run)
            return await _evidence(traces, trace, f"This goes on from the run {trace.id}")

    earlier = asyncio.run(found())
    if not earlier.passages:
        raise UsageError(f"Nothing of what the run {quoted(run)} read was kept; ask again instead.")
    return earlier


def repeated(settings: Settings, question: str) -> Earlier | None:
    """Return the evidence of the last run that asked the same and is fresh enough, if there is one.

    Raises:
        StoreError: when the database cannot be used.
    """

    async def found() -> Earlier | None:
        now, left = datetime.now(UTC), LOOKED_AT
        place: str | None = None
        async with open_traces(settings) as (traces, _):
            while left > 0:
                page = await traces.list(Owner(), status=TraceStatus.COMPLETED, following=place)
                for trace in page.traces:
                    if _serves(trace, question, now):
                        return await _evidence(
                            traces, trace, f"The same was asked before, in the run {trace.id}"
                        )
                left -= len(page.traces)
                place = page.following
                if place is None:
                    return None
        return None

    return asyncio.run(found())


def _serves(trace: Trace, question: str, now: datetime) -> bool:
    read = trace.completed_at or trace.created_at
    return same_question(question, trace.question) and is_fresh(question, read=read, now=now)


async def _evidence(traces: Traces, trace: Trace, begun: str) -> Earlier:
    passages = [_passage(source) for source in await traces.sources(Owner(), trace.id)]
    return Earlier(
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
