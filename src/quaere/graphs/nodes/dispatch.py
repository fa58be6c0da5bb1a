"""Writes down which topics researchers are sent out for, before they are."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from langchain_core.messages import ToolMessage
from langgraph.config import get_config
from langgraph.runtime import Runtime

from quaere.domain.report import Degradation
from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.nodes.update import Update
from quaere.graphs.similarity import likeness
from quaere.graphs.supervisor_state import SupervisorState
from quaere.graphs.trace import Conduct, acknowledged, conducts
from quaere.plan.alike import meant_similarity, pairs_to_compare
from quaere.plan.novelty import Similarity, topic_similarity
from quaere.plan.screen import Refusal, screen

logger = logging.getLogger(__name__)


async def dispatch(state: SupervisorState, runtime: Runtime[RunContext]) -> Update:
    """Refuse topics that repeat others, put off those that are too many, note down the rest."""
    configuration = Configuration.from_runnable_config(get_config())
    calls = conducts(state["messages"])
    most = configuration.max_concurrent_research_units
    searches = max(0, state["budget"].max_queries - state["spend"].queries)
    proposed = [call.topic for call in calls]
    similarity, degradations = await _similarity(proposed, state, runtime.context)
    screening = screen(
        proposed,
        state["dispatched_topics"],
        threshold=configuration.duplicate_topic_similarity_threshold,
        at_once=min(most, searches),
        similarity=similarity,
    )
    refused = [
        _refused(calls[place], refusal, configuration.duplicate_topic_similarity_threshold)
        for place, refusal in screening.refused.items()
    ]
    put_off = [
        calls[place].answered(
            f"Not researched now: no more than {min(most, searches)} topics can be researched "
            "side by side. Ask for it again if it is still needed.",
            failed=True,
        )
        for place in screening.postponed
    ]
    return {
        "messages": [*acknowledged(state["messages"]), *refused, *put_off],
        "dispatched_topics": tuple(calls[place].topic for place in screening.admitted),
        "skipped_topics": tuple(calls[place].topic for place in screening.refused),
        "degradations": degradations,
    }


async def _similarity(
    proposed: Sequence[str], state: SupervisorState, context: RunContext
) -> tuple[Similarity, tuple[Degradation, ...]]:
    """Return what tells topics apart: their words, and an embedder where there is one."""
    if context.same_cosine is None:
        return topic_similarity, ()
    pairs = pairs_to_compare(proposed, state["dispatched_topics"])
    found = await likeness(pairs, state, context)
    if found.cosines is None:
        return topic_similarity, found.degradations
    cosines = dict(zip(pairs, found.cosines, strict=True))
    return meant_similarity(cosines, context.same_cosine), ()


def _refused(call: Conduct, refusal: Refusal, threshold: float) -> ToolMessage:
    logger.info(
        "duplicate topic refused: %r repeats %r, similarity %.2f, threshold %.2f",
        refusal.topic,
        refusal.repeats,
        refusal.similarity,
        threshold,
    )
    return call.answered(
        f"Refused as a duplicate: this topic repeats “{refusal.repeats}”, which has been "
        f"dispatched already (similarity {refusal.similarity:.2f}, threshold {threshold:.2f}). "
        "Ask for something else, or call the research complete.",
        failed=True,
    )
