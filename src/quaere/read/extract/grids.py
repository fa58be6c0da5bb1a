"""Tables set in columns of white space: a line of short heads, and rows whose cells are under them.

Plain text has them, and the pages of a PDF, where nothing but places tells a cell from the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

MIN_ROWS, MAX_COLUMNS = 2, 14
HEAD_WORDS, CELL_WORDS = 5, 6
"""Words of a head at most, and of a cell on average: more are prose in columns."""
FIGURED = 0.75
"""Share of the cells under the second of two heads that have a figure, for both to head a table:
two columns of words are more often a list of terms, or text side by side."""
_NO_HEAD_ENDS = (".", ":", ";", ",", "?", "!")


class Placed(NamedTuple):
    """Words that stand together on a line, and where they begin and end."""

    text: str
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class Grid:
    """A table among lines."""

    first: int
    """Which line is the first of its head."""
    end: int
    """Which line comes after its last row."""
    rows: tuple[tuple[str, ...], ...]
    """Its cells by column, the heads first."""

    @property
    def has_figures(self) -> bool:
        """Whether a column is of figures under words: its first line is then a head for sure."""
        return any(
            not _has_figure(head) and _is_figured(cells)
            for head, *cells in zip(*self.rows, strict=True)
        )


@dataclass(frozen=True, slots=True)
class _Spans:
    """Where columns begin and end, from the left."""

    each: tuple[tuple[float, float], ...]

    def places(self, cells: Sequence[Placed]) -> list[int] | None:
        """Return the column of each of ``cells``; None where two columns or none may be meant."""
        found = [self._place(cell) for cell in cells]
        told = [at for at in found if at is not None]
        return told if len(told) == len(cells) == len(set(told)) else None

    def _place(self, cell: Placed) -> int | None:
        under = [
            at
            for at, (left, right) in enumerate(self.each)
            if cell.left < right and cell.right > left
        ]
        if under:
            return under[0] if len(under) == 1 else None
        return min(range(len(self.each)), key=lambda at: self._gap(cell, at))

    def _gap(self, cell: Placed, at: int) -> float:
        left, right = self.each[at]
        return max(left - cell.right, cell.left - right)

    def widened(self, cells: Sequence[Placed], places: Sequence[int]) -> _Spans:
        """Return them, each as wide as what is in it."""
        spans = list(self.each)
        for cell, at in zip(cells, places, strict=True):
            spans[at] = min(spans[at][0], cell.left), max(spans[at][1], cell.right)
        return replace(self, each=tuple(spans))


def grids(lines: Sequence[Sequence[Placed]]) -> Iterator[Grid]:
    """Yield the tables among ``lines``, from the top; a line without cells ends one."""
    at = 0
    while at < len(lines):
        grid = _grid(lines, at) if _is_head(lines[at]) else None
        if grid is not None:
            yield grid
        at = grid.end if grid is not None else at + 1


def _is_head(cells: Sequence[Placed]) -> bool:
    """Whether ``cells`` may be the heads of columns: few words each, no two alike."""
    if not 2 <= len(cells) <= MAX_COLUMNS:
        return False
    texts = [cell.text.casefold() for cell in cells]
    return len(set(texts)) == len(texts) and all(map(_may_head, texts))


def _may_head(text: str) -> bool:
    worded = any(map(str.isalpha, text)) or text in {"#", "%", "№"}
    return worded and len(text.split()) <= HEAD_WORDS and not _ends_a_clause(text)


def _ends_a_clause(text: str) -> bool:
    """Whether ``text`` ends as no head does; "No." and "Qty." are short for a word."""
    return text.endswith(_NO_HEAD_ENDS) and not (text.endswith(".") and " " not in text)


def _grid(lines: Sequence[Sequence[Placed]], at: int) -> Grid | None:
    """Return the table whose heads are in the line ``at``; None where no rows are under them."""
    heads = lines[at]
    spans = _Spans(tuple((cell.left, cell.right) for cell in heads))
    rows: list[list[str]] = []
    end = at + 1
    for line in lines[at + 1 :]:
        places = spans.places(line) if line else None
        if places is None or not _goes_on(places, rows, len(heads)):
            break
        if len(places) == 1 and places[0]:
            rows[-1][places[0]] = f"{rows[-1][places[0]]} {line[0].text}".strip()
        else:
            rows.append(_row(line, places, len(heads)))
        spans = spans.widened(line, places)
        end += 1
    if not _is_table(rows):
        return None
    return Grid(at, end, tuple(map(tuple, [[cell.text for cell in heads], *rows])))


def _goes_on(places: Sequence[int], rows: Sequence[Sequence[str]], columns: int) -> bool:
    """Whether cells at ``places`` are a row, or continue the last of ``rows``."""
    if len(places) == 1:
        return bool(rows) and places[0] > 0
    return len(places) >= columns / 2 or columns - 1 in places


def _row(cells: Sequence[Placed], places: Sequence[int], columns: int) -> list[str]:
    row = [""] * columns
    for cell, at in zip(cells, places, strict=True):
        row[at] = cell.text
    return row


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    """Whether there are enough ``rows``, and what they hold is not prose."""
    if len(rows) < MIN_ROWS:
        return False
    filled = [cell for row in rows for cell in row if cell]
    if sum(len(cell.split()) for cell in filled) > CELL_WORDS * len(filled):
        return False
    return len(rows[0]) > 2 or _is_figured([row[1] for row in rows])


def _is_figured(cells: Sequence[str]) -> bool:
    return sum(map(_has_figure, cells)) >= FIGURED * len(cells)


def _has_figure(cell: str) -> bool:
    return any(map(str.isdigit, cell))
