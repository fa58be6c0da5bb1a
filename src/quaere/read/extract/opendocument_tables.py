"""The cells of the tables of an OpenDocument file, which say how often they are repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from quaere.read.extract.office import attribute, whole
from quaere.read.extract.sheets import MOST_CELLS
from quaere.text.markup import Element, local_name

_MOST_COLUMNS = 200
"""Of a table; what is further to the right is left out."""
_LAST_COLUMN = 16_384
"""The last that a spreadsheet program shows."""
_MOST_COPIES = 100_000
"""Cells of a document that are only there because a row says that it is repeated."""
_COLUMN = "table-column"
_OF_COLUMNS = frozenset({"table-columns", "table-header-columns", "table-column-group"})


class _Over(NamedTuple):
    """A cell that goes over several rows."""

    text: str
    last: int
    """The number of the last of these."""


_NOTHING = _Over("", 0)


class Tables:
    """Reads the cells of the tables of one document."""

    def __init__(self) -> None:
        self._left = MOST_CELLS
        self._copies = _MOST_COPIES

    def rows(self, table: Element, shown: Callable[[Element], str]) -> dict[int, dict[int, str]]:
        """Return what is ``shown`` in each cell, by the number of its row and by its column.

        Rows and columns that are hidden are left out, and so are empty rows. A cell over several
        rows is in each, one over several columns in the first.
        """
        rows: dict[int, dict[int, str]] = {}
        unseen = hidden_columns(table)
        number, over = 1, dict[int, _Over]()
        for row in rows_in(table):
            is_hidden = attribute(row, "visibility") == "collapse"
            cells = {} if is_hidden else _cells(row, number, over, shown)
            cells = {at: text for at, text in cells.items() if at not in unseen}
            times = _number(row, "number-rows-repeated")
            if cells:
                copies = min(times - 1, self._copies // len(cells))
                rows.update(dict.fromkeys(range(number, number + copies + 1), cells))
                self._copies -= copies * len(cells)
                self._left -= len(cells)
            number += times
            if self._left <= 0:
                break
        return rows

    def dense(self, table: Element, told: Callable[[Element], str]) -> Iterator[list[str]]:
        """Yield what is ``told`` in each row of ``table`` in each column that is used."""
        rows = self.rows(table, told).values()
        columns = sorted({at for cells in rows for at in cells})[:_MOST_COLUMNS]
        for cells in rows:
            yield [cells.get(at, "") for at in columns]


def rows_in(table: Element) -> Iterator[Element]:
    """Yield the rows of ``table``, those in groups as well."""
    for child in table:
        name = local_name(child)
        if name == "table-row":
            yield child
        elif name in {"table-rows", "table-header-rows", "table-row-group"}:
            yield from rows_in(child)


def _cells(
    row: Element, number: int, over: dict[int, _Over], shown: Callable[[Element], str]
) -> dict[int, str]:
    """Return what is ``shown`` in the cells of ``row`` by column; none if only rows above show any.

    Args:
        row: A row.
        number: Its own.
        over: The cells that go over it from the rows above, by column; those of its own are added.
        shown: Returns what a cell says.
    """
    own, merged = dict[int, str](), dict[int, str]()
    for cell, columns in placed(row):
        if local_name(cell) == _COVERED:
            merged |= _going_over(over, number, columns)
        elif text := shown(cell):
            own |= dict.fromkeys(columns, text)
            if (spanned := _number(cell, "number-rows-spanned")) > 1:
                over[columns.start] = _Over(text, number + spanned - 1)
    return own | merged if own else own


_CELL, _COVERED = "table-cell", "covered-table-cell"


def placed(row: Element) -> Iterator[tuple[Element, range]]:
    """Yield the cells of ``row`` and the columns, one after the other, in which each is."""
    end = 0
    for cell in row:
        if local_name(cell) in {_CELL, _COVERED}:
            begin, times = end, _number(cell, "number-columns-repeated")
            if begin >= _LAST_COLUMN:
                return
            end += times
            yield cell, range(begin, begin + min(times, _MOST_COLUMNS))


def _going_over(over: Mapping[int, _Over], number: int, columns: range) -> dict[int, str]:
    """Return what the cells that go ``over`` row ``number`` say in those of its ``columns``."""
    return {at: over[at].text for at in columns if at in over and number <= over[at].last}


def _number(element: Element, name: str) -> int:
    """Return how often ``element`` is repeated, or over how many rows it goes."""
    return max(1, whole(attribute(element, name), 1))


def columns_in(table: Element) -> Iterator[tuple[Element, range]]:
    """Yield what ``table`` says about its columns, and about which, from 0."""
    end = 0
    for column in _columns(table):
        begin, end = end, min(end + _number(column, "number-columns-repeated"), _LAST_COLUMN)
        yield column, range(begin, end)


def _columns(around: Element) -> Iterator[Element]:
    for child in around:
        if local_name(child) == _COLUMN:
            yield child
        elif local_name(child) in _OF_COLUMNS:
            yield from _columns(child)


def hidden_columns(table: Element) -> frozenset[int]:
    """Return the columns of ``table`` that are not shown, from 0."""
    return frozenset(
        at
        for column, columns in columns_in(table)
        if attribute(column, "visibility") == "collapse"
        for at in columns
    )
