"""Queries as search engines take them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.search.wording import MAX_LOOSE, keywords, quoted, worded


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("salt  lichen\r\nX-Header: 1", "salt lichen X-Header: 1"),
        ("one two three four", "one two"),
        ("abcdefghijkl", "abcdefghij"),
        ("one two th", "one two th"),
        ("\x00\x07\u202e", ""),
        ("\ud800moth", "moth"),
    ],
)
def test_words_are_cut_behind_a_word(text: str, kept: str) -> None:
    limit = 100 if "X-Header" in text else 10
    assert worded(text, max_chars=limit) == kept


def test_words_are_counted() -> None:
    assert worded("a b c d", max_chars=100, max_words=3) == "a b c"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What does the lantern moth feed on?", ("lantern", "moth", "feed")),
        ("IL-6 and TNF-α in COVID-19", ("IL-6", "TNF-α", "COVID-19")),
        ('"salt lichen" or "moth"', ("salt lichen", "moth")),
        ('an "open quote', ("open", "quote")),
        ("moth[tiab] AND 2020:2021[dp]", ("moth", "2020", "2021")),
        ("moth MOTH Moth", ("moth",)),
        ("AND OR NOT", ()),
        ('"(((" && ||', ()),
        ("灯蛾とは何ですか", ("灯蛾とは何ですか",)),
    ],
)
def test_keywords_say_what_it_is_about(text: str, words: tuple[str, ...]) -> None:
    assert keywords(text) == words


def test_there_are_not_too_many() -> None:
    assert len(keywords(" ".join(f"word{n}" for n in range(1_000)))) == MAX_LOOSE


@given(st.text(max_size=300))
def test_nothing_breaks_out_of_its_quotes(text: str) -> None:
    for word in quoted(keywords(text)):
        assert word.isalnum() or (word[0] == word[-1] == '"' and '"' not in word[1:-1])
        assert not set("()[]{}:\\^~*?\n\x00") & set(word)
        word.encode()
