"""The stretch of a text that is worth showing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.text.sentences import excerpt

TEXT = "Hask is a town. It has a mill. The harbour silted up in 1861. Nobody minded. The end came."


def taken(wanted: list[str], room: int) -> str:
    span = excerpt(TEXT, wanted, room)
    return TEXT[span.start : span.end]


def test_the_sentences_that_hold_most_of_what_is_wanted() -> None:
    assert taken(["harbour", "silt"], 40) == "The harbour silted up in 1861."
    assert taken(["harbour", "mind"], 50) == "The harbour silted up in 1861. Nobody minded."


def test_a_text_that_fits_is_taken_whole_and_of_equals_the_first() -> None:
    assert taken(["x"], 1_000) == TEXT
    assert taken(["absent"], 20) == "Hask is a town."


def test_a_sentence_longer_than_the_room_is_cut_at_a_space() -> None:
    assert taken(["harbour"], 12) == "The harbour"


@given(st.text(max_size=300), st.integers(1, 200))
def test_it_never_takes_more_than_its_room(text: str, room: int) -> None:
    span = excerpt(text, ["a", "the"], room)
    assert 0 <= span.start <= span.end <= len(text)
    assert span.end - span.start <= room
