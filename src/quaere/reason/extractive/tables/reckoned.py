"""Columns that are computed from two others: what is left of a capacity, a difference of goals.

"How many places are left?" of seats and bookings; "Which courses are full?". English alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.text.tokens import stems_of

SPARE: Final = stems_of("left stock available remaining free spare")
"""Stems in the heads of columns that count what is left of something."""
_ROOM = stems_of("seat place capacity space spot ticket limit")
_TAKEN = stems_of(
    "booked taken sold enrolled registered reserved filled occupied booking reservation"
)
_SCORED, _CONCEDED = stems_of("scored"), stems_of("conceded")
_GOALS = stems_of("goals")
_DIFFERENCE = stems_of("difference")


def with_reckoned(table: Table) -> Table:
    """Return ``table`` with a column of what two of its columns come to, where it has none yet."""
    figures = table.of_type(Type.NUMBER)
    if not any(SPARE & column.stems for column in table.columns):
        table = _with_rest(table, _of(figures, _ROOM), _of(figures, _TAKEN))
    if not any(_DIFFERENCE & column.stems for column in table.columns):
        scored, conceded = _of(figures, _SCORED), _of(figures, _CONCEDED)
        if scored and conceded and _are_of_goals(scored, conceded):
            table = _with(table, scored, conceded, "goal difference")
    return table


def _are_of_goals(scored: Column, conceded: Column) -> bool:
    """Whether nothing but goals is in the heads of what was ``scored`` and ``conceded``."""
    return (scored.stems - _SCORED) | (conceded.stems - _CONCEDED) <= _GOALS


def _of(columns: Sequence[Column], stems: frozenset[str]) -> Column | None:
    """Return the only one of ``columns`` that is headed by one of ``stems``."""
    headed = [column for column in columns if stems & column.stems and not column.is_money]
    return headed[0] if len(headed) == 1 else None


def _with_rest(table: Table, room: Column | None, taken: Column | None) -> Table:
    """Return ``table`` with what is left of ``room``, if no row has more ``taken`` than that."""
    if room is None or taken is None or room is taken:
        return table
    pairs = zip(room.values, taken.values, strict=True)
    is_part = all(own is None or other is None or own >= other for own, other in pairs)
    return _with(table, room, taken, f"{room.head} left") if is_part else table


def _with(table: Table, whole: Column | None, less: Column | None, head: str) -> Table:
    """Return ``table`` with ``less`` taken from ``whole`` in a column of the name ``head``."""
    if whole is None or less is None or whole is less:
        return table
    pairs = zip(whole.values, less.values, strict=True)
    cells = (str(own[0] - other[0]) if own and other else "" for own, other in pairs)
    added = Column(len(table.columns), head, tuple(cells), made_of=(whole, less))
    return replace(table, columns=(*table.columns, added), joined=table.joined + 1)
