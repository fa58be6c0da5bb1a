"""Texts are kept whole and small."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.value import text_hash
from quaere.store.traces.log import packed, unpacked

ANY = st.text(st.characters(codec=None, exclude_categories=()))


@given(ANY)
def test_every_text_comes_back_as_it_was(text: str) -> None:
    assert unpacked(packed(text)) == text


@given(ANY, ANY)
def test_two_texts_have_one_hash_only_when_they_are_one(one: str, other: str) -> None:
    assert (text_hash(one) == text_hash(other)) is (one == other)


def test_prose_takes_a_fraction_of_its_room() -> None:
    prose = "The mill at Orrin was built by Tamsin Wray in 1788, of stone from Pell. " * 50
    assert len(packed(prose)) < len(prose) / 10
