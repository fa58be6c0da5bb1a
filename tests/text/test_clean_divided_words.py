"""Words that a manual page divides at the end of a line."""

from __future__ import annotations

import pytest

from quaere.text.clean import join_lines


def test_a_divided_word_goes_to_the_line_on_which_it_ends() -> None:
    lines = [
        "    The pump is open, if no other was spec\u2010",
        "    ified.   It drains.",
        "",
        "    End.",
    ]
    assert join_lines(lines) == [
        "    The pump is open, if no other was",
        "    specified.   It drains.",
        "",
        "    End.",
    ]


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (["a low\u2010", "water mark; low\u2010water"], "low-water"),
        (["a low\u2010", "water mark is low; the water"], "low-water"),
        (["an over\u2010", "all; overall, over and all"], "overall"),
        (["the type UTF\u2010", "8 of a page"], "UTF-8"),
    ],
)
def test_a_hyphen_stays_where_the_word_has_one(lines: list[str], word: str) -> None:
    assert join_lines(lines)[1].startswith(word)


@pytest.mark.parametrize(
    "lines",
    [
        ["alone\u2010", "water"],
        ["a low\u2010", ""],
        ["a low\u2010", "(water)"],
        ["a low-", "water"],
        ["a low\u2010"],
    ],
    ids=["nothing before it", "nothing after it", "no word after it", "typed", "the last line"],
)
def test_other_lines_stay_as_they_are(lines: list[str]) -> None:
    assert join_lines(lines) == lines
