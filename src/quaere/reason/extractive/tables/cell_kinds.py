"""Whether what a cell holds is of the kind that a question asks for: a number, a time, a name."""

from __future__ import annotations

import re

from quaere.reason.extractive.questions.kinds import Kind
from quaere.reason.extractive.tables.cell_values import date_of
from quaere.text.amounts import OF_TIME
from quaere.text.languages.language import days_of_week, in_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import CURRENCIES, Number, numbers

FIGURES = frozenset({Kind.NUMBER, Kind.DATE})
"""Kinds that are told in figures."""
_NAMES = frozenset({Kind.PERSON, Kind.PLACE, Kind.ORGANIZATION})
FIGURE, LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]{2}")
_MOMENT = lazy_regex(
    r"(?i)\d{1,2}[:.]\d\d(?: ?(?:uhr|uur|h|[ap]\.?m\.?))?|\d{1,2} ?(?:uhr|uur|[ap]\.?m\.?)"
)
_CODE = lazy_regex(r"[A-Z]{1,3}[ -]?\d{1,4}[a-zA-Z]?")
"""The name of a room, a seat or a platform, and no time: "B12"."""
_COUNT = lazy_regex(r"\d{1,2}")
"""A number of something, such as the sixth day of a journey, and no time."""
_NO_PRICE = lazy_regex(
    r"(?i)\bhow (?:often|long|far|tall|old|wide|deep|fast"
    r"|many (?!(?:\w+ )?(?:euro|pound|dollar|penny|pence|cent|franc|crown|yen)s?\b))\b"
)
"""Asks for another figure than a price."""


def is_of_kind(value: str, kind: Kind, text: str) -> bool:
    """Return whether ``value`` is of the ``kind`` for which the question ``text`` asks."""
    if _is_of_another(value, kind, text):
        return False
    if kind is Kind.DATE and re.fullmatch(f"(?i)(?:{days_of_week().any})", value):
        return True
    if kind in FIGURES:
        return FIGURE.search(value) is not None and not _is_moment_for_span(value, text)
    return kind not in _NAMES or LETTERS.search(value) is not None


def _is_of_another(value: str, kind: Kind, text: str) -> bool:
    """Whether ``value`` is a figure, a code or a day, and nothing of that sort is asked for."""
    if kind is Kind.DATE and _is_no_time(value):
        return True
    return _is_no_price(value, text) or (kind is Kind.NUMBER and _is_day(value))


def _is_no_time(value: str) -> bool:
    """Whether ``value`` is a measure, the code of a room, or a count, and tells no time."""
    if any(map(_is_measured, numbers(value))):
        return True
    return _CODE.fullmatch(value) is not None or _COUNT.fullmatch(value) is not None


def _is_measured(number: Number) -> bool:
    """Whether ``number`` is a share, a sum of money or a measure, and no time: "40 %"."""
    return bool(number.unit) and number.unit not in OF_TIME


def _is_no_price(value: str, text: str) -> bool:
    """Whether ``value`` is an amount of money, and it is asked how often or how many."""
    is_price = any(each.unit in CURRENCIES for each in numbers(value))
    return is_price and in_english(_NO_PRICE.search, text) is not None


def _is_day(value: str) -> bool:
    """Whether ``value`` is one day, and so no number: a salary is not "2022-01-17"."""
    day = date_of(value)
    return day is not None and all(day)


def _is_moment_for_span(value: str, text: str) -> bool:
    """Whether ``value`` is an hour of the day, and it is asked how long something is open."""
    return _MOMENT.fullmatch(value) is not None and _asks_time_open(text)


def _asks_time_open(text: str) -> bool:
    """Whether ``text`` asks how long something is open, which no single hour tells."""
    language, days = language_in_use(), days_of_week()
    how_long = "how long" if language is None else language.measured.get("long", r"(?!)")
    return all(re.search(f"(?i){each}", text) for each in (how_long, f"{days.open}|{days.closed}"))
