"""Tables of which one has the key of the other: orders with the number of a customer in each.

Each row is read with the row of the other table that its key calls, so that one question may go
over both: "Which town did the kettle go to?".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from quaere.reason.extractive.tables.asked import TIMES, RowsAnswer
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.text.tokens import stems_of

_PLACES = stems_of("rank ranking position pos place no nr")


@dataclass(frozen=True, slots=True)
class Joined:
    """A table with what another one tells of its rows."""

    table: Table
    """The first, with the columns of the other to the right of its own, and its names for keys."""
    other: Table
    rows: tuple[int, ...]
    """The row of the other table for each of its own."""

    def with_both(self, found: RowsAnswer) -> RowsAnswer | None:
        """Return what was ``found`` with its rows of both tables; None if it needs no other."""
        added = self.table.columns[-self.table.joined :]
        if found.columns.isdisjoint(each.head for each in (self.other.columns[0], *added)):
            return None
        own = [self.table.lines.index(line) for line in found.lines]
        more = dict.fromkeys(self.other.lines[self.rows[row]] for row in own)
        return replace(found, lines=(*found.lines, *more))


def joins(tables: Sequence[Table]) -> Iterator[Joined]:
    """Yield each of ``tables`` with each other one of which it has the key, if that tells more."""
    for own, other in permutations(tables, 2):
        keys = _of_keys(own, other)
        heads = {column.head for column in own.columns}
        more = [column for column in other.columns[1:] if column.head not in heads]
        if len(keys) == 1 and more:
            yield _joined(own, other, keys[0], more)


def _of_keys(own: Table, other: Table) -> list[Column]:
    """Return the columns of ``own`` that hold the key of ``other``, and of it alone.

    Where both tables number or rank their own rows, neither calls rows of the other.
    """
    key = other.columns[0]
    return [c for c in own.columns if c.stems == key.stems and _holds(c, key)]


def _holds(column: Column, key: Column) -> bool:
    """Whether each cell of ``column`` is one of ``key``, and by that calls one row."""
    is_key = len(set(key.filled)) == len(key.cells) and key.type not in TIMES
    are_numberings = all(map(_is_numbering, (column, key)))
    return is_key and not are_numberings and frozenset(key.cells).issuperset(column.cells)


def _is_numbering(column: Column) -> bool:
    is_place = column.type is Type.NUMBER and not column.stems.isdisjoint(_PLACES)
    return is_place or column.is_ordinal


def _joined(own: Table, other: Table, column: Column, more: Sequence[Column]) -> Joined:
    places = {cell: row for row, cell in enumerate(other.columns[0].cells)}
    rows = tuple(places[cell] for cell in column.cells)
    named = replace(column, cells=tuple(map(other.called, rows)))
    added = [
        Column(at, each.head, tuple(each.cells[row] for row in rows))
        for at, each in enumerate(more, len(own.columns))
    ]
    table = replace(
        own,
        columns=(*(named if each is column else each for each in own.columns), *added),
        joined=len(added),
        named=own.named | other.named,
        name=own.name if own.name == other.name else f"{own.name} with {other.name}",
        totals=(),
    )
    return Joined(table, other, rows)
