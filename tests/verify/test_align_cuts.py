"""Where a clause ends, what a figure counts, and what is reckoned from figures exactly."""

from __future__ import annotations

import pytest
from tests.verify.test_align import signed

from quaere.verify.align import align
from quaere.verify.ground import ground
from quaere.verify.quantities import explained


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It keeps no log, trace or export, and the bell rings.",
         "-keep -log -trace -export | bell ring"),
        ("The bell rings, and it keeps no log, trace or export.",
         "bell ring | -keep -log -trace -export"),
    ],
)  # fmt: skip
def test_a_list_that_is_denied_is_one_clause_and_ends_with_its_last_item(
    text: str, words: str
) -> None:
    assert signed(text) == words


@pytest.mark.parametrize(
    ("said", "follows"),
    [
        ("That is a share of 87.5 percent.", True),
        ("That is a share of 88.4 percent.", False),
        ("It is 12.5 percent less.", True),
        ("It is 13.4 percent less.", False),
        ("Together they are 15.", True),
        ("The difference between them is 1.", True),
        ("There are 15.", False),
    ],
)
def test_what_follows_from_two_figures_is_exactly_that(said: str, follows: bool) -> None:
    held = [ground("The mill of Hask has 8 doors."), ground("Of these, 7 are open.")]
    figures = explained(ground(said), held)
    assert bool(figures) is follows


@pytest.mark.parametrize(
    ("said", "held", "share"),
    [
        ("The mill cost two thousand crowns.", "The mill cost nine hundred crowns.", 3 / 4),
        ("The mill burned on 3 May 1921.", "The mill burned on 5 June 1930.", 2 / 4),
        ("The mill burned in 1921.", "The mill burned in 1930.", 2 / 3),
    ],
)
def test_an_amount_that_is_not_told_is_one_word_and_a_date_several(
    said: str, held: str, share: float
) -> None:
    assert align(said, held).share == pytest.approx(share)
