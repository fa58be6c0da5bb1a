"""The answer's part of a budget is not searched away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import Remaining
from quaere.domain.model import ModelCall
from quaere.plan.shares import left_to_search


def left(tokens: int, usd: float | None = None) -> Remaining:
    return Remaining(iterations=3, queries=3, reads=3, tokens=tokens, seconds=9, usd=usd)


CALL = ModelCall(step="plan", model="m", cost_usd=0.02)


def test_what_judging_and_writing_take_is_kept_back() -> None:
    rest = left_to_search(left(50_000), calls=[CALL], shown_tokens=3_000, answer_words=200)
    assert 0 < rest.tokens < 50_000 - 2 * 3_000
    assert not left_to_search(left(9_000), calls=[], shown_tokens=3_000, answer_words=200).tokens


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
