"""Scoring one run on a multi-hop question."""

from __future__ import annotations

import pytest

from quaere.domain.verdict import StopReason
from quaere_evals.scorers import (
    Retrieved,
    calls_in_a_row,
    has_all,
    holds_answer,
    longest_chain,
    normalize_answer,
    recall,
    stopped_early,
    stopped_late,
)


def run(*rounds: str, reason: StopReason = StopReason.SUFFICIENT) -> Retrieved:
    """Return a run whose rounds selected these documents, a letter each."""
    return Retrieved([list(found) for found in rounds], reason, text="")


def test_recall_is_the_share_of_gold() -> None:
    assert recall(["a", "x", "b", "b"], {"a", "b", "c", "d"}) == 0.5
    assert recall([], {"a"}) == 0.0


def test_all_gold_or_not() -> None:
    assert has_all(["x", "b", "a"], {"a", "b"})
    assert not has_all(["a"], {"a", "b"})


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("The Orrin-Light!", "orrinlight"),
        ("a  tale of\nan isle", "tale of isle"),
        ("Theatre", "theatre"),
    ],
)
def test_answers_are_compared_as_squad_does(written: str, plain: str) -> None:
    assert normalize_answer(written) == plain


def test_an_answer_must_stand_in_whole_words() -> None:
    assert holds_answer("It was lit in the Pellham harbour, 1788.", ["Orrin", "pellham Harbour"])
    assert not holds_answer("Pellhamshire", ["Pellham"])
    assert not holds_answer("anything at all", ["The"])
    assert not holds_answer("anything at all", [])


def test_the_final_selection_is_the_last() -> None:
    assert run("ab", "bc").final == ["b", "c"]
    assert run().final == ()


def test_stopping_early_means_content_without_the_gold() -> None:
    assert stopped_early(run("a"), "ab")
    assert not stopped_early(run("ab"), "ab")
    assert not stopped_early(run("a", reason=StopReason.MAX_ITERATIONS), "ab")


def test_stopping_late_means_more_than_one_loop_after_the_gold() -> None:
    assert stopped_late(run("ab", "ab", "ab"), "ab")
    assert not stopped_late(run("a", "ab", "ab"), "ab")
    assert not stopped_late(run("a", "a", "a"), "ab")


@pytest.mark.parametrize(
    ("calls", "chain"),
    [
        ([], 0),
        ([(0, 1), (1, 2), (2, 3)], 3),
        ([(0, 1), (0, 1), (1, 2)], 2),  # two side by side, and one that needs both
        ([(0, 9), (1, 2), (3, 4), (5, 6)], 3),  # a long one beside three
    ],
)
def test_calls_side_by_side_count_once(calls: list[tuple[float, float]], chain: int) -> None:
    assert longest_chain(calls) == chain
    assert longest_chain(calls[::-1]) == chain


@pytest.mark.parametrize(
    ("topics", "count"),
    [
        ([], 0),
        (["", "a", "b", "c", "", ""], 4),  # a brief, three side by side, what is written, its check
        (["", "a", "b", "a", "a", "", "c", ""], 7),  # the longest of each round
    ],
)
def test_of_researchers_side_by_side_the_one_with_most_calls_counts(
    topics: list[str], count: int
) -> None:
    assert calls_in_a_row(topics) == count
