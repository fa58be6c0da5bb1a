"""Opens what was found without its text."""

from __future__ import annotations

from quaere.domain.budget import Spend
from quaere.domain.events import Phase, SourceRead
from quaere.domain.report import RunWarning
from quaere.domain.source import ReadStatus
from quaere.domain.url import canonical_url
from quaere.evidence.pool import best_passages
from quaere.evidence.quality import is_of
from quaere.graphs.emitter import Narrator
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.state import LoopState
from quaere.plan.reads import reads_now
from quaere.read.batch import Reading, read_all


async def read(state: LoopState, runtime: Runtime) -> Update:
    """Open the hits that came without text, the most promising first, as far as the budget goes.

    Before these come those that are being opened already, and those of the kinds of source that
    the last evaluation wants.
    """
    context, left = runtime.context, runtime.context.remaining(state)
    narrator = Narrator(Phase.READING, state, runtime)
    narrator.begin()
    reflection = state["reflection"]
    kinds = reflection.target_source_types if reflection else ()
    begun = context.ahead.begun
    ordered = sorted(
        state["unread"],
        key=lambda hit: (canonical_url(hit.url) not in begun, not is_of(kinds, hit.kind, hit.url)),
    )
    hits = ordered[: reads_now(left=left.reads, loops_left=left.iterations)]
    readings = await read_all(hits, context.ahead, context.cutter, timeout_s=left.seconds)
    wanted = [query.text for query in state["pending"]]
    for reading in readings:
        context.store.add(reading.passages)
    passages = [each for reading in readings for each in best_passages(reading.passages, *wanted)]
    arrivals = (*state["arrivals"], *(passage.id for passage in passages))
    provided = {context.store.passage(key).url for key in state["arrivals"]}
    opened = provided | {reading.hit.url for reading in readings if reading.status is ReadStatus.OK}
    fresh = {canonical_url(url) for url in opened} - set(state["opened"])
    narrator.count(sources_read=len(state["opened"]) + len(fresh))
    for reading in readings:
        narrator.tell(_source_read(reading))
    warnings = tuple(_unread(reading) for reading in readings if reading.reason)
    narrator.warn(warnings)
    return {
        "arrivals": arrivals,
        "opened": tuple(sorted(fresh)),
        "tried": tuple(canonical_url(hit.url) for hit in hits),
        "unread": (),
        "warnings": warnings,
        "spend": Spend(reads=len(readings)),
    }


def _source_read(reading: Reading) -> SourceRead:
    return SourceRead(
        url=reading.hit.url,
        title=reading.hit.title,
        status=reading.status,
        passages=len(reading.passages),
        reason=reading.reason,
    )


def _unread(reading: Reading) -> RunWarning:
    return RunWarning(kind="read", message=reading.reason, subject=reading.hit.url)
