"""The answer's part of a budget is not searched away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import Remaining
from quaere.domain.model import ModelCall
from quaere.plan.shares import OUTPUT_TOKENS, PROMPT_TOKENS, TOKENS_PER_WORD, left_to_search


def left(tokens: int, usd: float | None = None) -> Remaining:
    return Remaining(iterations=3, queries=3, reads=3, tokens=tokens, seconds=9, usd=usd)


CALL = ModelCall(step="plan", model="m", cost_usd=0.02)


def test_what_judging_and_writing_take_is_kept_back() -> None:
    rest = left_to_search(left(50_000), calls=[CALL], shown_tokens=3_000, answer_words=200)
    assert 0 < rest.tokens < 50_000 - 2 * 3_000
    assert not left_to_search(left(9_000), calls=[], shown_tokens=3_000, answer_words=200).tokens


def test_an_evaluation_and_an_answer_are_reckoned_with_their_prompts() -> None:
    def kept(*, words: int = 0, thinking: int = 0, checked: bool = False) -> int:
        plenty = left(1_000_000)
        rest = left_to_search(
            plenty,
            calls=[],
            shown_tokens=3_000,
            answer_words=words,
            thinking_tokens=thinking,
            checked=checked,
        )
        return plenty.tokens - rest.tokens

    call = 3_000 + PROMPT_TOKENS + OUTPUT_TOKENS
    assert kept() == 2 * call
    assert kept(checked=True) == 3 * call
    assert kept(checked=True, thinking=100) == 3 * call + 300
    long = OUTPUT_TOKENS  # in words, so that the answer takes more than the least
    assert kept(words=long) == call + 3_000 + PROMPT_TOKENS + long * TOKENS_PER_WORD
    assert kept(words=100) == kept()


@pytest.mark.parametrize(("checked", "needed"), [(False, 0.5), (True, 0.75)])
def test_money_is_kept_for_calls_as_dear_as_the_dearest(*, checked: bool, needed: float) -> None:
    calls = [ModelCall(step="plan", model="m", cost_usd=usd) for usd in (0.125, 0.25, None, 0.0625)]

    def tokens(usd: float) -> int:
        rest = left_to_search(
            left(90_000, usd), calls=calls, shown_tokens=0, answer_words=0, checked=checked
        )
        return rest.tokens

    assert tokens(needed) > 0
    assert tokens(needed - 0.001) == 0


def test_calls_that_cost_nothing_need_no_money() -> None:
    rest = left_to_search(left(90_000, 0.0), calls=[], shown_tokens=0, answer_words=0)
    assert rest.tokens > 0


def test_room_for_the_thoughts_of_both_is_kept_back() -> None:
    def tokens(thinking: int) -> int:
        return left_to_search(
            left(50_000), calls=[CALL], shown_tokens=0, answer_words=0, thinking_tokens=thinking
        ).tokens

    assert tokens(0) - tokens(8_000) == 16_000


def test_money_for_two_more_calls_is_kept_back() -> None:
    def tokens(usd: float | None) -> int:
        given_ = left(90_000, usd)
        return left_to_search(given_, calls=[CALL], shown_tokens=0, answer_words=100).tokens

    assert tokens(0.039) == 0
    assert tokens(0.05) > 0
    assert tokens(None) > 0


@given(st.integers(0, 10**6), st.integers(0, 10**5), st.integers(0, 10**4))
def test_never_more_than_there_is_and_never_below_nothing(a: int, b: int, c: int) -> None:
    rest = left_to_search(left(a), calls=[CALL], shown_tokens=b, answer_words=c)
    assert 0 <= rest.tokens <= a
    assert rest.model_copy(update={"tokens": a}) == left(a)


def test_the_check_of_the_answer_is_kept_back_as_well() -> None:
    def tokens(usd: float | None = None, *, checked: bool) -> int:
        return left_to_search(
            left(50_000, usd),
            calls=[CALL],
            shown_tokens=3_000,
            answer_words=0,
            thinking_tokens=1_000,
            checked=checked,
        ).tokens

    assert tokens(checked=False) - tokens(checked=True) >= 3_000 + 1_000
    assert (tokens(0.05, checked=False) > 0, tokens(0.05, checked=True)) == (True, 0)
