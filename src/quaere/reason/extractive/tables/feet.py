"""Rows at the foot of a table that tell the average, the least or the most of those above them.

A row that is called "Average" may as well be one of the others, such as a mark: it is taken for
what it says only where its figures come to that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from statistics import mean, median

from quaere.reason.extractive.tables.cell_values import number_of
from quaere.reason.extractive.tables.columns import TOTALS
from quaere.text.tokens import words

MOST_LEVELS = 4
"""Such rows that a table has at most."""
LABEL_WORDS = 3
"""Words that such a row is called by, at most: "Average per month"."""
_LEVELS: Mapping[str, Callable[[Sequence[Decimal]], Decimal]] = {
    "average": mean, "averages": mean, "avg": mean, "mean": mean, "median": median, "minimum": min,
    "min": min, "lowest": min, "maximum": max, "max": max, "highest": max,
}  # fmt: skip


def levels_in(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """Return the places of those of ``rows``, at their end, that tell a level of the rows above."""
    found = set[int]()
    for at in range(len(rows) - 1, max(0, len(rows) - 1 - MOST_LEVELS), -1):
        level = _level_of(rows[at])
        if level is not None and _comes_to(rows, at, level):
            found.add(at)
        elif not _sums_up(rows[at]):
            break
    return frozenset(found)


def _label(row: Sequence[str]) -> str:
    return next(filter(None, row), "")


def _is_labelled(row: Sequence[str]) -> bool:
    return 0 < len(words(_label(row))) <= LABEL_WORDS


def _level_of(row: Sequence[str]) -> Callable[[Sequence[Decimal]], Decimal] | None:
    """Return how the level that ``row`` is called after is reckoned; None for any other row."""
    named = words(_label(row)) if _is_labelled(row) else []
    return next((_LEVELS[word] for word in named if word in _LEVELS), None)


def _comes_to(
    rows: Sequence[Sequence[str]], at: int, level: Callable[[Sequence[Decimal]], Decimal]
) -> bool:
    """Whether most figures of the row ``at`` are the ``level`` of those above, as far as written.

    Rows that are a level or a sum themselves are not among these.
    """
    above = [row for row in rows[:at] if _level_of(row) is None and not _sums_up(row)]
    told = [
        abs(level(figures) - own[0]) <= _last_place(cell)
        for column, cell in enumerate(rows[at])
        if (own := number_of(cell)) and (figures := _figures(above, column))
    ]
    return sum(told) * 2 > len(told)


def _sums_up(row: Sequence[str]) -> bool:
    return _is_labelled(row) and not TOTALS.isdisjoint(words(_label(row)))


def _figures(rows: Sequence[Sequence[str]], column: int) -> list[Decimal]:
    cells = (row[column] for row in rows if column < len(row))
    return [value[0] for cell in cells if (value := number_of(cell))]


def _last_place(cell: str) -> Decimal:
    """Return what the last digit of ``cell`` counts: 0.1 of "4.5"."""
    _, _, decimals = cell.partition(".")
    return Decimal(1).scaleb(-sum(map(str.isdigit, decimals)))
