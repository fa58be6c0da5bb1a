from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.verify.calibration import Calibration, calibration
from quaere.verify.signals import SIGNALS

SMALL = Calibration(
    fitted_on={}, intercept=-1.0, weights={"held": 3.0, "gone": -2.0}, cut=0.5, doubt=(0.3, 0.7)
)
SHARES = st.fixed_dictionaries(dict.fromkeys(SIGNALS, st.floats(0, 1)))


def test_a_probability_is_the_logistic_of_the_weighed_sum() -> None:
    found = SMALL.probability({"held": 1.0, "gone": 0.5, "idle": 9.0})
    assert found == pytest.approx(1 / (1 + math.exp(-1.0)))


@given(SHARES, st.sampled_from(sorted(SIGNALS)))
def test_more_of_a_sentence_held_never_makes_it_less_likely(
    found: dict[str, float], name: str
) -> None:
    better = found | {name: 0.0 if name.endswith("_missing") else 1.0}
    assert calibration().probability(better) >= calibration().probability(found)


def test_doubt_lies_around_the_cut() -> None:
    low, high = calibration().doubt
    assert 0 < low < calibration().cut < high < 1
