"""Tables that stand side by side on a page of a PDF, told apart by the gutter between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from quaere.read.extract.pdf_lines import Line

MIN_ROWS = 3
"""Rows that have a second label, from which they are of two tables and not of one."""
INDENT = 40.0
"""How far labels of one table may be indented, in points."""


def separated(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield ``lines`` in blocks, of two tables side by side each in a block of its own.

    A row of two tables has a label, figures, and again a label with figures. All lines around such
    rows that nothing joins across the gutter are separated there; those on the left come first.
    """
    at, block = 0, list[Line]()
    for first, end, gutter in _stretches(lines):
        halves = [_halves(line, gutter) for line in lines[first:end]]
        yield [*block, *lines[at:first], *(left for left, _ in halves if left.cells)]
        block = [right for _, right in halves if right.cells]
        at = end
    yield [*block, *lines[at:]]


def _stretches(lines: Sequence[Line]) -> Iterator[tuple[int, int, float]]:
    """Yield the first line and that after the last of those with a gutter, and where it is."""
    seconds = [_second_label(line) for line in lines]
    at = 0
    while at < len(lines):
        if seconds[at] == inf:
            at += 1
            continue
        first, end, gutter = _stretch(lines, seconds, at)
        if sum(left < inf for left in seconds[first:end]) >= MIN_ROWS:
            yield first, end, gutter
        at = max(end, at + 1)


def _stretch(lines: Sequence[Line], seconds: Sequence[float], at: int) -> tuple[int, int, float]:
    """Return the lines around ``at`` that are clear where its second label begins."""
    gutter = seconds[at]
    for second in seconds[at:]:
        if abs(second - seconds[at]) <= INDENT:
            gutter = min(gutter, second)
    first = at
    while first and _is_clear(lines[first - 1], gutter):
        first -= 1
    end = at
    while end < len(lines) and _is_clear(lines[end], gutter):
        end += 1
    return first, end, gutter


def _second_label(line: Line) -> float:
    """Return where words begin that have figures on both sides; infinity where none do."""
    if not line.is_row:
        return inf
    told = [cell.is_figure for cell in line.cells]
    end = len(told) - len(line.figures)
    label = _first_of_words(told, end)
    begins = line.cells[label]
    is_label = 0 < label < end and begins.text[:1].isalpha()
    return begins.left if is_label and told.index(True) > 0 else inf


def _first_of_words(are_figures: Sequence[bool], end: int) -> int:
    """Return where the words that end before the cell ``end`` begin; ``end`` for none."""
    first = end
    while first and not are_figures[first - 1]:
        first -= 1
    return first


def _is_clear(line: Line, gutter: float) -> bool:
    return not any(cell.left < gutter - 1 < cell.right for cell in line.cells)


def _halves(line: Line, gutter: float) -> tuple[Line, Line]:
    left = tuple(cell for cell in line.cells if cell.left < gutter - 1)
    return Line(left), Line(line.cells[len(left) :])
