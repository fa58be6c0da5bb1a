"""Which lines of an answer say the same, and which follow each other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reason.extractive.passages import pool

from quaere.reason.extractive import draft as writing
from quaere.reason.extractive.pool import Line

FIRST = "The mill of Hask ground oats for the whole valley."
SECOND = "It burned in 1790."


def lines(*texts: str) -> list[Line]:
    """Return the first line of each of ``texts``, which are of passages of their own."""
    read = pool(*((f"Page {n}", text) for n, text in enumerate(texts)))
    return [read.lines_of[n][0] for n in range(len(texts))]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (FIRST, FIRST, True),
        (FIRST, "The mill of Hask ground oats for the whole northern valley.", True),
        (FIRST, SECOND, False),
        ("The mill of Hask ground 40 sacks.", "The mill of Hask ground 50 sacks.", False),
        ("The mill of Hask ground 40 sacks.", "The mill of Hask ground sacks.", True),
        (
            "The old mill of Hask ground 40 sacks in 1790.",
            "The old mill of Hask ground 40 sacks in 1800.",
            False,
        ),
    ],
)
def test_two_lines_say_the_same_with_most_words_and_no_other_figures(
    one: str, other: str, same: bool
) -> None:
    first, second = lines(one, other)
    assert writing._alike(first, second) is same
    assert writing._alike(second, first) is same


def test_rows_of_one_table_are_not_the_same_for_what_heads_them() -> None:
    head = "| Boat | Harbour | Built |\n|---|---|---|\n"
    read = pool(("Fleet", f"{head}| Gull | Hask | 1790 |\n| Tern | Hask | 1790 |\n"))
    rows = [line for line in read.lines if line.columns and not line.heading]
    assert len(rows) == 2
    assert not writing._alike(*rows)


def test_a_line_follows_the_one_before_it_in_its_passage_alone() -> None:
    read = pool(("Mill", f"{FIRST} {SECOND} Nobody rebuilt it."), ("Weir", f"{FIRST} {SECOND}"))
    first, second, third = read.lines_of[0]
    assert writing.follows(first, second)
    assert writing.follows(second, third)
    assert not writing.follows(first, third)
    assert not writing.follows(second, first)
    assert not writing.follows(first, read.lines_of[1][1])


def test_a_line_is_within_what_holds_all_of_it() -> None:
    read = pool(("Mill", f"{FIRST} {SECOND}"), ("Weir", f"{FIRST} {SECOND}"))
    first, second = read.lines_of[0]
    whole = replace(first, end=second.end)
    assert writing._within(first, whole)
    assert writing._within(second, whole)
    assert writing._within(first, first)
    assert not writing._within(whole, first)
    assert not writing._within(whole, second)
    assert not writing._within(read.lines_of[1][0], whole)


@pytest.mark.parametrize(("most", "cut"), [(1, "The"), (4, "The mill of Hask"), (10, FIRST)])
def test_a_line_is_cut_after_as_many_words_as_there_may_be(most: int, cut: str) -> None:
    text = f"{SECOND} {FIRST}"
    start = len(SECOND) + 1
    end = writing._cut(text, start, len(text), most)
    assert text[start:end] == cut
