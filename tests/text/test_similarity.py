"""Measures of likeness and their bounds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.similarity import (
    Bm25,
    containment,
    jaccard,
    shingles,
)

SETS = st.frozensets(st.sampled_from("abcdef"))
DOCUMENTS = st.lists(st.lists(st.sampled_from(["tide", "lamp", "sea", "keeper"])), max_size=6)

KEEPER = "The keeper of the lamp at Morn wrote down the height of every spring tide he saw."


@given(SETS, SETS)
def test_jaccard_is_a_mutual_share(a: frozenset[str], b: frozenset[str]) -> None:
    assert 0 <= jaccard(a, b) <= 1
    assert jaccard(a, b) == jaccard(b, a)
    assert (jaccard(a, b) == 1) == (a == b and bool(a))


@given(SETS, SETS)
def test_containment_is_the_share_of_the_first(a: frozenset[str], b: frozenset[str]) -> None:
    assert 0 <= containment(a, b) <= 1
    assert (containment(a, b) == 1) == (a <= b and bool(a))
    assert containment(a, b) >= jaccard(a, b)


def test_jaccard_and_containment_count_members() -> None:
    assert jaccard({"a", "b", "c"}, {"b", "c", "d"}) == pytest.approx(0.5)
    assert containment({"a", "b"}, {"b", "c", "d"}) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("text", "size", "expected"),
    [
        ("The lamp is lit", 2, {"the lamp", "lamp is", "is lit"}),
        ("The lamp is lit", 4, {"the lamp is lit"}),
        ("The lamp", 3, {"the lamp"}),
        ("", 3, set[str]()),
        ("lit, lit, lit", 1, {"lit"}),
    ],
)
def test_shingles_are_runs_of_words(text: str, size: int, expected: set[str]) -> None:
    assert shingles(text, size) == expected


def test_a_shingle_has_a_word() -> None:
    with pytest.raises(ValueError, match="at least one word"):
        shingles("The lamp", 0)


@given(DOCUMENTS, st.lists(st.sampled_from(["tide", "lamp", "gull"])))
def test_scores_are_finite_and_zero_without_a_shared_term(
    documents: list[list[str]], query: list[str]
) -> None:
    scores = Bm25(documents).scores(query)
    assert len(scores) == len(documents)
    for document, score in zip(documents, scores, strict=True):
        assert math.isfinite(score)
        assert (score > 0) == bool(set(document) & set(query))


@given(DOCUMENTS)
def test_rarer_terms_weigh_more(documents: list[list[str]]) -> None:
    index = Bm25(documents)

    def holders(term: str) -> int:
        return sum(term in document for document in documents)

    ranked = sorted(["tide", "lamp", "sea", "gull"], key=holders)
    weights = [index.idf(term) for term in ranked]
    assert weights == sorted(weights, reverse=True)
    assert all(weight > 0 for weight in weights)


def test_bm25_is_the_published_formula() -> None:
    index = Bm25([["tide", "tide", "sea"], ["sea"]])
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    norm = 1.2 * (1 - 0.75 + 0.75 * 3 / 2)
    assert index.idf("tide") == pytest.approx(idf)
    assert index.scores(["tide"]) == pytest.approx([idf * 2 * 2.2 / (2 + norm), 0])


def test_bm25_prefers_more_and_shorter() -> None:
    scores = Bm25([["tide", "tide"], ["tide", "sea"], ["tide", "sea", "sea", "sea"]]).scores(
        ["tide"]
    )
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


def test_a_term_asked_twice_counts_twice() -> None:
    index = Bm25([["tide"], ["sea"]])
    assert index.scores(["tide", "tide"])[0] == pytest.approx(2 * index.scores(["tide"])[0])
