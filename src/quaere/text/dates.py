"""Dates that a text names, in one form whatever their spelling, and years in heads of columns."""

from __future__ import annotations

import datetime as dt
import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Final

from quaere.text.characters import value_of_characters
from quaere.text.languages.language import Language, cached_by_language, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS, ORDINALS

LONGEST_KEPT: Final = 1_000
"""Characters of a text that is remembered with what it says: sentences are read time and again."""
MOST_KEPT: Final = 1_024
_MONTH_NUMBER: Final = {name[:3]: number for number, name in enumerate(MONTHS, 1)}
_ORDINAL_NUMBER: Final = {name: number for number, name in enumerate(ORDINALS, 1)}

_MONTH = (
    r"(?P<month>(?i:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?"
    r"|Aug(?:ust|\.)?|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?))"
)
_DECADES: Final = {
    f"{tens}ties": 10 * number
    for number, tens in enumerate(
        ("twen", "thir", "for", "fif", "six", "seven", "eigh", "nine"), start=2
    )
}
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_OTHER_DAY = r"(?P<other>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_ERA = r"(?:\s?(?P<era>BCE?|B\.C\.(?:E\.)?|AD|A\.D\.|CE|C\.E\.)(?!\w))"
_YEAR = rf"(?P<year>\d{{1,4}})(?:{_ERA}|(?<=\d{{4}})(?!\w|[.,]\d))"
_NO_AMOUNT = (
    r"(?!\w|[.,:]\d|%)(?!\s?(?:%|percent|per\s?cent|people|persons|men|women|children|students"
    r"|members|soldiers|troops|employees|votes|copies|points|words|pages|cases|deaths|patients"
    r"|participants|km|kg|m|cm|mm|ft|feet|miles?|met(?:er|re)s?|kilomet(?:er|re)s?|acres?|hectares?"
    r"|tons?|tonnes?|pounds|dollars|euros|hundred|thousand|million|billion|years|months|weeks|days"
    r"|hours|minutes|seconds|times)(?!\w))"
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date at ``[start, end)`` of its text; parts that it does not say are None.

    ``year`` is negative before Christ. A decade or century has its first year and the number of
    ``years`` that it lasts: "the 1990s" are 1990 and 10, "the 19th century" is 1800 and 100.
    """

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int
    years: int = 1


def first_and_last_day(year: int, month: int = 0, day: int = 0) -> tuple[dt.date, dt.date]:
    """Return the days that a year, a month of it or a day begins and ends with; 0 is not known.

    Raises:
        ValueError: when no calendar has it.
    """
    last_month = month or 12
    first = dt.date(year, month or 1, day or 1)
    return first, dt.date(year, last_month, day or monthrange(year, last_month)[1])


def dates(text: str) -> list[Date]:
    """Return the dates in ``text`` in order, none inside another.

    Days, months, years, decades and centuries are read in English and in figures, days, months and
    years in the language in use; a range is two dates. A day in figures that could be read in two
    ways, 5/6/2004, is only its year.
    """
    return list((_kept if len(text) <= LONGEST_KEPT else _read)(text))


def _read(text: str) -> list[Date]:
    found: list[Date] = []
    taken = bytearray(len(text))
    language = language_in_use()
    for signs, pattern, read in chain(_forms_of(language) if language else (), _FORMS):
        for match in pattern.finditer(text) if _may_have(signs, text) else ():
            start, end = match.span()
            if any(taken[start:end]):
                continue
            for date in read(match):
                taken[start:end] = b"\1" * (end - start)
                found.append(date)
    return sorted(found, key=lambda date: date.start)


def _may_have(signs: str, text: str) -> bool:
    """Whether one of ``signs``, if there are any, is in ``text``."""
    return not signs or any(sign in text for sign in signs)


_kept = cached_by_language(MOST_KEPT)(_read)


@cache
def _forms_of(language: Language) -> tuple[_Form, ...]:
    """Return how days, months and decades are written in ``language``: "mayo de 1890"."""
    if not language.months:
        return ()
    decade = language.decade.format(year=r"(?P<year>1[1-9]\d0|20\d0)")
    named = "|".join(f"(?P<m{n}>{month})" for n, month in enumerate(language.months, 1))
    month, of = rf"(?:{named})(?!\w)", r"\s?(?:de |del |di )?"
    day = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:\.|º|°|er|e)?"
    patterns = (
        rf"(?<![\w.,]){day}{of}{month}(?:,?{of}(?P<year>\d{{3,4}})(?!\w|[.,]\d))?",
        rf"(?<!\w){month}{of}(?P<year>1\d{{3}}|20\d{{2}})(?!\w|[.,]\d)",
    )
    days = (("", re.compile(f"(?i){pattern}"), _in_language) for pattern in patterns)
    early = re.compile(
        rf"(?i)(?<!\w)(?:{language.before_year})\s(?P<year>1[0-5]\d\d)"
        r"(?!\w|[.,:]\d|\s?[%€$£])(?:\s(?P<next>[^\W\d]+))?"
    )
    return (
        *days,
        ("", re.compile(rf"(?i)(?<!\w){decade}(?!\w)"), _decade_in_language),
        ("", early, _early_year_in_language),
    )


def _early_year_in_language(match: re.Match[str]) -> Iterator[Date]:
    """What a noun follows is an amount: "en 1200 metros"."""
    language, following = language_in_use(), match["next"]
    is_amount = language and following and following.casefold() not in language.stop_words
    if match["plainly"] or not is_amount:
        yield Date(int(match["year"]), None, None, *match.span("year"))


def _decade_in_language(match: re.Match[str]) -> Iterator[Date]:
    yield Date(int(match["year"]), None, None, *match.span(), years=10)


def _in_language(match: re.Match[str]) -> Iterator[Date]:
    parts = match.groupdict()
    month = next(n for n in range(1, 13) if parts[f"m{n}"])
    year, day = (int(parts[part]) if parts.get(part) else None for part in ("year", "day"))
    yield Date(year, month, day, *match.span())


def agrees(a: Date, b: Date) -> bool:
    """Tell whether ``a`` and ``b`` may be one date: no part that both name differs."""
    if a.year is not None and b.year is not None:
        apart = a.year >= b.year + b.years or b.year >= a.year + a.years
        if apart:
            return False
    return _compatible(a.month, b.month) and _compatible(a.day, b.day)


def entails(source: Date, claim: Date) -> bool:
    """Tell whether ``source`` says every part of ``claim``; 1994 entails the 1990s."""
    if claim.year is not None:
        if source.year is None or source.year < claim.year:
            return False
        if source.year + source.years > claim.year + claim.years:
            return False
    return claim.month in {None, source.month} and claim.day in {None, source.day}


def _compatible(a: int | None, b: int | None) -> bool:
    return a is None or b is None or a == b


_Reader = Callable[[re.Match[str]], Iterator[Date]]
_Form = tuple[str, re.Pattern[str], _Reader]
"""Signs of which a text has one that is written so, unless there are none; its pattern; its
reader."""
_FORMS: Final[list[_Form]] = []
"""How dates are written, the surest form first."""


def _form(*patterns: str, signs: str = "") -> Callable[[_Reader], _Reader]:
    def register(read: _Reader) -> _Reader:
        _FORMS.extend((signs, lazy_regex(pattern), read) for pattern in patterns)
        return read

    return register


@_form(
    r"(?<![\w.])(?P<year>\d{4})(?P<sep>[-/.])(?P<month>0[1-9]|1[0-2])(?P=sep)"
    r"(?P<day>0[1-9]|[12]\d|3[01])(?!\d|[-/.]\d)(?:T[\d:.]+Z?)?",
)
def _in_figures(match: re.Match[str]) -> Iterator[Date]:
    year, month, day = map(int, match.group("year", "month", "day"))
    yield Date(year, month, day, *match.span())


_ERAS: Final = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
"""Reigns of Japan by which years are counted, and the year before each."""
_FIGURES = "〇零一二三四五六七八九"
_TO_NINETY_NINE = r"(?:\d{1,2}|[二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九])"
_MONTH_AND_DAY = (
    r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
    rf"(?:(?P<day>{_TO_NINETY_NINE})日)?"
)


@_form(
    rf"(?<![\d{_FIGURES}])(?:(?P<reign>{'|'.join(_ERAS)})\s?(?P<nth>元|{_TO_NINETY_NINE})"
    rf"|(?P<year>\d{{4}}|[{_FIGURES}]{{4}}))年(?!代)(?:{_MONTH_AND_DAY})?",
    rf"(?<![\d十年{_FIGURES}])(?P<year>)(?P<nth>)(?P<reign>){_MONTH_AND_DAY}(?<=日)",
    signs="年日",
)
def _in_characters(match: re.Match[str]) -> Iterator[Date]:
    """二〇二四年三月一日 and 令和6年3月1日 are one day."""
    year, nth, month, day = (_value(match[name]) for name in ("year", "nth", "month", "day"))
    if match["reign"]:
        year = _ERAS[match["reign"]] + (nth or 0)
    if (year or month) and (day or 1) <= 31:
        yield Date(year, month, day, *match.span())


def _value(written: str | None) -> int | None:
    """Return the number that is ``written`` in digits or characters; None for none, or for zero.

    元 is the first year of a reign.
    """
    if not written:
        return None
    if written.isdecimal():
        return int(written) or None
    return int(value_of_characters(written.replace("元", "一"))) or None


@_form(
    rf"(?<![\d十前])(?P<century>{_TO_NINETY_NINE})\s?世[紀纪](?:(?P<tens>[1-9]0|[二三四五六七八九]十)年代)?",
    r"(?<!\d)(?P<year>[12]\d\d0)年代",
    signs="年世",
)
def _in_long(match: re.Match[str]) -> Iterator[Date]:
    """Yield a century or a decade: 二十世紀九十年代, 1990年代."""
    parts = match.groupdict()
    if parts.get("year"):
        yield Date(int(match["year"]), None, None, *match.span(), years=10)
        return
    century, tens = _value(match["century"]), _value(match["tens"])
    if century:
        first = 100 * (century - 1) + (tens or 0)
        yield Date(first, None, None, *match.span(), years=10 if tens else 100)


@_form(
    r"(?<![\w./])(?P<first>\d{1,2})(?P<sep>[-/.])(?P<second>\d{1,2})(?P=sep)(?P<year>[12]\d{3})"
    r"(?!\w|[./-]\d)"
)
def _in_figures_year_last(match: re.Match[str]) -> Iterator[Date]:
    first, second, year = map(int, match.group("first", "second", "year"))
    is_day_first = match["sep"] == "." or first > 12 or first == second
    day, month = (first, second) if is_day_first else (second, first)
    if not is_day_first and day <= 12:  # another day on each side of the Atlantic
        yield Date(year, None, None, *match.span())
    elif _is_on_calendar(month, day):
        yield Date(year, month, day, *match.span())


def _is_on_calendar(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


@_form(
    rf"(?<![\w.])(?:{_OTHER_DAY}\s?[-–]\s?)?{_DAY}\s(?:of\s)?{_MONTH}(?!\w)(?:,?\s{_YEAR})?",
    rf"(?<!\w){_MONTH}\s{_DAY}(?:\s?[-–]\s?{_OTHER_DAY})?(?!\w|[.,]\d)(?:,?\s{_YEAR})?",
)
def _day_of_month(match: re.Match[str]) -> Iterator[Date]:
    year = _year(match)
    if year is None and match["month"].islower():  # "they march 5 miles"
        return
    month, day = _month(match), int(match["day"])
    if not match["other"]:
        yield Date(year, month, day, *match.span())
        return
    first, last = sorted(("day", "other"), key=match.start)
    yield Date(year, month, int(match[first]), match.start(), match.end(first))
    yield Date(year, month, int(match[last]), match.start(last), match.end())


@_form(rf"(?<!\w){_MONTH},?\s(?:of\s)?(?P<year>1\d{{3}}|20\d{{2}})(?!\w|[.,]\d)")
def _month_of_year(match: re.Match[str]) -> Iterator[Date]:
    yield Date(_year(match), _month(match), None, *match.span())


@_form(
    r"(?<![\w.,$€£#-])(?P<year>1\d{3}|20\d{2})\s?(?P<sep>[-–—/])\s?"
    r"(?P<until>(?:1\d|20)?\d{2})(?!\w|%|[.,/-]\d)"
)
def _range_of_years(match: re.Match[str]) -> Iterator[Date]:
    first, until = int(match["year"]), int(match["until"])
    if len(match["until"]) == 2:
        until += first - first % 100
        month = until % 100
        if match["sep"] == "-" and 1 <= month <= 12 and until != first + 1:
            yield Date(first, month, None, *match.span())
            return
    yield Date(first, None, None, *match.span("year"))
    if until > first:
        yield Date(until, None, None, *match.span("until"))


@_form(
    r"(?<!\w)(?i:(?P<number>\d{1,2})(?:st|nd|rd|th)"
    rf"|(?P<word>{'|'.join(reversed(ORDINALS))}))[\s-](?i:century|centuries){_ERA}?"
)
def _century(match: re.Match[str]) -> Iterator[Date]:
    number = int(match["number"] or _ORDINAL_NUMBER[match["word"].lower()])
    first = -100 * number if _before_christ(match) else 100 * (number - 1)
    yield Date(first, None, None, *match.span(), years=100)


@_form(r"(?<![\w.,$])(?:(?P<year>1\d\d0|20\d0)|['’](?P<short>\d0))['’]?s(?!\w)")
def _decade(match: re.Match[str]) -> Iterator[Date]:
    year = int(match["year"] or f"19{match['short']}")
    century = year % 100 == 0 and year < 2000
    yield Date(year, None, None, *match.span(), years=100 if century else 10)


@_form(rf"(?i)\bthe (?P<century>eighteen|nineteen)[ -]?(?P<tens>{'|'.join(_DECADES)})\b")
def _worded_decade(match: re.Match[str]) -> Iterator[Date]:
    """Without its century "the sixties" may be of any."""
    century = 1800 if match["century"].lower() == "eighteen" else 1900
    yield Date(century + _DECADES[match["tens"].lower()], None, None, *match.span(), years=10)


@_form(
    rf"(?<![\w.,])(?P<year>\d{{1,4}}){_ERA}",
    r"(?<!\w)(?P<era>AD|A\.D\.)\s(?P<year>\d{1,4})(?!\w|[.,]\d)",
    rf"(?<![\w.,:$€£¥#/])(?<!\d-)(?P<year>1[6-9]\d\d|20\d\d){_NO_AMOUNT}",
    # Before 1600 a bare number is more likely an amount, unless the context suggests a year.
    r"(?:\b(?:[Ii]n|[Ss]ince|[Bb]y|[Uu]ntil|[Ff]rom|[Aa]fter|[Bb]efore|[Bb]etween|of|to|and|c\.|about)\s"
    rf"|\()(?P<year>1[0-5]\d\d){_NO_AMOUNT}",
    r"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|c\.)\s(?P<year>[1-9]\d\d)(?=[,.;)](?!\d))",
)
def _year_alone(match: re.Match[str]) -> Iterator[Date]:
    start = match.start() if match.groupdict().get("era") else match.start("year")
    yield Date(_year(match), None, None, start, match.end())


@_form(rf"\b(?:[Ii]n|[Ss]ince|[Uu]ntil|[Ll]ast|[Nn]ext|[Ee]arly|[Ll]ate|[Bb]y)\s{_MONTH}(?!\w)")
def _month_alone(match: re.Match[str]) -> Iterator[Date]:
    if not match["month"].islower():
        yield Date(None, _month(match), None, *match.span("month"))


def _month(match: re.Match[str]) -> int:
    return _MONTH_NUMBER[match["month"][:3].lower()]


def _year(match: re.Match[str]) -> int | None:
    if not match["year"]:
        return None
    return -int(match["year"]) if _before_christ(match) else int(match["year"])


def _before_christ(match: re.Match[str]) -> bool:
    return (match.groupdict().get("era") or "").startswith("B")


YEAR = lazy_regex(r"(?<!\d)(?<!\d,)(?:19|20)\d\d(?!\d|,\d)")
"""A year of four digits, also behind letters: "FY2023"."""
_SPLIT = lazy_regex(r"(?<!\d)((?:19|20)\d\d) ?[/–-] ?(\d\d)(?![\d/.–-])")
_SHORT = lazy_regex(
    r"\bFY ?['’]?(\d\d)\b"
    r"|\b(?:\d{1,2}[./-](?:\d{1,2}|[A-Z][a-z]{2})|(?:Jan|Feb|Mar|Apr|May|Ju[nl]|Aug|Sept?|Oct|Nov|Dec))"
    r"[./’'-](\d\d)\b"
)
KEPT = 4096
"""Heads whose years are remembered."""
CENTURY = 2000
"""The one of years of two digits."""


_MONTH_NAMED = lazy_regex(rf"(?<=\w )(?:{'|'.join(map(str.title, MONTHS))})\b")
"""A month within a sentence, where "May" and "March" do not stand for verbs."""


def months_of(text: str) -> frozenset[int]:
    """Return the months, 1 to 12, that ``text`` names in English, in a date or by themselves."""
    named = (_MONTH_NUMBER[found[0][:3].casefold()] for found in _MONTH_NAMED.finditer(text))
    return frozenset(named).union(date.month for date in dates(text) if date.month is not None)


@lru_cache(maxsize=KEPT)
def years_in(text: str) -> frozenset[int]:
    """Return the years that ``text`` names; of one such as 2019/20 the later.

    Two digits are a year in "FY23", "31/12/23" and "Dec-23".
    """
    return frozenset(_years(text))


def _years(text: str) -> Iterator[int]:
    def later(found: re.Match[str]) -> str:
        year, following = int(found[1]), int(found[2])
        return str(year + 1) if (year + 1) % 100 == following else found[0]

    text = _SPLIT.sub(later, text)
    yield from map(int, YEAR.findall(text))
    if not YEAR.search(text):
        yield from (CENTURY + int(each[1] or each[2]) for each in _SHORT.finditer(text))


_DATED = r"\d{3,4}(?:年(?:\d{1,2}月\d{1,2}日)?)?"
_LIFE = lazy_regex(
    rf"[(（](?:[^()]{{0,60}}\b)?{_DATED}\s*[–—〜～-]\s*[^()]{{0,40}}{_DATED}[)）]"
    r"|\(\*[^()]{4,80}\d{4}[^()]{0,60}†[^()]{0,80}\d{4}[^()]{0,60}\)"
)
_YEARS = lazy_regex(r"\d{3,4}")
_SHORTEST_LIFE = 16
"""Years of which a bracket may tell somebody's life."""


def tells_a_life(text: str) -> bool:
    """Whether a bracket of ``text`` has two years as far apart as those of a life.

    Nearer ones are of an office or a company: "(2014 – 2021)".
    """
    lives = ([int(year) for year in _YEARS.findall(found[0])] for found in _LIFE.finditer(text))
    return any(max(years) - min(years) >= _SHORTEST_LIFE for years in lives)
