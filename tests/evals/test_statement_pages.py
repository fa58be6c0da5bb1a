"""What the plain text of a page tells of the statement on it."""

from __future__ import annotations

import pytest

from quaere.reason.extractive.statements.rows import Statement
from quaere_evals.statement_pages import cells_of, drawn, statements_in

LINES = (
    "Cash $ 1,210 $ 970",
    "Grain (note 3) 411 388",
    "Loans to mill hands — 17",
    "Stones 20 21",
    "Current assets 1,641 1,396",
    "Losses carried forward (119) (97)",
    "Tithes due 7 8",
    "Rents due:",
    "From the guild 3 4",
    "Stones 2 1",
    "Rents of the mill and the",
    "House 6 5",
)
SHEET = "\n".join(["Brell Mills", "Consolidated Balance Sheets", "May 31, 2023 2022", *LINES])


def test_a_statement_is_found_with_its_years_and_rows() -> None:
    (found,) = statements_in(["A letter to the guild", SHEET])
    assert (found.sheet, found.kind, found.years) == (1, Statement.BALANCE, (2023, 2022))
    rows = {row.label: row.figures for row in found.rows}
    assert rows["Cash"] == ("$ 1,210", "$ 970")
    assert rows["Loans to mill hands"] == ("—", "17")
    assert rows["Losses carried forward"] == ("(119)", "(97)")
    assert not any("note" in label for label in rows), "its line has three figures"


def test_cells_are_of_labels_that_stand_alone_and_once() -> None:
    cells = cells_of(list(statements_in([SHEET])))
    assert [(c.year, c.figure) for c in cells if c.label == "Tithes due"] == [
        (2023, "7"),
        (2022, "8"),
    ]
    labels = {cell.label for cell in cells}
    assert "Stones" not in labels, "two rows have this label"
    assert "House" not in labels, "the label may begin on the line before"
    assert "From the guild" in labels


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("May 31, 2023 2022", "Three months ended May 31, 2023 2022"),
        ("May 31, 2023 2022", "May 31, 2023 2023"),
    ],
)
def test_parts_of_years_and_years_told_twice_head_no_cells(before: str, after: str) -> None:
    (found,) = statements_in([SHEET.replace(before, after)])
    assert found.years == ()
    assert cells_of([found]) == []


@pytest.mark.parametrize(
    "title",
    [
        "Consolidated Balance Sheets 48",
        "As the Consolidated Balance Sheets show",
        "Consolidated Statements of Comprehensive Income",
        "The Consolidated Balance Sheets.",
    ],
)
def test_a_mention_of_a_statement_is_no_title(title: str) -> None:
    assert list(statements_in([SHEET.replace("Consolidated Balance Sheets", title)])) == []


def test_several_rows_on_one_line_are_no_row() -> None:
    (found,) = statements_in([f"{SHEET}\nOxen 1 2 Carts 3 4"])
    assert not any("Carts" in row.label for row in found.rows)


def test_drawing_is_the_same_each_time_and_keeps_the_order() -> None:
    chosen = drawn(range(100), 10, seed=15)
    assert chosen == drawn(range(100), 10, seed=15) == sorted(chosen)
    assert len(set(chosen)) == 10
    assert drawn(range(3), 10, seed=15) == [0, 1, 2]
