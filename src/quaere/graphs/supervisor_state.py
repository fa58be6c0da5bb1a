"""What a supervised run remembers: all that a loop does, and the topics and the trace besides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages

from quaere.domain.budget import Budget, Limits, merge_limits
from quaere.domain.profile import PROFILES, ProfileName
from quaere.domain.question import Question
from quaere.domain.team import Delegation, Topic
from quaere.graphs.configuration import Configuration
from quaere.graphs.state import LoopState, grow, initial_state
from quaere.plan.tiers import choose_tier


class SupervisorState(LoopState):
    """State of the supervisor graph; names from ``messages`` on are those of requirement R1."""

    messages: Annotated[list[AnyMessage], add_messages]
    """What the supervisor has said and what its tools have answered."""
    brief: str
    clarification: str
    """What is to be asked back; empty when nothing is."""
    clarified: bool
    """Whether something was asked back, which happens once."""
    dispatched_topics: Annotated[tuple[str, ...], grow]
    """Topics that researchers were sent out for, written down before they are."""
    skipped_topics: Annotated[tuple[str, ...], grow]
    """Topics that were refused, because they repeat others."""
    notes: Annotated[tuple[str, ...], grow]
    """What researchers have found, one note a topic, against which new findings are held."""
    research_iterations: int
    """Times that the supervisor has been asked."""
    delegation: Delegation | None
    """What it has said last, or what the brief has said for its first time."""
    topics: tuple[Topic, ...]
    """What came of the topics, in the order in which they were dispatched."""


def supervisor_state(
    question: Question,
    *,
    requested: ProfileName | None,
    limits: Limits,
    configuration: Configuration,
    profiles: Mapping[ProfileName, Budget] = PROFILES,
) -> SupervisorState:
    """Return the state in which a supervised run starts.

    A loop of its budget is a round of researchers. Rounds and searches are those of
    ``configuration`` in place of the profile's; what ``limits`` says of them stands above both,
    but for rounds, of which there are never more than ``configuration`` allows.

    Raises:
        SettingsError: when a limit is out of its range.
    """
    rounds, asked = configuration.max_researcher_iterations, limits.get("max_iters")
    profile_queries = profiles[choose_tier(requested, None)].max_queries
    bounded = merge_limits(
        {"max_queries": configuration.queries_wanted(profile_queries)},
        merge_limits(limits, {"max_iters": min(asked, rounds) if asked else rounds}),
    )
    state = initial_state(question, requested=requested, limits=bounded, profiles=profiles)
    return SupervisorState(
        **state,
        messages=[],
        brief="",
        clarification="",
        clarified=False,
        dispatched_topics=(),
        skipped_topics=(),
        notes=(),
        research_iterations=0,
        delegation=None,
        topics=(),
    )
