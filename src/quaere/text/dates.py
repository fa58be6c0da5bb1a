"""Dates that a text names, in one form whatever their spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

_MONTHS: Final = (
    "january february march april may june july august september october november december".split()
)
_MONTH_NUMBER: Final = {
    **{name: number for number, name in enumerate(_MONTHS, 1)},
    **{name[:3]: number for number, name in enumerate(_MONTHS, 1)},
    "sept": 9,
}
_ORDINALS: Final = {
    name: number
    for number, name in enumerate(
        """
        first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
        fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first
        """.split(),
        1,
    )
}
_MONTH = (
    r"(?P<month>Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?"
    r"|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
)
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{1,4})"
_ERA = r"(?:\s?(?P<era>BCE?|B\.C\.(?:E\.)?|AD|A\.D\.|CE|C\.E\.)(?!\w))"
_FULL_YEAR = r"(?P<year>1\d{3}|20\d{2})"
_NOT_NUMBER = r"(?!\d|[.,]\d|%)"
_UNITS = (
    r"(?!\s?(?:%|percent|per\s?cent|people|persons|men|women|children|students|km|kg|m|cm|mm|ft"
    r"|feet|miles?|met(?:er|re)s?|kilomet(?:er|re)s?|acres?|hectares?|tons?|tonnes?|pounds"
    r"|dollars|euros|million|billion|thousand|hundred|years|days|hours|minutes|seconds)(?!\w))"
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date that stands at ``[start, end)`` of its text; parts that are not said are None.

    ``year`` is negative before Christ. A decade or century has its first year and the number of
    ``years`` that it lasts: "the 1990s" are 1990 and 10, "the 19th century" is 1800 and 100.
    """

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int
    years: int = 1


def _month(match: re.Match[str]) -> int:
    return _MONTH_NUMBER[match["month"].rstrip(".").lower()]


def _year(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if not groups.get("year"):
        return None
    before_christ = (groups.get("era") or "").startswith("B")
    return -int(groups["year"]) if before_christ else int(groups["year"])


def _date(
    match: re.Match[str], year: int | None, month: int | None = None, day: int | None = None
) -> Date:
    return Date(year, month, day, match.start(), match.end())


def _numeric(match: re.Match[str]) -> Iterator[Date]:
    first, second, year = int(match["a"]), int(match["b"]), int(match["year"])
    if match["sep"] == "." or first > 12:
        day, month = first, second
    elif second > 12:
        month, day = first, second
    else:  # 5/6/2004 is another day on each side of the Atlantic
        yield _date(match, year, first, first) if first == second else _date(match, year)
        return
    if month <= 12 and 1 <= day <= 31:
        yield _date(match, year, month, day)


def _iso(match: re.Match[str]) -> Iterator[Date]:
    yield _date(match, int(match["year"]), int(match["m"]), int(match["d"]))


def _worded(match: re.Match[str]) -> Iterator[Date]:
    day = match.groupdict().get("day")
    yield _date(match, _year(match), _month(match), int(day) if day else None)


def _range(match: re.Match[str]) -> Iterator[Date]:
    first, second = int(match["year"]), match["until"]
    until = int(second)
    if len(second) == 2:
        until += first - first % 100
        if match["sep"] == "-" and 1 <= int(second) <= 12 and until != first + 1:
            yield _date(match, first, int(second))
            return
    if until > first:
        yield Date(first, None, None, *match.span("year"))
        yield Date(until, None, None, *match.span("until"))
    else:
        yield Date(first, None, None, *match.span("year"))


def _decade(match: re.Match[str]) -> Iterator[Date]:
    year = int(match["year"] or f"19{match['short']}")
    yield Date(year, None, None, *match.span(), 100 if year % 100 == 0 and year < 2000 else 10)


def _century(match: re.Match[str]) -> Iterator[Date]:
    number = int(match["number"]) if match["number"] else _ORDINALS[match["word"].lower()]
    if (match["era"] or "").startswith("B"):
        yield Date(-100 * number, None, None, *match.span(), 100)
    elif 1 <= number <= 30:
        yield Date(100 * (number - 1), None, None, *match.span(), 100)


def _bare(match: re.Match[str]) -> Iterator[Date]:
    yield Date(_year(match), None, None, *match.span())


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Iterator[Date]]], ...]] = (
    tuple(
        (re.compile(pattern), read)
        for pattern, read in (
            (
                r"(?<![\w.])(?P<year>\d{4})(?P<sep>[-/.])(?P<m>0[1-9]|1[0-2])(?P=sep)"
                r"(?P<d>0[1-9]|[12]\d|3[01])(?!\d|[-/.]\d)(?:T[\d:.]+Z?)?",
                _iso,
            ),
            (
                rf"(?<![\w.]){_DAY}\s(?:of\s)?{_MONTH}(?:,?\s{_YEAR}(?:{_ERA}|(?<=\d{{4}})(?!\d)))?(?!\w)",
                _worded,
            ),
            (
                rf"(?<!\w){_MONTH}\s{_DAY}(?!\w|[.,]\d)(?:,?\s{_YEAR}(?:{_ERA}|(?<=\d{{4}})(?!\w)))?",
                _worded,
            ),
            (rf"(?<!\w){_MONTH},?\s(?:of\s)?{_FULL_YEAR}(?!\w)", _worded),
            (
                r"(?<![\w./])(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<year>[12]\d{3})"
                r"(?![\w/]|[.-]\d)",
                _numeric,
            ),
            (
                r"(?<![\w.,$€£-])(?P<year>1\d{3}|20\d{2})\s?(?P<sep>[-–—/])\s?"
                rf"(?P<until>(?:1\d|20)?\d{{2}})(?![\d%]|[.,/-]\d|s\b)",
                _range,
            ),
            (
                r"(?<!\w)(?:(?P<number>\d{1,2})(?:st|nd|rd|th)|(?P<word>"
                + "|".join(sorted(_ORDINALS, key=len, reverse=True))
                + rf"))[\s-](?:century|centuries|c\.){_ERA}?",
                _century,
            ),
            (r"(?<![\w.,$])(?:(?P<year>1\d{2}0|20\d0)|['’](?P<short>\d0))['’]?s(?!\w)", _decade),
            (rf"(?<![\w.,])(?P<year>\d{{1,4}}){_ERA}", _bare),
            (rf"(?<!\w)(?P<era>AD|A\.D\.)\s(?P<year>\d{{1,4}}){_NOT_NUMBER}", _bare),
            (
                rf"(?<![\w.,:$€£¥#/-])(?P<year>1[6-9]\d{{2}}|20\d{{2}})(?!\w){_NOT_NUMBER}{_UNITS}",
                _bare,
            ),
            (
                r"(?:(?<=\bin\s)|(?<=\bsince\s)|(?<=\bby\s)|(?<=\buntil\s)|(?<=\bfrom\s)"
                r"|(?<=\bafter\s)|(?<=\bbefore\s)|(?<=\bof\s)|(?<=\bto\s)|(?<=\())"
                rf"(?P<year>1[0-5]\d{{2}})(?!\w){_NOT_NUMBER}{_UNITS}",
                _bare,
            ),
            (
                r"(?:(?<=\bin\s)|(?<=\bsince\s)|(?<=\buntil\s)|(?<=\blast\s)|(?<=\bnext\s)"
                rf"|(?<=\bearly\s)|(?<=\blate\s)|(?<=\bby\s)){_MONTH}(?!\w)",
                _worded,
            ),
        )
    )
)


def dates(text: str) -> list[Date]:
    """Return the dates in ``text`` in their order, none inside another.

    Days, months, years, year ranges (two dates), decades and centuries are read in English and in
    figures. A day in figures that could be read in two ways, 5/6/2004, is only its year.
    """
    found: list[Date] = []
    taken = bytearray(len(text))
    for pattern, read in _FORMS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            read_here = list(read(match))
            if read_here:
                taken[start:end] = b"\1" * (end - start)
            found.extend(read_here)
    return sorted(found, key=lambda date: date.start)


def agrees(a: Date, b: Date) -> bool:
    """Tell whether ``a`` and ``b`` may be one date: no part that both name differs."""
    if a.year is not None and b.year is not None:
        overlap = a.year < b.year + b.years and b.year < a.year + a.years
        if not overlap:
            return False
    return _compatible(a.month, b.month) and _compatible(a.day, b.day)


def entails(source: Date, claim: Date) -> bool:
    """Tell whether ``source`` says all that ``claim`` says: every part of it, at least as exactly."""
    if claim.year is not None:
        if source.year is None:
            return False
        inside = claim.year <= source.year
        if not inside or source.year + source.years > claim.year + claim.years:
            return False
    return claim.month in {None, source.month} and claim.day in {None, source.day}


def _compatible(a: int | None, b: int | None) -> bool:
    return a is None or b is None or a == b
