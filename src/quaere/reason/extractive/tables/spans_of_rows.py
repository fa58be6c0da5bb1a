"""Tables in which each row is of a time: a month of a year, or one sort of thing in one year.

What such a row has is of that time; it is not one of the things that the table is called after, so
that no count of rows is a count of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from quaere.reason.extractive.tables.columns import Column, Table, Type

LEAST_SHARED = 3
"""Rows that share a cell of a column of sorts, as a rule, at least."""


def is_of_months(table: Table) -> bool:
    """Return whether several columns tell together of which time a row of ``table`` is."""
    of_time = [c for c in table.columns if c.type is Type.DATE or c.has_months]
    if not any(column.has_months for column in of_time):
        return False  # days on which things began and ended are told of the things
    return len(of_time) > 1 and _are_told_by(of_time, table)


def is_of_years(table: Table) -> bool:
    """Return whether each row of ``table`` is of one of a few sorts in one year."""
    years = [column for column in table.of_type(Type.DATE) if not _has_months(column)]
    sorts = [column for column in table.columns if _has_few_sorts(column)]
    return any(_are_told_by(pair, table) for pair in product(years, sorts))


def _has_months(column: Column) -> bool:
    """Whether any of the dates in ``column`` is more than a year."""
    return any(value and value[1] for value in column.values)


def _has_few_sorts(column: Column) -> bool:
    """Whether ``column`` tells of which sort rows are, and many are of each."""
    return bool(column.sorts) and LEAST_SHARED * len(column.sorts) < len(column.cells)


def _are_told_by(columns: Sequence[Column], table: Table) -> bool:
    """Whether all of ``columns`` tell rows apart together, and none of them does so alone."""
    if any(len(set(column.cells)) == len(column.cells) for column in columns):
        return False
    return len(set(zip(*(c.cells for c in columns), strict=True))) == len(table.lines)
