"""Writes down which topics researchers are sent out for, before they are."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from quaere.domain.report import Degradation
from quaere.graphs.context import RunContext
from quaere.graphs.flow import Runtime, Update
from quaere.graphs.messages import ToolAnswer, ToolCall, acknowledged, answered, conducts
from quaere.graphs.reasoning import compare
from quaere.graphs.state import SupervisorState
from quaere.plan.delegation import (
    Refusal,
    Similarity,
    meant_similarity,
    pairs_to_compare,
    screen,
    topic_similarity,
)

logger = logging.getLogger(__name__)


async def dispatch(state: SupervisorState, runtime: Runtime) -> Update:
    """Refuse topics that repeat others, put off those that are too many, note down the rest."""
    configuration = runtime.configuration
    calls = conducts(state["messages"])
    most = configuration.max_concurrent_research_units
    searches = max(0, state["budget"].max_queries - state["spend"].queries)
    proposed = [call.argument for call in calls]
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
        answered(
            calls[place],
            f"Not researched now: no more than {min(most, searches)} topics can be researched "
            "side by side. Ask for it again if it is still needed.",
            failed=True,
        )
        for place in screening.postponed
    ]
    return {
        "messages": (*acknowledged(state["messages"]), *refused, *put_off),
        "dispatched_topics": tuple(calls[place].argument for place in screening.admitted),
        "skipped_topics": tuple(calls[place].argument for place in screening.refused),
        "degradations": degradations,
    }


async def _similarity(
    proposed: Sequence[str], state: SupervisorState, context: RunContext
) -> tuple[Similarity, tuple[Degradation, ...]]:
    """Return what tells topics apart: their words, and an embedder where there is one."""
    if context.same_cosine is None:
        return topic_similarity, ()
    pairs = pairs_to_compare(proposed, state["dispatched_topics"])
    found = await compare(pairs, state, context)
    if found.cosines is None:
        return topic_similarity, found.degradations
    cosines = dict(zip(pairs, found.cosines, strict=True))
    return meant_similarity(cosines, context.same_cosine), ()


def _refused(call: ToolCall, refusal: Refusal, threshold: float) -> ToolAnswer:
    logger.info(
        "duplicate topic refused: %r repeats %r, similarity %.2f, threshold %.2f",
        refusal.topic,
        refusal.repeats,
        refusal.similarity,
        threshold,
    )
    return answered(
        call,
        f"Refused as a duplicate: this topic repeats “{refusal.repeats}”, which has been "
        f"dispatched already (similarity {refusal.similarity:.2f}, threshold {threshold:.2f}). "
        "Ask for something else, or call the research complete.",
        failed=True,
    )
