"""How far the odds of a sentence fall where a line turns some of it, or something else fits."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import passage

from quaere.verify import support
from quaere.verify.support import RIVALLED, TURNED, compare, weigh

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
        assert support._after_turns(likely, pair) == pytest.approx(likely)


@given(LIKELY)
def test_where_all_is_turned_the_odds_fall_by_the_whole_of_it(likely: float) -> None:
    lowered = support._after_turns(likely, DENIED)
    assert odds(lowered) == pytest.approx(odds(likely) * math.exp(-TURNED))
    assert 0 < lowered < likely


@given(LIKELY)
def test_where_another_figure_fits_better_the_odds_fall(likely: float) -> None:
    pay = passage("Adults pay 8 euros at the gate. Students who bring a card pay 5 euros.")
    right, wrong = (compare(f"With a card, a student is charged {n} euros.", [pay]) for n in (5, 8))
    assert support._after_rivals(likely, right) == likely
    lowered = support._after_rivals(likely, wrong)
    assert odds(lowered) == pytest.approx(odds(likely) * math.exp(-RIVALLED))


def test_of_two_paraphrases_the_one_with_the_figure_of_its_own_line_is_likelier() -> None:
    halls = passage(
        "9:30 Drought, Great Hall, Yusuf Adel\n11:30 Seeds for salty land, Room 4, Lotte Kamp"
    )
    early, late = (weigh(f"Lotte Kamp talks about seeds at {n}:30.", [halls]) for n in (9, 11))
    assert (early.probability or 0) < (late.probability or 0)
