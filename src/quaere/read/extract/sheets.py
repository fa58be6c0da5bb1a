"""The sheets of a workbook as text, one after the other, their tables row by row.

Each is a ``## Heading`` with its rows as ``| a | b |`` below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Unpack

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.extract.grids import joined_heads
from quaere.read.extract.office import barred
from quaere.read.extract.page import About, empty, make_page
from quaere.read.formats import Format

MOST_CELLS = 2_000_000
"""Of a workbook; what is beyond is left out."""
_MOST_COLUMNS = 200
"""Of a table; what is further to the right is left out."""
_MAX_MARKS = 100_000

Cells = Mapping[int, str]
"""What the cells of a row say, by column from 0."""


def sheets_page(
    body: Body,
    kind: Format,
    sheets: Iterable[tuple[str, Mapping[int, Cells]]],
    *,
    title: str = "",
    **about: Unpack[About],
) -> Page:
    """Return the page of a workbook with a mark for each row.

    Args:
        body: The workbook.
        kind: What it is.
        sheets: The name of each sheet that is shown, and its rows by number.
        title: Its own title.
        about: What it declares about itself.

    Raises:
        ReadError: ``empty`` when nothing is shown.
    """
    shown = _Text()
    for name, rows in sheets:
        shown.add_sheet(name, rows)
    if not shown.is_filled:
        raise empty(body)
    marks = shown.marks[:_MAX_MARKS]
    return make_page(body, kind, "\n".join(shown.lines), title=title, marks=marks, **about)


def fill_down(rows: Mapping[int, dict[int, str]], at: int, first: int, last: int) -> None:
    """Write in each row of a merged area what its first one says.

    Args:
        rows: The rows of a sheet by number; one without a cell stays so.
        at: The column in which the area begins, from 0.
        first: The number of its first row.
        last: The number of its last row.
    """
    text = rows.get(first, {}).get(at, "")
    for number in range(first + 1, last + 1) if text else ():
        if rows.get(number):
            rows[number].setdefault(at, text)


@dataclass(slots=True)
class _Text:
    """The lines of a page as they are written, and where its rows begin."""

    lines: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    is_filled: bool = False
    """Whether any cell is shown."""
    _at: int = 0

    def add_sheet(self, name: str, rows: Mapping[int, Cells]) -> None:
        """Write the rows of a sheet below its name; one without any is left out."""
        filled = {number: cells for number, cells in rows.items() if cells}
        if not filled:
            return
        self.is_filled = True
        self._write(f"## {name}")  # the first level is the title of a page
        for block in _blocks(filled):
            self._write("")
            for number, line in _lines(block):
                self.marks.append(Mark(start=self._at, label=f"{name} row {number}"))
                self._write(line)
        self._write("")

    def _write(self, line: str) -> None:
        self.lines.append(line)
        self._at += len(line) + 1


def _blocks(rows: Mapping[int, Cells]) -> Iterator[dict[int, Cells]]:
    """Yield what stands together: rows without an empty one between, columns likewise."""
    for own in _with_feet(_runs(rows)):
        for columns in _stretches(own):
            found = {number: _those_in(columns, cells) for number, cells in own.items()}
            yield {number: cells for number, cells in found.items() if cells}


def _those_in(columns: Iterable[int], cells: Cells) -> Cells:
    """Return those of ``cells`` that are in ``columns``."""
    return {at: cells[at] for at in columns if at in cells}


def _used(rows: Mapping[int, Cells]) -> set[int]:
    """Return the columns in which any of ``rows`` has a cell."""
    return {at for cells in rows.values() for at in cells}


def _runs(rows: Mapping[int, Cells]) -> Iterator[dict[int, Cells]]:
    """Yield the rows between one empty row and the next."""
    for _, together in groupby(enumerate(rows), key=lambda pair: pair[1] - pair[0]):
        yield {number: rows[number] for _, number in together}


def _with_feet(runs: Iterable[dict[int, Cells]]) -> list[dict[int, Cells]]:
    """Return ``runs``, a single row under the columns of the table above it as one of its rows.

    Such is the total, below an empty row.
    """
    found: list[dict[int, Cells]] = []
    used = set[int]()  # of the last; it is not gone through anew for each foot
    for run in runs:
        if found and len(found[-1]) > 1 and _is_foot(run, used):
            found[-1].update(run)
        else:
            found.append(run)
            used = _used(run)
    return found


def _is_foot(run: Mapping[int, Cells], used: set[int]) -> bool:
    """Whether ``run`` is a single row, under columns that the table above it has ``used``."""
    cells, *more = run.values()
    return not more and len(cells) > 1 and cells.keys() <= used


def _stretches(rows: Mapping[int, Cells]) -> list[list[int]]:
    """Return the columns of each table of ``rows``, of several that are side by side."""
    used = sorted(_used(rows))[:_MOST_COLUMNS]
    together = groupby(enumerate(used), key=lambda pair: pair[1] - pair[0])
    parts = [[at for _, at in pairs] for _, pairs in together]
    return parts if all(len(columns) > 1 for columns in parts) else [used]


def _lines(block: Mapping[int, Cells]) -> Iterator[tuple[int, str]]:
    """Yield the lines of ``block`` with the numbers of their rows; what is alone in one is prose.

    That is so over a table and below it; within, it is a row: the heading of those after it.
    """
    columns = sorted(_used(block))
    above, table, below = _parted(_with_heads_in_one(block, columns))
    yield from _prose(above)
    if above and table:
        yield table[0][0], ""
    for number, cells in table:
        yield number, barred(_in_each(columns, cells))
    if below:
        yield table[-1][0], ""
    yield from _prose(below)


_Rows = Sequence[tuple[int, Cells]]
"""Rows with their numbers."""


def _parted(block: Mapping[int, Cells]) -> tuple[_Rows, _Rows, _Rows]:
    """Return the rows above a table, those of it and those below; without one, all are above."""
    rows, wide = list(block.items()), _wide(block)
    if not wide:
        return rows, [], []
    numbers = list(block)
    begin, end = numbers.index(wide[0]), numbers.index(wide[-1]) + 1
    return rows[:begin], rows[begin:end], rows[end:]


def _wide(block: Mapping[int, Cells]) -> list[int]:
    """Return the numbers of the rows in which more than one cell stands."""
    return [number for number, cells in block.items() if len(cells) > 1]


def _prose(rows: _Rows) -> Iterator[tuple[int, str]]:
    for number, cells in rows:
        yield number, " ".join(cells.values())


def _with_heads_in_one(block: Mapping[int, Cells], columns: Sequence[int]) -> Mapping[int, Cells]:
    """Return ``block`` with heads that are in two rows in the second one alone."""
    begun = _wide(block)[:2]
    if len(begun) < 2:
        return block
    first, second = begun
    heads = joined_heads(_in_each(columns, block[first]), _in_each(columns, block[second]))
    if heads is None:
        return block
    rows = {number: cells for number, cells in block.items() if number != first}
    rows[second] = {at: head for at, head in zip(columns, heads, strict=True) if head}
    return rows


def _in_each(columns: Sequence[int], cells: Cells) -> list[str]:
    """Return what ``cells`` say in each of ``columns``, nothing where there is none."""
    return [cells.get(at, "") for at in columns]
