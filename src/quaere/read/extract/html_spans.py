"""Cells of an HTML table that go over several rows or columns, written out in each of them.

Read row by row, such a table has rows that lack the cell which began above them; and heads in two
rows say what is in a column only together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy

from quaere.read.extract.markup import Element, drop, elements, inner_text, local_name

MOST_ROWS, MOST_COLUMNS, MOST_CHARS = 500, 50, 200
"""What one cell goes over at most, and what is in it: more is a mistake, or meant to fill memory,
and longer ones lay out a page."""
MOST_CELLS = 20_000
"""Cells of a table with all of them written out; a larger one stays as it is."""
_DIGITS = 6
_CELLS = frozenset({"td", "th"})
_SPANNED = elements("//table[.//*[@rowspan or @colspan]][not(.//table)]")
_ROWS = elements(".//tr")

_Held = dict[int, tuple[int, Element]]
"""What goes on from above by column: for how many more rows, and its cell."""


def spread_spans(root: Element) -> None:
    """Write each cell that goes over several rows into each of them, in all tables of ``root``.

    One over several columns is the head of each in the first row; below, it fills the first of
    them. Tables within tables lay out a page and stay as they are.
    """
    for table in _SPANNED(root):
        rows = _ROWS(table)
        if sum(_size(cell) for row in rows for cell in _cells(row)) > MOST_CELLS:
            continue
        held: _Held = {}
        for at, row in enumerate(rows):
            held = _spread(row, held, is_first=at == 0)
        _join_heads(rows)


def _size(cell: Element) -> int:
    return _rows_of(cell) * _columns_of(cell)


def _cells(row: Element) -> list[Element]:
    return [cell for cell in row if local_name(cell) in _CELLS]


def _spread(row: Element, held: _Held, *, is_first: bool) -> _Held:
    """Give ``row`` a cell in each column; return what goes on below."""
    own = _cells(row)
    after = _going_on(held)
    placed: list[Element] = []
    for cell in own:
        _take_held(placed, held)
        rows = _rows_of(cell)
        # Alone, it is over the whole table.
        columns = _columns_of(cell) if len(own) + len(held) > 1 else 1
        for beside in range(columns):
            if rows > 1:
                after[len(placed)] = rows - 1, cell
            placed.append(_copied(cell, is_blank=bool(beside) and not is_first))
    _take_held(placed, held)
    _replace(row, own, placed)
    return after


def _going_on(held: _Held) -> _Held:
    """Return what of ``held`` goes on below a row that has taken it."""
    return {at: (left - 1, cell) for at, (left, cell) in held.items() if left > 1}


def _replace(row: Element, own: Sequence[Element], placed: Sequence[Element]) -> None:
    """Put the cells ``placed`` first in ``row``, in place of its ``own``."""
    for cell in own:
        drop(cell)
    for at, cell in enumerate(placed):
        row.insert(at, cell)


def _take_held(placed: list[Element], held: Mapping[int, tuple[int, Element]]) -> None:
    while len(placed) in held:
        placed.append(_copied(held[len(placed)][1]))


def _rows_of(cell: Element) -> int:
    return _span(cell, "rowspan", MOST_ROWS)


def _columns_of(cell: Element) -> int:
    return _span(cell, "colspan", MOST_COLUMNS)


def _span(cell: Element, name: str, most: int) -> int:
    """Return over how many ``cell`` goes, as its attribute ``name`` says: of 0, over all."""
    told = cell.get(name, "").strip()
    if not (told.isascii() and told.isdecimal()) or len(told) > _DIGITS:
        return 1
    if sum(map(len, inner_text(cell))) > MOST_CHARS:
        return 1
    return min(int(told) or most, most)


def _copied(cell: Element, *, is_blank: bool = False) -> Element:
    """Return ``cell`` as one of a single row and column, without what it holds if ``is_blank``."""
    made = copy(cell)
    made.tail = None
    for name in ("rowspan", "colspan"):
        made.set(name, "1")
    if is_blank:
        _set_text(made, None)
    return made


def _set_text(cell: Element, text: str | None) -> None:
    """Make ``text`` all that ``cell`` holds."""
    for child in list(cell):
        cell.remove(child)
    cell.text = text


def _join_heads(rows: Sequence[Element]) -> None:
    """Make the rows of heads that ``rows`` begin with one: "2023" over "Mean" is "2023 Mean"."""
    heads = list(_heads(rows))
    if len(heads) < 2 or len({len(head) for head in heads}) > 1:
        return
    *above, last = heads
    for at, cell in enumerate(last):
        told = [" ".join("".join(inner_text(head[at])).split()) for head in heads]
        _set_text(cell, " ".join(dict.fromkeys(filter(None, told))))
    for row in rows[: len(above)]:
        drop(row)


def _heads(rows: Sequence[Element]) -> Iterator[list[Element]]:
    """Yield the cells of the first rows, as long as all of them are heads."""
    for row in rows:
        cells = _cells(row)
        if len(cells) < 2 or any(local_name(cell) != "th" for cell in cells):
            return
        yield cells
