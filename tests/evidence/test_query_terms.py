from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.evidence.features import (
    COMMONEST,
    RAREST,
    RELATED_WEIGHT,
    Rarity,
    phrase,
    query_terms,
)
from quaere.text.tokens import stem


def rarity(**shares: float) -> Rarity:
    return Rarity(lambda word: shares.get(word, 0.0))


@pytest.mark.parametrize(
    ("share", "weight"),
    [
        (1.0, -math.log(COMMONEST)),
        (0.5, math.log(2)),
        (0.01, math.log(100)),
        (0.0, math.log(1 / RAREST)),
    ],
)
def test_a_word_weighs_by_the_passages_that_hold_it(share: float, weight: float) -> None:
    assert rarity(slate=share).of("slate") == pytest.approx(weight)


@given(st.floats(), st.floats())
def test_rarity_falls_with_the_share_and_is_always_a_figure(one: float, other: float) -> None:
    first, second = Rarity(lambda _: one).of("w"), Rarity(lambda _: other).of("w")
    assert 0 < first < 9.3
    if one <= other:
        assert first >= second


def test_a_provider_is_asked_once_a_word() -> None:
    asked: Counter[str] = Counter()

    def share(word: str) -> float:
        asked[word] += 1
        return 0.1

    known = Rarity(share)
    assert [known.of("slate") for _ in range(3)] == [known.of("slate")] * 3
    assert asked == {"slate": 1}


def test_stop_words_weigh_nothing_in_a_sum() -> None:
    known = rarity(slate=0.5, flax=0.5)
    assert known.of_all(["the", "slate", "of", "flax"]) == pytest.approx(2 * math.log(2))
    assert known.of_all([]) == 0.0


def test_a_question_is_its_terms_with_their_weights() -> None:
    asked = query_terms(
        "Where was the founder of Hask born?", rarity(founder=0.01, hask=0.1, born=0.5)
    )
    assert asked.weights == {
        stem("founder"): pytest.approx(math.log(100)),
        "hask": pytest.approx(math.log(10)),
        "born": pytest.approx(math.log(2)),
    }
    assert asked.total == pytest.approx(sum(asked.weights.values()))
    assert asked.phrase == " where was the founder of hask born "
    assert asked.words[stem("founder")] == "founder"


def test_words_of_the_same_relation_weigh_half() -> None:
    asked = query_terms("Who is the wife of Pryce?", rarity(wife=0.01, pryce=0.01))
    assert asked.related[stem("married")] == pytest.approx(RELATED_WEIGHT * math.log(100))
    assert not asked.related.keys() & asked.weights.keys()


def test_a_word_asked_for_itself_is_not_counted_as_related() -> None:
    asked = query_terms("Was his wife married before?", rarity())
    assert stem("married") in asked.weights
    assert stem("married") not in asked.related


@given(st.text(max_size=80))
def test_any_text_can_be_asked(text: str) -> None:
    asked = query_terms(text, rarity())
    assert asked.total > 0
    assert set(asked.words) == set(asked.weights)
    assert list(asked.weights) == sorted(asked.weights)


def test_whole_words_can_be_looked_for_in_a_phrase() -> None:
    assert " hask " in phrase(["the", "hask", "mills"])
    assert " ask " not in phrase(["the", "hask", "mills"])
    assert phrase([]) == "  "
