from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.evidence.links import mentions
from quaere.text.tokens import is_stop_word


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("It was founded by Odile Varga.", ["odile varga"]),
        ("The University of Hask is old.", ["university of hask", "university", "hask"]),
        ("She came from Dunmere, Maren, by ship.", ["dunmere", "maren", "dunmere maren"]),
        ("They sang “the slate song” all night.", ["slate song"]),
        ("On Monday the bridge fell.", []),
        ("In May 1902 Varga left.", ["varga"]),
        ("In the 1970s, 3.5 and then 6,400 of the 19th came.", []),
        ("He flew Boeing 747s.", ["boeing 747s"]),
        ("Conclusion: Varga was first.", ["varga"]),
        ("Hask, Results: Maren.", ["hask", "maren"]),
        ("Lamp Oil: Varga sold it.", ["lamp oil", "varga"]),
        ("nothing here has a capital", []),
        ("", []),
    ],
)
def test_every_spelling_of_what_may_be_named_is_given(sentence: str, named: list[str]) -> None:
    assert sorted(mentions(sentence)) == sorted(named)


def test_small_words_join_a_name_and_never_end_it() -> None:
    assert "lamp of the north" in mentions("He lit the Lamp of the North and left.")
    assert not any(name.split()[-1] in {"of", "the"} for name in mentions("The Lamp of the sea."))


@given(st.text(max_size=200))
def test_any_sentence_can_be_read(sentence: str) -> None:
    found = mentions(sentence)
    assert len(set(found)) == len(found)
    for name in found:
        assert name.split() == name.split(" ")
        assert len(name) > 2
        assert not all(is_stop_word(word) or word.isdigit() for word in name.split())
    assert found == mentions(sentence)


def test_a_long_sentence_is_read_in_no_time() -> None:
    assert mentions("Hask and " * 5_000)
