from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.read.extract.pdf import join_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the respon\x02sibility of all", "the responsibility of all"),
        ("the respon\ufffe\nsibility of all", "the responsibility of all"),
        ("the respon-\nsibility of all", "the responsibility of all"),
        ("a well-known port; a well\x02known pier", "a well-known port; a well-known pier"),
        ("based on equity, equity-\nbased", "based on equity, equity-based"),
        ("the over is all; overall, an over-\nall", "the over is all; overall, an overall"),
        ("in 2004-\n2005 Anglo-\nDutch trade", "in 2004-2005 Anglo-Dutch trade"),
        ("two- and threefold", "two- and threefold"),
        ("lines\nthat end", "lines\nthat end"),
    ],
)
def test_divided_words_are_made_whole(text: str, expected: str) -> None:
    assert join_words([text]) == [expected]


def test_another_page_may_have_the_word_whole() -> None:
    assert join_words(["an over-\nall", "overall; the over is all"])[0] == "an overall"


@given(st.lists(st.text(), max_size=6))
def test_any_pages_come_back_one_for_one(pages: list[str]) -> None:
    assert len(join_words(pages)) == len(pages)
