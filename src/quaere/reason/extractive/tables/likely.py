"""Which column is meant that no head names: the one whose cells look like what is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import PLACES, named
from quaere.reason.extractive.tables.week_days import week_days_of

TIMES = frozenset({Type.DATE, Type.TIME})
_ASKING = named("what which")
_OPENING = 3
"""Words within which a question says which part of a date or time it asks for."""
_OF_DAY, _OF_DATE = named("day days weekday weekdays"), named("date dates month months year years")
_OF_CLOCK = named("time times hour hours")
_LINKS = named("to by with")
"""Words that lead to somebody at the end of a head: "Given to", "Checked by"."""


def tells_when(column: Column, words: Sequence[str]) -> bool:
    """Return whether ``column`` tells the part of a date or time that the ``words`` ask for.

    No hour answers "what day", and no day "what time".
    """
    part = _part_asked(words)
    if part in _OF_DAY:
        return column.type is Type.DATE or tells_days(column)
    if part in _OF_DATE:
        return column.type is Type.DATE
    return column.type is Type.TIME if part in _OF_CLOCK else column.type in TIMES


def _part_asked(words: Sequence[str]) -> str:
    """Return the word for a part of a date or time behind "what" or "which"; else nothing."""
    opening = list(words[:_OPENING])
    pairs = zip(opening, words[1 : _OPENING + 1], strict=False)
    return next((noun for asks, noun in pairs if asks in _ASKING), "")


def tells_days(column: Column) -> bool:
    """Return whether each cell of ``column`` names days of the week."""
    is_text = column.type is Type.TEXT and bool(column.filled)
    return is_text and all(map(week_days_of, column.filled))


def may_be_who(column: Column, table: Table) -> int:
    """Return how much speaks for ``column`` telling who: 0 where its cells are not names.

    More where its head leads to somebody, and where they are names in two words or more.
    """
    if column is table.key or not column.may_name_people or column.has_countries:
        return 0
    if tells_days(column) or not PLACES.isdisjoint(column.stems):
        return 0
    return 1 + (column.said[-1:] != () and column.said[-1] in _LINKS) + column.has_people
