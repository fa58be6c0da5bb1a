"""Spans of time that a reader counts between two dates: "1,162 days", "three years and two months".

Dates of one line belong together, as those of a row do; the dates at the same two places of several
lines make spans that may be compared: "66 days more", "1,128 days on average".
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import Final

from quaere.text.dates import Date
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number
from quaere.verify.ground import Ground
from quaere.verify.quantities import rounds_to

MOST_DATES: Final = 8
"""Dates of one line that are paired; among more, any span would come up by chance."""
MOST_SPANS: Final = 12
"""Spans of one kind that are compared."""

_DAYS_IN: Final[Mapping[str, Decimal]] = MappingProxyType(
    {"d": Decimal(1), "wk": Decimal(7), "mo": Decimal("30.44"), "yr": Decimal("365.25")}
)
_IN_DAYS: Final = lazy_regex(r"(?i)\b(?:days?|tage?n?|jours?|días?|giorn[oi]|dagen|dias?)\b")


def is_span(number: Number, claim: Ground, sources: Sequence[Ground]) -> bool:
    """Return whether ``number`` of ``claim`` is a span between two dates, or comes of such spans.

    The dates are those of ``claim`` or of a line of ``sources``, each with its day. A bare figure
    counts days where the claim counts some: "66 days more than the one and 35 more than the other".
    """
    unit = number.unit or ("d" if _IN_DAYS.search(claim.text) else "")
    if unit not in _DAYS_IN:
        return False
    pairs = list(_paired([claim, *sources]))
    said = any(number.value in _parts(unit, *days) for _, *days in pairs)
    return said or any(rounds_to(number, days / _DAYS_IN[unit]) for days in _compared(pairs))


def _paired(texts: Iterable[Ground]) -> Iterator[tuple[tuple[int, int], dt.date, dt.date]]:
    """Yield each two days of a line, the earlier first, with their places among its dates."""
    for text in texts:
        for days in _lines(text):
            for (i, one), (j, other) in combinations(enumerate(days[:MOST_DATES]), 2):
                yield (i, j), min(one, other), max(one, other)


def _lines(text: Ground) -> Iterator[list[dt.date]]:
    """Yield the days that each line of ``text`` names."""
    ends = [at for at, sign in enumerate(text.text) if sign == "\n"]
    for start, end in pairwise((-1, *ends, len(text.text))):
        days = (_day(date) for date in text.dates if start < date.start < end)
        yield list(filter(None, days))


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
