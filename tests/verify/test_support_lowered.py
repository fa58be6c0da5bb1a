"""How far the odds of a sentence fall where its nearest line turns some of it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import passage

from quaere.verify import support
from quaere.verify.support import TURNED, compare

LINE = "The old mill grinds oats and stores rye in winter."
SAME = compare("The old mill grinds oats and stores rye in winter.", [passage(LINE)])
DENIED = compare("The old mill does not grind oats or store rye in winter.", [passage(LINE)])
FOREIGN = compare("Nobody sang at the harbour.", [passage(LINE)])
LIKELY = st.floats(0.01, 0.99)


def odds(likely: float) -> float:
    return likely / (1 - likely)


@given(LIKELY)
def test_what_no_line_turns_stays_as_likely_as_it_was(likely: float) -> None:
    for pair in (SAME, FOREIGN):
        assert support._lowered(likely, pair) == pytest.approx(likely)


@given(LIKELY)
def test_where_all_is_turned_the_odds_fall_by_the_whole_of_it(likely: float) -> None:
    lowered = support._lowered(likely, DENIED)
    assert odds(lowered) == pytest.approx(odds(likely) * math.exp(-TURNED))
    assert 0 < lowered < likely
