"""By how much something has changed, in a sentence and in the line next to it."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.text.languages.language import language_of, speaking
from quaere.verify.align import align
from quaere.verify.rules.changes import misstates_change, turns_difference
from quaere.verify.support import weigh

HARBOUR = "Dues rose from €2,000 in 2019 to €2,600 in 2021, while repairs stayed at €1,400."
SHARE = "The share of empty berths fell from 30 % to 24 % in a year, and 9 % are reserved."


@pytest.mark.parametrize(
    ("said", "held", "misstates"),
    [
        ("Dues rose by €600 between 2019 and 2021.", HARBOUR, False),
        ("Dues rose by 600 euros between 2019 and 2021.", HARBOUR, False),
        ("Dues grew by 30 % between 2019 and 2021.", HARBOUR, False),
        ("Dues went up by €1,200 between 2019 and 2021.", HARBOUR, True),
        ("Dues rose by 43 % between 2019 and 2021.", HARBOUR, True),
        ("The share of empty berths fell by six percentage points.", SHARE, False),
        ("The share of empty berths fell by a fifth.", SHARE, False),
        ("The share of empty berths fell by 20 %.", SHARE, False),
        ("The share of empty berths fell by 15 percentage points.", SHARE, True),
        ("The share of empty berths fell by 6 %.", SHARE, True),
        ("The berths are 6 metres wide.", SHARE, False),
        ("Dues rose by £600.", HARBOUR, True),
        ("Berths grew by 6.", "Berths rose from 12 to 18.", False),
        ("Berths grew by 7.", "Berths rose from 12 to 18.", True),
        ("Dues rose by €600.", "Dues rose from 1 to 3 and from 2 to 9.", False),
    ],
)
def test_a_change_is_what_lies_between_two_figures(
    said: str, held: str, *, misstates: bool
) -> None:
    assert misstates_change(align(said, held)) is misstates


@pytest.mark.parametrize(
    ("said", "held", "turns"),
    [
        ("The roof cost £90 over the estimate.", "The roof cost £90 less than estimated.", True),
        ("The roof cost £90 under the estimate.", "The roof cost £90 less than estimated.", False),
        ("The roof cost £80 over the estimate.", "The roof cost £90 less than estimated.", False),
        ("It has 11 more pupils now.", "It had 64 pupils, 11 fewer than this year.", False),
    ],
)
def test_more_than_something_is_not_less_than_it(said: str, held: str, *, turns: bool) -> None:
    assert turns_difference(align(said, held)) is turns


def test_no_figure_is_held_by_a_difference_of_others() -> None:
    assert not weigh("Dues rose by €1,200 from 2019 to 2021.", [passage(HARBOUR)]).support.holds


def test_changes_are_read_in_english_alone() -> None:
    with speaking(language_of("Quanto aumentarono le tasse del porto?")):
        assert not misstates_change(align("Dues went up by €1,200 between 2019 and 2021.", HARBOUR))
        over, under = (
            "The roof cost £90 over the estimate.",
            "The roof cost £90 less than estimated.",
        )
        assert not turns_difference(align(over, under))
