"""Rows that months, days of the week or quarters name in order: "from January to March"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import with_quarters
from quaere.reason.extractive.tables.wording import Condition, Wording
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS

_QUARTERS = ("Q1", "Q2", "Q3", "Q4")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_CALENDARS = tuple(
    {name.casefold()[:3]: at for at, name in enumerate(names)}
    for names in (MONTHS, _DAYS, _QUARTERS)
)
_LETTERS = 3
"""Of a name that tell it from the others."""
_FULL = "|".join(
    f"{name[:3]}(?:{name[3:]})?" if name[3:] else name
    for name in map(str.casefold, (*MONTHS, *_DAYS))
)
_SHORT = rf"(?:(?:{_FULL})|sept|tues?|thurs?|weds?|q[1-4])"
_NAME = lazy_regex(rf"(?i){_SHORT}\.?")
_STRETCH = lazy_regex(
    rf"(?i)\b(?:from|between)\s+({_SHORT})\s+(?:to|till?|until|through|and)\s+({_SHORT})\b"
)


def in_order(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the short names of the months, days or quarters of ``cells``, if they go one way."""
    plain = [with_quarters(cell).strip().casefold() for cell in cells]
    if not all(map(_NAME.fullmatch, plain)):
        return ()
    short = tuple(name[:_LETTERS] for name in plain)
    return short if any(_goes_one_way(short, calendar) for calendar in _CALENDARS) else ()


def periods_in(table: Table) -> list[Column]:
    """Return the columns of figures of ``table`` that are one month, day or quarter each."""
    headed = [c for c in table.of_type(Type.NUMBER) if in_order([c.head])]
    return headed if len(headed) > 1 and in_order([c.head for c in headed]) else []


def _goes_one_way(short: Sequence[str], calendar: Mapping[str, int]) -> bool:
    """Whether all ``short`` names are in ``calendar``, each after the one before."""
    places = [calendar[each] for each in short if each in calendar]
    return len(places) == len(short) and all(map(int.__lt__, places, places[1:]))


def names_a_stretch(text: str) -> bool:
    """Whether ``text`` names months or days from one to another, which no single row is of."""
    return _STRETCH.search(text) is not None


def stretch_named(wording: Wording) -> Iterator[Condition]:
    """Yield the rows from one month, day of the week or quarter to another that are named."""
    found = _STRETCH.search(wording.text)
    column = wording.table.columns[0]
    short = in_order(column.cells) if found else ()
    if found is None or not short:
        return
    first, last = (name.casefold()[:_LETTERS] for name in found.groups())
    if first in short and last in short:
        wording.use(found.start(), found.end(), column)
        yield Condition(column, frozenset(range(short.index(first), short.index(last) + 1)))
