"""The tables of reStructuredText whose columns stand below rules, written with bars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_RULE = re.compile(r"=+(?: +=+)+")
_RUN = re.compile(r"=+")
_MOST_LINES = 500
"""Lines between two rules, at most: more are not a table."""


def with_ruled_rows(lines: Sequence[str]) -> list[str]:
    """Return ``lines``, the rows between rules such as ``=== ===`` with bars between their cells.

    There are as many as before, the rules among them as they were: citations tell a line's number.
    A row without a first cell continues the one before it.
    """
    shown = list(lines)
    rules = [at for at, line in enumerate(lines) if _RULE.fullmatch(line)]
    for first, last in pairwise(rules):
        if last - first <= _MOST_LINES and lines[first] == lines[last]:
            _write(first, last, shown)
    return shown


def is_table_rule(line: str) -> bool:
    """Return whether ``line`` is a rule over several columns."""
    return _RULE.fullmatch(line) is not None


def _write(first: int, last: int, shown: list[str]) -> None:
    """Write the rows of ``shown`` between two rules, unless none is there."""
    starts = [run.start() for run in _RUN.finditer(shown[first])]
    row = 0
    for at in range(first + 1, last):
        if not shown[at].strip():
            continue
        cells = _cells(shown[at], starts)
        if row and not cells[0]:
            shown[row] = _joined(shown[row], cells)
            shown[at] = ""
        else:
            shown[at], row = _barred(cells), at


def _cells(line: str, starts: Sequence[int]) -> list[str]:
    ends = [*starts[1:], max(len(line), starts[-1])]
    return [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]


def _barred(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _joined(row: str, cells: Sequence[str]) -> str:
    """Return ``row`` with what continues each of its cells."""
    before = [cell.strip() for cell in row.strip("| ").split(" | ")]
    if len(before) != len(cells):
        return row
    return _barred([f"{one} {more}".strip() for one, more in zip(before, cells, strict=True)])
