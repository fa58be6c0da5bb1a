"""Takes what was read into the pool and selects from it."""

from __future__ import annotations

from langgraph.runtime import Runtime

from quaere.domain.events import EvidenceCollected, Phase
from quaere.evidence.appraise import appraise
from quaere.evidence.pool import beside, rescore, select, take_in
from quaere.evidence.prior import priors
from quaere.evidence.score import rank
from quaere.evidence.seats import seated
from quaere.graphs.context import RunContext
from quaere.graphs.emitter import Narrator
from quaere.graphs.nodes.update import Update
from quaere.graphs.state import LoopState
from quaere.graphs.views import bearing, told_of


async def collect(state: LoopState, runtime: Runtime[RunContext]) -> Update:
    """Take the loop's passages into the pool, score the whole pool anew and select from it."""
    context = runtime.context
    arrivals = [context.store.passage(key) for key in state["arrivals"]]
    pool = take_in(state["pool"], arrivals, iteration=state["spend"].iterations)
    passages = [context.store.passage(evidence.passage) for evidence in pool]
    listed = priors(passages, state["considered"])
    ranking = rank(state["question"].text, passages, context.document_share, listed)
    appraisal = appraise(
        state["question"].text,
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
    seats = seated(state["pending"], arrivals, context.document_share, seen)
    selection = select(
        pool,
        appraisal.order,
        limit=state["budget"].max_sources,
        first=(*sure, *beside(state["selection"], sure), *seats),
    )
    Narrator(Phase.READING, state, runtime).tell(
        EvidenceCollected.between(
            state["selection"], selection, fresh=len(pool) - len(state["pool"]), pool=len(pool)
        )
    )
    return {"pool": pool, "selection": selection, "leads": ranking.leads, "arrivals": ()}
