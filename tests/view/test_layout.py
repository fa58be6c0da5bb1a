"""Plain text in words and columns."""

from __future__ import annotations

import pytest

from quaere.view.layout import columns, counted, headline


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0 queries"), (1, "1 query"), (2, "2 queries"), (2_000, "2,000 queries")],
)
def test_a_number_has_its_noun_in_the_plural_where_it_is_not_one(number: int, told: str) -> None:
    assert counted(number, "query", "queries") == told


def test_a_plural_that_is_not_named_ends_in_s() -> None:
    assert (counted(1, "page"), counted(3, "page")) == ("1 page", "3 pages")


def test_columns_are_as_wide_as_their_widest_cell_and_lines_end_without_spaces() -> None:
    assert columns([("", "-", "+"), ("tokens", "12", "3,400")]) == (
        "        -   +\ntokens  12  3,400\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Who built\n the mill?", "Who built the mill?"),
        ("m" * 60, "m" * 60),
        ("m" * 61, "m" * 59 + "…"),
        ("m" * 58 + " and when?", "m" * 58 + "…"),
    ],
)
def test_a_headline_says_that_it_was_cut(text: str, shown: str) -> None:
    assert headline(text) == shown
