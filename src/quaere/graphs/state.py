"""What a run remembers from step to step: small, serializable, handles instead of text.

The messages are what supervisor and tools say to each other; LangGraph Studio shows it (FR-12). No
model is bound to these tools: a supervisor gives a `Delegation`, whatever model it asks, and its
calls are made of that here.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Annotated, TypedDict, TypeVar

from quaere.domain.budget import PROFILES, Budget, Limits, ProfileName, Spend, merge_limits
from quaere.domain.evidence import Agreement, Conflict, Evidence, Lead
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, Plan, Query, Question
from quaere.domain.report import (
    AnswerStatus,
    Checks,
    Citation,
    Degradation,
    Nearby,
    QueryOutcome,
    RunWarning,
    Sentence,
    Step,
)
from quaere.domain.source import Hit
from quaere.domain.team import Delegation, Topic
from quaere.domain.value import Value
from quaere.domain.verdict import Decision, Opening, Reflection
from quaere.graphs.configuration import Configuration
from quaere.plan.delegation import choose_tier

CONDUCT = "ConductResearch"
COMPLETE = "ResearchComplete"
THINK = "think_tool"
STOPPED = "early_termination"
"""Name of the message by which the engine tells why it ends the research."""


class ToolCall(Value):
    """A call that the supervisor makes of one of its tools."""

    id: str
    name: str
    argument: str = ""
    """The topic, or the reflection."""


class SupervisorTurn(Value):
    """What the supervisor says in one of its turns."""

    id: str
    calls: tuple[ToolCall, ...]


class ToolAnswer(Value):
    """What a tool answers to a call."""

    id: str
    call: str
    """Id of the call."""
    text: str
    name: str = ""
    failed: bool = False


Message = SupervisorTurn | ToolAnswer


def answered(call: ToolCall, text: str, *, failed: bool = False) -> ToolAnswer:
    """Return the answer to a call of ``ConductResearch``."""
    return ToolAnswer(id=f"answer-{call.id}", call=call.id, text=text, name=CONDUCT, failed=failed)


def supervisor_turn(delegation: Delegation, turn: int) -> SupervisorTurn:
    """Return what the supervisor says in its ``turn``, which makes the ids of its calls."""
    calls: list[tuple[str, str]] = []
    if delegation.thought:
        calls.append((THINK, delegation.thought))
    if delegation.complete:
        calls.append((COMPLETE, ""))
    else:
        topics = (" ".join(topic.split()) for topic in delegation.topics)
        calls += [(CONDUCT, topic) for topic in topics if topic]
    return SupervisorTurn(
        id=f"supervisor-{turn}",
        calls=tuple(
            ToolCall(id=f"call-{turn}-{place}", name=name, argument=argument)
            for place, (name, argument) in enumerate(calls, 1)
        ),
    )


def acknowledgements(messages: Sequence[Message]) -> list[ToolAnswer]:
    """Return the answers to the calls of the last turn that ask for no research."""
    said = {THINK: "Reflection recorded.", COMPLETE: "The research is complete."}
    return [
        ToolAnswer(id=f"answer-{call.id}", call=call.id, text=said[call.name])
        for call in _last_calls(messages)
        if call.name in said
    ]


def research_calls(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return the calls of the last turn that ask for research."""
    return tuple(call for call in _last_calls(messages) if call.name == CONDUCT)


def unanswered_calls(messages: Sequence[Message]) -> tuple[ToolCall, ...]:
    """Return those of them that no message answers yet."""
    answers = {each.call for each in messages if isinstance(each, ToolAnswer)}
    return tuple(call for call in research_calls(messages) if call.id not in answers)


def end_message(why: str, turn: int) -> ToolAnswer:
    """Return the message by which the engine ends the research after ``turn``."""
    place = f"{STOPPED}-{turn}"
    return ToolAnswer(id=place, call=place, text=why, name=STOPPED)


def _last_calls(messages: Sequence[Message]) -> Sequence[ToolCall]:
    turns = [message for message in messages if isinstance(message, SupervisorTurn)]
    return turns[-1].calls if turns else ()


T = TypeVar("T")


def grow(before: Sequence[T], more: Sequence[T]) -> tuple[T, ...]:
    """Return ``before`` followed by ``more``; a checkpoint gives tuples back as lists."""
    return (*before, *more)


class LoopState(TypedDict):
    """State of the loop graph. Keys are nouns; what has ``grow`` as reducer only grows (R0.2)."""

    question: Question
    requested: ProfileName | None
    limits: Limits
    profile: ProfileName
    budget: Budget
    spend: Annotated[Spend, operator.add]
    pending: tuple[Query, ...]
    """Queries that the next search asks."""
    outcomes: Annotated[tuple[QueryOutcome, ...], grow]
    considered: Annotated[tuple[str, ...], grow]
    """Canonical URLs of all sources that searches have brought, each once."""
    opened: Annotated[tuple[str, ...], grow]
    """Canonical URLs of the sources whose text was read, each once."""
    tried: Annotated[tuple[str, ...], grow]
    """Canonical URLs that were opened or cannot be: none is tried again."""
    unread: tuple[Hit, ...]
    """Hits whose text is still to be read: of this loop, and those that the last one failed at."""
    arrivals: tuple[str, ...]
    """Passage ids that came in with this loop."""
    pool: tuple[Evidence, ...]
    selection: tuple[Evidence, ...]
    leads: tuple[Lead, ...]
    reviewed: tuple[int, ...]
    """Ids of the evidence that was selected at the last review."""
    research_plan: Plan | None
    checklist: Checklist
    reflection: Reflection | None
    decision: Decision | None
    steps: Annotated[tuple[Step, ...], grow]
    calls: Annotated[tuple[ModelCall, ...], grow]
    drafts: tuple[Sentence, ...]
    sentences: tuple[Sentence, ...]
    dropped: tuple[Sentence, ...]
    checks: Checks
    answer: str
    status: AnswerStatus
    citations: tuple[Citation, ...]
    nearest: tuple[Nearby, ...]
    """Where to look when nothing answers."""
    agreements: tuple[Agreement, ...]
    conflicts: tuple[Conflict, ...]
    warnings: Annotated[tuple[RunWarning, ...], grow]
    degradations: Annotated[tuple[Degradation, ...], grow]
    truncated: bool
    """Whether a supervisor was stopped before it called the research complete."""


def initial_state(
    question: Question,
    *,
    requested: ProfileName | None,
    limits: Limits,
    profiles: Mapping[ProfileName, Budget] = PROFILES,
) -> LoopState:
    """Return the state in which a run starts: the raw question is the first query.

    Raises:
        SettingsError: when a limit is out of its range.
    """
    profile = choose_tier(requested, None)
    return LoopState(
        question=question,
        requested=requested,
        limits=limits,
        profile=profile,
        budget=profiles[profile].override(limits),
        spend=Spend(),
        pending=(Query(text=question.full_text),),
        outcomes=(),
        considered=(),
        opened=(),
        tried=(),
        unread=(),
        arrivals=(),
        pool=(),
        selection=(),
        leads=(),
        reviewed=(),
        research_plan=None,
        checklist=Checklist(),
        reflection=None,
        decision=None,
        steps=(),
        calls=(),
        drafts=(),
        sentences=(),
        dropped=(),
        checks=Checks(),
        answer="",
        status=AnswerStatus.NO_EVIDENCE,
        citations=(),
        nearest=(),
        agreements=(),
        conflicts=(),
        warnings=(),
        degradations=(),
        truncated=False,
    )


class TeamState(LoopState):
    """State of a supervised run but for its messages; its names are those of requirement R1."""

    brief: str
    clarification: str
    """The question to ask back; empty when there is none."""
    clarified: bool
    """Whether something was asked back, which happens once."""
    approved_topics: tuple[str, ...]
    """Topics that the user has put in place of the first ones; empty when they stayed as shown."""
    dropped_topics: tuple[str, ...]
    """Those of the first ones that the user has left out."""
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
    """The outcomes of the topics, in the order in which they were dispatched."""
    opening: Opening | None
    """What was made of the first look while the brief was written; None where nobody was asked."""


class SupervisorState(TeamState):
    """State of the supervisor graph."""

    messages: Annotated[Sequence[Message], grow]
    """What the supervisor has said and what its tools have answered."""


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
    ``configuration`` in place of the profile's; what ``limits`` has for them precedes both,
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
        approved_topics=(),
        dropped_topics=(),
        dispatched_topics=(),
        skipped_topics=(),
        notes=(),
        research_iterations=0,
        delegation=None,
        topics=(),
        opening=None,
    )
