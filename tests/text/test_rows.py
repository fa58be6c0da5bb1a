"""Rows of a table as sentences, and back."""

from __future__ import annotations

from quaere.text.rows import record, tables


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
