"""Whose limits a run keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import Limits
from quaere.domain.precedence import (
    MODE_PROFILES,
    Mode,
    OperatorLimits,
    resolve_budget,
    resolve_limits,
)
from quaere.domain.profile import PROFILES, ProfileName
from quaere.errors import SettingsError

DEEP, CHAT = ProfileName.DEEP, ProfileName.CHAT

limits = st.fixed_dictionaries(
    {},
    optional={
        "max_iters": st.none() | st.integers(1, 20),
        "max_queries": st.none() | st.integers(1, 50),
        "max_reads": st.none() | st.integers(0, 50),
    },
).map(lambda fields: cast("Limits", fields))


def test_deep_research_has_its_own_limits_and_the_tier_deep_keeps_its_own_r3_1_r0_6() -> None:
    mode = resolve_budget(MODE_PROFILES[Mode.DEEP_RESEARCH], mode=Mode.DEEP_RESEARCH)
    assert (mode.max_iters, mode.max_reads, mode.max_queries) == (6, 16, 18)
    assert (mode.max_execution_time_s, mode.max_citations) == (150, 12)
    tier = resolve_budget(DEEP)
    assert tier.max_iters == 10
    assert tier.max_queries >= 15
    assert tier.max_sources >= 20
    assert tier.max_execution_time_s == 120


def test_a_brief_takes_two_rounds_and_five_queries_r2_2() -> None:
    budget = resolve_budget(MODE_PROFILES[Mode.BRIEF], mode=Mode.BRIEF)
    assert (budget.max_iters, budget.max_queries) == (2, 5)
    asked: Limits = {"max_iters": 4}
    assert resolve_budget(ProfileName.STANDARD, mode=Mode.BRIEF, request=asked).max_iters == 4


def test_chat_has_the_limits_of_r3_1() -> None:
    chat = resolve_budget(MODE_PROFILES[Mode.CHAT], mode=Mode.CHAT)
    assert (chat.max_iters, chat.max_reads, chat.max_queries) == (2, 4, 4)
    assert (chat.max_execution_time_s, chat.max_citations) == (20, 8)


def test_the_request_goes_before_the_environment_and_that_before_the_profile_r0_11() -> None:
    operator = OperatorLimits(every_profile={"max_iters": 4, "max_queries": 7})
    budget = resolve_budget(DEEP, request={"max_iters": 3}, operator=operator)
    assert (budget.max_iters, budget.max_queries) == (3, 7)
    assert budget.max_sources == PROFILES[DEEP].max_sources


def test_limits_of_one_profile_hold_against_those_of_all_r3_1() -> None:
    operator = OperatorLimits(every_profile={"max_iters": 9}, by_profile={DEEP: {"max_iters": 5}})
    assert resolve_budget(DEEP, operator=operator).max_iters == 5
    assert resolve_budget(DEEP, mode=Mode.DEEP_RESEARCH, operator=operator).max_iters == 5
    assert resolve_budget(CHAT, operator=operator).max_iters == 9


def test_a_loop_that_the_operator_switched_off_stays_off_r3_1() -> None:
    operator = OperatorLimits(
        every_profile={"max_iters": 9},
        by_profile={DEEP: {"max_iters": 5}},
        single_pass=frozenset({DEEP}),
    )
    asked: Limits = {"max_iters": 8}
    assert resolve_budget(DEEP, request=asked, operator=operator).max_iters == 1
    mode = Mode.DEEP_RESEARCH
    assert resolve_budget(DEEP, mode=mode, request=asked, operator=operator).max_iters == 1
    assert resolve_budget(CHAT, request=asked, operator=operator).max_iters == 8


@given(limits, limits, limits, st.sampled_from(ProfileName), st.none() | st.sampled_from(Mode))
def test_every_limit_is_that_of_the_first_who_sets_it_r0_11(
    request: Limits, one: Limits, every: Limits, profile: ProfileName, mode: Mode | None
) -> None:
    operator = OperatorLimits(every_profile=every, by_profile={profile: one})
    budget = resolve_budget(profile, mode=mode, request=request, operator=operator)
    base = resolve_budget(profile, mode=mode)
    for name in ("max_iters", "max_queries", "max_reads"):
        said = [value for each in (request, one, every) if (value := each.get(name)) is not None]
        assert getattr(budget, name) == (said[0] if said else getattr(base, name))


@given(limits, limits, st.sampled_from(ProfileName))
def test_a_switch_changes_nothing_but_the_loops(
    request: Limits, every: Limits, profile: ProfileName
) -> None:
    on = OperatorLimits(every_profile=every)
    off = replace(on, single_pass=frozenset({profile}))
    looped = resolve_limits(profile, request=request, operator=on)
    assert resolve_limits(profile, request=request, operator=off) == {**looped, "max_iters": 1}


def test_a_limit_out_of_its_range_is_named() -> None:
    with pytest.raises(SettingsError, match="max_iters"):
        resolve_budget(DEEP, operator=OperatorLimits(every_profile={"max_iters": 0}))
