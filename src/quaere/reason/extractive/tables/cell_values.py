"""What one cell of a table holds: yes or no, a time, a date, a number, or nothing."""

from __future__ import annotations

from decimal import Decimal

from quaere.reason.extractive.tables.lexicon import with_quarters
from quaere.text.dates import Date, dates
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers
from quaere.text.tokens import terms, words

FIRST_YEAR, LAST_YEAR = 1500, 2100
"""Whole numbers between these are years where all of a column are."""
UNIT_LETTERS = 4
"""Letters of a unit that is not known, at most: "12 pers"."""

_YES, _NO = frozenset({"yes", "true", "y", "✓", "✔"}), frozenset({"no", "false", "n", "✗", "✘"})
FREE = frozenset({"free", "gratis", "no charge", "free of charge"})
"""What stands for a price of zero among others."""
CLOSED = frozenset({"closed", "shut"})
"""What stands for hours on a day that has none."""
_TIME = lazy_regex(
    r"(?i)(?P<hour>\d{1,2})(?::(?P<minute>\d\d)(?::\d\d)?|(?=\s?[ap]\.?m|\s?uhr|\s?o['’]clock)"
    r"|\.(?P<pointed>\d\d)(?=\s?[ap]\.?m|\s?uhr))"
    r"(?:\s?(?P<half>[ap])\.?m\.?|\s?uhr|\s?o['’]clock)?"
)
"""A time of day; without a colon one that says so: "9 am", "9.30 pm", "18 Uhr"."""
_NAMED_TIMES = {"noon": 12 * 60, "midday": 12 * 60, "midnight": 24 * 60}
YEAR = lazy_regex(r"[12]\d{3}")
_WEEKDAY = lazy_regex(
    r"(?i)(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+(?=\d)"
)

_BARE = lazy_regex(r"[-(]?\d[\d., ]*\)?")

Value = tuple[Decimal, ...]
"""What a cell is compared by: a number, the parts of a date, or minutes of the day."""


def is_bare(cell: str) -> bool:
    """Whether ``cell`` is a figure without any unit or sign, and no year."""
    is_figure = _BARE.fullmatch(cell) is not None
    return is_figure and not (YEAR.fullmatch(cell) and is_year(cell))


def is_empty(cell: str) -> bool:
    """Whether ``cell`` says nothing."""
    return cell.strip(" -–—/?.").casefold() in {"", "n/a", "na", "nan", "null"}


def terms_of_cell(cell: str) -> frozenset[str]:
    """Return the terms of ``cell``, quarters in short; its words where there are none: "A"."""
    told = with_quarters(cell)
    return frozenset(terms(told)) or frozenset(words(told))


def flag_of(cell: str) -> bool | None:
    """Return the yes or no that ``cell`` is; None for any other."""
    plain = cell.strip().casefold()
    return True if plain in _YES else False if plain in _NO else None


def time_of(cell: str) -> Value | None:
    """Return the minutes after midnight of the time that ``cell`` is; None for any other."""
    plain = cell.strip().casefold()
    if plain in _NAMED_TIMES:
        return (Decimal(_NAMED_TIMES[plain]),)
    found = _TIME.fullmatch(plain)
    if found is None:
        return None
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + 12 * (found["half"] == "p")
    return (minutes_of_day(str(hour), found["minute"] or found["pointed"] or "0"),)


def minutes_of_day(hour: str, minute: str) -> Decimal:
    """Return how many minutes after midnight a time is, from its digits: "08" and "30"."""
    return Decimal(60 * int(hour) + int(minute))


_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?: ?(?:[ap]m|UTC|Z))?"
_CLOCK_AFTER = lazy_regex(rf"(?i)(?<=\d)(?:T|,? +(?:at )?){_CLOCK}(?: ?(?:to|-|–) ?{_CLOCK})?$")
"""A time of day after a date, or two: "2027-11-04 18:00 to 19:30"."""


def date_of(cell: str) -> Value | None:
    """Return year, month and day of ``cell``, which is nothing but a date; a bare year is one.

    A day without its year has a zero for that; the name of the day may be before it, and a time of
    that day after it.
    """
    plain = _CLOCK_AFTER.sub("", _WEEKDAY.sub("", cell.strip()))
    told = [each for each in dates(plain) if _is_a_day_or_of_a_year(each)]
    if len(told) == 1 and told[0].month and told[0].end - told[0].start >= len(plain):
        return parts_of(told[0])
    return (Decimal(plain), Decimal(0), Decimal(0)) if YEAR.fullmatch(plain) else None


def _is_a_day_or_of_a_year(date: Date) -> bool:
    return (date.year is not None or date.day is not None) and date.years == 1


def parts_of(date: Date) -> Value:
    """Return year, month and day of ``date``, with zeros for what it does not tell."""
    return tuple(Decimal(part or 0) for part in (date.year, date.month, date.day))


def number_of(cell: str) -> Value | None:
    """Return the number that ``cell`` is, with no more than a unit after it."""
    if cell.strip().casefold() in FREE:
        return (Decimal(0),)
    found = numbers(cell)
    if len(found) != 1:
        return None
    before, after = cell[: found[0].start], cell[found[0].end :]
    is_alone = not any(map(str.isalpha, before)) and sum(map(str.isalpha, after)) <= UNIT_LETTERS
    return (found[0].value,) if is_alone else None


def is_year(digits: str) -> bool:
    """Whether the whole number ``digits`` may be a year."""
    return FIRST_YEAR <= int(digits) <= LAST_YEAR
