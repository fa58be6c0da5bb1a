"""Takes what was read into the pool and selects from it."""

from __future__ import annotations

from quaere.domain.events import EvidenceCollected, Phase
from quaere.evidence.appraise import appraise
from quaere.evidence.pool import add_passages, in_same_sources, rescore, reserve_places, select
from quaere.evidence.score import rank, rank_priors
from quaere.graphs.emitter import Emitter
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.state import LoopState
from quaere.graphs.views import bearing, told_of


async def collect(state: LoopState, runtime: Runtime) -> Update:
    """Take the loop's passages into the pool, score the whole pool anew and select from it."""
    context = runtime.context
    arrivals = [context.store.passage(key) for key in state["arrivals"]]
    pool = add_passages(state["pool"], arrivals, iteration=state["spend"].iterations)
    passages = [context.store.passage(evidence.passage) for evidence in pool]
    listed = rank_priors(passages, state["considered"])
    asked = state["question"].full_text
    ranking = rank(asked, passages, context.document_share, listed)
    appraisal = appraise(
        asked,
        state["checklist"],
        rescore(pool, ranking.scores, ranking.parents),
        {passage.id: passage for passage in passages},
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
        limit=state["budget"].max_sources,
        first=(*sure, *in_same_sources(state["selection"], sure), *seats),
    )
    Emitter(Phase.READING, state, runtime).emit(
        EvidenceCollected.between(
            state["selection"], selection, fresh=len(pool) - len(state["pool"]), pool=len(pool)
        )
    )
    return {"pool": pool, "selection": selection, "leads": ranking.leads, "arrivals": ()}
