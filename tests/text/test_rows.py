"""Rows of a table as sentences, and back."""

from __future__ import annotations

import pytest

from quaere.text.rows import cells, is_rule, record, tables


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
