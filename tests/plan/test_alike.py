"""R1.5 with an embedder: the same function, and what words do not tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.plan.delegation import screen
from quaere.plan.topics import (
    DUPLICATE,
    duplicate_of,
    known_cosine,
    meant_similarity,
    pairs_to_compare,
    topic_similarity,
)

FLOODS = "floods of the Maren in spring"
WATER = "why the river overflows when snow melts"


def test_what_means_the_same_is_a_duplicate_from_its_cosine_on() -> None:
    for cosine, repeats in ((0.92, FLOODS), (0.919, None)):
        similarity = meant_similarity({(WATER, FLOODS): cosine}, 0.92)
        assert duplicate_of(WATER, [FLOODS], similarity=similarity) == repeats
    assert duplicate_of(WATER, [FLOODS]) is None


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the harvest of 1903", "the harvest of 1904"),
        ("towns with no mill at all", "towns with their mill"),
    ],
)
def test_a_cosine_does_not_make_up_for_another_figure_or_a_denial(a: str, b: str) -> None:
    assert meant_similarity({(a, b): 1.0}, 0.92)(a, b) == topic_similarity(a, b)


@given(st.text(max_size=40), st.text(max_size=40), st.floats(-1, 1), st.floats(0.01, 1))
def test_it_is_never_below_that_of_the_words(a: str, b: str, cosine: float, same: float) -> None:
    alike = meant_similarity({(a, b): cosine}, same)(a, b)
    assert topic_similarity(a, b) <= alike <= 1
    assert meant_similarity({}, same)(a, b) == topic_similarity(a, b)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.01, 1))
def test_the_nearer_the_more_alike(a: float, b: float, same: float) -> None:
    low, high = (
        meant_similarity({("salt", "brine"): cosine}, same)("salt", "brine")
        for cosine in sorted((a, b))
    )
    assert low <= high
    assert meant_similarity({("salt", "brine"): 1.0}, same)("salt", "brine") == 1.0


@pytest.mark.parametrize(
    ("same", "cosine", "alike"),
    [
        (1.0, 1.0, 1.0),
        (1.0, 0.5, DUPLICATE / 2),
        (0.5, 0.5, DUPLICATE),
        (0.5, 0.25, DUPLICATE / 2),
        (0.5, 0.75, (1 + DUPLICATE) / 2),
        (0.5, -0.5, 0.0),
    ],
)
def test_a_cosine_counts_in_proportion_below_and_above_the_one_that_is_the_same(
    same: float, cosine: float, alike: float
) -> None:
    similarity = meant_similarity({("salt", "brine"): cosine}, same)
    assert similarity("salt", "brine") == pytest.approx(alike)


def test_all_pairs_that_screening_may_look_at_are_asked_for() -> None:
    proposed, dispatched = ["a", "b", "c"], ["d", "e"]
    asked = pairs_to_compare(proposed, dispatched)
    assert len(asked) == len(set(asked)) == 9
    looked_at: list[tuple[str, str]] = []

    def look(a: str, b: str) -> float:
        looked_at.append((a, b))
        return 0.0

    screen(proposed, dispatched, threshold=DUPLICATE, at_once=9, similarity=look)
    assert sorted(looked_at) == sorted(asked)


def test_a_refusal_tells_the_similarity_that_refused() -> None:
    similarity = meant_similarity({(WATER, FLOODS): 0.95}, 0.92)
    screening = screen([WATER], [FLOODS], threshold=DUPLICATE, at_once=3, similarity=similarity)
    assert screening.refused[0].similarity == pytest.approx(0.75 + 0.25 * 3 / 8)
    assert screening.refused[0].repeats == FLOODS


def test_of_an_embedder_that_nobody_measured_no_cosine_is_known() -> None:
    assert known_cosine("ollama:all-minilm") == known_cosine("local:x/all-MiniLM-L6-v2") == 0.92
    assert known_cosine("openai:text-embedding-3-small") is None
