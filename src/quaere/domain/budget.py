"""What a run may spend and what it has spent: limits, the named budgets, and whose limits go first.

A budget is that of a profile (R0.6, R3.1). Over it go the limits of a mode, of the operator and of
the request, in this order (R0.11).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Unpack, cast

from pydantic import Field, ValidationError
from typing_extensions import TypedDict  # pydantic reads it on Python 3.11

from quaere.domain.value import Count, Value, faults_in_words
from quaere.errors import SettingsError

Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


MAX_LOOPS = 100


class Limits(TypedDict, total=False):
    """Limits that a caller sets in place of a profile's; ``None`` leaves one as it is."""

    max_iters: int | None
    max_queries: int | None
    max_sources: int | None
    max_reads: int | None
    max_execution_time_s: float | None
    token_budget: int | None
    max_cost_usd: float | None
    max_citations: int | None
    answer_words: int | None


def merge_limits(below: Limits, above: Limits) -> Limits:
    """Return ``below`` with every limit that ``above`` sets in its place."""
    given = {name: value for name, value in above.items() if value is not None}
    return cast("Limits", {**below, **given})


class Budget(Value):
    """The limits of one run. The first one reached ends the search, never the answer."""

    max_iters: Annotated[int, Field(ge=1, le=MAX_LOOPS)]
    """Loops of search, read and evaluate, the first look included."""
    max_queries: Annotated[int, Field(ge=1, le=1000)]
    max_sources: Annotated[int, Field(ge=1, le=1000)]
    """Distinct sources kept as evidence and shown to the writer."""
    max_reads: Annotated[int, Field(ge=0, le=1000)] = 20
    """Pages opened or fetched; a passage that a provider returns with its hit costs none."""
    max_execution_time_s: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = 90.0
    token_budget: Annotated[int, Field(ge=0)] = 200_000
    max_cost_usd: Amount | None = None
    max_citations: Annotated[int, Field(ge=1, le=1000)] = 10
    answer_words: Annotated[int, Field(ge=10, le=20_000)] = 200
    """Length of the answer that is aimed at, in words."""

    def override(self, limits: Limits) -> Budget:
        """Return this budget with ``limits`` in place of its own.

        Raises:
            SettingsError: when a limit is out of its range, naming it.
        """
        given = {name: value for name, value in limits.items() if value is not None}
        try:
            return Budget.model_validate(self.model_dump() | given)
        except ValidationError as error:
            raise SettingsError(f"Invalid limit: {faults_in_words(error.errors())}.") from error


def limit_of(name: str, value: str) -> float:
    """Return the limit ``name`` of a `Budget` that ``value`` says.

    Raises:
        SettingsError: when it is not a number, or out of its range; the message does not name it.
    """
    any_budget = Budget(max_iters=1, max_queries=1, max_sources=1)
    try:
        budget = any_budget.override(cast("Limits", {name: value}))
    except SettingsError as error:
        fault = error.message.removeprefix(f"Invalid limit: {name}: ").rstrip(".")
        raise SettingsError(f"it {fault}, not {value!r}.") from error
    return cast("float", getattr(budget, name))


class Spend(Value):
    """What a run has used so far. Sums never go down and never below zero."""

    iterations: Count = 0
    queries: Count = 0
    reads: Count = 0
    tokens: Count = 0
    model_calls: Count = 0
    cost_usd: Amount = 0.0

    def __add__(self, other: Spend) -> Spend:
        return Spend(
            iterations=self.iterations + other.iterations,
            queries=self.queries + other.queries,
            reads=self.reads + other.reads,
            tokens=self.tokens + other.tokens,
            model_calls=self.model_calls + other.model_calls,
            cost_usd=self.cost_usd + other.cost_usd,
        )

    def __sub__(self, before: Spend) -> Spend:
        """Return what came since ``before``."""
        return Spend(
            iterations=self.iterations - before.iterations,
            queries=self.queries - before.queries,
            reads=self.reads - before.reads,
            tokens=self.tokens - before.tokens,
            model_calls=self.model_calls - before.model_calls,
            cost_usd=max(0.0, self.cost_usd - before.cost_usd),
        )


class Remaining(Value):
    """What is left of a budget; every count is at least zero."""

    iterations: Count
    queries: Count
    reads: Count
    tokens: Count
    seconds: Amount
    usd: Amount | None = None
    """``None`` where no limit in money is set."""


def remaining(budget: Budget, spend: Spend, elapsed_s: float) -> Remaining:
    """Return ``budget`` minus ``spend`` after ``elapsed_s`` seconds, nothing below zero."""
    most = budget.max_cost_usd
    return Remaining(
        iterations=max(0, budget.max_iters - spend.iterations),
        queries=max(0, budget.max_queries - spend.queries),
        reads=max(0, budget.max_reads - spend.reads),
        tokens=max(0, budget.token_budget - spend.tokens),
        seconds=max(0.0, budget.max_execution_time_s - elapsed_s),
        usd=None if most is None else max(0.0, most - spend.cost_usd),
    )


class ProfileName(StrEnum):
    """Names under which a budget can be asked for."""

    SIMPLE = "simple"
    STANDARD = "standard"
    DEEP = "deep"
    CHAT = "chat"


PROFILES: Mapping[ProfileName, Budget] = MappingProxyType(
    {
        ProfileName.SIMPLE: Budget(
            max_iters=2,
            max_queries=3,
            max_sources=5,
            max_reads=8,
            max_execution_time_s=60,
            max_citations=5,
            answer_words=60,
        ),
        ProfileName.STANDARD: Budget(max_iters=5, max_queries=10, max_sources=15),
        ProfileName.DEEP: Budget(
            max_iters=10,
            max_queries=18,
            max_sources=20,
            max_reads=32,
            max_execution_time_s=120,
            token_budget=400_000,
            max_citations=12,
            answer_words=600,
        ),
        ProfileName.CHAT: Budget(
            max_iters=2,
            max_queries=4,
            max_sources=8,
            max_reads=4,
            max_execution_time_s=20,
            max_citations=8,
            answer_words=60,
        ),
    }
)
"""Limits by profile: R0.6 for simple, standard and deep, R3.1 for chat and the citation caps."""

ANSWERING_EARLY = frozenset({ProfileName.SIMPLE, ProfileName.STANDARD, ProfileName.CHAT})
"""Profiles in which the call that finds the evidence sufficient may carry the answer: it has just
read all of it. A long answer is worth a call of its own."""


class Mode(StrEnum):
    """What a run is for. Each is a profile, some with limits of their own."""

    CHAT = "chat"
    """Of the chat API, as the next."""
    DEEP_RESEARCH = "deep_research"
    BRIEF = "brief"
    """A short answer as JSON (R2.1); for runs that no profile was asked for."""


MODE_PROFILES: Mapping[Mode, ProfileName] = MappingProxyType(
    {
        Mode.CHAT: ProfileName.CHAT,
        Mode.DEEP_RESEARCH: ProfileName.DEEP,
        Mode.BRIEF: ProfileName.STANDARD,
    }
)
"""The profile that each mode runs under."""

MODE_LIMITS: Mapping[Mode, Limits] = MappingProxyType(
    {
        Mode.CHAT: Limits(),
        Mode.DEEP_RESEARCH: Limits(
            max_iters=6, max_reads=16, max_queries=18, max_execution_time_s=150
        ),
        Mode.BRIEF: Limits(max_iters=2, max_queries=5),
    }
)
"""What a mode changes in its profile: R3.1's and R2.2's defaults, where the tiers keep R0.6's."""


@dataclass(frozen=True, slots=True)
class OperatorLimits:
    """What the operator of an installation sets for every run."""

    every_profile: Limits = field(default_factory=Limits)
    """``RESEARCH_*``: whatever the profile."""
    by_profile: Mapping[ProfileName, Limits] = field(default_factory=dict[ProfileName, Limits])
    """``CHAT_RESEARCH_*`` and ``DEEP_RESEARCH_*``: for runs under one profile."""
    single_pass: frozenset[ProfileName] = frozenset()
    """Profiles whose loop is switched off (``AGENTIC_RESEARCH_*_ENABLED=false``): they search,
    read and answer once, whatever else is set."""


class AboveProfile(TypedDict, total=False):
    """Whose limits replace those of a profile; all that is left out sets none."""

    mode: Mode | None
    defaults: Limits
    """Of the way in by which a run was asked for."""
    operator: OperatorLimits
    request: Limits


def resolve_limits(profile: ProfileName, **above: Unpack[AboveProfile]) -> Limits:
    """Return the limits that replace those of ``profile``.

    The request goes before the operator, the operator before defaults and mode; what the operator
    sets for one profile goes before what is set for all; a loop that is switched off stays off.
    """
    mode, operator = above.get("mode"), above.get("operator", OperatorLimits())
    limits = MODE_LIMITS[mode] if mode else Limits()
    for each in (
        above.get("defaults", Limits()),
        operator.every_profile,
        operator.by_profile.get(profile, Limits()),
        above.get("request", Limits()),
    ):
        limits = merge_limits(limits, each)
    if profile in operator.single_pass:
        limits = merge_limits(limits, Limits(max_iters=1))
    return limits


def resolve_budget(profile: ProfileName, **above: Unpack[AboveProfile]) -> Budget:
    """Return the budget of a run under ``profile``; see `resolve_limits` for what goes first.

    Raises:
        SettingsError: when a limit is out of its range, naming it.
    """
    return PROFILES[profile].override(resolve_limits(profile, **above))


def resolve_budgets(**above: Unpack[AboveProfile]) -> dict[ProfileName, Budget]:
    """Return the budget of a run under each profile; see `resolve_budget`.

    Raises:
        SettingsError: when a limit is out of its range, naming it.
    """
    return {name: resolve_budget(name, **above) for name in ProfileName}
