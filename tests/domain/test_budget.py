"""Arithmetic of budgets: sums only grow, what is left is never negative."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quaere.domain.budget import Budget, Limits, Spend, limit_of, merge_limits, remaining
from quaere.domain.profile import PROFILES, ProfileName
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
