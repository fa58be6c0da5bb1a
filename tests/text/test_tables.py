"""What the labels of one line of a table have in common."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.tables import TableHeads, label_key, label_keys, rows_of
from quaere.text.tokens import stem


@pytest.mark.parametrize(
    "label", ["Inventories", "Total inventories, net (Note 3)", "inventory", "Inventories, net [2]"]
)
def test_one_line_has_one_key_however_it_is_worded(label: str) -> None:
    assert label_key(label) == label_key("Inventories")


@pytest.mark.parametrize("label", ["Other inventories of oil", "", "(1)", "Total", "2021"])
def test_another_line_has_another_key_or_none(label: str) -> None:
    assert label_key(label) != label_key("Inventories")


def test_each_row_has_the_key_of_its_first_cell() -> None:
    text = "Prose.\n| Item | 2021 |\n|---|---|\n| Total assets | 7 |\n|  | 9 |"
    assert list(label_keys(text)) == [label_key("Item"), label_key("Assets")]


LINES = st.lists(
    st.sampled_from(["| Mill | Built |  ", "| Orrin | 1788 |", "|---|---|", "Prose.", "", "a | b"]),
    max_size=12,
)


@given(LINES, st.randoms(use_true_random=False))
def test_a_further_row_has_the_first_row_of_its_table_over_it(lines: list[str], of: Random) -> None:
    text = "\n".join(lines)
    wanted: dict[int, str] = {}
    at, head = 0, ""
    for line in lines:
        is_row = line.startswith("|")
        wanted[at] = head if is_row else ""
        head = (head or line.rstrip()) if is_row else ""
        at += len(line) + 1
    asked = sorted(of.sample(sorted(wanted), of.randint(0, len(wanted))))
    heads = TableHeads(text)
    assert [heads.over(place) for place in asked] == [wanted[place] for place in asked]


def test_a_cut_within_a_row_begins_none() -> None:
    text = "| Mill | Built |\n| Orrin | 1788 |\n| Pell | 1790 |"
    second = text.index("| Pell")
    heads = TableHeads(text)
    assert heads.over(second - 8) == heads.over(second + 7) == heads.over(len(text)) == ""
    assert TableHeads(text).over(second) == "| Mill | Built |"


def test_rows_are_the_lines_that_begin_with_a_bar() -> None:
    assert rows_of("| a |\nProse | b\n| c |\n") == ["| a |", "| c |"]


def test_a_key_has_the_stems_of_the_label_in_order_without_its_asides() -> None:
    key = label_key("Long-term net debt of other (used) mills, total [a]")
    assert key.split() == sorted(map(stem, ["long", "term", "debt", "other", "mills"]))
