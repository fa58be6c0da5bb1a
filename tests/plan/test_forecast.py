"""What a run may take, said beforehand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import ANSWERING_EARLY, PROFILES, Budget, ProfileName
from quaere.domain.model import NO_PRICES, Price, Prices
from quaere.plan.forecast import Counts, Dollars, Forecast, forecast

MODELS: dict[str, str] = dict.fromkeys(("plan", "evaluate", "synthesize", "check"), "tower:keeper")
PRICES = Prices(models={"tower:": Price(input_usd=1.0, output_usd=10.0)})
BUDGETS = st.builds(
    Budget,
    max_iters=st.integers(1, 100),
    max_queries=st.integers(1, 1000),
    max_sources=st.integers(1, 1000),
    max_reads=st.integers(0, 1000),
    token_budget=st.integers(0, 10**9),
    max_cost_usd=st.none() | st.floats(0, 100),
    max_citations=st.integers(1, 1000),
    answer_words=st.integers(10, 20_000),
)
NAMES = st.sampled_from(ProfileName)


def of(name: ProfileName, prices: Prices = PRICES) -> Forecast:
    return forecast(PROFILES[name], name, MODELS, prices, providers=3)


def test_a_run_takes_a_call_to_plan_one_a_further_loop_and_one_to_write() -> None:
    said = of(ProfileName.DEEP)
    assert [(step.step, step.calls.low, step.calls.high) for step in said.steps] == [
        ("plan", 1, 1),
        ("evaluate", 0, 9),
        ("synthesize", 1, 1),
        ("check", 0, 1),
    ]
    assert said.calls == Counts(low=2, high=12)
    assert said.queries == Counts(low=1, high=18)
    assert said.searches == Counts(low=3, high=54)
    assert said.pages == Counts(low=0, high=32)
    assert said.seconds == 120


@pytest.mark.parametrize("name", sorted(ANSWERING_EARLY))
def test_short_profiles_may_answer_with_their_first_call(name: ProfileName) -> None:
    said = of(name)
    assert said.calls == Counts(low=1, high=PROFILES[name].max_iters + 2)
    assert said.steps[0].completion_tokens.low > of(ProfileName.DEEP).steps[0].completion_tokens.low


@pytest.mark.parametrize("name", ProfileName)
def test_a_model_checks_what_is_no_quote_in_every_profile(name: ProfileName) -> None:
    (check,) = (step for step in of(name).steps if step.step == "check")
    assert check.calls == Counts(low=0, high=1)


def test_sizes_and_costs_add_up() -> None:
    said = of(ProfileName.STANDARD)
    for step in said.steps:
        assert step.cost_usd is not None
        for end in ("low", "high"):
            prompt, completion = (
                getattr(tokens, end) for tokens in (step.prompt_tokens, step.completion_tokens)
            )
            usd = (prompt + 10 * completion) / 1_000_000
            assert getattr(step.cost_usd, end) == pytest.approx(usd)
    assert said.cost_usd is not None
    assert said.cost_usd.high == pytest.approx(
        sum(s.cost_usd.high for s in said.steps if s.cost_usd)
    )
    # 15 passages and the frame of the prompt
    assert said.steps[0].prompt_tokens == Counts(low=800 + 5 * 190, high=1_500 + 15 * 310)
    assert said.tokens.low < 5_000
    assert 40_000 < said.tokens.high < 90_000


def test_every_size_follows_from_the_limits_that_it_depends_on() -> None:
    budget = PROFILES[ProfileName.DEEP].override(
        {"max_sources": 10, "max_iters": 3, "max_citations": 5, "answer_words": 1_000}
    )
    steps = {step.step: step for step in forecast(budget, ProfileName.DEEP, MODELS, PRICES).steps}
    shown = Counts(low=800 + 4 * 190, high=1_500 + 10 * 310)
    judged = Counts(low=250, high=4_000)
    nothing = Counts(low=0, high=0)
    assert steps["plan"].prompt_tokens == shown
    assert steps["plan"].completion_tokens == judged
    assert steps["evaluate"].prompt_tokens == Counts(low=0, high=2 * shown.high)
    assert steps["evaluate"].completion_tokens == Counts(low=0, high=8_000)
    assert steps["synthesize"].prompt_tokens == shown
    assert steps["synthesize"].completion_tokens == Counts(low=2_000, high=6_000)
    assert steps["check"].prompt_tokens == Counts(low=0, high=1_500 + 5 * 310)
    assert steps["check"].completion_tokens == nothing + Counts(low=0, high=4_000)
    once = forecast(budget.override({"max_iters": 1}), ProfileName.DEEP, MODELS, PRICES)
    assert [step.step for step in once.steps] == ["plan", "synthesize", "check"]


def test_a_model_that_thinks_may_do_so_before_a_short_answer_too() -> None:
    short = PROFILES[ProfileName.DEEP].override({"answer_words": 50})
    steps = {step.step: step for step in forecast(short, ProfileName.DEEP, MODELS, PRICES).steps}
    assert steps["synthesize"].completion_tokens == Counts(low=100, high=4_000)


def test_a_first_call_that_may_answer_is_reckoned_with_the_words_of_the_answer() -> None:
    early = of(ProfileName.SIMPLE).steps[0].completion_tokens
    words = PROFILES[ProfileName.SIMPLE].answer_words
    assert early == Counts(low=250 + 2 * words, high=4_000 + 6 * words)


def test_numbers_are_added_multiplied_and_cut_at_both_ends() -> None:
    one, other = Counts(low=2, high=5), Counts(low=3, high=7)
    assert one + other == Counts(low=5, high=12)
    assert one * other == Counts(low=6, high=35)
    assert one.up_to(4) == Counts(low=2, high=4)
    assert one.up_to(1) == Counts(low=1, high=1)


def test_costs_are_told_up_to_the_limit_in_money() -> None:
    free = PROFILES[ProfileName.DEEP]
    said = forecast(free, ProfileName.DEEP, MODELS, PRICES)
    assert said.cost_usd
    assert said.cost_usd.low == pytest.approx(
        sum(step.cost_usd.low for step in said.steps if step.cost_usd)
    )
    limit = said.cost_usd.low / 2
    cut = forecast(free.override({"max_cost_usd": limit}), ProfileName.DEEP, MODELS, PRICES)
    assert cut.cost_usd == Dollars(low=limit, high=limit)


@given(BUDGETS, NAMES, st.integers(1, 20))
def test_nothing_is_forecast_beyond_the_budget(
    budget: Budget, name: ProfileName, providers: int
) -> None:
    said = forecast(budget, name, MODELS, PRICES, providers=providers)
    assert said.tokens.high <= budget.token_budget
    assert said.queries.high <= budget.max_queries
    assert said.pages.high <= budget.max_reads
    assert said.calls.high <= budget.max_iters + 2
    assert said.cost_usd is not None
    assert budget.max_cost_usd is None or said.cost_usd.high <= budget.max_cost_usd
    for pair in (said.tokens, said.calls, said.searches, said.pages, said.cost_usd):
        assert 0 <= pair.low <= pair.high


def test_a_missing_price_is_named_and_no_total_invented() -> None:
    models = {**MODELS, "synthesize": "harbour:scribe"}
    said = forecast(PROFILES[ProfileName.DEEP], ProfileName.DEEP, models, PRICES)
    assert said.unpriced == ("harbour:scribe",)
    assert said.cost_usd is None
    assert said.steps[0].cost_usd is not None
    assert of(ProfileName.DEEP, NO_PRICES).unpriced == ("tower:keeper",)


def test_without_a_model_only_searching_is_forecast() -> None:
    said = forecast(PROFILES[ProfileName.SIMPLE], ProfileName.SIMPLE, {}, NO_PRICES)
    assert (said.steps, said.unpriced) == ((), ())
    assert said.calls == said.tokens == Counts(low=0, high=0)
    assert said.cost_usd is not None
    assert said.cost_usd.high == 0
    assert said.searches == Counts(low=1, high=3)
