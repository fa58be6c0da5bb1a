"""Reads which rows of a table a question is about: values, flags, amounts and dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from quaere.reason.extractive.table_columns import (
    Column,
    Table,
    Type,
    Value,
    flag_of,
    is_empty,
)
from quaere.reason.extractive.table_words import (
    MEASURED,
    NEGATORS,
    SOLD_OUT,
    alike,
    base_of,
    degrees,
    in_plain_words,
    named,
    opposite,
    stems_of,
)
from quaere.text.dates import dates
from quaere.text.numbers import numbers
from quaere.text.tokens import stem, stop_words, terms, tokenize, words

HALF = 0.5
"""Share of the words of a cell, or of a head, that has to be said for it to be meant."""
_ASKS = named("which what who whom whose when where why how may might must us we our your")
_WAYS = named("from to")
_LEADS = named("to by is are was")
_LINKED = named("from to for by at in of with")
_SAYS_NOTHING = stems_of("allowed included available possible required has is")
_ENDINGS = named("er or ed ing ion able s es e d ment")
_ITEMS = re.compile(r"[,;/]| and | & ")
_JOINS = frozenset({"or", "and"})
_ARTICLES = frozenset({"the", "a", "an", "its", "our"})
_SPARE = stems_of("left stock available remaining free")
_BOUND = re.compile(
    r"(?i)(?:\b(?P<below>less than|fewer than|under|below|at most|no more than|up to|maximum of)"
    r"|\b(?:more than|greater than|over|above|exceed(?:s|ing)?|at least|no less than"
    r"|no fewer than|minimum of|(?P<more>\w+er) than))"
    r"\s*(?:an?\s*)?$"
)
_WITHIN = re.compile(r"(?i)\b(?:in|during|of)\s+(?:the\s+)?$")
_TIME = re.compile(r"(?<!\d)(\d{1,2}):(\d\d)(?!\d)")
_INCLUSIVE = re.compile(r"(?i)at least|at most|no less|no fewer|no more|up to|m\w+imum of")
_BEFORE = re.compile(r"(?i)\b(?:before|until|till|prior to|earlier than|by)\s+(?:the\s+)?$")
_AFTER = re.compile(r"(?i)\b(?:after|later than)\s+(?:the\s+)?$")
_SINCE = re.compile(r"(?i)\b(?:since|from)\s+(?:the\s+)?$")


class Undecided(Exception):
    """The question could mean several columns, or rows that the table does not have."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Rows that have something in one column."""

    column: Column
    rows: frozenset[int]
    is_value: bool = False
    """Whether a cell is named, rather than a head or a bound."""


class Wording:
    """The words of a question, and which of them are accounted for."""

    def __init__(self, question: str, table: Table) -> None:
        """Read ``question`` for ``table``."""
        self.table = table
        self.text = in_plain_words(question)
        self.tokens = tokenize(self.text)
        self.words = [words(token.text)[0] if words(token.text) else "" for token in self.tokens]
        self.stems = [stem(word) for word in self.words]
        common = stop_words() | _ASKS
        self.content = [at for at, word in enumerate(self.words) if word and word not in common]
        is_measure = self.words[:1] == ["how"] and not MEASURED.isdisjoint(self.words[1:2])
        self.used: set[int] = {1} if is_measure else set()

    @property
    def free(self) -> list[int]:
        """Places of the words that nothing accounts for yet."""
        return [at for at in self.content if at not in self.used]

    def use(self, start: int, end: int, column: Column) -> None:
        """Account for the words at ``[start, end)`` of the text, and for those of a head."""
        places = (at for at, token in enumerate(self.tokens) if start <= token.start < end)
        self.used.update(places)
        self.used.update(self.heads(column))

    def is_denied(self, at: int) -> bool:
        """Whether the word at ``at`` is denied by one before it with none of content between."""
        for before in range(at - 1, -1, -1):
            if self.words[before] in NEGATORS:
                return True
            if before in self.content and self.stems[before] not in {"have", "has", "yet", "been"}:
                return False
        return False

    def heads(self, column: Column, places: Iterable[int] | None = None) -> list[int]:
        """Return the places of the words that may stand for a word in the head of ``column``."""
        chosen = self.free if places is None else places
        return [at for at in chosen if self._stands_for(at, column)]

    def says(self, column: Column, places: Sequence[int]) -> bool:
        """Whether what is said at ``places`` is the yes or no that ``column`` tells.

        All of a head of several words, or what its last one says: "parking" of "car parking".
        """
        told = [w for w in column.said if stem(w) in column.stems - _SAYS_NOTHING]
        if not places or not told:
            return False
        if self.share(column, places) == 1.0:
            return True
        wanted = told if _LINKED.intersection(column.said) else told[-1:]
        return all(any(self._is_said(at, stem(word)) for at in places) for word in wanted)

    def share(self, column: Column, places: Iterable[int]) -> float:
        """Return the share of the words in the head of ``column`` that are said at ``places``."""
        said = {self.stems[at] for at in places} | {stem(opposite(self.words[at])) for at in places}
        met = [s for s in column.stems if any(_is_like(each, s) for each in said)]
        return len(met) / len(column.stems)

    def is_opposite(self, at: int, column: Column) -> bool:
        """Whether the word at ``at`` says the contrary of the head of ``column``."""
        own = self.stems[at]
        return bool(opposite(self.words[at])) and not any(_is_like(own, s) for s in column.stems)

    def _stands_for(self, at: int, column: Column) -> bool:
        ways = (stem(word) for word in column.said if word in _WAYS)
        return any(self._is_said(at, head) for head in (*column.stems, *ways))

    def _is_said(self, at: int, head: str) -> bool:
        own = self.stems[at], stem(opposite(self.words[at]) or "-")
        return any(_is_like(each, head) for each in own)


def _is_like(said: str, head: str) -> bool:
    if said == head or said in alike(head):
        return True
    short, long = sorted((said, head), key=len)
    return len(short) > 2 and long.startswith(short) and long[len(short) :] in _ENDINGS


def conditions(wording: Wording, *, dated: bool) -> list[Condition]:
    """Return what ``wording`` says of the rows that it is about; the words are accounted for.

    Args:
        wording: The question.
        dated: Whether it asks for a date: "paid" is then said of the date, not of yes or no.

    Raises:
        Undecided: when it may be said of several columns.
    """
    return [
        *_of_dates(wording),
        *_of_times(wording),
        *_of_amounts(wording),
        *_of_values(wording),
        *_of_numbers_named(wording),
        *_of_flags(wording, dated=dated),
        *_of_blanks(wording),
    ]


# values


@dataclass(frozen=True, slots=True)
class _Run:
    """Words of a question that are in cells of a column."""

    column: Column
    places: tuple[int, ...]
    rows: frozenset[int]
    is_whole: bool
    """Whether they are all words of a cell or of an item in it."""
    is_led: bool
    """Whether the word before them heads the column: "to Oslo"."""

    @property
    def rank(self) -> tuple[int, ...]:
        return len(self.places), self.is_whole, self.is_led


def _of_values(wording: Wording) -> Iterator[Condition]:
    """Yield the conditions that name cells, those in most words first."""
    chosen: list[_Run] = []
    while True:
        runs = [run for c in wording.table.columns for run in _runs(wording, c)]
        if not runs:
            break
        best = max(run.rank for run in runs)
        first = [run for run in runs if run.rank == best]
        start = first[0].places
        rivals = [run for run in first if run.places == start]
        chosen.append(_only(wording, rivals, chosen))
        wording.used.update(start)
    yield from _joined(wording, chosen)


def _only(wording: Wording, rivals: list[_Run], chosen: list[_Run]) -> _Run:
    """Return the run that is meant of several columns: the one that goes on, a new one, the key's.

    Raises:
        Undecided: when none of these tells.
    """
    known = {each.column.at: each for each in chosen}
    on = [run for run in rivals if (k := known.get(run.column.at)) and _goes_on(wording, k, run)]
    for able in (rivals, on, [run for run in rivals if run.column.at not in known]):
        if able and len({run.rows for run in able}) == 1:
            return able[0]
    keyed = [run for run in rivals if run.column is wording.table.key]
    if len(keyed) == 1:
        return keyed[0]
    raise Undecided


def _goes_on(wording: Wording, known: _Run, run: _Run) -> bool:
    """Whether ``run`` is joined to ``known``: "Split or Vienna"."""
    first, second = sorted((known.places, run.places))
    between = set(wording.words[first[-1] + 1 : second[0]])
    return between <= _JOINS | _ARTICLES and bool(between & _JOINS)


def _joined(wording: Wording, runs: list[_Run]) -> Iterator[Condition]:
    """Yield a condition for each column: of several values, any, for a cell has but one of them."""
    for at in dict.fromkeys(run.column.at for run in runs):
        own = [run for run in runs if run.column.at == at]
        both = frozenset[int]().union(*(run.rows for run in own))
        shared = own[0].rows.intersection(*(run.rows for run in own))
        column = own[0].column
        joined = _JOINS.intersection(wording.words)
        if len(own) > 1 and not joined and not shared:
            raise Undecided
        rows = both if joined and not shared else shared
        beside = {n for run in own for p in run.places for n in range(p - 2, p + 3)}
        wording.used.update(beside.intersection(wording.heads(column)))
        if wording.is_denied(min(own[0].places)):
            rows = frozenset(range(len(column.cells))) - rows
        yield Condition(column, rows, is_value=True)


def _runs(wording: Wording, column: Column) -> Iterator[_Run]:
    if column.type is not Type.TEXT:
        return
    held = [frozenset(terms(cell)) for cell in column.cells]
    free = wording.free
    for first, at in enumerate(free):
        rows = {row for row, own in enumerate(held) if wording.stems[at] in own}
        places = [at] if rows else []
        for after in free[first + 1 :] if rows else ():
            both = {row for row in rows if wording.stems[after] in held[row]}
            if not both or not _is_near(wording, places[-1], after):
                break
            rows, places = both, [*places, after]
        if rows and (run := _as_run(wording, column, tuple(places), rows)):
            yield run


def _is_near(wording: Wording, at: int, after: int) -> bool:
    between = wording.words[at + 1 : after]
    return len(between) < 3 and not _JOINS.intersection(between)


def _as_run(
    wording: Wording, column: Column, places: tuple[int, ...], rows: set[int]
) -> _Run | None:
    said = {wording.stems[at] for at in places}
    if all(any(each in c.stems for c in wording.table.columns) for each in said):
        # A head's word is a value only as it is written: "manager" is not "Management".
        exact = {wording.words[at] for at in places}
        rows = {row for row in rows if exact <= set(words(column.cells[row]))}
    whole = {row for row in rows if _has_item(column.cells[row], said)}
    if not whole and not _is_enough(wording, column, said, rows):
        return None
    if said <= wording.table.things and not (whole and len(rows) == 1):
        return None
    return _Run(
        column, places, frozenset(whole or rows), bool(whole), _is_led(wording, column, places)
    )


def _has_item(cell: str, said: set[str]) -> bool:
    each = [cell, *_ITEMS.split(cell)]
    return any(own and own <= said for own in (set(terms(item)) for item in each))


def _is_enough(wording: Wording, column: Column, said: set[str], rows: set[int]) -> bool:
    """Whether words that are not all of a cell mean it: a name in short, or most of its words."""
    if all(any(each in c.stems for c in wording.table.columns) for each in said):
        return False
    named = column is wording.table.key or column is wording.table.columns[0]
    if named and not said <= wording.table.things:
        return True
    return all(len(said) >= HALF * len(set(terms(column.cells[row]))) for row in rows)


def _is_led(wording: Wording, column: Column, places: tuple[int, ...]) -> bool:
    """Whether the head of ``column`` leads to what is named: "to Oslo", "reports to Ilse"."""
    before = [at for at in range(places[0]) if wording.words[at] not in _ARTICLES][-2:]
    if not before:
        return False
    if wording.words[before[-1]] in column.said:
        return True
    if wording.words[before[-1]] in _LEADS:
        before.pop()
    return bool(before) and bool(wording.heads(column, before[-1:]))


# amounts and dates


def _of_dates(wording: Wording) -> Iterator[Condition]:
    for date in dates(wording.text):
        before = wording.text[: date.start]
        told = tuple(Decimal(part or 0) for part in (date.year, date.month, date.day))
        is_bound = any(each.search(before) for each in (_BEFORE, _AFTER, _SINCE, _WITHIN))
        if date.years != 1 or not any(told) or not (date.month or is_bound):
            continue
        if any(str(date.year) in c.said for c in wording.table.columns):
            continue  # it heads a column: "lambs_2024"
        column = _column_of(wording, Type.DATE)
        if column is not None:
            rows = (r for r, v in enumerate(column.values) if v and _is_in(v, told, before))
            wording.use(date.start, date.end, column)
            yield Condition(column, frozenset(rows))


def _of_times(wording: Wording) -> Iterator[Condition]:
    for found in _TIME.finditer(wording.text):
        before = wording.text[: found.start()]
        column = _column_of(wording, Type.TIME)
        if column is None or not (_BEFORE.search(before) or _AFTER.search(before)):
            continue
        told = (Decimal(60 * int(found[1]) + int(found[2])),)
        late = _AFTER.search(before) is not None
        rows = (r for r, v in enumerate(column.values) if v and (v > told if late else v < told))
        wording.use(found.start(), found.end(), column)
        yield Condition(column, frozenset(rows))


def _is_in(value: Value, told: Value, before: str) -> bool:
    known = [(v, t) for v, t in zip(value, told, strict=True) if t]
    same = all(v == t for v, t in known)
    if not told[0]:
        return same
    own = tuple(v for v, _ in known)
    wanted = tuple(t for _, t in known)
    if _BEFORE.search(before):
        return own < wanted
    if _AFTER.search(before):
        return own > wanted
    return own >= wanted if _SINCE.search(before) else same


def _column_of(wording: Wording, kind: Type) -> Column | None:
    """Return the column of ``kind`` that the question names, or the only one; None without any."""
    able = [c for c in wording.table.columns if c.type is kind]
    named = [c for c in able if wording.heads(c)]
    named = named if len(named) < len(able) or len(able) == 1 else _most_named(wording, named)
    if len(named or able) > 1:
        raise Undecided
    return next(iter(named or able), None)


def _most_named(wording: Wording, columns: list[Column]) -> list[Column]:
    shares = {c.at: wording.share(c, wording.heads(c)) for c in columns}
    return [c for c in columns if shares[c.at] == max(shares.values())]


def _of_amounts(wording: Wording) -> Iterator[Condition]:
    for number in numbers(wording.text):
        before = wording.text[: number.start].rstrip(" £$€")
        bound = _BOUND.search(before)
        if bound is None:
            continue
        adjective = base_of(bound["more"] or "", "er")
        column = _bounded(wording, number.unit, adjective)
        if column is None:
            continue
        up = bound["below"] is None and _is_upwards(column, adjective)
        inclusive = _INCLUSIVE.match(bound[0]) is not None
        rows = (
            row
            for row, value in enumerate(column.values)
            if value and _is_beyond(value[0], number.value, up=up, inclusive=inclusive)
        )
        wording.use(bound.start(), number.end, column)
        yield Condition(column, frozenset(rows))


def _is_upwards(column: Column, adjective: str) -> bool:
    """Whether more of ``adjective``, if there is one, is more in ``column``."""
    degree = degrees().get(adjective)
    return degree is None or degree.most != bool(column.stems & degree.against)


def _is_beyond(value: Decimal, bound: Decimal, *, up: bool, inclusive: bool) -> bool:
    if inclusive and value == bound:
        return True
    return value > bound if up else value < bound


def _bounded(wording: Wording, unit: str, adjective: str) -> Column | None:
    """Return the column of numbers that a bound is of, by its head, its degree or its unit.

    Raises:
        Undecided: when several are.
    """
    able = [c for c in wording.table.columns if c.type is Type.NUMBER]
    degree = degrees().get(adjective)
    worth = {
        c.at: 2 * len(wording.heads(c))
        + 2 * (degree is not None and degree.is_told_by(c.stems, money=c.is_money))
        + (unit != "" and unit == c.unit)
        for c in able
    }
    best = [c for c in able if worth[c.at] and worth[c.at] == max(worth.values())]
    if len(best) > 1:
        raise Undecided
    return best[0] if best else None


def _of_numbers_named(wording: Wording) -> Iterator[Condition]:
    """Yield the conditions of a number next to its head: "zone 2", "3 platforms"."""
    for at in wording.free:
        if not wording.words[at].replace(".", "").isdecimal():
            continue
        for column in wording.table.columns:
            beside = [n for n in (at - 1, at + 1) if n in wording.heads(column, wording.content)]
            if column.type is not Type.NUMBER or not beside:
                continue
            value = (Decimal(wording.words[at]),)
            wording.used.update((at, *beside))
            yield Condition(column, frozenset(r for r, v in enumerate(column.values) if v == value))
            break


# flags and blanks


def _of_flags(wording: Wording, *, dated: bool) -> Iterator[Condition]:
    flags = [c for c in wording.table.columns if c.type is Type.FLAG]
    days = [c for c in wording.table.columns if c.type is Type.DATE] if dated else []
    flags = [c for c in flags if not any(c.stems & day.stems for day in days)]
    ranked = sorted(flags, key=lambda c: (-wording.share(c, wording.heads(c)), c.at))
    for column in ranked:
        places = wording.heads(column)
        if not wording.says(column, places):
            continue
        is_opposite = any(wording.is_opposite(at, column) for at in places)
        wanted = wording.is_denied(places[0]) == is_opposite
        wording.used.update(places)
        rows = frozenset(r for r, cell in enumerate(column.cells) if flag_of(cell) is wanted)
        yield Condition(column, rows)


def _of_blanks(wording: Wording) -> Iterator[Condition]:
    """Yield what is denied of dates and numbers: rows that have none, or a zero."""
    spent = [at for at in wording.free if wording.words[at] == SOLD_OUT]
    for column in wording.table.columns:
        if column.type not in {Type.DATE, Type.NUMBER}:
            continue
        places = wording.heads(column)
        is_spent = bool(spent and column.type is Type.NUMBER and column.stems & _SPARE)
        if is_spent or _is_denied_of(wording, column, places):
            wording.used.update([*places, *(spent if is_spent else ())])
            yield Condition(column, _blank_rows(column))


def _is_denied_of(wording: Wording, column: Column, places: Sequence[int]) -> bool:
    denied = (wording.is_denied(at) != wording.is_opposite(at, column) for at in places)
    return any(denied) and wording.share(column, places) >= HALF


def _blank_rows(column: Column) -> frozenset[int]:
    if column.type is Type.NUMBER:
        return frozenset(row for row, value in enumerate(column.values) if value == (Decimal(0),))
    return frozenset(row for row, cell in enumerate(column.cells) if is_empty(cell))
