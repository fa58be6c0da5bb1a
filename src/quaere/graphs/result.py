"""Turns the last state of a run into its report."""

from __future__ import annotations

from quaere.domain.report import Report
from quaere.domain.verdict import StopReason
from quaere.graphs.state import LoopState, TeamState
from quaere.graphs.views import stop_reason

CUT_SHORT = frozenset(
    {
        StopReason.MAX_ITERATIONS,
        StopReason.BUDGET_EXHAUSTED,
        StopReason.TIMEOUT,
        StopReason.CANCELLED,
    }
)
"""Reasons to stop that are limits, not findings."""


def to_report(state: LoopState, *, run_id: str, seconds: float, reasoner: str) -> Report:
    """Return the report of a run that has come to its end."""
    reflection, research_plan = state["reflection"], state["research_plan"]
    return Report(
        run_id=run_id,
        question=state["question"].text,
        answer=state["answer"],
        status=state["status"],
        sentences=state["sentences"],
        citations=state["citations"],
        agreements=state["agreements"],
        conflicts=state["conflicts"],
        checklist=state["checklist"],
        gaps=reflection.gaps if reflection else (),
        confidence=reflection.confidence if reflection else 0.0,
        stop_reason=stop_reason(state),
        profile=state["profile"],
        budget=state["budget"],
        spend=state["spend"],
        seconds=seconds,
        steps=state["steps"],
        queries=state["outcomes"],
        evidence=state["selection"],
        checks=state["checks"],
        warnings=state["warnings"],
        degradations=tuple(dict.fromkeys(state["degradations"])),
        calls=state["calls"],
        refined_question=research_plan.refined_question if research_plan else "",
        reasoner=reasoner,
        truncated=state["truncated"] or stop_reason(state) in CUT_SHORT,
    )


def to_supervised_report(state: TeamState, *, run_id: str, seconds: float, reasoner: str) -> Report:
    """Return the report of a supervised run that has come to its end.

    Its topics may have come back from a checkpoint as lists.
    """
    report = to_report(state, run_id=run_id, seconds=seconds, reasoner=reasoner)
    return report.model_copy(
        update={
            "dispatched_topics": tuple(state["dispatched_topics"]),
            "skipped_topics": tuple(state["skipped_topics"]),
        }
    )
