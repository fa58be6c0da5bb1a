"""An answer keeps to its length, its citations and to saying things once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.report import BEYOND_LENGTH, BEYOND_LIMIT, Sentence
from quaere.reason.llm.writing import OVERRUN, Length

ASKED = "Who burned the mill?"


def sentence(text: str, *ids: int) -> Sentence:
    return Sentence(text=text, evidence=ids)


def test_what_was_said_is_not_said_again() -> None:
    length = Length(100, 5, ASKED)
    assert length.taken(sentence("The mill burned.", 1))
    assert length.taken(sentence("The  MILL burned!", 2)) is None


@pytest.mark.parametrize("echo", [ASKED, f"Question: {ASKED}", "Passages:"])
def test_the_request_is_not_repeated(echo: str) -> None:
    length = Length(100, 5, ASKED)
    assert length.taken(sentence(echo)) is None
    assert length.taken(sentence("The mill burned.", 1))


def test_citations_beyond_the_limit_go_and_a_sentence_without_any_says_why() -> None:
    length = Length(100, 2, ASKED)
    assert length.taken(sentence("One.", 1))
    kept = length.taken(sentence("Two.", 2, 3))
    assert kept
    assert kept.evidence == (2,)
    left_out = length.taken(sentence("Three.", 3))
    assert left_out
    assert (left_out.evidence, left_out.reason) == ((), BEYOND_LIMIT)
    assert length.taken(sentence("Four.", 1))


def test_a_flood_ends() -> None:
    length = Length(20, 5, ASKED)
    taken = [length.taken(sentence(f"This is line number {n}.", 1)) for n in range(1_000)]
    assert length.is_cut
    assert sum(1 for each in taken if each and each.evidence) <= 20 * OVERRUN / 5 + 1


def test_what_is_written_beyond_the_words_cites_nothing_and_says_why() -> None:
    length = Length(10, 5, ASKED)
    kept = length.taken(sentence("The mill at the ford by the old town " * 2 + "burned.", 1))
    assert kept
    assert kept.evidence
    assert not length.is_cut, "nothing was left out yet"
    left_out = length.taken(sentence("It was rebuilt.", 1))
    assert left_out
    assert (left_out.evidence, left_out.reason) == ((), BEYOND_LENGTH)
    assert length.is_cut


@given(st.lists(st.tuples(st.text("ab .", max_size=12), st.lists(st.integers(1, 9), max_size=4))))
def test_never_more_citations_than_allowed(said: list[tuple[str, list[int]]]) -> None:
    length = Length(30, 3, ASKED)
    kept = [taken for text, ids in said if (taken := length.taken(sentence(text, *ids)))]
    assert len({number for each in kept for number in each.evidence}) <= 3
    assert length.cited == any(each.evidence for each in kept)
