"""Tables that set things side by side: each has a column, and each row tells one thing of all."""

from __future__ import annotations

from dataclasses import replace

from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import stems_of

_OF_TRAITS = stems_of("feature property specification spec characteristic criterion detail")
_FEWEST = 2
"""Things, at least, that are set side by side."""


def turned(table: Table) -> Table | None:
    """Return ``table`` with a row for each of its columns; None where it is not so laid out."""
    first, *things = table.columns
    is_of_traits = not first.head.strip() or not _OF_TRAITS.isdisjoint(first.stems)
    if len(things) < _FEWEST or not (is_of_traits and all(c.type is Type.TEXT for c in things)):
        return None
    names = Column(0, "model", tuple(column.head for column in things))
    traits = (
        Column(at + 1, cell, tuple(column.cells[at] for column in things))
        for at, cell in enumerate(first.cells)
    )
    # Until it is told, the head of its column stands for the line of each thing.
    lines = tuple(replace(table.lines[0], text=column.head) for column in things)
    return replace(table, columns=(names, *traits), lines=lines, totals=(), by_columns=True)


def as_written(found: RowsAnswer, table: Table) -> RowsAnswer:
    """Return what was ``found`` in a ``table`` read by its columns, with the rows as they are."""
    first, *things = table.columns
    rows = zip(table.lines, first.cells, strict=True)
    told = {line.text for line in found.lines}
    heads = {first.head, *(column.head for column in things if column.head in told)}
    lines = tuple(line for line, trait in rows if trait in found.columns)
    return replace(found, table=table, lines=lines or table.lines, columns=frozenset(heads))
