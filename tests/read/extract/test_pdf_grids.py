"""Tables of a PDF whose columns are headed in words, and what is read over any table."""

from __future__ import annotations

import pytest
from tests.read.extract.test_pdf_tables import HEIGHT, Line, letters, rows

from quaere.read.extract.pdf_lines import Letter
from quaere.read.extract.pdf_raised import Box
from quaere.read.extract.pdf_tables import may_have_tables, with_tables

BILL: list[Line] = [
    [(20, "Payable by: 12 March 1904")],
    [(20, "Article"), (180, "Pieces"), (-300, "Price each"), (-380, "Amount")],
    [(20, "Brass wheel"), (180, "6"), (-300, "184.00"), (-380, "1,104.00")],
    [(20, "Lamp oil"), (180, "10"), (-300, "32.50"), (-380, "325.00")],
    [(20, "Total due"), (-380, "1,429.00")],
    [(20, "Wheels remain our property until they are paid for, as is usual in the sound.")],
]

WATCH: list[Line] = [
    [(20, "Day"), (120, "Keeper"), (240, "Pier")],
    [(20, "Monday"), (120, "Odile Varga"), (240, "North pier")],
    [(20, "Tuesday"), (120, "Tom Hask"), (240, "Old mole")],
]


def test_a_bill_is_read_by_the_words_that_head_its_columns() -> None:
    assert rows(BILL) == [
        "| Article | Pieces | Price each | Amount |",
        "| --- | --- | --- | --- |",
        "| Brass wheel | 6 | 184.00 | 1,104.00 |",
        "| Lamp oil | 10 | 32.50 | 325.00 |",
        "| Total due |  |  | 1,429.00 |",
    ]


def test_a_table_of_words_alone_is_read() -> None:
    assert rows(WATCH)[2:] == [
        "| Monday | Odile Varga | North pier |",
        "| Tuesday | Tom Hask | Old mole |",
    ]


def test_what_is_printed_larger_over_a_table_is_its_heading() -> None:
    title = [
        Letter(sign, 20 + 9 * at, 29 + 9 * at, 720, 720 + 1.6 * HEIGHT)
        for at, sign in enumerate("Watches")
    ]
    text = with_tables([*title, Letter("\n"), *letters(WATCH)]).text
    assert "## Watches\n\n| Day | Keeper | Pier |" in text


def test_heads_and_labels_may_go_over_lines_around_their_row() -> None:
    lines: list[Line] = [
        [(180, "Power"), (260, "Weight")],
        [(20, "Model"), (340, "Price")],
        [(180, "(kW)"), (260, "(kg)")],
        [(20, "Ember 2"), (180, "14"), (260, "310"), (340, "7,950")],
        [(20, "Caldera")],
        [(180, "26"), (260, "520"), (340, "12,150")],
        [(20, "Grande")],
    ]
    assert rows(lines) == [
        "| Model | Power (kW) | Weight (kg) | Price |",
        "| --- | --- | --- | --- |",
        "| Ember 2 | 14 | 310 | 7,950 |",
        "| Caldera Grande | 26 | 520 | 12,150 |",
    ]


def test_three_columns_of_prose_are_none() -> None:
    column = "who kept the light that winter and of what he wrote in his ledger"
    lines: list[Line] = [
        [(20, "Of the keeper"), (420, "Of the pier"), (820, "Of the ships")],
        *[[(20 + 400 * at, column) for at in range(3)] for _ in range(4)],
    ]
    assert rows(lines) == []


def test_the_end_of_a_paragraph_is_no_part_of_what_a_table_is_called() -> None:
    lines: list[Line] = [
        [(20, "The wells were measured by two keepers in the spring of 1903")],
        [(20, "and the figures were copied for the county by a third.")],
        [(20, "Depth of wells")],
        [(20, "Well"), (-300, "1903"), (-380, "1904")],
        [(20, "Brell"), (-300, "14.5"), (-380, "13.0")],
        [(20, "Hask"), (-300, "9.0"), (-380, "9.5")],
    ]
    assert rows(lines)[0] == "| Depth of wells Well | 1903 | 1904 |"


def test_a_date_over_all_of_a_table_heads_none_of_its_columns() -> None:
    lines: list[Line] = [
        [(20, "Standing after the last match day, 28 March 1904, all clubs")],
        [(20, "Club"), (-200, "Won"), (-260, "Lost")],
        [(20, "Brell"), (-200, "11"), (-260, "2")],
        [(20, "Hask"), (-200, "9"), (-260, "4")],
    ]
    assert rows(lines)[0] == "| Club | Won | Lost |"


DUTIES = "Day Keeper Pier\r\nMonday Odile North\r\nTuesday Tom Old\r\n"
BY_COLUMN = "Day of\r\nMon day\r\nTue day\r\nKept by\r\nO Varga\r\nT Hask\r\n"
LED = "Flour .... plain\r\nSugar .... brown\r\nSalt from .... the sea\r\n"
WROTE = "The keeper wrote\r\nHe had a ledger\r\nIt is lost\r\n"


@pytest.mark.parametrize(
    ("signs", "gap", "lines", "told"),
    [
        pytest.param(DUTIES, 30, 6, True, id="words far apart"),
        pytest.param(DUTIES, 3, 6, False, id="words of prose"),
        pytest.param(BY_COLUMN, 3, 3, True, id="column by column"),
        pytest.param(LED, 3, 6, True, id="dots that lead to a cell"),
        pytest.param(WROTE, 3, 6, False, id="prose"),
        pytest.param(WROTE.replace("wrote", "wrote."), 30, 6, False, id="sentences"),
    ],
)
def test_short_lines_in_a_row_are_looked_at_where_they_have_cells(
    signs: str, gap: int, lines: int, told: bool
) -> None:
    """Letters are 5 wide and 10 high; ``gap`` is between words, and so many ``lines`` on a page."""

    def box_at(at: int) -> Box | None:
        before = signs[:at].split("\r\n")
        left = 5 * len(before[-1]) + (gap - 5) * before[-1].count(" ")
        top = -20 * ((len(before) - 1) % lines)
        return None if signs[at].isspace() else Box(left, left + 5, top - 10, top)

    assert may_have_tables(signs.replace("\r\n", "\n"), signs, box_at) is told
