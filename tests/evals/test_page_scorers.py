"""Scoring the text of pages as the authors of each set do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere_evals.page_data import PdfCheck
from quaere_evals.page_scorers import (
    Counts,
    Quality,
    averaged,
    chunk_counts,
    holds,
    same_words,
    shingle_counts,
    summed,
    token_f1,
)

SENTENCE = "the old pier was closed after the storm"


def check(kind: str, text: str = "", **more: object) -> PdfCheck:
    row = {"pdf": "a.pdf", "page": 1, "type": kind, "text": text, **more}
    return PdfCheck.model_validate(row)


def test_shingles_are_runs_of_four_words() -> None:
    # Eight words are five shingles; a ninth adds one, a changed last word replaces one.
    assert shingle_counts(SENTENCE, SENTENCE) == Counts(5, 0, 0)
    assert shingle_counts(SENTENCE, f"{SENTENCE} again") == Counts(5, 1, 0)
    assert shingle_counts(SENTENCE, SENTENCE.replace("storm", "fire")) == Counts(4, 1, 1)


def test_shingles_count_repetitions_and_not_punctuation() -> None:
    assert shingle_counts("a b c d", "a, b! c - d. a b c d") == Counts(1, 4, 0)


def test_shingles_of_short_and_empty_texts() -> None:
    assert shingle_counts("two words", "two words") == Counts(1, 0, 0)
    assert shingle_counts("", "") == Counts(0, 0, 0)
    assert shingle_counts(SENTENCE, "") == Counts(0, 0, 5)


def test_texts_weigh_the_same_in_an_average() -> None:
    """The F1 is that of the mean precision and the mean recall, not the mean of F1s."""
    quality = averaged([Counts(1, 0, 0), Counts(25, 75, 0), Counts(0, 0, 5)])
    assert quality.precision == pytest.approx((1 + 0.25) / 2)
    assert quality.recall == pytest.approx((1 + 1 + 0) / 3)
    assert quality.f1 == pytest.approx(2 * 0.625 * (2 / 3) / (0.625 + 2 / 3))


def test_averages_of_nothing_are_zero() -> None:
    assert averaged([]) == Quality(0.0, 0.0)
    assert averaged([Counts(0, 0, 0)]).f1 == 0.0


def test_chunks_are_found_whatever_the_white_space() -> None:
    counts = chunk_counts(
        ["old  pier", "new pier"], ["adverts\nhere"], "The old\npier, adverts here"
    )
    assert counts == Counts(1, 1, 1)


def test_chunks_of_all_pages_are_counted_together() -> None:
    quality = summed([Counts(3, 1, 0), Counts(0, 0, 1)])
    assert (quality.precision, quality.recall) == (0.75, 0.75)
    assert summed([]).f1 == 0.0


def test_token_f1_leaves_order_aside() -> None:
    assert token_f1("dues 4,120 crowns", "crowns: 4,120 dues") == 1.0
    assert token_f1("a b c d", "a b") == pytest.approx(2 * 1.0 * 0.5 / 1.5)
    assert token_f1("a", "b") == token_f1("", "") == 0.0


@given(st.text(), st.text())
def test_token_f1_is_symmetric_and_bounded(gold: str, found: str) -> None:
    score = token_f1(gold, found)
    assert 0.0 <= score <= 1.0
    assert score == pytest.approx(token_f1(found, gold))


def test_titles_are_the_same_in_any_case_and_punctuation() -> None:
    assert same_words("The Pier: a “story”", "the pier, a story")
    assert not same_words("The pier", "Pier the")


@pytest.mark.parametrize(
    ("wanted", "text", "held"),
    [
        ("the pier's end - now", "and the <b>pier’s</b>\nend — now.", True),
        ("closed pier", "close pier", False),
        ("caf\u00e9", "cafe\u0301s", True),
        ("5 \u03bcm", "some 5 \u00b5m wide", True),
        ("bold words", "**bold** words", True),
        ("longer than the text", "the text", False),
        ("longer than the text", "", False),
    ],
)
def test_presence_and_absence_are_opposites(wanted: str, text: str, held: bool) -> None:
    assert holds(check("present", wanted), text) is held
    assert holds(check("absent", wanted), text) is not held


def test_some_characters_may_differ() -> None:
    assert not holds(check("present", SENTENCE, max_diffs=1), SENTENCE.replace("old", "ald w"))
    assert holds(check("present", SENTENCE, max_diffs=1), SENTENCE.replace("old", "odd"))


def test_presence_may_be_asked_of_an_edge_alone() -> None:
    text = f"{SENTENCE} 199 {SENTENCE}"
    assert not holds(check("absent", "199"), text)
    assert holds(check("absent", "199", last_n=10), text)
    assert holds(check("absent", "199", first_n=10, last_n=10), text)
    assert not holds(check("absent", "storm", last_n=10), text)
    assert not holds(check("absent", "the old", first_n=10), text)


def test_case_may_be_left_aside() -> None:
    assert not holds(check("present", "PIER"), SENTENCE)
    assert holds(check("present", "PIER", case_sensitive=False), SENTENCE)


@pytest.mark.parametrize(
    ("before", "after", "diffs", "held"),
    [
        ("old", "storm", 0, True),
        ("storm", "old", 0, False),
        ("the", "the", 0, True),
        ("old", "ship", 0, False),
        ("ship", "old", 0, False),
        ("old pear was", "after that storm", 2, True),
        ("after that storm", "old pear was", 2, False),
        ("old", "words that are nowhere", 2, False),
        ("old", f"{SENTENCE} and then some more", 2, False),
    ],
)
def test_words_in_order_are_found_with_so_many_slips(
    before: str, after: str, diffs: int, held: bool
) -> None:
    asked = check("order", before=before, after=after, max_diffs=diffs)
    assert holds(asked, SENTENCE) is held
