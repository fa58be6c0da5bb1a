"""Arithmetic of budgets: sums only grow, what is left is never negative."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quaere.domain.budget import (
    ANSWERING_EARLY,
    MODE_PROFILES,
    PROFILES,
    Budget,
    Limits,
    Mode,
    OperatorLimits,
    ProfileName,
    Spend,
    limit_of,
    merge_limits,
    remaining,
    resolve_budget,
    resolve_limits,
)
from quaere.errors import SettingsError

COUNTS = st.integers(0, 10**9)
SPENDS = st.builds(
    Spend,
    iterations=COUNTS,
    queries=COUNTS,
    reads=COUNTS,
    tokens=COUNTS,
    model_calls=COUNTS,
    cost_usd=st.floats(0, 10**6),
)
BUDGETS = st.builds(
    Budget,
    max_iters=st.integers(1, 100),
    max_queries=st.integers(1, 1000),
    max_sources=st.integers(1, 1000),
    max_reads=st.integers(0, 1000),
    max_execution_time_s=st.floats(0.001, 3600),
    token_budget=COUNTS,
    max_cost_usd=st.none() | st.floats(0, 10**6),
)


@given(SPENDS, SPENDS)
def test_sums_never_go_down(a: Spend, b: Spend) -> None:
    total = (a + b).model_dump()
    for field, value in a.model_dump().items():
        assert total[field] >= value >= 0
        assert total[field] == pytest.approx(value + b.model_dump()[field])


@given(SPENDS, SPENDS)
def test_order_of_spending_makes_no_difference(a: Spend, b: Spend) -> None:
    assert a + b == b + a


@given(SPENDS)
def test_nothing_spent_changes_nothing(spend: Spend) -> None:
    assert spend + Spend() == spend


@given(BUDGETS, SPENDS, st.floats(0, 10**6))
def test_what_is_left_is_never_negative(budget: Budget, spend: Spend, elapsed: float) -> None:
    left = remaining(budget, spend, elapsed)
    assert min(value for value in left.model_dump().values() if value is not None) >= 0


@given(BUDGETS, SPENDS, st.floats(0, 10**6))
def test_what_is_left_and_what_is_spent_make_the_budget(
    budget: Budget, spend: Spend, elapsed: float
) -> None:
    left = remaining(budget, spend, elapsed)
    assert left.iterations == max(0, budget.max_iters - spend.iterations)
    assert left.queries == max(0, budget.max_queries - spend.queries)
    assert left.reads == max(0, budget.max_reads - spend.reads)
    assert left.tokens == max(0, budget.token_budget - spend.tokens)
    assert left.seconds == max(0, budget.max_execution_time_s - elapsed)
    if budget.max_cost_usd is None:
        assert left.usd is None
    else:
        assert left.usd == max(0, budget.max_cost_usd - spend.cost_usd)


@pytest.mark.parametrize("field", list(Spend.model_fields))
def test_negative_spending_is_refused(field: str) -> None:
    with pytest.raises(ValidationError):
        Spend.model_validate({field: -1})


@pytest.mark.parametrize(
    "limits",
    [
        {"max_iters": 0},
        {"max_queries": 0},
        {"max_sources": 0},
        {"max_execution_time_s": 0},
        {"max_execution_time_s": float("inf")},
        {"max_execution_time_s": float("nan")},
        {"token_budget": -1},
        {"answer_words": 9},
        {"unknown": 1},
    ],
)
def test_limits_that_cannot_be_used_are_refused(limits: dict[str, float]) -> None:
    usable = {"max_iters": 1, "max_queries": 1, "max_sources": 1}
    with pytest.raises(ValidationError):
        Budget.model_validate({**usable, **limits})


@pytest.mark.parametrize(
    ("name", "iters", "queries", "sources", "seconds"),
    [
        (ProfileName.SIMPLE, 2, 3, 5, 60),
        (ProfileName.STANDARD, 5, 10, 15, 90),
        (ProfileName.DEEP, 10, 18, 20, 120),
    ],
)
def test_profiles_have_the_limits_that_were_asked_for(
    name: ProfileName, iters: int, queries: int, sources: int, seconds: float
) -> None:
    """R0.6."""
    budget = PROFILES[name]
    assert (budget.max_iters, budget.max_queries, budget.max_sources) == (iters, queries, sources)
    assert budget.max_execution_time_s == seconds


def test_every_profile_has_a_budget() -> None:
    assert set(PROFILES) == set(ProfileName)


@given(BUDGETS, st.integers(1, 100), st.floats(0.001, 3600))
def test_limits_stand_in_place_of_the_budgets_own(
    budget: Budget, iters: int, seconds: float
) -> None:
    """R0.6."""
    limited = budget.override({"max_iters": iters, "max_execution_time_s": seconds})
    assert (limited.max_iters, limited.max_execution_time_s) == (iters, seconds)
    assert limited.override({"max_iters": budget.max_iters}).max_queries == budget.max_queries


@given(BUDGETS)
def test_a_limit_of_none_changes_nothing(budget: Budget) -> None:
    assert budget.override({"max_iters": None, "token_budget": None}) == budget
    assert budget.override({}) == budget


def test_a_limit_out_of_range_is_named() -> None:
    with pytest.raises(SettingsError, match="max_queries"):
        PROFILES[ProfileName.SIMPLE].override({"max_queries": 0})


def test_limits_above_stand_in_place_of_those_below() -> None:
    below: Limits = {"max_iters": 2, "max_queries": 3}
    above: Limits = {"max_iters": 4, "max_queries": None, "max_reads": 5}
    assert merge_limits(below, above) == {"max_iters": 4, "max_queries": 3, "max_reads": 5}


def test_what_came_since_is_the_difference_and_rounding_makes_no_money_negative() -> None:
    before = Spend(iterations=1, queries=2, reads=3, tokens=40, model_calls=1, cost_usd=0.25)
    more = Spend(iterations=1, queries=1, reads=0, tokens=60, model_calls=2, cost_usd=0.5)
    assert (before + more) - before == more
    cheaper = before.model_copy(update={"cost_usd": 0.2499999})
    assert (cheaper - before).cost_usd == 0.0


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"max_iters": 0}, "Invalid limit: max_iters: must be at least 1."),
        ({"max_iters": 101}, "Invalid limit: max_iters: must be at most 100."),
        ({"max_reads": "many"}, "Invalid limit: max_reads: must be a whole number."),
        ({"max_cost_usd": "much"}, "Invalid limit: max_cost_usd: must be a number."),
        ({"max_cost_usd": float("nan")}, "Invalid limit: max_cost_usd: must be a finite number."),
        (
            {"max_iters": 0, "answer_words": 9},
            "Invalid limit: max_iters: must be at least 1; answer_words: must be at least 10.",
        ),
    ],
)
def test_what_is_wrong_with_a_limit_is_told_in_plain_words(
    limits: dict[str, object], message: str
) -> None:
    budget = Budget(max_iters=1, max_queries=1, max_sources=1)
    with pytest.raises(SettingsError) as raised:
        budget.override(cast("Limits", limits))
    assert raised.value.message == message


@pytest.mark.parametrize("value", ["0", "1001", "many", ""])
def test_what_is_no_limit_is_refused_without_its_name(value: str) -> None:
    with pytest.raises(SettingsError) as raised:
        limit_of("max_queries", value)
    assert raised.value.message.startswith("it must be a")
    assert raised.value.message.endswith(f", not {value!r}.")


def test_a_limit_is_read_as_the_number_that_it_is() -> None:
    assert limit_of("max_queries", "7") == 7
    assert limit_of("max_execution_time_s", "2.5") == 2.5
    assert limit_of("max_iters", "100") == 100


@pytest.mark.parametrize(
    ("name", "reads", "citations", "words", "tokens"),
    [
        (ProfileName.CHAT, 4, 8, 60, 200_000),
        (ProfileName.SIMPLE, 8, 5, 60, 200_000),
        (ProfileName.STANDARD, 20, 10, 200, 200_000),
        (ProfileName.DEEP, 32, 12, 600, 400_000),
    ],
)
def test_a_larger_profile_reads_cites_and_writes_more(
    name: ProfileName, reads: int, citations: int, words: int, tokens: int
) -> None:
    budget = PROFILES[name]
    assert (budget.max_reads, budget.max_citations) == (reads, citations)
    assert (budget.answer_words, budget.token_budget) == (words, tokens)
    assert budget.max_cost_usd is None


def test_a_chat_is_answered_within_twenty_seconds_r3_1() -> None:
    chat = PROFILES[ProfileName.CHAT]
    assert chat.max_execution_time_s == 20
    assert (chat.max_iters, chat.max_queries, chat.max_sources) == (2, 4, 8)


def test_only_a_long_answer_is_always_written_in_a_call_of_its_own() -> None:
    lengths = {name: PROFILES[name].answer_words for name in ProfileName}
    assert {name for name, words in lengths.items() if words <= 200} == ANSWERING_EARLY


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
