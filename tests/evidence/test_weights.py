"""The formula of the score: what leads, what counts how, and what must never turn round (R3.5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.evidence import Score
from quaere.evidence.weights import (
    COMPLETENESS,
    CONTRADICTION,
    CORROBORATION,
    QUALITY,
    RECENCY,
    corroboration,
    reorder,
    weigh,
)

SHARE = st.floats(0, 1)
TOTAL = st.floats(0, 5)
SCORES = st.builds(
    Score,
    total=TOTAL,
    quality=SHARE,
    recency=SHARE,
    completeness=SHARE,
    corroboration=SHARE,
    contradiction=SHARE,
)
HELPFUL = ["quality", "recency", "completeness", "corroboration"]


def weighed(score: Score) -> Score:
    return score.model_copy(update={"weighed": weigh(score)})


@given(TOTAL)
def test_where_nothing_is_known_nothing_changes(total: float) -> None:
    assert weigh(Score(total=total)) == total


@given(SCORES, st.sampled_from([*HELPFUL, "total", "contradiction"]), SHARE)
def test_more_of_a_part_never_turns_the_score_round(score: Score, part: str, more: float) -> None:
    before = getattr(score, part)
    raised = min(1.0, before + more) if part != "total" else before + more
    after = weigh(score.model_copy(update={part: raised}))
    if part == "contradiction":
        assert after <= weigh(score) + 1e-12
    else:
        assert after >= weigh(score) - 1e-12


@given(SCORES)
def test_relevance_leads(score: Score) -> None:
    assert score.total * 0.4 - 1e-9 <= weigh(score) <= score.total * 1.65 + 1e-9


def test_every_part_counts_with_its_weight() -> None:
    def gain(**parts: float) -> float:
        return weigh(Score(total=1.0).model_copy(update=parts)) - 1

    assert gain(quality=1.0) == pytest.approx(QUALITY / 2)
    assert gain(recency=0.0) == pytest.approx(-RECENCY / 2)
    assert gain(completeness=1.0) == pytest.approx(COMPLETENESS)
    assert gain(corroboration=1.0) == pytest.approx(CORROBORATION)
    assert gain(contradiction=1.0) == pytest.approx(-CONTRADICTION)
    assert min(QUALITY, RECENCY, COMPLETENESS, CORROBORATION, CONTRADICTION) > 0


@given(st.integers(0, 1000))
def test_each_further_witness_adds_less(others: int) -> None:
    steps = [corroboration(n) for n in range(others, others + 3)]
    assert 0 <= steps[0] < steps[1] < steps[2] < 1
    assert steps[1] - steps[0] > steps[2] - steps[1]


@given(st.lists(TOTAL, max_size=8))
def test_an_order_made_with_care_stays_where_nothing_is_known(totals: list[float]) -> None:
    scores = {str(n): weighed(Score(total=total)) for n, total in enumerate(totals)}
    assert reorder(list(scores), scores) == tuple(scores)


@given(st.lists(SCORES, min_size=1, max_size=8), st.integers(0, 7), SHARE)
def test_what_gets_better_never_goes_back(scores: list[Score], place: int, more: float) -> None:
    key = str(place % len(scores))
    before = {str(n): weighed(score) for n, score in enumerate(scores)}
    better = min(1.0, before[key].quality + more)
    after = before | {key: weighed(before[key].model_copy(update={"quality": better}))}
    first, second = (reorder(list(before), known) for known in (before, after))
    assert sorted(first) == sorted(second) == sorted(before)
    assert second.index(key) <= first.index(key)


def test_of_two_that_fit_alike_the_better_source_stands_first() -> None:
    scores = {
        "blog": weighed(Score(total=0.6, quality=0.3)),
        "paper": weighed(Score(total=0.58, quality=0.9)),
        "aside": weighed(Score(total=0.2, quality=0.95)),
    }
    assert reorder(["blog", "paper", "aside"], scores) == ("paper", "blog", "aside")
