"""What the cells of a column are called otherwise: "Sundays" of "Sun", "Japanese" of "japan".

A question is read with the word that a cell has for what it says. That is done for words of closed
kinds alone, days, months, countries and sexes, in a column that holds nothing but such. English
alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quaere.reason.extractive.tables.states import is_of_state, states
from quaere.text.lexicon import MONTHS
from quaere.text.synonyms import names_of_nation, nation_called
from quaere.text.tokens import stem, words

MOST_SORTS = 60
"""Different cells of a column that tells of which sort its rows are, at most."""
_DAYS: Mapping[str, str] = {
    "mon": "monday", "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "weds": "wednesday",
    "thu": "thursday", "thur": "thursday", "thurs": "thursday", "fri": "friday", "sat": "saturday",
    "sun": "sunday",
}  # fmt: skip
_MONTHS: Mapping[str, str] = {name[:3].casefold(): name.casefold() for name in MONTHS} | {
    "sept": "september"
}
_CONTINENTS: Mapping[str, str] = {
    "europe": "European", "asia": "Asian", "africa": "African", "oceania": "Oceanian",
    "north america": "North American", "south america": "South American",
}  # fmt: skip
_SEVERAL: Mapping[str, str] = {"man": "men", "woman": "women", "child": "children"}
_UNCLEAR = frozenset(
    ("US", "Polish", "England", "English", "Scotland", "Scottish", "Wales", "Welsh", "Turkey")
)
_SEXES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("m", "male", "males", "man", "men"), ("male", "males", "man", "men")),
    **dict.fromkeys(
        ("f", "female", "females", "woman", "women"), ("female", "females", "woman", "women")
    ),
}
"""What each sex is called, by how it is written in a column of both."""
_BOTH = 2


class Cells(NamedTuple):
    """A column, as far as its cells may be called otherwise."""

    head: str
    sorts: frozenset[str]
    """Its different cells, where these tell of which sort a row is."""
    filled: tuple[str, ...]
    """Its cells that say anything."""


class Otherwise(NamedTuple):
    """What cells of a table are also called."""

    called: Mapping[str, str]
    """The cell for each such name."""
    namesakes: frozenset[str]
    """Names of one cell that are another one: "New York" of NY, where it is a city as well."""


def called_otherwise(columns: Sequence[Cells]) -> Otherwise:
    """Return what cells of ``columns`` are also called, in words that these have nowhere."""
    told = dict[str, str]()
    for column in sorted(columns, key=lambda column: len(column.sorts)):
        told |= spellings(column.sorts)
    if not told:
        return Otherwise(told, frozenset())
    own = _stems_in(columns)
    # A city may be called after a state: "Colorado Springs" is not what "Colorado" asks for.
    told = {n: cell for n, cell in told.items() if stem(n) not in own or is_of_state(n, cell)}
    return _parted(told, columns)


def _stems_in(columns: Sequence[Cells]) -> set[str]:
    """Return the stems of the words in the heads of ``columns`` and in cells that are sorts."""
    written = (cell for column in columns for cell in (column.head, *column.sorts))
    return {stem(word) for each in written for word in words(each)}


def _parted(told: Mapping[str, str], columns: Sequence[Cells]) -> Otherwise:
    """Return the names that are ``told``, those apart that are all of a cell as well."""
    whole = told.keys() & {cell.casefold() for column in columns for cell in column.filled}
    return Otherwise(
        called={name: cell for name, cell in told.items() if name not in whole},
        namesakes=frozenset(name for name in whole if told[name].casefold() != name),
    )


def spellings(cells: Iterable[str]) -> Mapping[str, str]:
    """Return for what the different ``cells`` of a column are also called which cell that is.

    Nothing for most columns.
    """
    told = [cell.strip() for cell in cells if cell.strip()]
    found = (dict(read(told)) for read in (_days, _months, _sexes, states, _countries))
    return next(filter(None, found), dict(_several(told)))


def _several(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the plurals that no stemmer brings together with what is among ``cells``."""
    yield from ((_SEVERAL[cell.casefold()], cell) for cell in cells if cell.casefold() in _SEVERAL)


def _days(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    if all(cell.rstrip(".").casefold() in _DAYS for cell in cells):
        for cell in cells:
            full = _DAYS[cell.rstrip(".").casefold()]
            yield full, cell
            yield f"{full}s", cell


def _months(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    if all(cell.rstrip(".").casefold() in _MONTHS for cell in cells):
        for cell in cells:
            yield _MONTHS[cell.rstrip(".").casefold()], cell


def _sexes(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    if len(cells) <= _BOTH and all(cell.casefold() in _SEXES for cell in cells):
        for cell in cells:
            yield from ((name, cell) for name in _SEXES[cell.casefold()])


def _countries(cells: Sequence[str]) -> Iterator[tuple[str, str]]:
    found = {cell: list(_names(cell)) for cell in cells}
    if 2 * sum(map(bool, found.values())) <= len(cells):
        return
    for cell, names in found.items():
        yield from ((name.casefold(), cell) for name in names)


def _names(cell: str) -> Iterator[str]:
    """Yield what the country or continent that ``cell`` is may be called; nothing of any other.

    Not by a part of it, nor by what is a word as well.
    """
    if cell.casefold() in _CONTINENTS:
        yield _CONTINENTS[cell.casefold()]
    for written in (cell, cell.upper(), cell.title()):
        if nation := nation_called(written):
            yield from names_of_nation(nation) - _UNCLEAR
            return
