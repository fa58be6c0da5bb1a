"""How long something lasted, by two dates in one sentence: "The mill ran from 1781 to 1950".

English alone.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from quaere.reason.extractive.comparisons.facts import told_years, whole_years
from quaere.text.dates import Date, dates
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers

_ASKS = lazy_regex(
    r"(?i)\W*(?:for |during )?how (?:long (?:did|do|does|had|has|have)"
    r"|many (?:years|months|weeks|days)(?! before| after| ago))\b"
)
_ASKS_STATE = lazy_regex(
    r"(?i)\W*(?:for )?how long (?:is|are|was|were) (?:[\w'’-]+ ){1,8}?"
    r"(?:in|at|on|as|with|under|open|closed|active|around|away|shown|valid)\b"
)
"""Asks how long something was somewhere or so: "How long was the ship?" asks for metres."""
_SINCE = lazy_regex(r"(?i)\b(?:from|between)(?: the| about| late| early)?\s+\Z")
_TO = lazy_regex(r"(?i)\s*(?:to|until|till|and|through|[-–])(?: the| about)?\s+|\s*[-–]\s*")
_BEGINS = lazy_regex(
    r"(?i)\b(?:began|begun|beginning|started|starting|opened|launched|joined|introduced)\b"
)
_ENDS = lazy_regex(
    r"(?i)\b(?:ended|ending|closed|finished|stopped|ceased|sank|sunk|left|resigned|retired|scrapped"
    r"|dissolved|withdrawn|abandoned)\b"
)
_FEWEST_YEARS = 2
"""Years from which a time between two days is told in years."""


def lasted(question: str, said: str) -> str | None:
    """Return how long what ``question`` asks of lasted, as ``said`` tells its beginning and end.

    None unless these are the only dates there, and no time is said itself.
    """
    asks = in_english(_ASKS.match, question) or in_english(_ASKS_STATE.match, question)
    ends = _ends_in(said) if asks else None
    return _time_between(*ends) if ends else None


def _ends_in(said: str) -> tuple[Date, Date] | None:
    """Return the first and the last date of what ``said`` tells, where it tells no time itself."""
    told = dates(said)
    if len(told) != 2 or any(number.unit for number in numbers(said)):
        return None
    first, last = told
    is_exact = last.year is not None and max(first.years, last.years) == 1
    if not (is_exact and _are_ends(first, last, said)):
        return None
    return replace(first, year=first.year or last.year), last


def _are_ends(first: Date, last: Date, said: str) -> bool:
    """Whether two dates are said to be the first and the last."""
    between = said[first.end : last.start]
    if _SINCE.search(said[: first.start]) and _TO.fullmatch(between):
        return True
    return bool(_BEGINS.search(said[: first.start]) and _ENDS.search(between))


def _time_between(first: Date, last: Date) -> str | None:
    """Return the time from one date to another; None where it cannot be told in whole days."""
    begin, end = _parts(first), _parts(last)
    years = whole_years(begin, end)
    if years >= _FEWEST_YEARS or (years > 0 and not all((*begin, *end))):
        return told_years(years)
    try:
        days = (date(*map(int, end)) - date(*map(int, begin))).days
    except ValueError:  # a part is not known, or no calendar has that day
        return None
    return f"{days} day{'s' * (days != 1)}" if days > 0 else None


def _parts(day: Date) -> tuple[Decimal, ...]:
    return tuple(Decimal(part or 0) for part in (day.year, day.month, day.day))
