"""An answer cites no more passages than it may, and no sentence loses what it rests on unsaid."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.verify.samples import BRIDGE, FERRY, TOWN, passage, sentence

from quaere.domain.report import BEYOND_LIMIT, Ruling, Sentence, Support
from quaere.verify.repair import Outcome, verify_sentence
from quaere.verify.second_opinion import apply_rulings
from quaere.verify.whole_answer import within_citations

SOUTH, NORTH = (
    passage(f"The {side} quarry sold {tons} tons of slate.", url=f"https://q.example/{side}")
    for side, tons in (("south", 410), ("north", 230))
)
POOL = {1: passage(BRIDGE), 2: passage(TOWN), 3: passage(FERRY), 4: SOUTH, 5: NORTH}
OPENED = sentence("The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin.", 1)
MARKET = sentence("Its market was founded by Duke Arno in 1340.", 2)
BOTH = sentence("The two quarries sold 640 tons of slate together.", 4, 5)
"""A sum: neither passage holds it."""
TWICE = sentence("The Orrin Bridge spans 312 metres.", 1, 3)
"""Both passages speak of the bridge; the first alone has all of it."""


def limited(most: int, *said: Sentence) -> list[tuple[tuple[int, ...], str]]:
    """Return what each of ``said`` cites in an answer of ``most``, and why it was left out."""
    found = within_citations([verify_sentence(each, POOL) for each in said], most, POOL)
    return [shown(each) for each in found]


def shown(outcome: Outcome) -> tuple[tuple[int, ...], str]:
    if outcome.sentence:
        return outcome.sentence.evidence, ""
    assert outcome.dropped is not None
    assert outcome.dropped.support is Support.NOT_JUDGED
    assert outcome.claim is None
    return (), outcome.dropped.reason


def test_a_sum_of_which_a_row_no_longer_fits_is_left_out_and_says_why() -> None:
    assert limited(3, OPENED, BOTH) == [((1,), ""), ((4, 5), "")]
    assert limited(2, OPENED, BOTH, OPENED) == [((1,), ""), ((), BEYOND_LIMIT), ((1,), "")]


def test_a_sentence_that_holds_by_what_fits_cites_that_alone() -> None:
    assert limited(2, OPENED, TWICE) == [((1,), ""), ((1, 3), "")]
    assert limited(1, OPENED, TWICE) == [((1,), ""), ((1,), "")]


def test_what_a_reader_found_wrong_does_not_hold_by_fewer_citations() -> None:
    told = [verify_sentence(OPENED, POOL)]
    ruling = {0: Ruling(support=Support.PARTLY)}
    (marked,) = apply_rulings([verify_sentence(TWICE, POOL)], ruling)
    (found,) = within_citations([marked], 1, POOL, told=told)
    assert shown(found) == ((), BEYOND_LIMIT)


def test_what_was_left_out_uses_no_room() -> None:
    wrong = sentence("The ferry sank in 1777, and sixty people drowned in Port Sarn.", 3)
    left_out = verify_sentence(wrong, POOL).model_copy(update={"sentence": None})
    found = within_citations([left_out, verify_sentence(MARKET, POOL)], 1, POOL)
    assert found[1].sentence is not None
    assert found[1].sentence.evidence == (2,)


def test_what_was_told_before_counts_and_stands() -> None:
    told = [verify_sentence(OPENED, POOL)]
    (found,) = within_citations([verify_sentence(MARKET, POOL)], 1, POOL, told=told)
    assert shown(found) == ((), BEYOND_LIMIT)


def test_a_conclusion_of_all_the_others_cites_what_it_can() -> None:
    outcomes = [verify_sentence(each, POOL) for each in (BOTH, MARKET)]
    first, second = within_citations(outcomes, 1, POOL, concludes=True)
    assert shown(first) == ((4,), "")
    assert shown(second) == ((), BEYOND_LIMIT)
    own, other = within_citations(outcomes, 1, POOL)
    assert shown(own) == ((), BEYOND_LIMIT)
    assert shown(other) == ((2,), "")


@given(st.integers(1, 5), st.lists(st.sampled_from([OPENED, MARKET, BOTH, TWICE]), max_size=6))
def test_never_more_citations_than_allowed(most: int, said: list[Sentence]) -> None:
    found = limited(most, *said)
    assert len({number for cited, _ in found for number in cited}) <= most
    assert all(cited or reason == BEYOND_LIMIT for cited, reason in found)
