"""Rows that months or days of the week name one after the other: "from January to March"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quaere.reason.extractive.tables.columns import Column
from quaere.reason.extractive.tables.wording import Condition, Wording
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CALENDARS = tuple(
    {name.casefold()[:3]: at for at, name in enumerate(names)} for names in (MONTHS, _DAYS)
)
_LETTERS = 3
"""Of a name that tell it from the others."""
_FULL = "|".join(
    f"{name[:3]}(?:{name[3:]})?" if name[3:] else name
    for name in map(str.casefold, (*MONTHS, *_DAYS))
)
_SHORT = rf"(?:(?:{_FULL})|sept|tues?|thurs?|weds?)"
_NAME = lazy_regex(rf"(?i){_SHORT}\.?")
_STRETCH = lazy_regex(
    rf"(?i)\b(?:from|between)\s+({_SHORT})\s+(?:to|till?|until|through|and)\s+({_SHORT})\b"
)


def in_order(column: Column) -> tuple[str, ...]:
    """Return the short names of the months or days of ``column``; none unless they go one way."""
    if not all(_NAME.fullmatch(cell.strip()) for cell in column.cells):
        return ()
    short = tuple(cell.strip().casefold()[:_LETTERS] for cell in column.cells)
    return short if any(_goes_one_way(short, calendar) for calendar in _CALENDARS) else ()


def _goes_one_way(short: Sequence[str], calendar: Mapping[str, int]) -> bool:
    """Whether all ``short`` names are in ``calendar``, each after the one before."""
    places = [calendar[each] for each in short if each in calendar]
    return len(places) == len(short) and all(map(int.__lt__, places, places[1:]))


def names_a_stretch(text: str) -> bool:
    """Whether ``text`` names months or days from one to another, which no single row is of."""
    return _STRETCH.search(text) is not None


def stretch_named(wording: Wording) -> Iterator[Condition]:
    """Yield the rows from one month, or day of the week, to another that ``wording`` names."""
    found = _STRETCH.search(wording.text)
    column = wording.table.columns[0]
    short = in_order(column) if found else ()
    if found is None or not short:
        return
    first, last = (name.casefold()[:_LETTERS] for name in found.groups())
    if first in short and last in short:
        wording.use(found.start(), found.end(), column)
        yield Condition(column, frozenset(range(short.index(first), short.index(last) + 1)))
