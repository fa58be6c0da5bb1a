"""Amounts that a text names in words other than those of numbers: "half", "one in five", "noon"."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import ONES, TENS
from quaere.text.numbers import Number

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
    r"|\b(?P<named>noon|midday|midnight)\b"
)
_ONE: Final = lazy_regex(rf"(?i)\b(?:an?|one|every) {_UNIT}\b")


def worded_amounts(text: str) -> Iterator[Number]:
    """Yield the shares, in percent, spans of time, halves and times of day of ``text``.

    English alone is read so. An ordinal, as in "the third lamp", counts as a third, so that a share
    may only explain a figure or stand against another share.
    """
    if spoken() is not None:
        return
    for match in _AMOUNT.finditer(text):
        value, unit = _read({name: told for name, told in match.groupdict().items() if told})
        yield Number(value, unit, *match.span())


def single_units(text: str) -> Iterator[Number]:
    """Yield "a week" as one week: what it may be, for it also says how often something is."""
    if spoken() is None:
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
    if told.keys() & {"hour", "hours", "named"}:
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
    if "hours" in told:
        return 60 * int(told["hours"]) + int(told["minutes"])
    hour = int(told["hour"]) % 12 + (12 if told["day"].lower() == "p" else 0)
    return 60 * hour + int(told.get("minute", "0"))
