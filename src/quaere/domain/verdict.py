"""What evaluation says of the evidence, and what the engine decides upon it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from quaere.domain.question import Checklist, Query
from quaere.domain.value import Value

Confidence = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


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


class ReflectionMetadata(Value):
    """Who reflected, when, and at what cost."""

    timestamp: str = ""
    model: str = ""
    token_count: Annotated[int, Field(ge=0)] = 0


class NextAction(StrEnum):
    """What a reasoner proposes to do next."""

    SEARCH_MORE = "search_more"
    FINALIZE = "finalize"


class Reflection(Value):
    """A reasoner's reading of the evidence: ticks, gaps and the next queries (R0.3, R3.2)."""

    next_action: NextAction
    confidence: Confidence
    checklist: Checklist
    gaps: tuple[str, ...] = ()
    queries: tuple[Query, ...] = ()
    target_source_types: tuple[str, ...] = ()
    reason: str = ""
    metadata: ReflectionMetadata = ReflectionMetadata()

    @property
    def sufficient(self) -> bool:
        """Whether the evidence answers the question."""
        return self.next_action is NextAction.FINALIZE


class Continue(Value):
    """Go round once more, with these queries."""

    kind: Literal["continue"] = "continue"
    queries: tuple[Query, ...]


class Stop(Value):
    """Stop searching and write."""

    kind: Literal["stop"] = "stop"
    reason: StopReason


Decision = Annotated[Continue | Stop, Field(discriminator="kind")]
