"""What a supervisor sees of the state."""

from __future__ import annotations

from quaere.graphs.configuration import Configuration
from quaere.graphs.context import RunContext
from quaere.graphs.supervisor_state import SupervisorState
from quaere.ports.reason import Overview


def overview_of(
    state: SupervisorState, configuration: Configuration, context: RunContext
) -> Overview:
    """Return how far the research is."""
    return Overview(
        question=state["question"],
        brief=state["brief"],
        topics=state["topics"],
        skipped=state["skipped_topics"],
        at_once=configuration.max_concurrent_research_units,
        rounds_left=rounds_left(state),
        remaining=context.remaining(state),
        may_ask=configuration.allow_clarification and not state["clarified"],
    )


def rounds_left(state: SupervisorState) -> int:
    """Return how often the supervisor may still be asked; its budget counts these as loops."""
    return max(0, state["budget"].max_iters - state["research_iterations"])
