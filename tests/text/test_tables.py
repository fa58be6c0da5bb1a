"""What the labels of one line of a table have in common."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.text.tables import (
    TableHeads,
    cells,
    cells_of_row,
    empty_head,
    is_rule,
    label_key,
    label_keys,
    record,
    rows_of,
    tables,
)
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


def test_the_head_of_one_table_is_not_that_of_the_next() -> None:
    text = "| Mill |\n| Orrin |\n\n| Boat |\n| Hask |\n| Brell |"
    heads = TableHeads(text)
    assert heads.over(text.index("| Orrin")) == "| Mill |"
    assert heads.over(text.index("| Brell")) == "| Boat |"


def test_an_escaped_bar_parts_no_cells() -> None:
    assert cells_of_row(r"| a \| b | c |") == ("a | b", "c")
    assert cells_of_row("a | b") == ("a", "b")


def test_rows_are_the_lines_that_begin_with_a_bar() -> None:
    assert rows_of("| a |\nProse | b\n| c |\n") == ["| a |", "| c |"]


def test_a_key_has_the_stems_of_the_label_in_order_without_its_asides() -> None:
    key = label_key("Long-term net debt of other (used) mills, total [a]")
    assert key.split() == sorted(map(stem, ["long", "term", "debt", "other", "mills"]))


def test_a_row_is_said_column_by_column_without_its_empty_cells() -> None:
    assert record(["mill", "built", "river"], ["Orrin", "", "Sket"]) == "mill: Orrin; river: Sket"


def test_marks_that_part_fields_become_others_in_names_and_values() -> None:
    said = record(["use: first", "open"], ["barley;  oats", "8:30; 9 to 5: closed"])
    assert said == "use – first: barley, oats; open: 8:30, 9 to 5 – closed"
    assert list(tables([said])) == [
        (["use – first", "open"], [["barley, oats", "8:30, 9 to 5 – closed"]])
    ]


def test_records_that_begin_with_the_same_column_are_of_one_table() -> None:
    said = ["mill: Orrin; built: 1788", "mill: Pell; river: Sket.", "barge: Plover"]
    assert list(tables(said)) == [
        (["mill", "built", "river"], [["Orrin", "1788", ""], ["Pell", "", "Sket"]]),
        (["barge"], [["Plover"]]),
    ]


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("| Orrin | 1788 |", ["Orrin", "1788"]),
        ("  | Orrin |  |  ", ["Orrin", ""]),
        (r"| a \| b | c |", ["a | b", "c"]),
        ("| `a | b` | c |", ["`a | b`", "c"]),
        ("|  |", [""]),
        ("| Orrin | 1788", None),
        ("Orrin | 1788 |", None),
        ("Prose.", None),
        ("| Orrin |\n| Pell |", None),
    ],
)
def test_a_row_is_parted_at_its_bars_but_for_those_that_are_text(
    line: str, held: list[str] | None
) -> None:
    assert cells(line) == held


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("|---|:-:|", True),
        ("| - |", True),
        ("| --- | --- |", True),
        ("| 1788 | --- |", False),
        ("|  |  |", False),
        ("---|---", False),
        ("| : |", False),
    ],
)
def test_the_line_under_a_head_is_no_row_of_values(line: str, is_one: bool) -> None:
    assert is_rule(line) is is_one


def test_values_beyond_the_head_are_not_said_and_those_without_a_name_are_said_alone() -> None:
    assert record(["mill"], ["Orrin", "1788"]) == "mill: Orrin"
    assert record(["", "built"], ["Orrin", "1788"]) == "Orrin; built: 1788"
    assert list(tables(["Orrin; built: 1788"])) == [(["", "built"], [["Orrin", "1788"]])]
    told = ["tool: file; use: steel; brass; price: 12"]
    assert list(tables(told)) == [(["tool", "use", "price"], [["file", "steel; brass", "12"]])]


def test_where_nothing_heads_the_columns_the_first_cell_names_the_others() -> None:
    assert record(["", ""], ["Weight", "1.3 kg"]) == "Weight: 1.3 kg"
    assert record(["", "", ""], ["Days", "5", "4"]) == "Days: 5; 4"
    assert record([""], ["Weight"]) == "Weight"
    assert record(["", "", ""], ["", "Days", "5"]) == "Days: 5"
    assert record([""] * 3, ["", "", "5"]) == "5"


def test_a_row_of_many_empty_cells_is_as_empty() -> None:
    assert record([""] * 20_000, [""] * 20_000) == ""
    assert record([""] * 20_000, [*[""] * 20_000, "Days", "5"]) == "Days: 5"


@pytest.mark.parametrize(
    ("between", "head"),
    [("\n|  |  |\n", ("", "")), ("\n\n", ()), ("\n|---|---|\n", ()), ("| a |\n", ()), ("", ())],
)
def test_an_empty_row_is_a_head(between: str, head: tuple[str, ...]) -> None:
    assert empty_head(between) == head
