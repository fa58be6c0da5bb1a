"""Whose limits a run keeps: the request's, the operator's or the profile's (R0.11, R3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from quaere.domain.budget import Budget, Limits, merge_limits
from quaere.domain.profile import PROFILES, ProfileName


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


def resolve_limits(
    profile: ProfileName,
    *,
    mode: Mode | None = None,
    defaults: Limits | None = None,
    request: Limits | None = None,
    operator: OperatorLimits | None = None,
) -> Limits:
    """Return the limits that replace those of ``profile``.

    The request goes before the operator, the operator before defaults and mode; what the operator
    sets for one profile goes before what is set for all; a loop that is switched off stays off.
    """
    operator = operator or OperatorLimits()
    limits = MODE_LIMITS[mode] if mode else Limits()
    for above in (
        defaults or Limits(),
        operator.every_profile,
        operator.by_profile.get(profile, Limits()),
        request or Limits(),
    ):
        limits = merge_limits(limits, above)
    if profile in operator.single_pass:
        limits = merge_limits(limits, Limits(max_iters=1))
    return limits


def resolve_budget(
    profile: ProfileName,
    *,
    mode: Mode | None = None,
    defaults: Limits | None = None,
    request: Limits | None = None,
    operator: OperatorLimits | None = None,
) -> Budget:
    """Return the budget of a run under ``profile``; see `resolve_limits` for what goes first.

    Args:
        profile: The named budget.
        mode: The mode that the run is in, if any.
        defaults: Limits of the way in by which it was asked for.
        request: Limits that the request sets.
        operator: Limits and switches that the operator sets.

    Raises:
        SettingsError: when a limit is out of its range, naming it.
    """
    limits = resolve_limits(
        profile, mode=mode, defaults=defaults, request=request, operator=operator
    )
    return PROFILES[profile].override(limits)


def resolve_budgets(
    mode: Mode | None,
    request: Limits,
    operator: OperatorLimits | None = None,
    *,
    defaults: Limits | None = None,
) -> dict[ProfileName, Budget]:
    """Return the budget of a run under each profile; see `resolve_budget`.

    Raises:
        SettingsError: when a limit is out of its range, naming it.
    """
    return {
        name: resolve_budget(name, mode=mode, defaults=defaults, request=request, operator=operator)
        for name in ProfileName
    }
