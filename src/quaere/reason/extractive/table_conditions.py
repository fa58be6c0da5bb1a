"""Reads which rows of a table a question is about: values, flags, amounts and dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from quaere.reason.extractive.table_columns import (
    Column,
    Table,
    Type,
    Value,
    flag_of,
    foremost,
    is_empty,
    parts_of,
)
from quaere.reason.extractive.table_words import (
    DENIALS,
    MEASURED,
    SOLD_OUT,
    alike,
    base_of,
    degrees,
    denier_of,
    in_plain_words,
    named,
    opposite,
    stems_of,
)
from quaere.text.dates import Date, dates
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


def sole(columns: Sequence[Column]) -> Column | None:
    """Return the one of ``columns``; None without any.

    Raises:
        Undecided: when there are several.
    """
    if len(columns) > 1:
        raise Undecided
    return columns[0] if columns else None


@dataclass(frozen=True, slots=True)
class Condition:
    """Rows that have something in one column."""

    column: Column
    rows: frozenset[int]
    is_value: bool = False
    """Whether a cell is named, rather than a head or a bound."""

    @property
    def is_row(self) -> bool:
        """Whether a cell is named that one row alone has."""
        return self.is_value and len(self.rows) == 1


class Wording:
    """The words of a question, and which of them are accounted for."""

    def __init__(self, question: str, table: Table) -> None:
        """Read ``question`` for ``table``."""
        self.table = table
        self.text = in_plain_words(question)
        self.tokens = tokenize(self.text)
        self.words = [_first_word(token.text) for token in self.tokens]
        self.stems = [stem(word) for word in self.words]
        common = stop_words() | _ASKS
        self.content = [at for at, word in enumerate(self.words) if word and word not in common]
        self.used: set[int] = {1} if self._asks_for_measure else set()

    @property
    def _asks_for_measure(self) -> bool:
        return self.words[:1] == ["how"] and not MEASURED.isdisjoint(self.words[1:2])

    @property
    def free(self) -> list[int]:
        """Places of the words that nothing accounts for yet."""
        return [at for at in self.content if at not in self.used]

    def use(self, start: int, end: int, column: Column) -> None:
        """Account for the words at ``[start, end)`` of the text, and for those of a head."""
        places = (at for at, token in enumerate(self.tokens) if start <= token.start < end)
        self.used.update(places)
        self.used.update(self.heads(column))

    def deniers(self, places: Iterable[int]) -> set[int]:
        """Return the places of the words that deny one of those at ``places``."""
        denied = (denier_of(self.words, self.content, at) for at in places)
        return {at for at in denied if at is not None}

    def heads(self, column: Column, places: Iterable[int] | None = None) -> list[int]:
        """Return the places of the words that may stand for a word in the head of ``column``."""
        chosen = self.free if places is None else places
        return [at for at in chosen if self._stands_for(at, column)]

    def head_places(self, columns: Iterable[Column]) -> set[int]:
        """Return the places of the words that may stand for a word in the head of any column."""
        return {at for column in columns for at in self.heads(column)}

    def says(self, column: Column, places: Sequence[int]) -> bool:
        """Whether what is said at ``places`` is the yes or no that ``column`` tells.

        All of a head of several words, or what its last one says: "parking" of "car parking".
        """
        wanted = _decisive(column)
        if not places or not wanted:
            return False
        if self.share(column, places) == 1.0:
            return True
        return all(any(self._is_said(at, stem(word)) for at in places) for word in wanted)

    def share(self, column: Column, places: Iterable[int]) -> float:
        """Return the share of the words in the head of ``column`` that are said at ``places``."""
        said = {self.stems[at] for at in places} | {stem(opposite(self.words[at])) for at in places}
        met = [s for s in column.stems if any(_is_like(each, s) for each in said)]
        return len(met) / max(1, len(column.stems))

    def share_left(self, column: Column) -> float:
        """Return the same share, of the words that nothing accounts for yet."""
        return self.share(column, self.heads(column))

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


def _first_word(text: str) -> str:
    return next(iter(words(text)), "")


def _decisive(column: Column) -> list[str]:
    """Return the words that say what a column of yes and no tells."""
    told = [word for word in column.said if stem(word) in column.stems - _SAYS_NOTHING]
    return told if _LINKED.intersection(column.said) else told[-1:]


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
        Undecided: when it may be said of several columns, or something else is denied than they
            tell: "not built before 1990".
    """
    found = [
        *_of_dates(wording),
        *_of_times(wording),
        *_of_amounts(wording),
        *_of_values(wording),
        *_of_numbers_named(wording),
        *_of_flags(wording, dated=dated),
        *_of_blanks(wording),
    ]
    if any(word in DENIALS and at not in wording.used for at, word in enumerate(wording.words)):
        raise Undecided
    return found


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
    while rivals := _first_runs(wording):
        chosen.append(_only(wording, rivals, chosen))
        wording.used.update(rivals[0].places)
    yield from _joined(wording, chosen)


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
    yield _going_on(wording, rivals, known)
    yield [run for run in rivals if run.column.at not in known]
    yield [run for run in rivals if run.column is wording.table.key]


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
    """Yield a condition for each column: of several values, any, for a cell has but one of them."""
    for at in dict.fromkeys(run.column.at for run in runs):
        own = [run for run in runs if run.column.at == at]
        column, rows = own[0].column, _rows_of(wording, own)
        wording.used.update(_beside(own).intersection(wording.heads(column)))
        if deniers := wording.deniers([min(own[0].places)]):
            wording.used |= deniers
            rows = frozenset(range(len(column.cells))) - rows
        yield Condition(column, rows, is_value=True)


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
    if column.type is not Type.TEXT:
        return
    held = [frozenset(terms(cell)) for cell in column.cells]
    free = wording.free
    for first in range(len(free)):
        places, rows = _stretch(wording, held, free[first:])
        if places and (run := _as_run(wording, column, places, rows)):
            yield run


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
    if _are_of_heads(wording.table, said):
        # A head's word is a value only as it is written: "manager" is not "Management".
        rows = _as_written(wording, column, places, rows)
    whole = {row for row in rows if _has_item(column.cells[row], said)}
    if not _is_meant(wording.table, column, said, rows, whole):
        return None
    is_led = _is_led(wording, column, places)
    return _Run(column, places, frozenset(whole or rows), bool(whole), is_led)


def _are_of_heads(table: Table, said: set[str]) -> bool:
    """Whether all that is ``said`` is in heads."""
    return said <= frozenset[str]().union(*(column.stems for column in table.columns))


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
    each = [cell, *_ITEMS.split(cell)]
    return any(own and own <= said for own in (set(terms(item)) for item in each))


def _is_enough(table: Table, column: Column, said: set[str], rows: set[int]) -> bool:
    """Whether words that are not all of a cell mean it: a name in short, or most of its words."""
    if _are_of_heads(table, said):
        return False
    named = column is table.key or column is table.columns[0]
    if named and not said <= table.things:
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
        if not _is_of_rows(wording.table, date, before):
            continue
        column = _column_of(wording, Type.DATE)
        if column is not None:
            wording.use(date.start, date.end, column)
            yield Condition(column, _rows_in(column, parts_of(date), before))


def _is_of_rows(table: Table, date: Date, before: str) -> bool:
    """Whether ``date`` tells rows apart, rather than heads a column: "lambs_2024"."""
    is_bound = any(each.search(before) for each in (_BEFORE, _AFTER, _SINCE, _WITHIN))
    if date.years != 1 or not any(parts_of(date)) or not (date.month or is_bound):
        return False
    return not any(str(date.year) in column.said for column in table.columns)


def _rows_in(column: Column, told: Value, before: str) -> frozenset[int]:
    values = enumerate(column.values)
    return frozenset(row for row, value in values if value and _is_in(value, told, before))


def _of_times(wording: Wording) -> Iterator[Condition]:
    for found in _TIME.finditer(wording.text):
        before = wording.text[: found.start()]
        column = _column_of(wording, Type.TIME)
        if column is None or not (_BEFORE.search(before) or _AFTER.search(before)):
            continue
        told = Decimal(60 * int(found[1]) + int(found[2]))
        late = _AFTER.search(before) is not None
        wording.use(found.start(), found.end(), column)
        yield Condition(column, _rows_beyond(column, told, up=late, inclusive=False))


def _is_in(value: Value, told: Value, before: str) -> bool:
    own = tuple(v for v, t in zip(value, told, strict=True) if t)
    wanted = tuple(t for t in told if t)
    # What has no year comes round each year, so nothing is before or after it.
    return _is_bounded_by(own, wanted, before) if told[0] else own == wanted


def _is_bounded_by(own: Value, wanted: Value, before: str) -> bool:
    if _BEFORE.search(before):
        return own < wanted
    if _AFTER.search(before):
        return own > wanted
    return own >= wanted if _SINCE.search(before) else own == wanted


def _column_of(wording: Wording, kind: Type) -> Column | None:
    """Return the column of ``kind`` that the question names, or the only one; None without any."""
    able = wording.table.of_type(kind)
    named = [column for column in able if wording.heads(column)]
    if len(named) == len(able):
        named = foremost(named, wording.share_left)
    return sole(named or able)


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
        wording.use(bound.start(), number.end, column)
        rows = _rows_beyond(column, number.value, up=up, inclusive=inclusive)
        yield Condition(column, rows)


def _is_upwards(column: Column, adjective: str) -> bool:
    """Whether more of ``adjective``, if there is one, is more in ``column``."""
    degree = degrees().get(adjective)
    return degree is None or degree.most != bool(column.stems & degree.against)


def _rows_beyond(column: Column, bound: Decimal, *, up: bool, inclusive: bool) -> frozenset[int]:
    return frozenset(
        row
        for row, value in enumerate(column.values)
        if value and _is_beyond(value[0], bound, up=up, inclusive=inclusive)
    )


def _is_beyond(value: Decimal, bound: Decimal, *, up: bool, inclusive: bool) -> bool:
    if inclusive and value == bound:
        return True
    return value > bound if up else value < bound


def _bounded(wording: Wording, unit: str, adjective: str) -> Column | None:
    """Return the column of numbers that a bound is of, by its head, its degree or its unit.

    Raises:
        Undecided: when several are.
    """
    degree = degrees().get(adjective)

    def worth(column: Column) -> float:
        is_told = degree is not None and degree.is_told_by(column.stems, money=column.is_money)
        is_same = unit != "" and unit == column.unit
        return 2 * len(wording.heads(column)) + 2 * is_told + is_same

    return sole(foremost(wording.table.of_type(Type.NUMBER), worth, least=1))


def _of_numbers_named(wording: Wording) -> Iterator[Condition]:
    """Yield the conditions of a number next to its head: "zone 2", "3 platforms"."""
    for at in wording.free:
        if not wording.words[at].replace(".", "").isdecimal():
            continue
        found = next(_heads_beside(wording, at), None)
        if found is not None:
            column, beside = found
            wording.used.update((at, *beside))
            yield Condition(column, _rows_with(column, Decimal(wording.words[at])))


def _heads_beside(wording: Wording, at: int) -> Iterator[tuple[Column, list[int]]]:
    """Yield the columns of numbers whose heads are next to ``at``, each with where they are."""
    for column in wording.table.of_type(Type.NUMBER):
        heads = wording.heads(column, wording.content)
        beside = [near for near in (at - 1, at + 1) if near in heads]
        if beside:
            yield column, beside


def _rows_with(column: Column, number: Decimal) -> frozenset[int]:
    return frozenset(row for row, value in enumerate(column.values) if value == (number,))


# flags and blanks


def _of_flags(wording: Wording, *, dated: bool) -> Iterator[Condition]:
    days = wording.table.of_type(Type.DATE) if dated else []
    dates_told = frozenset[str]().union(*(day.stems for day in days))
    flags = [c for c in wording.table.of_type(Type.FLAG) if dates_told.isdisjoint(c.stems)]
    for column in sorted(flags, key=lambda c: (-wording.share_left(c), c.at)):
        places = wording.heads(column)
        if not wording.says(column, places):
            continue
        wanted = _is_wanted(wording, column, places)
        wording.used.update(places, wording.deniers(places))
        yield Condition(column, _rows_flagged(column, wanted))


def _is_wanted(wording: Wording, column: Column, places: Sequence[int]) -> bool:
    """Whether yes is asked for: by what heads ``column``, or by denying its contrary."""
    is_opposite = any(wording.is_opposite(at, column) for at in places)
    return bool(wording.deniers(places[:1])) == is_opposite


def _rows_flagged(column: Column, wanted: bool) -> frozenset[int]:
    return frozenset(row for row, cell in enumerate(column.cells) if flag_of(cell) is wanted)


def _of_blanks(wording: Wording) -> Iterator[Condition]:
    """Yield what is denied of dates and numbers: rows that have none, or a zero."""
    sold_out = [at for at in wording.free if wording.words[at] == SOLD_OUT]
    for column in wording.table.of_type(Type.DATE, Type.NUMBER):
        places = wording.heads(column)
        spent = sold_out if _is_of_spare(column) else []
        if spent or _is_denied_of(wording, column, places):
            wording.used.update(places, spent, wording.deniers(places))
            yield Condition(column, _blank_rows(column))


def _is_of_spare(column: Column) -> bool:
    """Whether ``column`` counts what is left of something."""
    return column.type is Type.NUMBER and not _SPARE.isdisjoint(column.stems)


def _is_denied_of(wording: Wording, column: Column, places: Sequence[int]) -> bool:
    denied = (bool(wording.deniers([at])) != wording.is_opposite(at, column) for at in places)
    return any(denied) and wording.share(column, places) >= HALF


def _blank_rows(column: Column) -> frozenset[int]:
    if column.type is Type.NUMBER:
        return _rows_with(column, Decimal(0))
    return frozenset(row for row, cell in enumerate(column.cells) if is_empty(cell))
