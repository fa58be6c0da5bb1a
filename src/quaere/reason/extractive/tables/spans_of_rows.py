"""Tables in which each row is of a time: a month of a year, or one sort of thing in one year.

What such a row has is of that time; it is not one of the things that the table is called after, so
that no count of rows is a count of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from quaere.reason.extractive.tables.columns import Column, Table, Type

LEAST_SHARED = 3
"""Rows that share a cell of a column of sorts, as a rule, at least."""


def is_of_months(table: Table) -> bool:
    """Return whether several columns tell together of which time a row of ``table`` is."""
    of_time = [c for c in table.columns if c.type is Type.DATE or c.has_months]
    return len(of_time) > 1 and _are_told_by(of_time, table)


def is_of_years(table: Table) -> bool:
    """Return whether each row of ``table`` is of one of a few sorts in one year."""
    years = [c for c in table.of_type(Type.DATE) if not any(v and v[1] for v in c.values)]
    sorts = [c for c in table.columns if c.sorts and LEAST_SHARED * len(c.sorts) < len(c.cells)]
    return any(_are_told_by((year, each), table) for year in years for each in sorts)


def _are_told_by(columns: Sequence[Column], table: Table) -> bool:
    """Whether all of ``columns`` tell rows apart together, and none of them does so alone."""
    if any(len(set(column.cells)) == len(column.cells) for column in columns):
        return False
    return len(set(zip(*(c.cells for c in columns), strict=True))) == len(table.lines)
