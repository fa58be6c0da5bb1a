"""What calls cost: never negative, never less for more."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quaere.domain.model import NO_PRICES, Price, Prices, Usage

DOLLARS = st.floats(0, 1000)
TOKENS = st.integers(0, 10**7)
PRICES = st.builds(Price, input_usd=DOLLARS, output_usd=DOLLARS, cached_usd=st.none() | DOLLARS)
USAGES = st.builds(Usage, prompt_tokens=TOKENS, completion_tokens=TOKENS, cached_tokens=TOKENS)

CHEAP, MIDDLE, DEAR = (Price(input_usd=n, output_usd=2 * n) for n in (1, 2, 3))


@given(PRICES, USAGES)
def test_no_call_costs_less_than_nothing(price: Price, usage: Usage) -> None:
    assert price.cost(usage) >= 0


@given(PRICES, USAGES, TOKENS, TOKENS)
def test_more_tokens_never_cost_less(price: Price, usage: Usage, more: int, longer: int) -> None:
    larger = usage.model_copy(
        update={
            "prompt_tokens": usage.prompt_tokens + more,
            "completion_tokens": usage.completion_tokens + longer,
        }
    )
    assert price.cost(larger) >= price.cost(usage) * (1 - 1e-12)


def test_prices_are_for_a_million_tokens_and_the_cached_ones_have_their_own() -> None:
    price = Price(input_usd=2.0, output_usd=10.0, cached_usd=0.5)
    usage = Usage(prompt_tokens=100_000, completion_tokens=10_000, cached_tokens=40_000)
    assert price.cost(usage) == pytest.approx(0.12 + 0.02 + 0.1)
    plain = price.model_copy(update={"cached_usd": None})
    assert plain.cost(usage) == pytest.approx(0.2 + 0.1)


def test_thoughts_are_part_of_what_was_written_and_not_paid_twice() -> None:
    price = Price(input_usd=0, output_usd=10)
    assert price.cost(Usage(completion_tokens=100, reasoning_tokens=90)) == pytest.approx(0.001)


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("openai:gpt-5", MIDDLE),
        ("openai:gpt-5-2025-08-07", MIDDLE),
        ("openai:gpt-5-0125-preview", MIDDLE),
        ("openai:gpt-5@20250807", MIDDLE),
        ("openai:gpt-5-mini", CHEAP),
        ("openai:gpt-5-mini-2025-08-07", CHEAP),
        ("openai:gpt-5-pro", None),
        ("openai:gpt-5.4", None),
        ("openai:gpt-5-120b", None),
        ("openai:gpt-5-latest", None),
        ("openai:gpt-50", None),
        ("openai:gpt", None),
        ("ollama:qwen3:8b", CHEAP),
        ("ollama:big/model", DEAR),
        ("OLLAMA:x", None),
        ("", None),
    ],
)
def test_a_name_stands_for_itself_its_versions_and_a_vendor_for_all_it_has(
    model: str, price: Price | None
) -> None:
    prices = Prices(
        models={
            "ollama:": CHEAP,
            "ollama:big/": DEAR,
            "openai:gpt-5": MIDDLE,
            "openai:gpt-5-mini": CHEAP,
        }
    )
    assert prices.of(model) == price
    cost = prices.cost(model, Usage(prompt_tokens=1_000_000))
    assert cost == (None if price is None else price.input_usd)


def test_own_prices_stand_in_place_of_those_below() -> None:
    below = Prices(models={"a:x": CHEAP, "a:y": CHEAP})
    prices = below.extended(Prices(models={"a:y": DEAR, "a:z": MIDDLE}))
    assert [prices.of(f"a:{name}") for name in "xyz"] == [CHEAP, DEAR, MIDDLE]
    assert NO_PRICES.of("a:x") is None


@pytest.mark.parametrize("amount", [-0.01, float("nan"), float("inf")])
def test_amounts_that_are_no_prices_are_refused(amount: float) -> None:
    with pytest.raises(ValidationError):
        Price(input_usd=amount, output_usd=1)


def test_tokens_of_two_calls_are_added_each_kind_by_itself() -> None:
    one = Usage(prompt_tokens=1, completion_tokens=2, cached_tokens=3, reasoning_tokens=4)
    other = one.model_copy(update={"reasoning_tokens": 40, "estimated": True})
    both = Usage(prompt_tokens=2, completion_tokens=4, cached_tokens=6, reasoning_tokens=44)
    assert one + other == other + one == both.model_copy(update={"estimated": True})
    assert not (one + one).estimated
