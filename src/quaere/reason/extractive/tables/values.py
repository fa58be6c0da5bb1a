"""Reads which cells of a table a question names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from quaere.reason.extractive.tables.cell_values import terms_of_cell
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import (
    FIRST_NAMES,
    GENERAL,
    LAST_NAMES,
    LEAST,
    MOST,
    deeds_of,
)
from quaere.reason.extractive.tables.wording import HALF, OF_TEXT, Condition, Undecided, Wording
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import stem, terms, words

_LEADS = word_set("to by is are was")
_OWNERS, _OWNED = word_set("of for"), ("'s", "’s", "s'", "s’")
_ITEMS = re.compile(r"[,;/]| and | & | \(")
"""Brackets tell more of the item before them: "system calls (of the kernel)"."""
_ITEMS_OF_PROSE = lazy_regex(r"[,;]| and | & ")
"""A slash is part of a path there: `read/formats.py`."""
MOST_WORDS = 8
"""Words of a cell that is a value, or a list of some, at most. One that is longer is prose: words
of a question are in it for any reason, and it is named by most of its own alone."""
_FIGURES_OF_A_NAME = 3
"""Figures, at least, of a number by which a thing may be called: the "6204" of a bearing."""
_JOINS = frozenset({"or", "and"})
_HAVE = word_set("has have had")
_ASKED_LAST: Mapping[str, str] = {
    **dict.fromkeys(("do", "does", "did"), "to"),
    **dict.fromkeys(("is", "are", "was", "were"), "by"),
}
"""With which word a question ends that asks to whom, or by whom, after its first verb."""
_OF_COUNTRIES = frozenset(map(stem, ("country", "nation")))
_ARTICLES = frozenset({"the", "a", "an", "its", "our"})


class _Run(NamedTuple):
    """Words of a question that are in cells of a column."""

    column: Column
    places: tuple[int, ...]
    rows: frozenset[int]
    is_whole: bool
    """Whether they are all words of a cell or of an item in it."""
    is_led: bool
    """Whether the word before them heads the column: "to Oslo"."""

    @property
    def is_country(self) -> bool:
        """Whether they are a country, in a column that is headed so."""
        is_headed = not _OF_COUNTRIES.isdisjoint(self.column.stems)
        return self.is_whole and is_headed and self.column.has_countries

    @property
    def rank(self) -> tuple[int, ...]:
        return len(self.places), self.is_whole, self.is_led


def values_named(wording: Wording) -> Iterator[Condition]:
    """Yield the conditions that name cells, those in most words first.

    Raises:
        Undecided: when a value may be of several columns, or no row has all that are named.
    """
    if (named := _full_names(wording)) is not None:
        yield named
    chosen: list[_Run] = []
    while rivals := _first_runs(wording):
        only = _only(wording, rivals, chosen)
        chosen.append(only)
        if only in _headed(wording, rivals) and len(rivals) > 1:
            wording.used.update(wording.heads(only.column))
        wording.used.update(rivals[0].places)
    yield from _joined(wording, chosen)


def _full_names(wording: Wording) -> Condition | None:
    """Return the rows of those whose first and last names are said, each in a column of its own."""
    columns = _columns_of_names(wording.table)
    if columns is None:
        return None
    first, last = columns
    rows = frozenset[int]()
    for at, after in pairwise(wording.content):
        own = _having(first, wording.stems[at]) & _having(last, wording.stems[after])
        if own and after == at + 1:
            rows |= own
            wording.used |= {at, after}
    return Condition(last, rows, is_value=True) if rows else None


def _columns_of_names(table: Table) -> tuple[Column, Column] | None:
    """Return the column of first names and that of last names; None unless there are both."""
    columns = {column.said: column for column in table.columns}
    parts = (FIRST_NAMES, LAST_NAMES)
    first, last = (next(filter(None, map(columns.get, each)), None) for each in parts)
    return (first, last) if first and last else None


def _having(column: Column, own: str) -> frozenset[int]:
    """Return the rows whose cells in ``column`` have the term ``own``."""
    return frozenset(row for row, told in enumerate(column.terms) if own in told)


def _first_runs(wording: Wording) -> list[_Run]:
    """Return the runs of the highest rank; of those in other places, the first and its rivals."""
    runs = [run for column in wording.table.columns for run in _runs(wording, column)]
    if not runs:
        return []
    best = max(runs, key=lambda run: run.rank)
    return [run for run in runs if run.rank == best.rank and run.places == best.places]


def _only(wording: Wording, rivals: list[_Run], chosen: list[_Run]) -> _Run:
    """Return the run that is meant of several columns: the one that goes on, a new one, the key's.

    Raises:
        Undecided: when none of these tells.
    """
    for able in _preferred(wording, rivals, chosen):
        if len({run.rows for run in able}) == 1:
            return able[0]
    raise Undecided


def _preferred(wording: Wording, rivals: list[_Run], chosen: list[_Run]) -> Iterator[list[_Run]]:
    """Yield those of ``rivals`` that may be meant, in the order in which they are tried."""
    known = {each.column.at: each for each in chosen}
    yield rivals
    yield _headed(wording, rivals)
    yield _going_on(wording, rivals, known)
    yield [run for run in rivals if run.column.at not in known]
    yield [run for run in rivals if run.column is wording.table.key]
    yield _of_country(rivals)


def _of_country(rivals: list[_Run]) -> list[_Run]:
    """Return the one of ``rivals`` that is a country, if all others are within it: its regions."""
    countries = [run for run in rivals if run.is_country]
    return [run for run in countries if all(other.rows <= run.rows for other in rivals)]


def _headed(wording: Wording, rivals: list[_Run]) -> list[_Run]:
    """Return those of ``rivals`` whose column the question names: "is Ada backup?".

    "The backup of Ada" and "Ada's backup" are not in the column in which Ada is, nor are those whom
    somebody manages the ones who manage them: "Who managed Ada?".
    """
    if _is_owner(wording, rivals[0].places):
        return []
    places = [at for at in wording.content if at not in rivals[0].places]
    told = [run for run in rivals if _is_under_head(wording, run, places)]
    return told if len(told) == 1 else []


def _is_owner(wording: Wording, places: Sequence[int]) -> bool:
    """Whether something of what is named at ``places`` is asked for: "of Ada", "Ada's"."""
    before = (wording.words[at] for at in _places_before(wording, places[0])[-1:])
    return not _OWNERS.isdisjoint(before) or wording.tokens[places[-1]].text.endswith(_OWNED)


def _places_before(wording: Wording, first: int) -> list[int]:
    """Return the places before ``first`` of all words but articles."""
    return [at for at in range(first) if wording.words[at] not in _ARTICLES]


def _is_under_head(wording: Wording, run: _Run, places: Sequence[int]) -> bool:
    """Whether all of the head of ``run`` is said at ``places``, and what it names is under that."""
    if wording.share(run.column, places) != 1.0:
        return False
    if any(wording.is_opposite(at, run.column) for at in places):
        return False
    return not _asks_for_doer(wording, run.column, run.places[0])


def _asks_for_doer(wording: Wording, column: Column, first: int) -> bool:
    """Whether it is asked who does what ``column`` is of to whom is named from ``first`` on.

    "Who led Ada?"; or to whom that one leads: "Who does Ada report to?".
    """
    said = wording.words
    if said[:1] not in (["who"], ["whom"]):
        return False
    before = [at for at in range(1, first) if said[at] not in _ARTICLES | _HAVE]
    if before == [1] and said[1] in _ASKED_LAST:
        return said[-1] == _ASKED_LAST[said[1]]
    return len(before) == 1 and wording.stems[before[0]] in _deeds_headed(column)


def _deeds_headed(column: Column) -> frozenset[str]:
    """Return the stems of verbs for what those in ``column`` do: "lead" of "Led by"."""
    is_passive = column.said[-1:] == ("by",)
    return deeds_of(column.said).union(column.stems if is_passive else ())


def _going_on(wording: Wording, rivals: list[_Run], known: Mapping[int, _Run]) -> list[_Run]:
    """Return those of ``rivals`` that go on from what is ``known`` of their columns."""
    later = [run for run in rivals if run.column.at in known]
    return [run for run in later if _goes_on(wording, known[run.column.at], run)]


def _goes_on(wording: Wording, known: _Run, run: _Run) -> bool:
    """Whether ``run`` is joined to ``known``: "Split or Vienna"."""
    first, second = sorted((known.places, run.places))
    between = set(wording.words[first[-1] + 1 : second[0]])
    return between <= _JOINS | _ARTICLES and bool(between & _JOINS)


def _joined(wording: Wording, runs: list[_Run]) -> Iterator[Condition]:
    """Yield a condition for each column: of several values, any, for a cell has but one of them.

    Raises:
        Undecided: when a value is denied of what the rows are called, or of texts.
    """
    for at in dict.fromkeys(run.column.at for run in runs):
        own = [run for run in runs if run.column.at == at]
        column, rows = own[0].column, _rows_of(wording, own)
        wording.used.update(_beside(own).intersection(wording.heads(column)))
        if deniers := wording.deniers([min(own[0].places)]):
            if column is wording.table.key or _has_texts(column):
                raise Undecided
            wording.used |= deniers
            rows = frozenset(range(len(column.cells))) - rows
        yield Condition(column, rows, is_value=True)


def _has_texts(column: Column) -> bool:
    """Whether most cells of ``column`` are texts: what one does not speak of, it does not deny."""
    return 2 * sum(len(told) >= OF_TEXT for told in column.terms) > len(column.terms)


def _rows_of(wording: Wording, runs: list[_Run]) -> frozenset[int]:
    """Return the rows that have all of ``runs``; where none has and they are joined, any of them.

    Raises:
        Undecided: when none has all of them, and they are not joined.
    """
    shared = runs[0].rows.intersection(*(run.rows for run in runs))
    if shared or len(runs) == 1:
        return shared
    if _JOINS.isdisjoint(wording.words):
        raise Undecided
    return shared.union(*(run.rows for run in runs))


def _beside(runs: list[_Run]) -> set[int]:
    """Return the places of ``runs`` and of the two words on either side."""
    return {near for run in runs for at in run.places for near in range(at - 2, at + 3)}


def _runs(wording: Wording, column: Column) -> Iterator[_Run]:
    if not _has_names(column):
        return
    free = [at for at in wording.free if not _counts_first(wording, at)]
    for first in range(len(free)):
        places, rows = _stretch(wording, column.terms, free[first:])
        if places and (run := _as_run(wording, column, places, rows)):
            yield run


def _has_names(column: Column) -> bool:
    """Whether cells of ``column`` may be named: words, or figures of which some have a mark."""
    return column.type is Type.TEXT or (column.type is Type.NUMBER and column.is_marked)


def _counts_first(wording: Wording, at: int) -> bool:
    """Whether the figure at ``at`` says how many are first: "top 3", "Which 3 have the most?"."""
    near = wording.words[max(0, at - 1) : at] + wording.words[at + 1 : at + 2]
    said = wording.words if near[:1] in (["which"], ["what"]) else near
    return wording.words[at].isdecimal() and not (MOST | LEAST).isdisjoint(said)


def _stretch(
    wording: Wording, held: Sequence[frozenset[str]], free: Sequence[int]
) -> tuple[tuple[int, ...], set[int]]:
    """Return as many of the first of ``free`` as one cell has, and the rows of such cells."""
    places, rows = list[int](), set(range(len(held)))
    for at in free:
        both = {row for row in rows if wording.stems[at] in held[row]}
        if not both or (places and not _is_near(wording, places[-1], at)):
            break
        places.append(at)
        rows = both
    return tuple(places), rows


def _is_near(wording: Wording, at: int, after: int) -> bool:
    between = wording.words[at + 1 : after]
    return len(between) < 3 and not _JOINS.intersection(between)


def _as_run(
    wording: Wording, column: Column, places: tuple[int, ...], rows: set[int]
) -> _Run | None:
    said = {wording.stems[at] for at in places}
    if _are_of_heads(wording.table, said) or said <= GENERAL:
        # Such a word is a value only as it is written: "manager" is not "Management".
        rows = _as_written(wording, column, places, rows)
    whole = {row for row in rows if _has_item(column.cells[row], said)}
    if not whole:
        rows = _without_namesakes(column, said, _without_counts(column, said, rows))
    if not rows or not _is_meant(wording.table, column, said, rows, whole):
        return None
    is_led = _is_led(wording, column, places)
    return _Run(column, places, frozenset(whole or rows), bool(whole), is_led)


_NAMESAKE = lazy_regex(
    r"\b(?:New|North(?:ern)?|South(?:ern)?|West(?:ern)?|East(?:ern)?) (?P<of>[A-Z]\w+)"
)


def _without_namesakes(column: Column, said: set[str], rows: set[int]) -> set[int]:
    """Return ``rows`` but those of another place: "New Mexico" where Mexico is ``said``."""
    other = {row: _NAMESAKE.search(column.cells[row]) for row in rows}
    return {
        row
        for row, found in other.items()
        if found is None
        or stem(found["of"].casefold()) not in said
        or stem(found[0].split()[0].casefold()) in said
    }


def _without_counts(column: Column, said: set[str], rows: set[int]) -> set[int]:
    """Return those of ``rows`` that a small figure names, where ``said`` is nothing but one.

    Such a figure counts or measures more often than it names: "12 pieces". It names what it begins,
    such as a release.
    """
    (first, *others) = said
    if others or not first.isdecimal() or len(first) >= _FIGURES_OF_A_NAME:
        return rows
    return {row for row in rows if words(column.cells[row])[:1] == [first]}


def _are_of_heads(table: Table, said: set[str]) -> bool:
    """Whether all that is ``said`` is in heads."""
    return said <= table.headed


def _are_for_heads(table: Table, said: set[str]) -> bool:
    """Whether all that is ``said`` stands for a word in heads: "born" for "birth date"."""
    return said <= frozenset[str]().union(*(column.alike for column in table.columns))


def _as_written(
    wording: Wording, column: Column, places: tuple[int, ...], rows: set[int]
) -> set[int]:
    exact = {wording.words[at] for at in places}
    return {row for row in rows if exact <= set(words(column.cells[row]))}


def _is_meant(
    table: Table, column: Column, said: set[str], rows: set[int], whole: set[int]
) -> bool:
    """Whether a value is ``said``: if it is what all rows are, one of them has to have it whole."""
    if said <= table.things:
        return bool(whole) and len(rows) == 1
    return bool(whole) or _is_enough(table, column, said, rows)


def _has_item(cell: str, said: set[str]) -> bool:
    parted = _ITEMS_OF_PROSE if _is_prose(cell) else _ITEMS
    each = [cell, *parted.split(cell)]
    return any(own and own <= said for own in map(terms_of_cell, each))


def _is_prose(cell: str) -> bool:
    """Whether ``cell`` says something, a sentence or a question, rather than names it."""
    return cell.rstrip().endswith("?") or len(words(cell)) > MOST_WORDS


def _is_enough(table: Table, column: Column, said: set[str], rows: set[int]) -> bool:
    """Whether words that are not all of a cell mean it: a name in short, or most of its words."""
    if _are_of_heads(table, said) or _are_for_heads(table, said):
        return False
    named = column in (table.key, table.columns[0]) or (table.key.is_code and column.names_rows)
    if named and not (said <= table.things or any(_is_prose(column.cells[row]) for row in rows)):
        return True
    return all(len(said) >= HALF * len(set(terms(column.cells[row]))) for row in rows)


def _is_led(wording: Wording, column: Column, places: tuple[int, ...]) -> bool:
    """Whether the head of ``column`` leads to what is named: "to Oslo", "reports to Ilse"."""
    before = _places_before(wording, places[0])[-2:]
    if not before or _asks_for_doer(wording, column, places[0]):
        return False
    if wording.words[before[-1]] in column.said:
        return True
    if wording.words[before[-1]] in _LEADS:
        before.pop()
    return bool(before) and bool(wording.heads(column, before[-1:]))
