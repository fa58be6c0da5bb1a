"""Reads one question for one table: which leads, which rows hold, how many and how much."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from quaere.domain.report import DirectKind
from quaere.reason.extractive.answer_kinds import Kind, expected_kind
from quaere.reason.extractive.pool import Line, cells
from quaere.reason.extractive.table_columns import Column, Table, Type, foremost, is_empty
from quaere.reason.extractive.table_conditions import conditions
from quaere.reason.extractive.table_order import Order, order_asked
from quaere.reason.extractive.table_printing import SHOWN, listing, printed
from quaere.reason.extractive.table_wording import Condition, Undecided, Wording, sole
from quaere.reason.extractive.table_words import (
    GENERAL,
    INTERVALS,
    LEAST,
    MEASURED,
    MOST,
    OF_MONEY,
    OF_PEOPLE,
    OF_TIME,
    PEOPLE,
    PLACES,
    base_of,
    degrees,
    stems_of,
)
from quaere.text.synonyms import related_words
from quaere.text.tokens import stem, words

LEAST_SAID = 0.3
"""Share of the words of a head that has to be said for its column to be asked for."""
FOUND, CALCULATED = 0.85, 0.8
"""Confidence in a cell or rows, and in what is counted or summed up over rows."""
_COUNTS = re.compile(r"(?i)\bhow many\b|\bnumber of\b")
_SUMS = frozenset({"total", "sum", "combined", "altogether", "overall"})
_MEANS = frozenset({"average", "mean"})
_WORK = stem("work")
_COUNTRY = stems_of("country countries nation")
_PRICED = frozenset({"price", "cost", "costs"})
_NAMED = stems_of("name names")
_LASTS = stems_of("days weeks months years")
_TIMES = frozenset({Type.DATE, Type.TIME})
_KINDS: Mapping[Type, DirectKind] = {Type.DATE: DirectKind.DATE, Type.NUMBER: DirectKind.NUMBER}
_LISTED = frozenset(
    {Kind.NAME, Kind.PERSON, Kind.PLACE, Kind.ORGANIZATION, Kind.LIST, Kind.STATEMENT}
)


_UNIT_IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")
"""Told with the value: "Length (m)" of "64 m"."""


@dataclass(frozen=True, slots=True)
class RowsAnswer:
    """What the rows of a table answer, and the rows that it rests on."""

    kind: DirectKind
    text: str
    table: Table
    lines: tuple[Line, ...]
    columns: frozenset[str]
    """Heads of the columns that are shown."""
    confidence: float
    fit: int
    """How many words of the question are what the table is of or what heads it."""


@dataclass(frozen=True, slots=True)
class Blank:
    """A cell that is asked for and says nothing."""

    table: Table
    column: Column
    row: int

    def __str__(self) -> str:
        """Return it as a gap."""
        return f"{self.table.name} has no {self.column.head} for {self.table.called(self.row)}"


class Reading:
    """One question, read for one table."""

    def __init__(self, text: str, table: Table) -> None:
        """Read ``text`` for ``table``.

        Raises:
            Undecided: when it could mean several columns.
        """
        self.table = table
        self.kind = expected_kind(text)
        self.wording = Wording(text, table)
        self.held = conditions(
            self.wording, dated=self.kind is Kind.DATE, whether=self.kind is Kind.YES_NO
        )
        self.rows = self._selected(self.held)
        self.by: list[Column] = []
        """The columns that decide or answer."""

    def answer(self) -> RowsAnswer | None:
        """Return what the table answers in the first way in which nothing is left unread.

        Raises:
            Undecided: when several columns or rows could be meant.
        """
        ways = (self._extreme, self._calculated, self._counted, self._looked_up, self._listed)
        used = frozenset(self.wording.used)
        for way in ways:
            self.wording.used, self.by = set(used), []
            answer = way()
            if answer is not None and self._is_accounted():
                return answer
        return None

    def blank(self) -> Blank | None:
        """Return the cell of the one row that is named, where it is asked for and empty.

        Raises:
            Undecided: when several columns or rows could be meant.
        """
        rows = self._selected([each for each in self.held if each.is_row])
        if len(rows) != 1:
            return None
        self.by = self._columns_asked()
        empty = next((column for column in self.by if is_empty(column.cells[rows[0]])), None)
        return Blank(self.table, empty, rows[0]) if empty and self._is_accounted() else None

    def _columns_asked(self) -> list[Column]:
        """Return the columns of what is said besides the row, else the one that is asked for."""
        asked = [each.column for each in self.held if not each.is_row]
        if asked or self.kind is Kind.YES_NO:
            return asked
        target = self._target() or self._by_type()
        return [target] if target else []

    def may_be_answered(self) -> bool:
        """Whether something of the table is asked for, and nothing that it has no column for."""
        wording = self.wording
        self.by = list(self.table.columns)
        heads = wording.head_places(self.by)
        left = [at for at in self._untold() if at not in heads]
        if all(self._is_reckoned(wording.words[at]) for at in left):
            return bool(self.held or heads or left)
        return False

    def _is_reckoned(self, word: str) -> bool:
        """Whether ``word`` asks for what is told over rows: "cheapest", "total"."""
        if word in _SUMS | _MEANS | MOST | LEAST:
            return True
        degree = degrees().get(base_of(word, "est") or base_of(word, "er") or word)
        return degree is not None and any(
            degree.is_told_by(c.stems, money=c.is_money) for c in self.table.columns
        )

    def _selected(self, held: Sequence[Condition]) -> list[int]:
        rows = frozenset(range(len(self.table.lines)))
        for each in held:
            rows &= each.rows
        return sorted(rows)

    def _is_accounted(self) -> bool:
        """Whether nothing of the question is left that the table does not tell of."""
        return not self._untold()

    def _untold(self) -> list[int]:
        return [at for at in self.wording.free if not self._is_told(self.wording.stems[at])]

    def _is_told(self, own: str) -> bool:
        if own in self.table.things or own in GENERAL or (own == _WORK and self._asks_who):
            return True
        return any(_is_answered_by(column, own) for column in self.by)

    def _answer(
        self, kind: DirectKind, text: str, rows: Sequence[int], sure: float = FOUND
    ) -> RowsAnswer:
        decisive = [*(each.column for each in self.held), *self.by]
        heads = [self.table.columns[0], self.table.key, *decisive]
        things = self.table.things
        fit = sum(
            self.wording.stems[at] in things or at in self.wording.used
            for at in self.wording.content
        )
        return RowsAnswer(
            kind=kind,
            text=text,
            table=self.table,
            lines=tuple(self.table.lines[row] for row in rows),
            columns=frozenset(column.head for column in heads),
            confidence=sure,
            fit=fit,
        )

    # the row that leads

    def _extreme(self) -> RowsAnswer | None:
        """Return the row with the greatest or least value among those that hold."""
        order = order_asked(self.wording, is_choice=self._is_choice)
        if order is None or len(self.rows) < 2:
            return None
        rows = self._first_by(order)
        self.by += order.columns
        told = self._target() or self.table.key
        if self._asks_who and not self._has_people(told):
            return None
        self.by.append(told)
        names = ", ".join(self._names(told, rows))
        text = f"{names} ({self._reason(order.columns[0], rows[0])})"
        kind = DirectKind.CHOICE if self._is_choice else DirectKind.NAME
        others = [row for row in self.rows if row not in rows] if self._is_choice else []
        return self._answer(kind, text, [*rows, *others])

    @property
    def _is_choice(self) -> bool:
        return self.kind is Kind.COMPARISON and len(self.rows) > 1

    def _first_by(self, order: Order) -> list[int]:
        """Return the rows that come first.

        Raises:
            Undecided: when they are others by another column, or there are none.
        """
        ahead = {rows for column in order.columns if (rows := self._ahead(column, order))}
        if len(ahead) != 1:
            raise Undecided
        return sorted(ahead.pop())

    def _ahead(self, column: Column, order: Order) -> frozenset[int]:
        """Return the rows that come first by ``column``."""
        known = {row: v for row in self.rows if (v := column.values[row]) is not None}
        if not known:
            return frozenset()
        first = max if column.at in order.greatest else min
        best = first(known.values())
        return frozenset(row for row, value in known.items() if value == best)

    def _reason(self, column: Column, row: int) -> str:
        """Return what puts ``row`` first, and how many rows might have been before it."""
        blank = sum(column.values[each] is None for each in self.rows)
        note = f"; {blank} of {len(self.rows)} rows have none" if blank else ""
        head = _UNIT_IN_BRACKETS.sub("", column.head) or column.head
        return f"{head}: {self._cell(column, row)}{note}"

    def _names(self, column: Column, rows: Sequence[int]) -> list[str]:
        """Return what ``rows`` are called in ``column``, each name once."""
        return list(dict.fromkeys(self._named(column, row) for row in rows))

    def _named(self, column: Column, row: int) -> str:
        return self.table.called(row) if column is self.table.key else self._cell(column, row)

    @property
    def _asks_who(self) -> bool:
        return self.wording.words[:1] in (["who"], ["whom"], ["whose"])

    def _has_people(self, column: Column) -> bool:
        """Whether ``column`` names people: by its head, or as the name in a table of people."""
        by_head = not PEOPLE.isdisjoint(column.alike) or column.stems <= _NAMED
        is_of_people = by_head and (column.stems - _NAMED or self._tells_of_people())
        return column.has_people and bool(is_of_people or not PEOPLE.isdisjoint(self.table.things))

    def _tells_of_people(self) -> bool:
        """Whether the table has columns of what people alone have, such as an extension."""
        return any(not OF_PEOPLE.isdisjoint(column.stems) for column in self.table.columns)

    # what is calculated

    def _calculated(self) -> RowsAnswer | None:
        """Return the sum or the average of a column over the rows that hold."""
        said = self._calculation_asked()
        column = self._summed(said) if said and len(self.rows) > 1 else None
        if column is None:
            return None
        self.wording.used.update([*said, *self.wording.heads(column)])
        self.by.append(column)
        is_mean = self.wording.words[said[0]] in _MEANS
        if self.table.totals and not self.held and not is_mean:
            return self._summed_up(column)
        return self._over_rows(column, is_mean=is_mean)

    def _over_rows(self, column: Column, *, is_mean: bool) -> RowsAnswer:
        total, count = sum(self._figures(column), Decimal(0)), len(self.rows)
        value, name = (total / count, "average") if is_mean else (total, "sum")
        text = (
            f"{printed(value)} {column.unit}".strip()
            + f" ({name} of {column.head} over {self._told_rows()}"
            + f": {'; '.join(column.cells[row] for row in self.rows[:SHOWN])})"
        )
        return self._answer(DirectKind.NUMBER, text, self.rows, CALCULATED)

    def _summed_up(self, column: Column) -> RowsAnswer:
        """Return what the table itself tells that ``column`` comes to.

        Raises:
            Undecided: when it tells several sums, such as one without tax, or none.
        """
        if len(self.table.totals) != 1:
            raise Undecided
        (line,) = self.table.totals
        told = cells(line.text)[column.at]
        if is_empty(told):
            raise Undecided
        label = next(filter(None, cells(line.text)))
        text = f"{told} {column.unit}" if told.isdecimal() else told
        answer = self._answer(DirectKind.NUMBER, text.strip(), (), FOUND)
        heads = frozenset({self.table.columns[0].head, column.head})
        return replace(answer, text=f"{answer.text} ({label})", lines=(line,), columns=heads)

    def _calculation_asked(self) -> list[int]:
        """Return the places of words such as "total" and "average"."""
        said = [at for at, word in enumerate(self.wording.words) if word in _SUMS | _MEANS]
        return [at for at in said if at not in self.wording.used]

    def _figures(self, column: Column) -> list[Decimal]:
        """Return the figures that the rows which hold have in ``column``.

        Raises:
            Undecided: when one of them has none.
        """
        values = [v[0] for row in self.rows if (v := column.values[row]) is not None]
        if len(values) < len(self.rows):
            raise Undecided
        return values

    def _told_rows(self) -> str:
        return f"{len(self.rows)} of {len(self.table.lines)} rows of {self.table.name}"

    def _summed(self, said: Sequence[int]) -> Column | None:
        """Return the column of which a sum or average is asked in the words ``said``.

        "Total" asks for a column of that head only where no other is named.
        """
        able = self.table.of_type(Type.NUMBER)
        named = [c for c in able if set(self.wording.heads(c)).difference(said)]
        named = named or list(filter(self.wording.share_left, able))
        if named:
            return sole(foremost(named, self.wording.share_left))
        return sole([c for c in able if c.is_money])

    def _counted(self) -> RowsAnswer | None:
        """Return how many rows hold."""
        asked = _COUNTS.search(self.wording.text)
        if asked is None or not self.rows or not self._are_counted(asked.end()):
            return None
        if self._is_of_one():
            return None  # what is counted is in it
        self.wording.used.update(self._always_dated())
        names = listing([self.table.called(row) for row in self.rows])
        whole = f"{len(self.table.lines)} rows of {self.table.name}"
        text = f"{len(self.rows)} (of {whole}: {names})"
        return self._answer(DirectKind.NUMBER, text, self.rows, CALCULATED)

    def _is_of_one(self) -> bool:
        """Whether the question calls one row by its name."""
        return any(each.is_row and each.column is self.table.key for each in self.held)

    def _always_dated(self) -> set[int]:
        """Return the places of words for what each row has a date of: "taken" of samples."""
        dated = [
            column
            for column in self.table.of_type(Type.DATE)
            if not any(is_empty(column.cells[row]) for row in self.rows)
        ]
        return self.wording.head_places(dated)

    def _are_counted(self, start: int) -> bool:
        """Whether the first noun from ``start`` on is of what the rows are."""
        places = self.wording.content
        after = (at for at in places if self.wording.tokens[at].start >= start)
        noun = next(after, None)
        if noun is None or not self._is_thing(noun):
            return False
        if self.wording.stems[noun] in self.table.things and self._is_dated(noun + 1):
            self.wording.used.add(noun + 1)
        return True

    def _is_dated(self, at: int) -> bool:
        """Whether the word at ``at`` is of what each row has a date of: "Ubuntu releases"."""
        own = self.wording.stems[at : at + 1]
        return any(column.stems.issuperset(own) for column in self.table.of_type(Type.DATE))

    def _is_thing(self, at: int) -> bool:
        """Whether the word at ``at`` is what rows are of, or a value that they were chosen by."""
        own = self.wording.stems[at]
        if any(own in c.stems for c in self.table.columns[1:] if c.type is Type.NUMBER):
            return False
        return own in self.table.things or at in self.wording.used

    # what a cell holds

    def _looked_up(self) -> RowsAnswer | None:
        """Return what one column says of the rows that are named."""
        if not any(each.is_value for each in self.held):
            return None
        return self._said() if self.kind is Kind.YES_NO else self._read()

    def _read(self) -> RowsAnswer | None:
        """Return what all rows that hold have in the column that is asked for."""
        target = self._target() or self._by_type()
        if target is None or not self.rows:
            return None
        self.by.append(target)
        told = list({self._cell(target, row) for row in self.rows})
        if len(told) != 1 or is_empty(target.cells[self.rows[0]]):
            return None
        kind = _KINDS.get(target.type, DirectKind.NAME)
        return self._answer(kind, told[0], self.rows)

    def _said(self) -> RowsAnswer | None:
        """Return yes or no, as a row that is named has it."""
        rows = self._selected([each for each in self.held if each.is_row])
        asked = [each for each in self.held if not each.is_row]
        holds = _holds(rows, asked)
        if holds is None:
            return None
        return self._answer(DirectKind.YES_NO, "Yes" if holds else "No", rows)

    def _target(self) -> Column | None:
        """Return the column whose head the words that are left ask for; None without any.

        Raises:
            Undecided: when they ask for several.
        """
        named = self._most_asked()
        fitting = [column for column in named if self._fits(column)]
        target = sole(fitting or named)
        if target is None or not fitting:
            return None
        self.wording.used.update(self.wording.heads(target))
        return target

    def _most_asked(self) -> list[Column]:
        able = [column for column in self._untaken() if column is not self.table.key]
        return foremost(able, self._share_asked, least=(LEAST_SAID, 0, False))

    def _untaken(self) -> list[Column]:
        """Return the columns of which the question says nothing."""
        taken = {each.column.at for each in self.held}
        return [column for column in self.table.columns if column.at not in taken]

    def _share_asked(self, column: Column) -> tuple[float, int, bool]:
        """Return the share of the head of ``column`` that is asked for, and in how many words.

        The third tells whether it is asked for in so many words, or in ones that mean the same: a
        cost is rather a price than an amount.
        """
        said = self._heads_of(column)
        meant = (w for at in said for w in (self.wording.words[at], *self._meaning(at)))
        closely = not column.stems.isdisjoint(map(stem, meant))
        return self.wording.share(column, said), len(said), closely

    def _meaning(self, at: int) -> frozenset[str]:
        return frozenset(related_words(self.wording.words[at]))

    def _heads_of(self, column: Column) -> list[int]:
        """Return the words that ask for ``column``: what rows are of does not, but as its head.

        "Bike" does not ask for the number of a bike, nor "order" for when one was ordered.
        """
        is_first = column is self.table.columns[0]
        return [
            at
            for at in self.wording.heads(column)
            if self.wording.stems[at] not in self.table.things
            or (self.wording.words[at] in column.said and not is_first)
        ]

    def _fits(self, column: Column) -> bool:
        """Whether ``column`` can hold what is asked for."""
        if self._how == "often" and column.is_measured and INTERVALS.isdisjoint(column.said):
            return False
        if self.kind is Kind.DATE:
            return column.type in _TIMES
        if self.kind is Kind.NUMBER:
            return column.type in {Type.NUMBER, Type.TIME}
        if self._asks_who:
            return column.type is Type.TEXT
        return column.type is not Type.FLAG

    def _by_type(self) -> Column | None:
        """Return the only column of the type that is asked for, whatever heads it."""
        able = [column for column in self._untaken() if self._is_of_type(column)]
        if len(able) != 1:
            return None
        if self.wording.words[:2] == ["how", "often"]:
            self.wording.used.update(self.wording.heads(able[0]))
        return able[0]

    def _is_of_type(self, column: Column) -> bool:
        """Whether the cells of ``column`` are of the type that is asked for."""
        how = self._how
        if how in MEASURED:
            return _measures(column, how)
        if how == "often":
            return not INTERVALS.isdisjoint(column.said) and bool(self.wording.heads(column))
        if how == "much" or _PRICED.intersection(self.wording.words):
            return column.type is Type.NUMBER and column.is_money
        return self._is_place_time_or_person(column)

    @property
    def _how(self) -> str:
        """The word after "how" where the question opens with it; else nothing."""
        opening, second, *_ = [*self.wording.words, "", ""]
        return second if opening == "how" else ""

    def _is_place_time_or_person(self, column: Column) -> bool:
        if any(self.wording.stems[at] in _COUNTRY for at in self.wording.free):
            return column.has_countries
        if self.kind is Kind.DATE:
            return column.type in _TIMES
        if self.wording.words[:1] == ["where"]:
            return bool(column.stems & PLACES)
        # "Who is Ada Finch?" asks for nobody else in her row.
        is_of_people = self._has_people(self.table.key)
        return self._asks_who and not is_of_people and self._has_people(column)

    # the rows that hold

    def _listed(self) -> RowsAnswer | None:
        """Return what the rows that hold are called, which tells nobody where they are."""
        opening = self.wording.words[:1]
        is_wanted = opening != ["where"] and (self.kind in _LISTED or opening == ["which"])
        if not self.held or not self.rows or not is_wanted:
            return None
        told = self._asked_column()
        if told is None or len(self.rows) == len(self.table.lines):
            return None
        self.by.append(told)
        names = self._names(told, self.rows)
        if all(self._is_said(name) for name in names):
            return None
        text = f"{listing(names)} ({self._told_rows()})"
        return self._answer(DirectKind.NAME, text, self.rows)

    def _is_said(self, name: str) -> bool:
        """Whether the question has all of ``name``, which then tells nobody anything."""
        return set(words(name)).issubset(self.wording.words)

    def _asked_column(self) -> Column | None:
        """Return the column that the noun behind "which" or "who" asks for: the key, as a rule."""
        key = self.table.key
        if self._asks_who:
            return key if self._has_people(key) else self._by_type()
        noun = self._noun_asked()
        if noun is None:
            return None
        own = self.wording.stems[noun]
        headed = self._naming_column(own)
        if headed is not None:
            self.wording.used.add(noun)
            return headed
        is_of_rows = own in self.table.things or noun in self.wording.used
        return key if is_of_rows else None

    def _noun_asked(self) -> int | None:
        places = self.wording.content
        return next((at for at in places if self.wording.stems[at] not in GENERAL), None)

    def _naming_column(self, own: str) -> Column | None:
        """Return the first column of names that ``own`` heads; None without any."""
        able = [c for c in self.table.of_type(Type.TEXT) if own in c.stems]
        return next((c for c in able if c is self.table.key or not c.is_code), None)

    def _cell(self, column: Column, row: int) -> str:
        cell = column.cells[row]
        if column.type is not Type.NUMBER or re.search(r"[^\d.,\s-]", cell):
            return cell
        span = column.said[-1] if column.said and stem(column.said[-1]) in _LASTS else ""
        return f"{cell} {column.unit or span}".strip()


def _is_answered_by(column: Column, own: str) -> bool:
    """Whether ``column`` tells what the word of the stem ``own`` asks for, whatever heads it."""
    if own in OF_MONEY:
        return column.is_money
    if own in OF_TIME:
        return column.type in _TIMES
    return own in _COUNTRY and column.has_countries


def _measures(column: Column, adjective: str) -> bool:
    is_told = degrees()[adjective].is_told_by(column.stems, money=False)
    return column.type is Type.NUMBER and is_told


def _holds(rows: Sequence[int], asked: Sequence[Condition]) -> bool | None:
    """Return whether all that is ``asked`` holds of the one of ``rows``.

    None where there is not one row, nothing is asked of it, or a cell of it says nothing.
    """
    if len(rows) != 1 or not asked:
        return None
    if any(is_empty(each.column.cells[rows[0]]) for each in asked):
        return None
    return all(rows[0] in each.rows for each in asked)
