"""Amounts beyond plain figures: in other units, in words, and for a span of time.

What units come to in each other; the week of "12 euros per week"; "half", "one in five", "noon".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final

from quaere.text.languages.language import is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import ONES, TENS
from quaere.text.numbers import Number, numbers

BASES: Final[Mapping[str, tuple[str, Decimal]]] = MappingProxyType(
    {
        unit: (base, Decimal(factor))
        for base, units in {
            "m": "km 1000 m 1 cm 0.01 mm 0.001 µm 0.000001 nm 0.000000001 "
            "mi 1609.344 ft 0.3048 in 0.0254",
            "kg": "t 1000 kg 1 g 0.001 mg 0.000001 µg 0.000000001 lb 0.45359237",
            "s": "wk 604800 d 86400 h 3600 min 60 s 1",
            "mo": "yr 12 mo 1",
            "m²": "km² 1000000 ha 10000 m² 1",
            "l": "m³ 1000 l 1 ml 0.001 cm³ 0.001 µl 0.000001",
            "MB": "TB 1000000 GB 1000 MB 1 kB 0.001",
            "kW": "GW 1000000 MW 1000 kW 1",
            "kWh": "GWh 1000000 MWh 1000 kWh 1",
        }.items()
        for unit, factor in zip(units.split()[::2], units.split()[1::2], strict=True)
    }
)
"""The base of every unit that is converted and its size in it (SI brochure; international foot,
mile and pound). Months and years have a base of their own, for months differ in length."""

NAUTICAL: Final = "nm"
"""A unit that is not converted: nanometres may as well be nautical miles."""


def in_unit(value: Decimal, unit: str, other: str) -> Decimal | None:
    """Return what ``value`` of a ``unit`` is in the ``other``; None where they are of two kinds.

    So it is with `NAUTICAL`.
    """
    if unit == other:
        return value
    if NAUTICAL in {unit, other} or not {unit, other} <= BASES.keys():
        return None
    (base, size), (other_base, other_size) = BASES[unit], BASES[other]
    return value * size / other_size if base == other_base else None


_SPAN_WORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "en": {
            "s": "second",
            "min": "minute",
            "h": "hour|hourly",
            "d": "day|night|daily|nightly",
            "fortnight": "fortnight|fortnightly",
            "wk": "week|weekly",
            "mo": "month|monthly",
            "quarter": "quarter|quarterly",
            "yr": "year|annum|yearly|annual|annually",
        },
        "de": {
            "s": "sekunde",
            "min": "minute",
            "h": "stunde|stündlich",
            "d": "tag|nacht|täglich",
            "wk": "woche|wöchentlich",
            "mo": "monat|monatlich",
            "yr": "jahr|jährlich",
        },
        "es": {
            "s": "segundo",
            "min": "minuto",
            "h": "hora",
            "d": "día|noche|diari[oa]s?|diariamente",
            "wk": "semana|semanal(?:es|mente)?",
            "mo": "mes|mensual(?:es|mente)?",
            "yr": "año|anual(?:es|mente)?",
        },
    }
)
"""Words of every span of time by ISO 639-1; languages without a record are not looked at."""
_EACH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "en": r"(?:per|each|every|(?:once|twice|times) an?)\s|/\s?"
        r"|\d[\d.,]{0,20}(?:\s\w{1,40}){0,2}\san?\s|(?=\w{1,20}ly\b)|(?=annual\b)",
        "de": r"(?:pro|je|jede[sn]?)\s|/\s?"
        r"|\d[\d.,]{0,20}(?:\s\w{1,40}){0,2}\s(?:am|im|in der|die)\s"
        r"|(?=\w{1,20}lich\b)",
        "es": r"(?:por|cada)\s|/\s?|\d[\d.,]{0,20}(?:\s\w{1,40}){0,2}\s(?:al|a la)\s"
        r"|(?=diari|\w{1,20}al(?:es)?\b)",
    }
)
"""What makes a span of time the measure of a rate."""
_ASKED: Final = r"(?<=\w\s)an?\s"
"""The same in a question in English, which has no figure before it: "How much is it a year?"."""


def rates(text: str, *, asks: bool = False) -> frozenset[str]:
    """Return the spans of time that are the measure of rates in ``text``, by their units.

    Args:
        text: A sentence or a question, in the language in use.
        asks: Whether it is a question.
    """
    language = language_in_use()
    code = language.code if language else "en"
    each = f"{_EACH[code]}|{_ASKED}" if asks and language is None else _EACH.get(code, "")
    return frozenset(
        unit
        for unit, words in _SPAN_WORDS.get(code, {}).items()
        if re.search(rf"(?i)(?:{each})(?:{words})\b", text)
    )


def has_other_span(question: str, told: str) -> bool:
    """Return whether ``question`` asks for what is so in one span of time, ``told`` of others."""
    asked = rates(question, asks=True)
    found = rates(told) if asked else asked
    return bool(found) and asked.isdisjoint(found)


OF_TIME: Final = frozenset({"s", "min", "h", "d", "wk", "mo", "yr"})


def has_other_unit(question: str, told: str) -> bool:
    """Return whether ``told`` has the figure of a span in ``question``, of another unit alone.

    "Three months before" is not said of somebody who has been there for three years.
    """
    asked = _units_by_value(question)
    found = _units_by_value(told) if asked else {}
    shared = asked.keys() & found.keys()
    return bool(shared) and all(asked[value].isdisjoint(found[value]) for value in shared)


def _units_by_value(text: str) -> dict[Decimal, set[str]]:
    """Return the units of the spans of time in ``text``, by their figures."""
    units: dict[Decimal, set[str]] = {}
    for number in numbers(text):
        if number.unit in OF_TIME:
            units.setdefault(number.value, set()).add(number.unit)
    return units


CLOCK: Final = "clock"
"""Unit of a time of day, in minutes since midnight."""

_PARTS: Final = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_RARER: Final = {
    "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "twelfth": 12, "twentieth": 20,
    "fiftieth": 50, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
"""Parts that are one only with a count: "a sixth" may be a share, and "the sixth lamp" is none."""
_COUNTS: Final = {
    **{word: value for value, word in enumerate(ONES)},
    **{word: 10 * value for value, word in enumerate(TENS, 2)},
    "hundred": 100,
    "a hundred": 100,
    "thousand": 1000,
    "a thousand": 1000,
}
_COUNT = (
    rf"(?:{'|'.join(sorted(_COUNTS, key=len, reverse=True))}"
    r"|\d{1,3}(?:,\d{3})*)"
)
_SCALES: Final = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6}
_SPANS: Final = {"fortnight": ("d", 14), "decade": ("yr", 10), "century": ("yr", 100)}
_UNITS: Final = {
    "second": "s",
    "minute": "min",
    "hour": "h",
    "day": "d",
    "week": "wk",
    "month": "mo",
    "year": "yr",
    "kilometre": "km",
    "mile": "mi",
    "metre": "m",
    "tonne": "t",
}
_UNIT = rf"(?P<unit>{'|'.join(_UNITS)})"
_ADJECTIVE = r"(?<=\b[Aa]\s)half\s(?!of\b)\w"
"""As in "a half plot", which names a kind and no amount."""

_AMOUNT: Final = lazy_regex(
    rf"(?i)\bhalf an? (?P<scale>{'|'.join(_SCALES)})\b"
    rf"|\bhalf an? (?P<halved>{'|'.join(_UNITS)})\b"
    rf"|\b(?P<whole>{_COUNT}|an?) {_UNIT}s? and a half\b"
    rf"|\b(?:(?P<pieces>{_COUNT}|an?) )?(?P<piece>half|third|quarter)s? of an? "
    rf"(?P<pieced>{'|'.join(_UNITS)})\b"
    rf"|\b(?P<count>{_COUNT}|an?)[ -](?P<span>fortnight|decade|century)s?\b"
    rf"|\b(?P<some>{_COUNT}) (?:in|out of)(?: every)? (?P<of>{_COUNT})\b"
    rf"(?! (?:{'|'.join(_SCALES)}))"
    rf"|(?<![\d/])(?P<over>\d{{1,2}})/(?P<under>\d{{1,2}})(?![\d/])"
    rf"|\b(?!{_ADJECTIVE})(?:(?P<parts>{_COUNT})[ -])?(?P<part>{'|'.join(_PARTS)})s?\b"
    r"(?! (?:of )?the (?:year|century))"
    rf"|\b(?P<counted>{_COUNT}|an?)[ -](?P<rarer>{'|'.join(_RARER)})s?\b"
    r"|\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s?(?P<day>[ap])\.?m\b"
    r"|(?<![\d:])(?P<hours>[01]?\d|2[0-4]):(?P<minutes>[0-5]\d)(?![\d:])"
    rf"|\b(?P<struck>{_COUNT}) o['’]clock\b"
    r"|\b(?P<named>noon|midday|midnight)\b"
)
_ONE: Final = lazy_regex(rf"(?i)\b(?:an?|one|every) {_UNIT}\b")


def worded_amounts(text: str) -> Iterator[Number]:
    """Yield the shares, in percent, spans of time, halves and times of day of ``text``.

    English alone is read so. An ordinal, as in "the third lamp", counts as a third, so that a share
    may only explain a figure or stand against another share.
    """
    if not is_english():
        return
    for match in _AMOUNT.finditer(text):
        value, unit = _read({name: told for name, told in match.groupdict().items() if told})
        yield Number(value, unit, *match.span())


def single_units(text: str) -> Iterator[Number]:
    """Yield "a week" as one week: what it may be, for it also says how often something is."""
    if is_english():
        for match in _ONE.finditer(text):
            yield Number(Decimal(1), _UNITS[match["unit"].lower()], *match.span())


def _read(told: dict[str, str]) -> tuple[Decimal, str]:
    """Return value and unit of what the groups of a match have ``told``."""
    if "scale" in told:
        return Decimal(_SCALES[told["scale"].lower()]) / 2, ""
    if "halved" in told:
        return Decimal("0.5"), _UNITS[told["halved"].lower()]
    if "pieced" in told:
        pieces = _count(told.get("pieces", "a"))
        return pieces / _PARTS[told["piece"].lower()], _UNITS[told["pieced"].lower()]
    if "whole" in told:
        return _count(told["whole"]) + Decimal("0.5"), _UNITS[told["unit"].lower()]
    if "span" in told:
        unit, length = _SPANS[told["span"].lower()]
        return _count(told["count"]) * length, unit
    if told.keys() & {"hour", "hours", "struck", "named"}:
        return Decimal(_minutes(told)), CLOCK
    return _share(told), "%"


def _share(told: dict[str, str]) -> Decimal:
    if "some" in told:
        return _percent(_count(told["some"]), _count(told["of"]))
    if "over" in told:
        return _percent(Decimal(told["over"]), Decimal(told["under"]))
    if "rarer" in told:
        return _percent(_count(told["counted"]), Decimal(_RARER[told["rarer"].lower()]))
    return _percent(_count(told.get("parts", "a")), Decimal(_PARTS[told["part"].lower()]))


def _percent(some: Decimal, of: Decimal) -> Decimal:
    return 100 * some / of if of else Decimal(0)


def _count(word: str) -> Decimal:
    if word.lower() in {"a", "an"}:
        return Decimal(1)
    digits = word.replace(",", "")
    return Decimal(digits) if digits.isdigit() else Decimal(_COUNTS[word.lower()])


def _minutes(told: dict[str, str]) -> int:
    if "named" in told:
        return 0 if told["named"].lower() == "midnight" else 12 * 60
    if "struck" in told:
        return 60 * int(_count(told["struck"]))
    if "hours" in told:
        return 60 * int(told["hours"]) + int(told["minutes"])
    hour = int(told["hour"]) % 12 + (12 if told["day"].lower() == "p" else 0)
    return 60 * hour + int(told.get("minute", "0"))
