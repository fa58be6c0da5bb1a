"""Whole tables as they are read: their columns by type, and what their rows are of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cached_property

from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.tables.cell_values import (
    CLOSED,
    FREE,
    YEAR,
    Value,
    date_of,
    flag_of,
    is_bare,
    is_empty,
    is_year,
    number_of,
    terms_of_cell,
    time_of,
)
from quaere.reason.extractive.tables.lexicon import (
    ANYBODY,
    AWARDS,
    FIRST_NAMES,
    GAMES,
    LAST_NAMES,
    OF_ANIMALS,
    OF_ROTAS,
    OF_SUMS,
    POINTS,
    RANKS,
    RESULTS,
    SEX,
    SHORTENED,
    WINNERS,
    alike,
    with_quarters,
)
from quaere.reason.extractive.tables.spellings import MOST_SORTS, Cells, Otherwise, called_otherwise
from quaere.reason.extractive.tables.units import (
    MONEY,
    PER_UNIT,
    RATE_IN_FIELD,
    RATE_UNIT,
    SCALED_UNIT,
    SIGNS_OF_MONEY,
    UNIT_WORDS,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS
from quaere.text.numbers import numbers
from quaere.text.synonyms import nations, singular
from quaere.text.tokens import stem, stems_of, stop_words, words

TYPED = 0.9
"""Share of the filled cells of a column that have to be of a type for it to be of that type."""
SAMPLE = 500
"""Cells from which not all of a column are looked at to tell what it holds."""
FEWEST = 2
"""Rows of a table over which anything is asked."""
OF_ONE = frozenset({"unit", "each", "per", "piec"})
"""Stems of what a head says of a price besides: it is that of one."""
FIGURES = "figures"
"""What the rows of a table are that has one for each figure."""
TOTALS = frozenset({"total", "totals", "sum", "subtotal", "sums"})

_FIGURES = lazy_regex(r"\S*\d\S*")
_BEFORE_FIGURE = lazy_regex(r"(?s)[\d(-].*")
_DOTTED = lazy_regex(r"\d{1,3}(?:\.\d{3})*")
_CODE = lazy_regex(r"(?=\S*\d)[\w./-]+")
_HUMPS = lazy_regex(r"(?<=[a-z]{2})(?=[A-Z])")
"""Where words are run together: "unitPrice", but not "pH"."""
_PERSON = lazy_regex(r"(?:[^\W\d_][\w.'’-]*\s){1,3}[^\W\d_][\w.'’-]*")
_NAMES = lazy_regex(r"[^\W\d_a-z][\w.'’-]*(?:(?: |, | and | & |/)[^\W\d_a-z][\w.'’-]*){0,4}")
_DAYS = stems_of("monday tuesday wednesday thursday friday saturday sunday")
_MONTHS = stems_of(" ".join((*MONTHS, *(name[:3] for name in MONTHS))).lower())
_OF_RATES = stem("rate")
_RATE_SPANS = stems_of(
    "hour hourly day daily night nightly week weekly month monthly room double single"
)
_NO_THINGS = frozenset({"name", "no", "number", "id"})
_NUMBERINGS = tuple((word,) for word in ("no", "nr", "id", "code", "year", "yr"))
_ROW_NUMBERS = frozenset({"", "rownames", "rowname", "rowid", "index", "column1", "unnamed0"})
"""Heads, run together, of columns that number the rows: none, or what programs write for none."""
_NAMING = 0.9
"""Share of different cells, at least, in a column that names most rows."""
_NAMES_HEADS = stems_of("name names title")
_NAMES_CODES = stems_of("name title model")
"""Stems of what heads the names of things that have codes."""
_ADDRESSES = ("http://", "https://")
_DIGITS: Mapping[str, bool] = {"1": True, "0": False, "1.0": True, "0.0": False}
_BINARY = ({"0", "1"}, {"0.0", "1.0"})
"""Digits for yes and no."""


class Type(StrEnum):
    """What the cells of a column hold."""

    FLAG = "flag"
    """Yes or no."""
    DATE = "date"
    TIME = "time"
    NUMBER = "number"
    TEXT = "text"


ORDERED = (Type.NUMBER, Type.DATE, Type.TIME)
"""Types whose cells come before or after each other."""


@dataclass(frozen=True)
class Column:
    """A column: what heads it, and its cells from top to bottom."""

    at: int
    head: str
    cells: tuple[str, ...]
    meant: str = ""
    """What its head stands for, where that depends on its neighbours."""
    key_of_signs: tuple[tuple[str, str], ...] = ()
    """What is said next to the table of signs in its cells: that "E" is "early"."""
    made_of: tuple[Column, ...] = ()
    """The columns that it is computed from; none of one that is written."""
    scale: str = ""
    """What is said next to the table of how many times a unit its figures are: "thousand"."""

    @cached_property
    def said(self) -> tuple[str, ...]:
        """The words of its head, with what they are short for and without its unit."""
        told = with_quarters((self.meant or self.head).replace("_", " "))
        plain = words(_HUMPS.sub(" ", told))
        long = [word for each in plain for word in words(SHORTENED.get(each, each))]
        return tuple(word for word in long if word not in UNIT_WORDS or len(long) == 1)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the words of its head; of stop words where there are no others."""
        told = {stem(word) for word in self.said if word not in stop_words()}
        return frozenset(told - OF_ONE or told or map(stem, self.said))

    @cached_property
    def alike(self) -> frozenset[str]:
        """Its stems and those of words that speak of the same."""
        return self.stems.union(*(alike(each) for each in self.stems))

    @cached_property
    def terms(self) -> tuple[frozenset[str], ...]:
        """The terms of each of its cells."""
        told = dict(self.key_of_signs)
        return tuple(terms_of_cell(f"{cell} {told.get(cell, '')}") for cell in self.cells)

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """Its cells that say anything."""
        return tuple(cell for cell in self.cells if not is_empty(cell))

    @cached_property
    def unit(self) -> str:
        """The unit of its figures, as its head or most of its cells have it; else nothing."""
        if rate := RATE_IN_FIELD.search(self.head):
            return f"{rate[1]}/{rate[2]}"
        told = RATE_UNIT.search(self.head) or SCALED_UNIT.search(self.head)
        if told is not None:
            return told[1]
        if self.sign:
            return SIGNS_OF_MONEY[self.sign]
        return self._unit_in_words() or self._unit_of_cells() or self._scale_of_cells()

    def _scale_of_cells(self) -> str:
        """Return its scale, if its figures are bare and no numbering."""
        is_scaled = bool(self.scale) and not self.is_ordinal and all(map(is_bare, self.filled))
        return self.scale if is_scaled else ""

    @cached_property
    def sign(self) -> str:
        """The sign of money before its figures, or in its head: "Price (£)"."""
        signed = (sign for sign in SIGNS_OF_MONEY if sign in self.head or self._mostly_begins(sign))
        return next(signed, "")

    def _mostly_begins(self, sign: str) -> bool:
        return self._are_most(cell.startswith(sign) for cell in self._typical)

    @cached_property
    def _typical(self) -> tuple[str, ...]:
        """Its filled cells but "free" and "closed"; of a long column, some all along."""
        some = self.filled[:: 1 + len(self.filled) // SAMPLE]
        return tuple(cell for cell in some if cell.strip().casefold() not in FREE | CLOSED)

    def _unit_in_words(self) -> str:
        """Return the unit that a word of its head names; else nothing."""
        head = PER_UNIT.sub(" ", (self.meant or self.head).replace("_", " "))
        headed = [word for word in words(head) if word in UNIT_WORDS]
        return UNIT_WORDS[headed[-1]] if headed else ""

    def _unit_of_cells(self) -> str:
        units = Counter(number.unit for cell in self._typical for number in numbers(cell))
        return units.most_common(1)[0][0] if units else ""

    def with_unit(self, figure: str) -> str:
        """Return ``figure`` with the sign of money in its head before it, else its unit behind."""
        return f"{self.sign}{figure}" if self.sign else f"{figure} {self.unit}".strip()

    def like(self, written: Sequence[str], figure: str) -> str:
        """Return ``figure`` with what all cells ``written`` have before it, else with its unit."""
        before = {_BEFORE_FIGURE.sub("", cell) for cell in written}
        sign = before.pop() if len(before) == 1 else ""
        return f"{sign}{figure}" if sign else self.with_unit(figure)

    @cached_property
    def is_marked(self) -> bool:
        """Whether some of its figures, and not most, have a word after them: "22.04 LTS"."""
        marks = [set(words(_FIGURES.sub(" ", cell))) - UNIT_WORDS.keys() for cell in self.filled]
        return 0 < sum(map(bool, marks)) < TYPED * len(marks)

    @property
    def is_measured(self) -> bool:
        """Whether its figures have a unit other than days or longer: weights, hours, money."""
        return self.unit in UNIT_WORDS.values()

    @property
    def is_money(self) -> bool:
        """Whether its figures are sums of money."""
        told = self.unit.partition("/")[0].split()
        return any(UNIT_WORDS.get(word.casefold(), word) in MONEY for word in told)

    @cached_property
    def type(self) -> Type:
        """What its cells hold."""
        readers: tuple[tuple[Type, Callable[[str], object]], ...] = (
            (Type.FLAG, flag_of),
            (Type.TIME, time_of),
            (Type.DATE, date_of),
            (Type.NUMBER, number_of),
        )
        kind = next((kind for kind, read in readers if self._mostly(read)), Type.TEXT)
        return Type.NUMBER if kind is Type.DATE and self._counts else kind

    def _mostly(self, read: Callable[[str], object]) -> bool:
        return self._are_most(read(cell) is not None for cell in self._typical)

    def _are_most(self, told: Iterable[bool]) -> bool:
        """Return whether enough of the cells that are `_typical` are ``told``."""
        count = sum(told)
        return count > 0 and count >= TYPED * len(self._typical)

    @cached_property
    def _counts(self) -> bool:
        """Whether its cells are written like years and are none, for what they are or measure."""
        are_written_so = all(map(YEAR.fullmatch, self.filled))
        return are_written_so and (bool(self.unit) or not all(map(is_year, self.filled)))

    @cached_property
    def values(self) -> tuple[Value | None, ...]:
        """What its cells are compared by; None for those that have nothing of its type."""
        read = {Type.NUMBER: number_of, Type.TIME: time_of, Type.DATE: date_of}.get(self.type)
        plain = self.cells
        if self.type is Type.NUMBER and self._has_dotted_thousands:
            plain = tuple(cell.replace(".", "") for cell in self.cells)
        return tuple(None if read is None else read(cell) for cell in plain)

    @cached_property
    def flags(self) -> tuple[bool | None, ...]:
        """The yes or no of each of its cells; None for those that are neither."""
        read = _DIGITS.get if self._has_digits_for_flags else flag_of
        return tuple(read(cell.strip()) for cell in self.cells)

    @property
    def is_flag(self) -> bool:
        """Whether its cells are yes or no, be it in words or as 1 and 0."""
        return self.type is Type.FLAG or self._has_digits_for_flags

    @cached_property
    def _has_digits_for_flags(self) -> bool:
        """Whether it has nothing but 1 and 0, several times, and no head of what is counted."""
        if set(self.filled) not in _BINARY or len(self.filled) <= len(_BINARY) or self.unit:
            return False
        last = self.said[-1] if self.said else ""
        is_of_several = last.endswith("s") and not last.endswith("ss")
        return not is_of_several and singular(stem(last)) == stem(last)

    @property
    def _has_dotted_thousands(self) -> bool:
        """Whether a dot parts thousands in it: "1.210" below "980", which has no decimals."""
        figures = [cell.strip() for cell in self.filled]
        if not all(map(_DOTTED.fullmatch, figures)):
            return False
        return any("." in figure for figure in figures) and any(map(str.isdecimal, figures))

    @cached_property
    def is_code(self) -> bool:
        """Whether it tells rows apart by numbers or letters that mean nothing: "KT-1001"."""
        distinct = len(set(self.filled)) == len(self.cells)
        return distinct and all(_CODE.fullmatch(cell) for cell in self.filled)

    @cached_property
    def is_ordinal(self) -> bool:
        """Whether it numbers the rows from one on, or from zero."""
        first = 0 if self.cells[:1] == ("0",) else 1
        return all(cell.rstrip(".") == str(at) for at, cell in enumerate(self.cells, first))

    @property
    def is_numbering(self) -> bool:
        """Whether its figures are numbers of things, which nobody counts or adds up: "house no"."""
        return self.type is Type.NUMBER and self.said[-1:] in _NUMBERINGS

    @cached_property
    def numbers_rows(self) -> bool:
        """Whether it numbers the rows, and nobody calls them by that: it has no head of its own."""
        return "".join(self.said) in _ROW_NUMBERS and self.is_ordinal

    @cached_property
    def groups_rows(self) -> bool:
        """Whether several rows share a cell of it: "Monday" of all that is on that day."""
        return self.type is not Type.NUMBER and len(set(self.cells)) < len(self.cells)

    @property
    def is_ratio(self) -> bool:
        """Whether it tells a rate of something, which is not a price: "Unemployment rate"."""
        is_rate = _OF_RATES in self.stems and len(self.stems) > 1
        return is_rate and not self.is_money and _RATE_SPANS.isdisjoint(self.stems)

    @cached_property
    def sorts(self) -> frozenset[str]:
        """Its different cells, where they are few words and tell of which sort a row is."""
        different = frozenset(self.filled) if self.type is Type.TEXT else frozenset[str]()
        return different if len(different) <= MOST_SORTS else frozenset()

    @cached_property
    def has_links(self) -> bool:
        """Whether each of its cells is the address of a page, by which nobody calls a thing."""
        return bool(self.filled) and all(cell.startswith(_ADDRESSES) for cell in self.filled)

    @cached_property
    def names_rows(self) -> bool:
        """Whether it has words for each row, and others for each."""
        return self.names_most_rows and len(set(self.filled)) == len(self.cells)

    @cached_property
    def names_most_rows(self) -> bool:
        """Whether it has words for each row, which few of them share."""
        distinct = len(set(self.filled)) >= _NAMING * len(self.cells)
        return self.type is Type.TEXT and distinct and not self.is_code

    @property
    def is_of_names(self) -> bool:
        """Whether it is headed as the names of rows, be it that some have the same."""
        return self.type is Type.TEXT and self.stems <= _NAMES_HEADS

    @cached_property
    def has_months(self) -> bool:
        """Whether each of its cells is a month."""
        return bool(self.sorts) and all(stem(cell.casefold()) in _MONTHS for cell in self.sorts)

    @cached_property
    def is_figure(self) -> bool:
        """Whether it has figures, or yes and no, that several rows share: no names."""
        return self.type in {Type.NUMBER, Type.FLAG} and len(set(self.cells)) < len(self.cells)

    @property
    def is_of_day(self) -> bool:
        """Whether a day of the week heads it, in full or in short."""
        return len(self.stems) == 1 and not _DAYS.isdisjoint(self.alike)

    @cached_property
    def has_names(self) -> bool:
        """Whether its cells may be names of people, or names alone: "Ada", "Bo and Cleo"."""
        return self.type is Type.TEXT and self._mostly(_NAMES.fullmatch)

    @cached_property
    def may_name_people(self) -> bool:
        """Whether half of its cells at least may be names of people: "Fam. Okafor", "vacant"."""
        told = sum(_NAMES.fullmatch(cell) is not None for cell in self.filled)
        return self.type is Type.TEXT and 0 < len(self.filled) <= 2 * told

    @cached_property
    def has_people(self) -> bool:
        """Whether its cells look like the names of people."""
        return self.type is Type.TEXT and self._mostly(_PERSON.fullmatch)

    @cached_property
    def has_countries(self) -> bool:
        """Whether most of its cells are countries."""
        known = sum(bool(nations(cell)) for cell in self.filled) if self.type is Type.TEXT else 0
        return known > 0 and known >= len(self.filled) / 2

    def calls_rows_before(self, first: Column) -> bool:
        """Return whether it calls rows better than the ``first`` one, which may tell too little.

        That may number them, have codes or figures, or have the same for several of them.
        """
        if first.numbers_rows:
            return self._calls_numbered_rows
        if first.is_ordinal:
            return self.names_rows
        if first.is_code:
            return not _NAMES_CODES.isdisjoint(self.stems)
        if first.is_figure:
            return self.names_rows or self.is_of_names
        return first.groups_rows and self.names_rows

    @property
    def _calls_numbered_rows(self) -> bool:
        """Whether rows that are numbered are called by it: by words, or names that some share."""
        return self.names_most_rows or self.is_of_names or self.said in FIRST_NAMES


@dataclass(frozen=True, eq=False)
class Table:
    """A whole table."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    """Its rows, as they are quoted."""
    named: frozenset[str]
    """Stems of the words of what it is a table of: of its file's name, title and headings."""
    name: str
    """As it is told."""
    pool: Pool
    """What its lines are of."""
    totals: tuple[Line, ...] = ()
    """Those of its lines that tell what the others come to: they are not among its rows."""
    beside: frozenset[str] = frozenset()
    """Stems of the words of what is written right before it."""
    title: str = ""
    """The caption right over it, or else the nearest heading."""
    joined: int = 0
    """How many of its columns, the last ones, another table tells: they call no row."""
    by_columns: bool = False
    """Whether its rows are the columns of a table that sets things side by side."""
    counted: str = "rows"
    """What its rows are called where they are counted."""

    @property
    def is_of_figures(self) -> bool:
        """Whether each of its rows is one figure of a table of one measure."""
        return self.counted == FIGURES

    @property
    def passage(self) -> str:
        """The id of the passage that it is."""
        return self.pool.passages[self.lines[0].owner].id

    def of_type(self, *types: Type) -> list[Column]:
        """Return the columns whose cells hold any of ``types``, from left to right."""
        return [column for column in self.columns if column.type in types]

    @cached_property
    def key(self) -> Column:
        """The column by which its rows are called: the one that names things, else the first."""
        first, *others = [column for column in self._own if not column.has_links] or self._own
        return next((column for column in others if column.calls_rows_before(first)), first)

    @cached_property
    def label(self) -> Column:
        """The column with words for what its rows are: next to the key, where that is a code."""
        able = self._own if self.key.is_code else ()
        return next((column for column in able if column.names_rows), self.key)

    @property
    def _own(self) -> tuple[Column, ...]:
        return self.columns[: len(self.columns) - self.joined]

    @cached_property
    def things(self) -> frozenset[str]:
        """Stems of what its rows are: invoices, bills."""
        own = self.named.union(*map(self._stems_of_rows, (self.key, self.label, self.columns[0])))
        if self.is_of_games:
            own |= GAMES
        if not AWARDS.isdisjoint(self.written):
            own |= WINNERS
        if self.is_of_anybody:
            own |= ANYBODY - self.headed
        return own.union(*(alike(each) for each in own))

    def _stems_of_rows(self, column: Column) -> frozenset[str]:
        """Return the stems by which the head of ``column`` says what rows are: no figure does."""
        if column.is_figure or column.numbers_rows:
            return frozenset()
        return column.stems if column is self.key else column.stems - _NO_THINGS

    @property
    def is_of_anybody(self) -> bool:
        """Whether its rows are people, whatever they are called: they are men and women."""
        return not SEX.isdisjoint(self.headed) and OF_ANIMALS.isdisjoint(self.headed)

    @cached_property
    def entitled(self) -> frozenset[str]:
        """Stems of the words of its title."""
        return frozenset(map(stem, words(self.title)))

    @cached_property
    def headed(self) -> frozenset[str]:
        """Stems of the words of its heads."""
        return frozenset[str]().union(*(column.stems for column in self.columns))

    @cached_property
    def written(self) -> frozenset[str]:
        """Stems of the words of its name and its heads."""
        return self.named | self.headed

    @cached_property
    def otherwise(self) -> Otherwise:
        """What its cells are also called, in words that it has nowhere."""
        return called_otherwise([Cells(c.head, c.sorts, c.filled) for c in self.columns])

    @cached_property
    def tells_of_money(self) -> bool:
        """Whether it is called after what sums of money are of: a budget, accounts."""
        return not OF_SUMS.isdisjoint(self.named | self.beside)

    @cached_property
    def is_ranked(self) -> bool:
        """Whether its first column tells the ranks of its rows, the first on top."""
        first = self.columns[0]
        return first.is_ordinal and not RANKS.isdisjoint(first.stems)

    @cached_property
    def ranked_by(self) -> Column | None:
        """The column that ranks its rows, the first on top: of ranks, or of points in a league.

        The points become fewer from row to row, and no row is of a day.
        """
        if self.is_ranked:
            return self.columns[0]
        points = [c for c in self.of_type(Type.NUMBER) if POINTS in c.stems]
        is_league = self.is_of_games and not self.of_type(Type.DATE)
        if not is_league or len(points) != 1 or None in points[0].values:
            return None
        values = [value[0] for value in points[0].values if value]
        return points[0] if all(map(Decimal.__gt__, values, values[1:])) else None

    @cached_property
    def is_of_games(self) -> bool:
        """Whether games that were won and lost are in its columns: a league."""
        return not any(map(self.headed.isdisjoint, RESULTS))

    @cached_property
    def days(self) -> tuple[Column, ...]:
        """Its columns that a day of the week heads, from left to right."""
        return tuple(column for column in self.columns if column.is_of_day)

    @cached_property
    def is_rota(self) -> bool:
        """Whether it tells who is on duty: days head its columns of words, or it is called so."""
        told = [day for day in self.days if day.type is not Type.NUMBER]
        return len(told) > 2 or not OF_ROTAS.isdisjoint(self.named | self.beside)

    @cached_property
    def is_nameless(self) -> bool:
        """Whether nothing calls its rows: its key numbers them, or is a figure, or yes or no."""
        return self.key.is_figure or self.key.numbers_rows

    @property
    def calling(self) -> tuple[Column, ...]:
        """The columns that are shown to tell which row is meant: the first, and the key."""
        first = self.columns[0]
        return (self.key,) if first.numbers_rows else (first, self.key)

    def called(self, row: int) -> str:
        """Return what ``row`` is called; by its number, where nothing calls it."""
        if self.is_nameless:
            return f"row {row + 1}"
        first, own = self.columns[0].cells[row], self.key.cells[row]
        if self._family is not None:
            return f"{own} {self._family.cells[row]}".strip()
        if self.key is not self.columns[0] and not is_empty(own):
            return f"{own} ({first})" if self._needs_first(own) else own
        beside = self._told_beside(row)
        return f"{own} ({beside})" if beside else own

    def _needs_first(self, own: str) -> bool:
        """Return whether its first column has to tell apart the rows that are called ``own``."""
        is_bare = self.columns[0].is_figure or self.columns[0].numbers_rows
        return not is_bare and self.key.cells.count(own) > 1

    @cached_property
    def _family(self) -> Column | None:
        """The last names of those whom its key calls by their first names."""
        others = (column for column in self._own if column.said in LAST_NAMES)
        return next(others, None) if self.key.said in FIRST_NAMES else None

    def _told_beside(self, row: int) -> str:
        """Return what is next to a key that tells too little: a code, or the day of a payment."""
        is_little = self.tells_of_money if self.key.type is Type.DATE else self.key.is_code
        return self.columns[1].cells[row] if is_little and not self.by_columns else ""


def may_be_money(column: Column, table: Table) -> bool:
    """Whether the figures of ``column`` are sums of money, or may be: without any unit."""
    if column.is_money:
        return True
    is_told = table.tells_of_money or not OF_SUMS.isdisjoint(column.stems)
    return is_told and column.type is Type.NUMBER and not column.unit
