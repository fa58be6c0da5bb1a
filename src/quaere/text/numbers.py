"""Numbers that a text names, as values with units, whatever their spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from quaere.text.dates import dates

_ONES: Final = {
    word: value
    for value, word in enumerate(
        """
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen
        """.split()
    )
}
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_SMALL: Final = {**_ONES, **_TENS}
_SCALES: Final = {
    "hundred": 10**2,
    "dozen": 12,
    "thousand": 10**3,
    "k": 10**3,
    "million": 10**6,
    "mn": 10**6,
    "mio": 10**6,
    "billion": 10**9,
    "bn": 10**9,
    "trillion": 10**12,
    "tn": 10**12,
}
_CURRENCIES: Final = {
    "$": "USD",
    "US$": "USD",
    "USD": "USD",
    "dollar": "USD",
    "€": "EUR",
    "EUR": "EUR",
    "euro": "EUR",
    "£": "GBP",
    "GBP": "GBP",
    "¥": "JPY",
    "JPY": "JPY",
    "yen": "JPY",
}
_UNITS: Final = {
    "%": "%",
    "percent": "%",
    "per cent": "%",
    "pct": "%",
    "percentage point": "%",
    "km": "km",
    "kilometer": "km",
    "kilometre": "km",
    "m": "m",
    "meter": "m",
    "metre": "m",
    "cm": "cm",
    "centimeter": "cm",
    "centimetre": "cm",
    "mm": "mm",
    "millimeter": "mm",
    "millimetre": "mm",
    "mile": "mi",
    "mi": "mi",
    "foot": "ft",
    "feet": "ft",
    "ft": "ft",
    "inch": "in",
    "inches": "in",
    "kg": "kg",
    "kilogram": "kg",
    "kilogramme": "kg",
    "g": "g",
    "gram": "g",
    "mg": "mg",
    "milligram": "mg",
    "lb": "lb",
    "lbs": "lb",
    "ton": "t",
    "tonne": "t",
    "°C": "°C",
    "°F": "°F",
    "year": "year",
    "month": "month",
    "week": "week",
    "day": "day",
    "hour": "h",
    "minute": "min",
    "second": "s",
    **_CURRENCIES,
}
_GROUP = r"[,\u00a0\u2009\u202f'’]"
_DIGITS = (
    rf"(?P<grouped>\d{{1,3}}(?:(?P<group>{_GROUP})\d{{3}})(?:(?P=group)\d{{3}})*+(?:\.\d+)?)"
    r"|(?P<dotted>\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?)"
    r"|(?P<plain>\d++(?:\.\d++)?|\.\d++)"
)
_WORDS: Final = "|".join(sorted(_SMALL, key=len, reverse=True))
_SCALE = "|".join(sorted((s for s in _SCALES if len(s) > 2), key=len, reverse=True))
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_NUMBER = re.compile(
    r"(?P<currency>US\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY)\s?)?"
    rf"(?:(?<![\w.,])(?P<minus>[-−](?=[\d.]))?|(?<=[$€£¥\s])|(?<=[^\W\d_][-–]))(?:{_DIGITS})"
    r"(?![\d])(?:(?P<ordinal>st|nd|rd|th)(?!\w))?"
    rf"(?:[\s-]?(?P<scale>{_SCALE}|mn|bn|tn|mio|k|m(?=\W|$))s?(?!\w))?"
    rf"(?:[\s-]?(?P<unit>{_UNIT})s?(?!\w))?"
)
_WORDED = re.compile(
    rf"(?i)(?<![\w-])(?:(?:an?)\s(?=(?:{_SCALE})\b)|(?:{_WORDS})\b)"
    rf"(?:(?:[\s-]|\sand\s)(?:{_WORDS}|{_SCALE})\b)*+(?:[\s-](?P<unit>{_UNIT})s?(?!\w))?"
    rf"|(?<![\w-])(?:an?\s)?(?:{_SCALE})(?!\w)(?!s)"
)
_LONGEST = 40
"""Digits of the longest number that means something."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number that stands at ``[start, end)`` of its text.

    ``unit`` is "%" for a share, an ISO 4217 code for money, "th" for an ordinal, the usual symbol
    for a measure, and empty for a bare number.
    """

    value: Decimal
    unit: str
    start: int
    end: int


def numbers(text: str) -> list[Number]:
    """Return the numbers in ``text`` in their order, none inside another.

    Grouping, scale words and number words are worked out: "3.5 million" and "3,500,000" are one
    value. Days of the calendar are left to `quaere.text.dates`; bare years are numbers too.
    """
    taken = [(d.start, d.end) for d in dates(text) if d.month is not None]
    found = [*_in_figures(text), *_in_words(text)]
    found.sort(key=lambda number: number.start)
    free: list[Number] = []
    spans = iter(taken)
    span = next(spans, None)
    end = 0
    for number in found:
        while span is not None and span[1] <= number.start:
            span = next(spans, None)
        if number.start >= end and (span is None or number.end <= span[0]):
            free.append(number)
            end = number.end
    return free


def agrees(a: Number, b: Number) -> bool:
    """Tell whether ``a`` and ``b`` may be one number: equal in value, and in unit if both have one."""
    return a.value == b.value and (not a.unit or not b.unit or a.unit == b.unit)


def _in_figures(text: str) -> Iterator[Number]:
    for match in _NUMBER.finditer(text):
        figures = match["grouped"] or match["dotted"] or match["plain"]
        if len(figures) > _LONGEST:
            continue
        if match["dotted"]:
            figures = figures.replace(".", "").replace(",", ".")
        value = Decimal(re.sub(_GROUP, "", figures))
        if match["minus"]:
            value = -value
        unit = _unit(match["currency"] or match["unit"] or "")
        if match["scale"]:
            scale = match["scale"].lower()
            if scale == "m":
                value, unit = (value * 10**6, unit) if match["currency"] else (value, "m")
            else:
                value *= _SCALES[scale]
        if match["ordinal"]:
            unit = "th"
        yield Number(value, unit, match.start(), match.end())


def _in_words(text: str) -> Iterator[Number]:
    for match in _WORDED.finditer(text):
        unit = match["unit"] or ""
        end = match.start("unit") if unit else match.end()
        value = _worded_value(re.findall(r"[a-z]+", text[match.start() : end].lower()))
        yield Number(Decimal(value), _unit(unit), match.start(), match.end())


def _worded_value(words: list[str]) -> int:
    total = current = 0
    for word in words:
        if word in _SMALL:
            current += _SMALL[word]
        elif word in _SCALES:
            scale = _SCALES[word]
            current = (current or 1) * scale
            if scale >= 1000:
                total, current = total + current, 0
    return total + current


def _unit(written: str) -> str:
    stripped = written.strip()
    return _UNITS.get(stripped) or _UNITS.get(stripped.lower(), "")
