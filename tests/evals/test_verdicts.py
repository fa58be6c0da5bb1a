"""Scores of yes and no."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere_evals.verdicts import auroc, balanced_accuracy, precision, recall

LABELS = [True, True, True, True, False, False]
SAID = [True, True, True, False, True, False]


def test_recall_precision_and_balanced_accuracy_are_reckoned() -> None:
    assert recall(LABELS, SAID) == 0.75
    assert precision(LABELS, SAID) == 0.75
    assert balanced_accuracy(LABELS, SAID) == (0.75 + 0.5) / 2


def test_nothing_to_find_or_nothing_found_is_nothing() -> None:
    assert recall([False], [True]) == precision([True], [False]) == balanced_accuracy([], []) == 0


def test_saying_yes_to_everything_is_chance() -> None:
    assert balanced_accuracy(LABELS, [True] * 6) == 0.5


@pytest.mark.parametrize(
    ("scores", "area"),
    [
        ([4, 5, 6, 7, 1, 2], 1.0),
        ([1] * 6, 0.5),
        ([1, 1, 1, 1, 2, 2], 0.0),
        ([3, 1, 1, 1, 2, 0], 0.625),
    ],
)
def test_area_under_the_curve(scores: list[float], area: float) -> None:
    assert auroc(LABELS, scores) == area


def test_one_kind_alone_is_chance() -> None:
    assert auroc([True, True], [0.1, 0.9]) == auroc([], []) == 0.5


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1))))
def test_the_opposite_has_the_other_side_of_the_area(pairs: list[tuple[bool, float]]) -> None:
    labels, scores = [label for label, _ in pairs], [score for _, score in pairs]
    turned = auroc([not label for label in labels], scores)
    assert auroc(labels, scores) + turned == pytest.approx(1)
