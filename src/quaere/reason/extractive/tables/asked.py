"""One question as it is asked of one table: the rows that hold, and the column that is meant."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from quaere.domain.report import DirectKind
from quaere.reason.extractive.answer_fit import tells_how_often
from quaere.reason.extractive.pool import Line
from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.reason.extractive.tables.cell_values import is_empty
from quaere.reason.extractive.tables.columns import OF_ONE, Column, Table, Type, may_be_money
from quaere.reason.extractive.tables.conditions import conditions
from quaere.reason.extractive.tables.lexicon import (
    FIRST_NAMES,
    GENERAL,
    IN_STOCK,
    INTERVALS,
    MEASURED,
    OF_CELLS,
    OF_MONEY,
    OF_PEOPLE,
    OF_ROTAS,
    OF_TIME,
    PEOPLE,
    PLACES,
    deeds_of,
    degrees,
)
from quaere.reason.extractive.tables.periods import listed_days, week_days_of
from quaere.reason.extractive.tables.ranges import column_of_amount, is_of_pieces
from quaere.reason.extractive.tables.scales import may_be_scaled
from quaere.reason.extractive.tables.wording import (
    Condition,
    Undecided,
    Wording,
    foremost,
    of_total,
    sole,
)
from quaere.text.lexicon import MONTHS, word_set
from quaere.text.synonyms import everyday_words, related_words
from quaere.text.tokens import stem, stems_of, words

SHOWN = 40
"""Rows and inputs that a direct answer names, at most."""


def listing(names: Sequence[str]) -> str:
    """Return ``names`` in a row, with a mark where there are more than are shown."""
    more = ", …" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"


def printed(value: Decimal) -> str:
    """Return ``value`` with its thousands apart, and two decimals unless it is a whole number."""
    return f"{value:,.0f}" if value == value.to_integral() else f"{value:,.2f}"


LEAST_SAID = 0.3
"""Share of the words of a head that has to be said for its column to be asked for."""
FOUND, CALCULATED = 0.85, 0.8
"""Confidence in a cell or rows, and in what is counted or summed up over rows."""
_ALTOGETHER = frozenset({"total", "altogether", "all", "sum"})
_APIECE = frozenset({"each", "apiece", "one", "single", "piece", "unit", "per"})
_OF_ALL = stems_of("total amount sum value")
_WORK = stem("work")
_PAYING = stems_of("pay paid spend spent buy bought payment payments")
"""Stems of what all rows of an account are of."""
_MONTHS = frozenset(name.casefold() for name in MONTHS)
_COUNTRY = stems_of("country countries nation")
_COSTING = stems_of("cost costs")
_PRICED = frozenset({"price", "cost", "costs"})
_NAMED = stems_of("name names alias nickname")
_RECORDS = word_set(
    "cases discoveries entries eruptions events incidents measurements observations orders readings"
    " records results rides sales samples sessions sightings trips visits"
)
"""What there is of a thing in a table of it: "taxi rides" in taxis.csv."""
_OF_UNITS: Mapping[str, frozenset[str]] = {
    "°C": stems_of("temperature"), "°F": stems_of("temperature"), "km/h": stems_of("speed"),
    "kg": stems_of("weight"),
}  # fmt: skip
"""What a column measures whose figures have a unit, whatever heads it: "Max (°C)"."""
_LASTS = stems_of("days weeks months years")


def _dates_before_times(columns: list[Column]) -> list[Column]:
    """Return the one of ``columns`` that has dates, if the others tell the time of that day."""
    dates = [column for column in columns if column.type is Type.DATE]
    times = [column for column in columns if column.type is Type.TIME]
    are_both = len(dates) == len(times) == 1 and len(columns) == len(dates + times)
    return dates if are_both else columns


def _tells_intervals(column: Column) -> bool:
    """Return whether most cells of ``column`` say how often: "every two years", "hourly"."""
    return 2 * sum(map(tells_how_often, column.cells)) > len(column.cells)


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


class Asked:
    """One question, asked of one table."""

    def __init__(self, text: str, table: Table, *, spare: int = 0) -> None:
        """Read ``text`` for ``table``.

        Args:
            text: The question.
            table: The table.
            spare: How many words may be left that the table does not tell of, at most.

        Raises:
            Undecided: when it could mean several columns.
        """
        self.table = table
        self.spare = spare
        self.kind = expected_kind(text)
        self.wording = Wording(text, table)
        self.held = conditions(
            self.wording, dated=self.kind is Kind.DATE, whether=self.kind is Kind.YES_NO
        )
        self.rows = self.selected(self.held)
        self.by: list[Column] = []
        """The columns that decide or answer."""

    def columns_asked(self) -> list[Column]:
        """Return the columns of what is said besides the row, else the one that is asked for."""
        asked = [each.column for each in self.held if not each.is_row]
        if asked or self.kind is Kind.YES_NO:
            return asked
        target = self.target() or self.by_type()
        return [target] if target else []

    def selected(self, held: Sequence[Condition]) -> list[int]:
        """Return the rows that all of ``held`` hold for, from the top."""
        rows = frozenset(range(len(self.table.lines)))
        for each in held:
            rows &= each.rows
        return sorted(rows)

    def is_accounted(self) -> bool:
        """Whether nothing is left that the table does not tell of, or no more than may be spared.

        More has to be told than is left, or as much where that is a noun next to what is told: it
        says of what sort this is. A name or a figure is never spared.
        """
        left = self.untold()
        if not left:
            return True
        heads = self.wording.head_places(self.table.columns)
        left = [at for at in left if not self.spare or at not in heads]
        told = len(self.wording.content) - len(left)
        is_most = told > len(left) or (told == len(left) and all(map(self._is_of_sort, left)))
        is_spared = is_most and len(left) <= self.spare
        return is_spared and not any(self._is_particular(at) for at in left)

    def _is_of_sort(self, at: int) -> bool:
        """Whether the word at ``at`` may be a noun, next to one that is accounted for."""
        is_beside = not self.wording.used.isdisjoint({at - 1, at + 1})
        return is_beside and not self.wording.words[at].endswith(("ed", "en", "ing"))

    def _is_particular(self, at: int) -> bool:
        """Whether the word at ``at`` is a figure or, by its capital, a name."""
        text = self.wording.tokens[at].text
        return any(map(str.isdigit, text)) or (at > 0 and text[:1].isupper())

    def untold(self) -> list[int]:
        """Return the places of the words that neither the table nor its columns tell of."""
        told = self._is_told
        left = (at for at in self.wording.free if not told(self.wording.stems[at]))
        return [at for at in left if not self.is_called_so(at)]

    def is_called_so(self, at: int) -> bool:
        """Return whether the word at ``at`` is an everyday one for what rows are: "car".

        Or it makes a noun with one before it: "taxi rides" are in taxis.csv, and "Dow Jones" is in
        dowjones.csv.
        """
        words, things = self.wording.words, self.table.things
        if not things.isdisjoint(map(stem, everyday_words(words[at]))):
            return True
        joined = (f"{a}{b}" for a, b in pairwise(words[max(0, at - 1) : at + 2]))
        if not self.table.named.isdisjoint(map(stem, joined)):
            return True
        is_of_things = at > 0 and self.wording.stems[at - 1] in things
        return is_of_things and words[at] in _RECORDS

    def _is_of_table(self, own: str) -> bool:
        table = self.table
        if own in table.things or own in table.beside or own in GENERAL:
            return True
        return (own in OF_ROTAS and table.is_rota) or (own in _PAYING and table.tells_of_money)

    @property
    def _is_of_people(self) -> bool:
        asks = self.asks_who or not PEOPLE.isdisjoint(self.wording.stems)
        return asks or self.table.is_rota

    def _is_told(self, own: str) -> bool:
        if self._is_of_table(own) or (own == _WORK and self._is_of_people):
            return True
        is_of_held = any(self._is_told_by(each, own) for each in self.held)
        return is_of_held or any(self._is_answered_by(column, own) for column in self.by)

    def _is_told_by(self, each: Condition, own: str) -> bool:
        """Whether a word of the stem ``own`` is for the bound, or for the days, of ``each``.

        Or it says what heads a cell that is named: "kept" of a warehouse.
        """
        if each.is_value:
            is_headed = own in each.column.alike and each.column.type is Type.TEXT
            is_headed = is_headed or _ends_a_head(own, each.column)
            if is_headed or own in deeds_of(each.column.said):
                return True
        elif own in _COSTING and may_be_money(each.column, self.table):
            return True
        is_bound = not each.is_value and each.column.stems <= self.wording.said
        return (own in OF_CELLS and is_bound) or (own in OF_TIME and bool(listed_days(each.column)))

    def _is_answered_by(self, column: Column, own: str) -> bool:
        """Whether ``column`` tells what the word of the stem ``own`` asks for."""
        named = own in OF_CELLS and column.stems.issubset(self.wording.said)
        paid = own in OF_MONEY and may_be_money(column, self.table)
        stocked = own in IN_STOCK and not IN_STOCK.isdisjoint(column.stems)
        return named or paid or stocked or _is_answered_by(column, own)

    def answered(
        self, kind: DirectKind, text: str, rows: Sequence[int], sure: float = FOUND
    ) -> RowsAnswer:
        """Return ``text`` as what ``rows`` answer, with the columns that decide shown."""
        decisive = [*(each.column for each in self.held), *self.by]
        decisive += [part for column in decisive for part in column.made_of]
        heads = [*self.table.calling, *decisive]
        return RowsAnswer(
            kind=kind,
            text=text,
            table=self.table,
            lines=tuple(self.table.lines[row] for row in rows),
            columns=frozenset(column.head for column in heads),
            confidence=sure,
            fit=sum(map(self._fit_of, self.wording.content)),
        )

    def _fit_of(self, at: int) -> int:
        """Return how well the table has the word at ``at``: best as it is written there."""
        own = self.wording.stems[at]
        is_told = own in self.table.things or at in self.wording.used
        return is_told + (is_told and own in self.table.written)

    def names_of(self, column: Column, rows: Sequence[int]) -> list[str]:
        """Return what ``rows`` are called in ``column``, each name once."""
        return list(dict.fromkeys(self.named_as(column, row) for row in rows))

    def named_as(self, column: Column, row: int) -> str:
        """Return what ``row`` is called in ``column``."""
        return self.table.called(row) if column is self.table.key else self.cell(column, row)

    @property
    def asks_who(self) -> bool:
        """Whether the question opens with "who"."""
        return self.wording.words[:1] in (["who"], ["whom"], ["whose"])

    def has_people_in(self, column: Column) -> bool:
        """Whether ``column`` names people: by its head, or as the name in a table of people."""
        if self._calls_anybody(column):
            return True
        is_of_people = self._is_head_of_people(column) or not PEOPLE.isdisjoint(self.table.things)
        return is_of_people and column.has_people

    def _calls_anybody(self, column: Column) -> bool:
        """Whether names in ``column`` are those of people by what the table is, such as a rota."""
        if (self.table.is_rota and column.has_names) or column.said in FIRST_NAMES:
            return True
        is_of_names = column is self.table.key and column.stems <= _NAMED
        return is_of_names and self.table.is_of_anybody

    def _is_head_of_people(self, column: Column) -> bool:
        """Whether people head ``column``, or names do in a table of what people alone have."""
        if column.stems <= _NAMED:
            return self._tells_of_people()
        return not PEOPLE.isdisjoint(column.alike)

    def _tells_of_people(self) -> bool:
        """Whether the table has columns of what people alone have, such as an extension."""
        return any(not OF_PEOPLE.isdisjoint(column.stems) for column in self.table.columns)

    def _may_be_of_one_piece(self) -> bool:
        """Whether what is asked for may be of one piece or of all, and is not said."""
        has_both = any(map(is_of_pieces, self.table.columns))
        return has_both and _APIECE.isdisjoint(self.wording.words)

    def target(self) -> Column | None:
        """Return the column whose head the words that are left ask for; None without any.

        Raises:
            Undecided: when they ask for several.
        """
        held = column_of_amount(self.wording)
        if held is not None and held in self.untaken():
            if self._may_be_of_one_piece():
                raise Undecided  # of one piece, or of all
            return held
        named = self._of_all_or_of_one() or self._most_asked()
        fitting = [column for column in named if self.fits(column)]
        target = sole(fitting)
        if target is None:
            return None
        self.wording.used.update(self.wording.heads(target))
        return target

    def _of_all_or_of_one(self) -> list[Column]:
        """Return the column that tells it of all pieces, or of one, where the question says so."""
        able = [column for column in self._able() if self.wording.share_left(column) >= LEAST_SAID]
        for said, heads in ((_ALTOGETHER, _OF_ALL), (_APIECE, OF_ONE)):
            places = self.wording.places_of(said)
            told = [column for column in able if heads & set(map(stem, column.said))]
            if len(able) > 1 and places and len(told) == 1:
                self.wording.used.update(places)
                return told
        return []

    def _able(self) -> list[Column]:
        return [column for column in self.untaken() if column is not self.table.key]

    def _most_asked(self) -> list[Column]:
        asked = foremost(self._able(), self._share_asked, least=(LEAST_SAID, 0, False, 0))
        return asked if self.spare else of_total(asked)

    def untaken(self) -> list[Column]:
        """Return the columns of which the question says nothing."""
        taken = {each.column.at for each in self.held}
        return [column for column in self.table.columns if column.at not in taken]

    def _share_asked(self, column: Column) -> tuple[float, int, bool, int]:
        """Return the share of the head of ``column`` that is asked for, and in how many words.

        The third tells whether it is asked for in so many words, or in ones that mean the same: a
        cost is rather a price than an amount. The last is how many words its head has, small ones
        as well, where the question has all of them in a row: "off-peak" is not "peak".
        """
        said = self._heads_of(column)
        meant = (w for at in said for w in (self.wording.words[at], *self._meaning(at)))
        closely = not column.stems.isdisjoint(map(stem, meant))
        head = f" {' '.join(words(column.head))} "
        in_a_row = len(column.said) if head in f" {' '.join(self.wording.words)} " else 0
        return self.wording.share(column, said), len(said), closely, in_a_row

    def _meaning(self, at: int) -> frozenset[str]:
        return frozenset(related_words(self.wording.words[at]))

    def _heads_of(self, column: Column) -> list[int]:
        """Return the words that ask for ``column``: what rows are of does not, but as its head.

        "Bike" does not ask for the number of a bike, nor "order" for when one was ordered.
        """
        is_first = column is self.table.columns[0] and not column.is_figure
        return [
            at
            for at in self.wording.heads(column)
            if self.wording.stems[at] not in self.table.things
            or (self.wording.words[at] in column.said and not is_first)
        ]

    def _lacks_intervals(self, column: Column) -> bool:
        asks_often = self._how == "often" and column.is_measured
        return asks_often and INTERVALS.isdisjoint(column.said)

    def fits(self, column: Column) -> bool:
        """Whether ``column`` can hold what is asked for."""
        if self._how == "often" and _tells_intervals(column):
            return True
        if self._lacks_intervals(column):
            return False
        if self.kind is Kind.DATE:
            return _tells_when(column, self.wording.words)
        if self.kind is Kind.NUMBER:
            return self._has_number(column)
        if self.asks_who:
            return column.type is Type.TEXT
        return column.type is not Type.FLAG and not self._asks_other_places(column)

    def _has_number(self, column: Column) -> bool:
        is_able = column.type in {Type.NUMBER, Type.TIME}
        is_money = column.is_money and column.unit != column.scale  # next to which staff is told
        return is_able and not (self._how == "many" and is_money)

    @property
    def _asks_where(self) -> bool:
        return self.wording.words[:1] == ["where"]

    def _asks_other_places(self, column: Column) -> bool:
        return self._asks_where and _counts_places(column)

    def by_type(self) -> Column | None:
        """Return the only column of the type that is asked for, whatever heads it.

        Where words may be spared, it is enough that its cells look more like it than others.
        """
        able = _dates_before_times([c for c in self.untaken() if self._is_of_type(c)])
        if not able and self.asks_who and self.spare:
            able = foremost(self.untaken(), lambda c: float(_may_be_who(c, self.table)), least=1.0)
        if len(able) > 1 and self.rows:
            able = [c for c in able if not all(is_empty(c.cells[row]) for row in self.rows)]
        if len(able) != 1:
            return None
        if self._how == "often":
            self.wording.used.update(self.wording.heads(able[0]))
        return able[0]

    def _is_of_type(self, column: Column) -> bool:
        """Whether the cells of ``column`` are of the type that is asked for."""
        how = self._how
        if how in MEASURED:
            return _measures(column, how)
        if how == "many" and self.table.label in (each.column for each in self.held):
            return column.type is Type.NUMBER and not IN_STOCK.isdisjoint(column.alike)
        if how == "often" and _tells_intervals(column):
            return True
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
            return _tells_when(column, self.wording.words)
        if self._asks_where:
            return _tells_where(column)
        # "Who is Ada Finch?" asks for nobody else in her row.
        is_of_people = self.has_people_in(self.table.key)
        return self.asks_who and not is_of_people and self.has_people_in(column)

    def cell(self, column: Column, row: int) -> str:
        """Return what ``row`` has in ``column``, with the unit of a bare figure."""
        cell = column.cells[row]
        if column.made_of:
            parts = (f"{part.head}: {self.cell(part, row)}" for part in column.made_of)
            return f"{cell} ({', '.join(parts)})"
        if meaning := dict(column.key_of_signs).get(cell):
            return f"{cell} ({meaning})"
        if column.type is not Type.NUMBER or re.search(r"[^\d.,\s-]", cell):
            return cell
        return column.with_unit(cell) if column.sign else self._measured(column, row)

    def _measured(self, column: Column, row: int) -> str:
        """Return the bare figure of ``row`` with its unit, or its scale where it may be in one."""
        cell, unit = column.cells[row], _unit_of(column)
        is_scaled = unit != column.scale or may_be_scaled(self.table.key.cells[row])
        return f"{cell} {unit}".strip() if is_scaled else cell


def _unit_of(column: Column) -> str:
    """Return the unit of figures in ``column``, or the span that its head ends in: "Stay days"."""
    *before, last = column.said or ("",)
    span = last if stem(last) in _LASTS and "per" not in before else ""
    return column.unit or span


_SHORTEST_END, _SHORTEST_START = 4, 3


def _ends_a_head(own: str, column: Column) -> bool:
    """Whether a word in the head of ``column`` is a sort of ``own``: "starships" are ships."""
    starts = (each.removesuffix(own) for each in column.stems if each.endswith(own))
    return len(own) >= _SHORTEST_END and any(len(each) >= _SHORTEST_START for each in starts)


def _is_answered_by(column: Column, own: str) -> bool:
    """Whether ``column`` tells what the word of the stem ``own`` asks for, whatever heads it."""
    if own in _OF_UNITS.get(column.unit, ()):
        return True
    if own in OF_TIME:
        return column.type in TIMES or tells_days(column)
    return own in _COUNTRY and column.has_countries


def _tells_where(column: Column) -> bool:
    return bool(column.stems & PLACES) and not _counts_places(column)


def _counts_places(column: Column) -> bool:
    """Return whether ``column`` says how many places there are, and not which: "Places" over 12."""
    return column.type is Type.NUMBER and "places" in column.said


def _measures(column: Column, adjective: str) -> bool:
    is_told = degrees()[adjective].is_told_by(column.stems, money=False)
    return column.type is Type.NUMBER and is_told


TIMES = frozenset({Type.DATE, Type.TIME})
_ASKING = word_set("what which")
_OPENING = 3
"""Words within which a question says which part of a date or time it asks for."""
_OF_DAY, _OF_DATE = (
    word_set("day days weekday weekdays"),
    word_set("date dates month months year years"),
)
_OF_CLOCK = word_set("time times hour hours")
_LINKS = word_set("to by with")
"""Words that lead to somebody at the end of a head: "Given to", "Checked by"."""


def _tells_when(column: Column, asked: Sequence[str]) -> bool:
    """Return whether ``column`` tells the part of a date or time that is ``asked`` for.

    No hour answers "what day", and no day "what time".
    """
    part = _part_asked(asked)
    if part in _OF_DAY:
        return column.type is Type.DATE or tells_days(column)
    if part in _OF_DATE:
        return _tells_date(column)
    return column.type is Type.TIME or (part not in _OF_CLOCK and _tells_date(column))


def _part_asked(words: Sequence[str]) -> str:
    """Return the word for a part of a date or time behind "what" or "which"; else nothing."""
    opening = list(words[:_OPENING])
    pairs = zip(opening, words[1 : _OPENING + 1], strict=False)
    return next((noun for asks, noun in pairs if asks in _ASKING), "")


def tells_days(column: Column) -> bool:
    """Return whether each cell of ``column`` names days of the week."""
    is_text = column.type is Type.TEXT and bool(column.filled)
    return is_text and all(map(week_days_of, column.filled))


def _tells_date(column: Column) -> bool:
    """Return whether ``column`` has dates, or times of the year: "March to April"."""
    told = [not _MONTHS.isdisjoint(words(cell)) for cell in column.filled]
    return column.type is Type.DATE or (column.type is Type.TEXT and all(told) and bool(told))


def _may_be_who(column: Column, table: Table) -> int:
    """Return how much speaks for ``column`` telling who: 0 where its cells are not names.

    More where its head leads to somebody, and where they are names in two words or more.
    """
    if column is table.key or not column.may_name_people or column.has_countries:
        return 0
    if tells_days(column) or not PLACES.isdisjoint(column.stems):
        return 0
    return 1 + (column.said[-1:] != () and column.said[-1] in _LINKS) + column.has_people
