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
            part_of = {n: {at: c[at] for at in columns if at in c} for n, c in own.items()}
            yield {number: cells for number, cells in part_of.items() if cells}


def _runs(rows: Mapping[int, Cells]) -> Iterator[dict[int, Cells]]:
    """Yield the rows between one empty row and the next."""
    for _, together in groupby(enumerate(rows), key=lambda pair: pair[1] - pair[0]):
        yield {number: rows[number] for _, number in together}


def _with_feet(runs: Iterable[dict[int, Cells]]) -> list[dict[int, Cells]]:
    """Return ``runs``, a single row under the columns of the table above it as one of its rows.

    Such is the total, below an empty row.
    """
    found: list[dict[int, Cells]] = []
    for run in runs:
        (cells, *more), above = run.values(), found[-1] if found else {}
        used = {at for row in above.values() for at in row}
        if not more and len(cells) > 1 and len(above) > 1 and cells.keys() <= used:
            above.update(run)
        else:
            found.append(run)
    return found


def _stretches(rows: Mapping[int, Cells]) -> list[list[int]]:
    """Return the columns of each table of ``rows``, of several that are side by side."""
    used = sorted({at for cells in rows.values() for at in cells})[:_MOST_COLUMNS]
    together = groupby(enumerate(used), key=lambda pair: pair[1] - pair[0])
    parts = [[at for _, at in pairs] for _, pairs in together]
    return parts if all(len(columns) > 1 for columns in parts) else [used]


def _lines(block: Mapping[int, Cells]) -> Iterator[tuple[int, str]]:
    """Yield the lines of ``block`` with the numbers of their rows; what is alone in one is prose.

    That is so over a table and below it; within, it is a row: the heading of those after it.
    """
    columns = sorted({at for cells in block.values() for at in cells})
    block = _with_heads_in_one(block, columns)
    wide = [number for number, cells in block.items() if len(cells) > 1]
    for number, cells in block.items():
        within = bool(wide) and wide[0] <= number <= wide[-1]
        if number in wide[:1] and next(iter(block)) != number:
            yield number, ""
        yield number, _row(cells, columns) if within else " ".join(cells.values())
        if number in wide[-1:] and list(block)[-1] != number:
            yield number, ""


def _with_heads_in_one(block: Mapping[int, Cells], columns: Sequence[int]) -> Mapping[int, Cells]:
    """Return ``block`` with heads that are in two rows in the second one alone."""
    wide = [number for number, cells in block.items() if len(cells) > 1][:2]
    told = [[block[number].get(at, "") for at in columns] for number in wide]
    heads = joined_heads(*told) if len(told) == 2 else None
    if heads is None:
        return block
    joined = {at: head for at, head in zip(columns, heads, strict=True) if head}
    rest = {number: cells for number, cells in block.items() if number != wide[0]}
    return {**rest, wide[1]: joined}


def _row(cells: Cells, columns: Sequence[int]) -> str:
    return barred(cells.get(at, "") for at in columns)
