"""What evaluation says of the evidence, and what the engine decides upon it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from quaere.domain.evidence import Contradiction
from quaere.domain.question import Checklist, Plan, Query
from quaere.domain.value import Share, Value

Confidence = Share


class StopReason(StrEnum):
    """Why a run stopped searching."""

    SUFFICIENT = "sufficient"
    NO_NEW_INFORMATION = "no_new_information"
    MAX_ITERATIONS = "max_iterations"
    BUDGET_EXHAUSTED = "budget_exhausted"
    TIMEOUT = "timeout"
    DEGRADED = "degraded"
    CANCELLED = "cancelled"
    ERROR = "error"


class StepMetadata(Value):
    """Who reflected or wrote, when, and at what cost."""

    timestamp: str = ""
    model: str = ""
    token_count: Annotated[int, Field(ge=0)] = 0


class NextAction(StrEnum):
    """What a reasoner proposes to do next."""

    SEARCH_MORE = "search_more"
    FINALIZE = "finalize"


class Fact(Value):
    """What a passage says of the checklist: a finding with its text (R4.2)."""

    evidence: Annotated[int, Field(ge=1)]
    items: tuple[str, ...] = ()
    """Ids of the checklist items that it addresses."""
    text: str
    """The sentence of the passage that addresses them best, word for word."""


class Reflection(Value):
    """A reasoner's reading of the evidence: ticks, gaps and the next queries (R0.3, R3.2)."""

    next_action: NextAction
    confidence: Confidence
    checklist: Checklist
    gaps: tuple[str, ...] = ()
    queries: tuple[Query, ...] = ()
    target_source_types: tuple[str, ...] = ()
    findings: tuple[int, ...] | None = None
    """Ids of the evidence that bears on the answer; ``None`` where the reasoner names none."""
    facts: tuple[Fact, ...] = ()
    """What the findings say, in the same order."""
    contradictions: tuple[Contradiction, ...] = ()
    """Evidence that says opposite things about an item."""
    answer: str = ""
    """The answer itself, where the reasoner could give it in the same step; with ids, unchecked.
    Some write one although they would like to see more."""
    reason: str = ""
    """Why, in the reasoner's own words where it gives any."""
    metadata: StepMetadata = StepMetadata()

    @property
    def sufficient(self) -> bool:
        """Whether the evidence answers the question."""
        return self.next_action is NextAction.FINALIZE


class Opening(Value):
    """What a reasoner makes of the first look."""

    plan: Plan
    reflection: Reflection | None = None
    """How far the first look answers the plan's checklist, where the reasoner has weighed that in
    the same step; ``None`` where evaluating is a step of its own."""


class Continue(Value):
    """Go round once more, with these queries."""

    kind: Literal["continue"] = "continue"
    queries: tuple[Query, ...]


class Stop(Value):
    """Stop searching and write."""

    kind: Literal["stop"] = "stop"
    reason: StopReason


Decision = Annotated[Continue | Stop, Field(discriminator="kind")]
