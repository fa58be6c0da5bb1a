"""Spans of time that a reader counts between two dates: "1,162 days", "three years and two months".

Dates of one line belong together, as those of a row do; the dates at the same two places of several
lines make spans that may be compared: "66 days more", "1,128 days on average". And a reader counts
from a date: three years from 1 September 2024 end on 31 August 2027.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain, combinations, islice, product
from types import MappingProxyType
from typing import Final, TypeVar

from quaere.text.dates import Date
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.text.tokens import terms
from quaere.verify.ground import Ground
from quaere.verify.operations import is_telling
from quaere.verify.quantities import rounds_to

MOST_DATES: Final = 8
"""Dates of one line that are paired; among more, any span would come up by chance."""
MOST_SPANS: Final = 12
"""Spans of one kind that are compared."""
LONGEST: Final = 1_000
"""The longest span, in its unit, that is counted from a date."""

_DAYS_IN: Final[Mapping[str, Decimal]] = MappingProxyType(
    {"d": Decimal(1), "wk": Decimal(7), "mo": Decimal("30.44"), "yr": Decimal("365.25")}
)
_BREAK: Final = lazy_regex(r"\n")
_IN_DAYS: Final = lazy_regex(r"(?i)\b(?:days?|tage?n?|jours?|días?|giorn[oi]|dagen|dias?)\b")


def is_span(number: Number, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``number`` of ``claim`` is a span between two dates, or comes of such spans.

    The dates are those of ``claim`` or of a line of ``sources``, each with its day. A bare figure
    counts days where the claim counts some: "66 days more than the one and 35 more than the other".
    """
    if number.unit in {"min", "h"}:
        return any(_is_lasting(number, text, claim.terms) for text in (claim, *sources))
    unit = number.unit or ("d" if _IN_DAYS.search(claim.text) else "")
    if unit not in _DAYS_IN:
        return False
    pairs = list(_paired([claim, *sources]))
    said = any(number.value in _parts(unit, *days) for _, *days in pairs)
    return said or any(rounds_to(number, days / _DAYS_IN[unit]) for days in _compared(pairs))


def _is_lasting(number: Number, text: Ground, said: frozenset[str]) -> bool:
    """Return whether ``number`` is what lies between two times of day that ``text`` tells."""
    return any(
        is_telling(number, partial(_is_between_times, times=times[:MOST_TIMES]))
        for times in _times_together(text, said)
    )


_DAY: Final = 24 * 60
MOST_TIMES: Final = 6
"""Times of day that are paired; among more, any span would come up by chance."""


def _is_between_times(number: Number, times: Sequence[Number]) -> bool:
    """Return whether ``number``, of minutes or hours, is from one of ``times`` to a later one."""
    return any(
        number.value in _clock_parts(number.unit, int(other.value - one.value) % _DAY)
        for one, other in combinations(times, 2)
    )


def _clock_parts(unit: str, minutes: int) -> tuple[Decimal, ...]:
    """Return the hours, or the minutes alone and next to hours, that ``minutes`` come to."""
    if unit == "h":
        return (Decimal(minutes // 60), Decimal(minutes) / 60)
    return (Decimal(minutes), Decimal(minutes % 60))


def _times_together(text: Ground, said: frozenset[str]) -> Iterator[Sequence[Number]]:
    """Yield the times of each line of ``text`` with a word ``said``, and the first of each."""
    lines = zip(text.text.split("\n"), _by_line(text, text.moments), strict=True)
    about = [times for line, times in lines if times and said.intersection(terms(line))]
    yield from about
    yield [times[0] for times in about]


def is_moved(date: Date, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``date`` of ``claim`` is a span after or before a day that a source names.

    The span is told in the same line or in ``claim``. The first day may count as well, and a day
    that is named without its year may be of any year that ``sources`` name.
    """
    spans = list(_spans(claim.numbers))
    years = {each.year for source in sources for each in source.dates}
    moving = chain.from_iterable(map(_moving, sources))
    ends = chain.from_iterable(_ends(days, (*its, *spans)) for days, its in moving)
    return any(_is_on(date, end, {end.year} if start.year else years) for start, end in ends)


def _is_on(date: Date, day: dt.date, years: Collection[int | None]) -> bool:
    """Return whether ``date`` is ``day`` in one of ``years``, or in none."""
    is_in = date.year is None or date.year in years
    return is_in and (date.month, date.day) == (day.month, day.day)


_Placed = TypeVar("_Placed", Date, Number)
_UNDATED: Final = 2023
"""Stands for a year that is not said; it has no leap day."""


def _moving(text: Ground) -> Iterator[tuple[list[Date], list[Number]]]:
    """Yield the dates with their day and the spans that each line of ``text`` names."""
    days = [date for date in text.dates if date.month and date.day]
    in_lines = zip(_by_line(text, days), _by_line(text, text.numbers), strict=True)
    for dates, numbers in in_lines:
        if dates:
            yield dates[:MOST_DATES], list(_spans(numbers))


def _by_line(text: Ground, placed: Iterable[_Placed]) -> list[list[_Placed]]:
    """Return what of ``placed`` is in each line of ``text``."""
    breaks = [found.start() for found in _BREAK.finditer(text.text)]
    lines: list[list[_Placed]] = [[] for _ in range(len(breaks) + 1)]
    for each in placed:
        lines[bisect_left(breaks, each.start)].append(each)
    return lines


def _spans(numbers: Iterable[Number]) -> Iterator[Number]:
    whole = (n for n in numbers if n.unit in _DAYS_IN and n.value == int(n.value))
    return islice((n for n in whole if 0 < n.value <= LONGEST), MOST_SPANS)


def _ends(dates: Iterable[Date], spans: Collection[Number]) -> Iterator[tuple[Date, dt.date]]:
    """Yield each of ``dates`` with the days that are one of ``spans`` away from it."""
    for date in dates:
        start = _day(Date(date.year or _UNDATED, date.month, date.day, date.start, date.end))
        for span, sign in product(spans if start else (), (1, -1)):
            if start and (end := _later(start, span.unit, sign * int(span.value))):
                yield date, end
                yield date, end - dt.timedelta(days=sign)


def _later(day: dt.date, unit: str, by: int) -> dt.date | None:
    """Return ``day`` moved ``by`` so many of ``unit``; None where no calendar has it."""
    try:
        if unit in {"d", "wk"}:
            return day + dt.timedelta(days=by * int(_DAYS_IN[unit]))
        months = 12 * day.year + day.month - 1 + by * (12 if unit == "yr" else 1)
        return day.replace(year=months // 12, month=months % 12 + 1)
    except (ValueError, OverflowError):
        return None


def _paired(texts: Iterable[Ground]) -> Iterator[tuple[tuple[int, int], dt.date, dt.date]]:
    """Yield each two days of a line, the earlier first, with their places among its dates."""
    for text in texts:
        for dates in _by_line(text, text.dates):
            days = list(filter(None, map(_day, dates)))
            for (i, one), (j, other) in combinations(enumerate(days[:MOST_DATES]), 2):
                yield (i, j), min(one, other), max(one, other)


def _day(date: Date) -> dt.date | None:
    """Return ``date`` as a day; None where a part is not said or no calendar has it."""
    if date.year is None or date.month is None or date.day is None or date.year < 1:
        return None
    try:
        return dt.date(date.year, date.month, date.day)
    except ValueError:
        return None


def _parts(unit: str, start: dt.date, end: dt.date) -> Iterator[Decimal]:
    """Yield the whole spans of ``unit`` between two days, alone and next to larger ones."""
    days = (end - start).days
    months = 12 * (end.year - start.year) + end.month - start.month - (end.day < start.day)
    if unit == "d":
        yield from map(Decimal, (days, days + 1))  # the last day may count as well
    elif unit == "wk":
        yield Decimal(days // 7)
    else:
        years, rest = divmod(months, 12)
        yield from map(Decimal, (years,) if unit == "yr" else (months, rest))


def _compared(pairs: Iterable[tuple[tuple[int, int], dt.date, dt.date]]) -> Iterator[Decimal]:
    """Yield spans in days, and the sum, mean and differences of those at the same two places."""
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for places, start, end in pairs:
        alike[places].append((end - start).days)
    for spans in alike.values():
        some = spans[:MOST_SPANS]
        yield from map(Decimal, some)
        if len(some) > 1:
            yield Decimal(sum(some))
            yield Decimal(sum(some)) / len(some)
            yield from (Decimal(abs(one - other)) for one, other in combinations(some, 2))
