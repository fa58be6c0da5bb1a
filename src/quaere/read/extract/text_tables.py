"""Tables in plain text, whose columns are told apart by spaces: written with bars, line by line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaere.read.extract.grids import Grid, Placed, grids

_CELL = re.compile(r"\S+(?: \S+)*")
_TAB = 8
"""Columns of letters from one tab stop to the next."""
_RULE = re.compile(r"[\s=+─━═-]*[=─━═-]{2}[\s=+─━═-]*")
_MARKED = ("|", "#", "- ", "* ", "> ")
"""What lines begin with that are rows, headings, items or quotes, and no cells."""


def with_bars(lines: Sequence[str]) -> list[str]:
    """Return ``lines``, the rows of each table with bars between their cells.

    A table is what has a rule under its heads, or figures in a column; without either its first
    line may be one of its rows. There are as many as before, for citations tell a line's number.
    """
    shown = list(lines)
    places = [at for at, line in enumerate(lines) if not _is_rule(line)]
    placed = [_placed(lines[at]) for at in places]
    for grid in grids(placed):
        own = places[grid.first : grid.end]
        is_ruled = own[1] > own[0] + 1
        if is_ruled or grid.has_figures:
            _write(grid, own, shown)
    return shown


def _is_rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None


def _placed(line: str) -> list[Placed]:
    if line.lstrip().startswith(_MARKED):
        return []
    plain = line.expandtabs(_TAB)
    return [Placed(found[0], found.start(), found.end()) for found in _CELL.finditer(plain)]


def _write(grid: Grid, places: Sequence[int], shown: list[str]) -> None:
    """Write ``grid`` from its first place on, and nothing in what is left of its lines.

    A rule between its rows is one of these: a table ends where a line is without bars.
    """
    rows = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in grid.rows]
    first, last = places[0], places[-1]
    blank = [""] * (last + 1 - first - len(rows))
    shown[first : last + 1] = [*rows, *blank]
