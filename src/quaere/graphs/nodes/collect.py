"""Takes what was read into the pool and selects from it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from quaere.domain.events import EvidenceCollected, Phase
from quaere.domain.evidence import Evidence, Lead
from quaere.domain.report import RunWarning
from quaere.domain.source import Passage
from quaere.evidence.appraise import appraise
from quaere.evidence.features import features_of
from quaere.evidence.pool import add_passages, in_same_sources, rescore, reserve_places, select
from quaere.evidence.score import rank, rank_priors
from quaere.graphs.context import RunContext
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.state import LoopState
from quaere.graphs.views import bearing, told_of
from quaere.resilience.thread import computed, in_slices

MIN_SECONDS = 0.5
"""What preparing passages gets when the run's time is over: some hundred ordinary ones."""


async def collect(state: LoopState, runtime: Runtime) -> Update:
    """Take the loop's passages into the pool, score the whole pool anew and select from it."""
    context, emitter = runtime.context, Emitter(Phase.READING, state, runtime)
    arrivals = [context.store.passage(key) for key in state["arrivals"]]
    prepared = await _prepared(arrivals, max(MIN_SECONDS, context.remaining(state).seconds))
    warnings = _left_out(len(arrivals) - len(prepared))
    emitter.warn(warnings)
    pool, selection, leads = await computed(lambda: _collected(state, context, prepared))
    emitter.emit(
        EvidenceCollected.between(
            state["selection"], selection, fresh=len(pool) - len(state["pool"]), pool=len(pool)
        )
    )
    return {
        "pool": pool,
        "selection": selection,
        "leads": leads,
        "arrivals": (),
        "warnings": warnings,
    }


async def _prepared(passages: Sequence[Passage], seconds: float) -> Sequence[Passage]:
    """Return those of ``passages`` that could be prepared for scoring within ``seconds``."""
    ready: list[Passage] = []

    def prepare(passage: Passage) -> None:
        features_of(passage.id, passage.title, passage.text)
        ready.append(passage)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await in_slices(map(prepare, passages))
    return tuple(ready)


def _left_out(count: int) -> tuple[RunWarning, ...]:
    if not count:
        return ()
    message = f"the run ran out of time before {count} passages were weighed"
    return (RunWarning(kind="read", message=message),)


def _collected(
    state: LoopState, context: RunContext, arrivals: Sequence[Passage]
) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...], tuple[Lead, ...]]:
    """Return the pool with ``arrivals`` in it, the selection from it, and the leads."""
    pool = add_passages(state["pool"], arrivals, iteration=state["spend"].iterations)
    held = [context.store.passage(evidence.passage) for evidence in pool]
    # Whole tables repeat what passages say: they neither compete with these nor take their places.
    tables = [passage.id for passage in held if passage.whole_table]
    passages = [passage for passage in held if not passage.whole_table]
    listed = rank_priors(passages, state["considered"])
    asked = state["question"].full_text
    ranking = rank(asked, passages, context.document_share, listed)
    appraisal = appraise(
        asked,
        state["checklist"],
        rescore(pool, ranking.scores, ranking.parents),
        {passage.id: passage for passage in held},
        ranking.order,
        told_of(state),
    )
    # What a model has read and ticked stays; ticks by words alone are no better than the ranking.
    pool, sure = appraisal.evidence, bearing(state) if state["calls"] else ()
    weighed = frozenset(state["reviewed"])
    seen = [evidence.passage for evidence in pool if evidence.id in weighed]
    seats = reserve_places(state["pending"], arrivals, context.document_share, seen)
    selection = select(
        pool,
        appraisal.order,
        limit=state["budget"].max_sources + len(tables),
        first=(*sure, *in_same_sources(state["selection"], sure), *seats, *tables),
    )
    return pool, selection, ranking.leads
