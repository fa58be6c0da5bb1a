"""Rows that hold for a time: for a period, or on days of the week.

A period has the days or years on which it begins and ends, or months, days of the week or quarters
name it in order: "from January to March". Days of the week are those that a cell lists ("Mon–Fri")
or that heads name. The second are rotas: who is on duty and who is not, and who does what in a row.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from quaere.reason.extractive.tables.cell_values import Value
from quaere.reason.extractive.tables.columns import Column, Table, Type
from quaere.reason.extractive.tables.lexicon import with_quarters
from quaere.reason.extractive.tables.wording import Condition, Wording, sole
from quaere.reason.extractive.weekdays import days_in
from quaere.text.dates import Date
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS, word_set

_BEGINS = word_set("from week weeks starting commencing beginning begins starts start wc fortnight")
_ENDS = word_set("to until till end ends ending through")
"""Words in the heads of columns of the days on which something begins, and ends."""
_LEAST_DAYS, _MOST_DAYS = 2, 31
"""Days between one row and the next for each to be a period, and for the last to be as long."""


_LASTING = lazy_regex(
    r"(?i)\b(?:is|are|was|were|served?|worked|ruled|reigned|held|ran|led|lived|in office)\b"
    r"(?! (?:\w+ )?(?:\w+ed|built|born|begun|made|chosen|put|set|sent)\b)"
)
"""Says what went on for a time, and not when it began or ended: "was", but not "was built"."""


def rows_in_years(table: Table, column: Column, date: Date, text: str) -> frozenset[int]:
    """Return the rows that are in the years of ``date``: in part, where they are periods of years.

    Args:
        table: The table.
        column: One of dates.
        date: A year or a decade.
        text: The question, which tells whether something went on in those years, or began.
    """
    if date.year is None or date.month:
        return frozenset()
    first, last = Decimal(date.year), Decimal(date.year + date.years - 1)
    ends = _column_of_ends(table, column)
    if ends is None or not _LASTING.search(text):
        return _begun_in(column, first, last)
    return _lasting_in(column, ends, first, last)


def _begun_in(column: Column, first: Decimal, last: Decimal) -> frozenset[int]:
    """Return the rows that begin in one of the years from ``first`` to ``last``."""
    begun = enumerate(column.values)
    return frozenset(row for row, value in begun if value and first <= value[0] <= last)


def _lasting_in(column: Column, ends: Column, first: Decimal, last: Decimal) -> frozenset[int]:
    """Return the rows of which the period is in part in the years from ``first`` to ``last``."""
    spans = enumerate(zip(column.values, ends.values, strict=True))
    return frozenset(
        row
        for row, (start, end) in spans
        if start and start[0] <= last and not _is_over(end, first)
    )


def _is_over(end: Value | None, year: Decimal) -> bool:
    """Whether a period is over before ``year``; one without an ``end`` lasts."""
    return end is not None and end[0] < year


def rows_around(table: Table, column: Column, told: Value) -> frozenset[int]:
    """Return the rows of which the period holds the day ``told``; none without periods or a day.

    Args:
        table: The table.
        column: One of days.
        told: Year, month and day; zeros for what is not told.
    """
    days = [_day(value, told) for value in column.values]
    wanted = _day(told, next(filter(None, column.values), told))
    if wanted is None or not told[2]:
        return frozenset()
    ends = _column_of_ends(table, column)
    if ends is not None:
        return _between(days, [_day(value, told) for value in ends.values], wanted)
    return _begun(days, wanted) if not _BEGINS.isdisjoint(column.said) else frozenset()


def is_of_ends(table: Table, column: Column) -> bool:
    """Whether ``column`` tells when the periods end that another one begins."""
    others = (each for each in table.of_type(Type.DATE) if each is not column)
    return any(_column_of_ends(table, each) is column for each in others)


def _column_of_ends(table: Table, column: Column) -> Column | None:
    able = table.of_type(Type.DATE)
    if len(able) != 2 or able[0] is not column or _BEGINS.isdisjoint(column.said):
        return None
    return able[1] if not _ENDS.isdisjoint(able[1].said) else None


def _day(value: Value | None, other: Value) -> dt.date | None:
    """Return ``value`` as a day, in the year of the ``other`` where it has none itself."""
    if value is None:
        return None
    year = int(value[0] or other[0]) or 2000
    try:
        return dt.date(year, int(value[1]), int(value[2]))
    except ValueError:
        return None


def _between(
    starts: Sequence[dt.date | None], ends: Sequence[dt.date | None], day: dt.date
) -> frozenset[int]:
    pairs = enumerate(zip(starts, ends, strict=True))
    return frozenset(row for row, (start, end) in pairs if start and end and start <= day <= end)


def _begun(days: Sequence[dt.date | None], day: dt.date) -> frozenset[int]:
    """Return the rows that began last before ``day``, if that is less than a period ago."""
    known = sorted(set(filter(None, days)))
    longest = _longest_period(known)
    begun = known[: bisect_right(known, day)]
    if not begun or longest is None or (day - begun[-1]).days >= longest:
        return frozenset()
    return frozenset(row for row, each in enumerate(days) if each == begun[-1])


def _longest_period(beginnings: Sequence[dt.date]) -> int | None:
    """Return how many days the longest period has; None where they are too far apart, or near."""
    gaps = [(after - before).days for before, after in pairwise(beginnings)]
    is_of_periods = gaps and _LEAST_DAYS <= min(gaps) <= max(gaps) <= _MOST_DAYS
    return max(gaps) if is_of_periods else None


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


_SHORT_DAY = lazy_regex(
    r"\b(?:(?i:(mon|tue|wed|thu|fri|sat|sun)(?:s|r|rs|nes)?)|(Mo|Tu|We|Th|Fr|Sa|Su))\b\.?"
)
_DAILY = lazy_regex(r"(?i)\b(?:daily|(?:every|each|all|any) ?days?|all week)\b")
_WEEKEND = lazy_regex(r"(?i)\bweekends?\b")
_FULL_DAYS: Mapping[str, str] = {
    "mo": "Monday", "tu": "Tuesday", "we": "Wednesday", "th": "Thursday", "fr": "Friday",
    "sa": "Saturday", "su": "Sunday",
}  # fmt: skip
_WEEK = frozenset(range(7))


def week_days_of(cell: str) -> frozenset[int]:
    """Return the days of the week on which ``cell`` says something is, Monday being 0."""
    if _DAILY.search(cell):
        return _WEEK
    return days_in(_SHORT_DAY.sub(lambda short: _FULL_DAYS[short[0][:2].casefold()], cell))


def listed_days(column: Column) -> tuple[frozenset[int], ...]:
    """Return the days that each cell of ``column`` lists; nothing where they are of another kind.

    A column of single days in full is one of names, which are named as they are written.
    """
    filled = column.filled
    may_tell = column.type in {Type.TEXT, Type.DATE}  # "Thursday 10 June"
    if not may_tell or not filled or not all(map(week_days_of, filled)):
        return ()
    is_plain = all(cell.isalpha() and len(days_in(cell)) == 1 for cell in filled)
    return () if is_plain else tuple(map(week_days_of, column.cells))


def on_week_days(wording: Wording) -> Iterator[Condition]:
    """Yield the rows that are on the day of the week which ``wording`` names.

    Raises:
        Undecided: when several columns list days and none of them is named.
    """
    asked = days_in(wording.text)
    column = _of_days(wording) if asked else None
    if column is None:
        return
    places = [at for at in wording.free if days_in(wording.tokens[at].text)]
    wording.used.update(places, wording.heads(column), denied := wording.deniers(places[:1]))
    are_on = [_is_on(days, asked, wording) for days in listed_days(column)]
    yield Condition(column, frozenset(r for r, is_on in enumerate(are_on) if is_on != bool(denied)))


def _of_days(wording: Wording) -> Column | None:
    """Return the column that lists days: one that is named, else the only such."""
    able = list(filter(listed_days, wording.table.columns))
    return sole(list(filter(wording.heads, able)) or able)


def _is_on(days: frozenset[int], asked: frozenset[int], wording: Wording) -> bool:
    """Whether what is on ``days`` is on those ``asked`` for: on one of a weekend's at least."""
    if "only" in wording.words:
        return days == asked
    if _WEEKEND.search(wording.text):
        return bool(days & asked)
    return asked <= days


_ASK = word_set("who how which is are was were does do did will")
_WHO = word_set("who whom whose")
_WORKING = word_set("work works working in available duty there here")
_RESTING = word_set("off free away absent")
_NO_DUTY = word_set("off free x - – — rest leave holiday away none")
"""What a cell says of somebody who is not on duty; an empty one says the same."""


def of_duty(wording: Wording, *, of_row: bool) -> Iterator[Condition]:
    """Yield whose cell under the day that is named has a duty, or has none, as is asked.

    Args:
        wording: The question.
        of_row: Whether it names a row: who has that duty on a day is then in its cell.
    """
    day = _day_asked(wording)
    if day is None:
        return
    off, working = _places(wording, _RESTING), _places(wording, _WORKING)
    is_of_duty = not of_row if wording.words[0] in _WHO else bool(off or working)
    if not is_of_duty:
        return
    denied = wording.deniers(off or working)
    wording.used.update(wording.heads(day), off, working, denied)
    yield Condition(day, _rows(day, working=bool(off) == bool(denied)), is_value=True)


def _day_asked(wording: Wording) -> Column | None:
    """Return the one day of a rota that is named by what opens as a question; None without one.

    Where a day heads the cells that call the rows, these are weeks or tasks and nobody's own.
    """
    table = wording.table
    named_days = list(filter(wording.heads, table.days))
    if len(named_days) != 1 or wording.words[0] not in _ASK:
        return None
    return named_days[0] if table.is_rota and not table.key.is_of_day else None


def _places(wording: Wording, said: frozenset[str]) -> list[int]:
    return [at for at, word in enumerate(wording.words) if word in said and at not in wording.used]


def _rows(column: Column, *, working: bool) -> frozenset[int]:
    told = enumerate(column.cells)
    return frozenset(row for row, cell in told if working == _is_duty(cell))


def _is_duty(cell: str) -> bool:
    plain = cell.strip().casefold()
    return bool(plain) and plain not in _NO_DUTY and "off" not in plain.split()


def in_roles(columns: Sequence[Column], row: int) -> str:
    """Return who is what in ``row``: "Ada Finch (Primary), Bo Marsh (Backup)"."""
    told = [(column.cells[row].strip(), column.head) for column in columns]
    return ", ".join(f"{who} ({head})" for who, head in told if who)
