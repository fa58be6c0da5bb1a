"""What a small table has under one head, what one of its rows has, or all of its prices.

"How much do guests pay?" of prices for adults and children; "How much is it for children?" of
prices for members and guests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, LEAST_SAID, Asked, RowsAnswer
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.lexicon import OF_MONEY

MOST = 6
"""Rows or columns that are told side by side, at most."""


def slice_answer(text: str, table: Table) -> RowsAnswer | None:
    """Return the prices of one row, or of one column, that ``text`` asks for without saying which.

    Where it names neither, those of all; None where more is said than the table tells.

    Raises:
        Undecided: when several rows could be meant.
    """
    prices = _prices(table)
    if not 0 < len(prices) <= MOST or len(table.lines) > MOST:
        return None
    asked = Asked(text, table)
    if OF_MONEY.isdisjoint(asked.wording.stems):
        return None
    told = _of_a_row(asked, prices) if asked.held else _of_columns(asked, prices)
    return told if told and asked.is_accounted() else None


def _prices(table: Table) -> list[Column]:
    return [column for column in table.of_type(Type.NUMBER) if may_be_money(column, table)]


def _of_a_row(asked: Asked, prices: Sequence[Column]) -> RowsAnswer | None:
    """Return what the one row that is named has in each of ``prices``, none of which is."""
    is_of_one = len(asked.rows) == 1 and all(each.is_row for each in asked.held)
    if not is_of_one or len(prices) < 2 or any(map(asked.wording.heads, prices)):
        return None
    (row,) = asked.rows
    told = [column for column in prices if not is_empty(column.cells[row])]
    asked.by += told
    answer = "; ".join(f"{column.head}: {asked.cell(column, row)}" for column in told)
    return asked.answered(DirectKind.NUMBER, answer, [row], CALCULATED)


def _of_columns(asked: Asked, prices: Sequence[Column]) -> RowsAnswer | None:
    """Return what each row has in the one of ``prices`` that is named, or else in all of them."""
    wording, table = asked.wording, asked.table
    named = [column for column in prices if wording.share_left(column) >= LEAST_SAID]
    if len(named) > 1 or table.key in prices:
        return None
    told = named or prices
    asked.by += told
    wording.used.update(wording.head_places(told))
    rows = list(_filled(told[0]))
    answer = "; ".join(f"{table.called(row)}: {_cells(asked, told, row)}" for row in rows)
    return asked.answered(DirectKind.NUMBER, answer, rows, CALCULATED) if rows else None


def _filled(column: Column) -> Iterator[int]:
    """Yield the rows in which ``column`` has something."""
    return (row for row, cell in enumerate(column.cells) if not is_empty(cell))


def _cells(asked: Asked, columns: Sequence[Column], row: int) -> str:
    """Return what ``row`` has in ``columns``, with their heads where there are several."""
    if len(columns) == 1:
        return asked.cell(columns[0], row)
    told = (column for column in columns if not is_empty(column.cells[row]))
    return ", ".join(f"{asked.cell(column, row)} ({column.head})" for column in told)
