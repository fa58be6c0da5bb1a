"""An answer keeps to its length and to saying things once."""

from __future__ import annotations

import pytest

from quaere.domain.report import BEYOND_LENGTH, Sentence
from quaere.reason.llm.writing import OVERRUN, Length

ASKED = "Who burned the mill?"


def sentence(text: str, *ids: int) -> Sentence:
    return Sentence(text=text, evidence=ids)


def test_what_was_said_is_not_said_again() -> None:
    length = Length(100, ASKED)
    assert length.fitting(sentence("The mill burned.", 1))
    assert length.fitting(sentence("The  MILL burned!", 2)) is None


@pytest.mark.parametrize("echo", [ASKED, f"Question: {ASKED}", "Passages:"])
def test_the_request_is_not_repeated(echo: str) -> None:
    length = Length(100, ASKED)
    assert length.fitting(sentence(echo)) is None
    assert length.fitting(sentence("The mill burned.", 1))


def test_a_sentence_keeps_all_that_it_cites() -> None:
    length = Length(100, ASKED)
    assert length.fitting(sentence("One."))
    assert not length.cited
    for number in range(1, 40):
        kept = length.fitting(sentence(f"Number {number}.", number, number + 1))
        assert kept
        assert kept.evidence == (number, number + 1)
    assert length.cited


def test_a_flood_ends() -> None:
    length = Length(20, ASKED)
    taken = [length.fitting(sentence(f"This is line number {n}.", 1)) for n in range(1_000)]
    assert length.is_cut
    assert sum(1 for each in taken if each and each.evidence) <= 20 * OVERRUN / 5 + 1


def test_what_is_written_beyond_the_words_cites_nothing_and_says_why() -> None:
    length = Length(10, ASKED)
    kept = length.fitting(sentence("The mill at the ford by the old town " * 2 + "burned.", 1))
    assert kept
    assert kept.evidence
    assert not length.is_cut, "nothing was left out yet"
    left_out = length.fitting(sentence("It was rebuilt.", 1))
    assert left_out
    assert (left_out.evidence, left_out.reason) == ((), BEYOND_LENGTH)
    assert length.is_cut
