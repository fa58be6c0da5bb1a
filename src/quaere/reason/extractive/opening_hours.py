"""Whether something is open at an hour of a day, as lists of hours write it: "Thu 10-20"."""

from __future__ import annotations

from collections.abc import Callable

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex

HOUR = r"\d{1,2}(?:[:.]\d\d)?\s*(?:[ap]\.?m\b\.?)?"
"""How an hour of the day is written: "8", "20:30", "8.30 pm"."""
_HOURS = lazy_regex(rf"(?i)(?<![\d.:/])(?P<first>{HOUR})\s*(?:-|–|—|\bto\b)\s*(?P<last>{HOUR})")
_UNTIL = lazy_regex(rf"(?i)\b(?:until|till)\s+(?P<last>{HOUR})")
_AT = lazy_regex(rf"(?i)\bat\s+(?P<time>{HOUR})")
HOUR_PARTS = lazy_regex(r"(?i)(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s*(?P<half>[ap])?")
"""The parts of one."""
_STRETCH = lazy_regex(r"[,;](?=\s)")
_NOON, _NIGHT, _CLEAR = 12 * 60, 24 * 60, 12


def tells_hours(text: str) -> bool:
    """Return whether ``text`` has a first and a last hour."""
    return _HOURS.search(text) is not None


def asked_hour(question: str) -> str:
    """Return the time of day at which something is asked for; empty where there is none.

    English alone.
    """
    at = _AT.search(question) if spoken() is None else None
    return at["time"] if at else ""


def without_hour(question: str) -> str:
    """Return ``question`` without the time of day."""
    return _AT.sub(" ", question) if asked_hour(question) else question


def is_open_at(
    time: str, text: str, asked: frozenset[int], days_in: Callable[[str], frozenset[int]]
) -> bool | None:
    """Return whether ``text`` has hours for the days ``asked`` that ``time`` is in.

    None where it tells none, or where one of the two that "8" may mean is in them alone.

    Args:
        time: As it is written: "8", "20:30", "8.30 pm".
        text: A line with days and hours.
        asked: Days of the week, Monday being 0.
        days_in: Reads the days that a piece of the line names.
    """
    is_open = {_is_open(text, asked, minute, days_in) for minute in minutes(time)}
    return is_open.pop() if len(is_open) == 1 else None


def _is_open(
    text: str, asked: frozenset[int], minute: int, days_in: Callable[[str], frozenset[int]]
) -> bool | None:
    """Return the same for a ``minute`` of the day.

    Of "Monday to Friday 9 to 5, on Thursdays until 8" the hours that are told of the fewest days
    hold.
    """
    told: list[tuple[int, int, int]] = []
    for stretch in _STRETCH.split(text):
        days, span = days_in(stretch), _HOURS.search(stretch)
        hours = span or _UNTIL.search(stretch)
        if hours is not None and asked <= days:
            first = minutes(span["first"])[0] if span else min(told, default=(0, 0, 0))[1]
            told.append((len(days), first, _closing(hours["last"], first)))
    _, first, last = min(told, default=(0, 0, 0))
    return first <= minute < last if told else None


def _closing(time: str, first: int) -> int:
    """Return the minute that ``time`` is after the ``first`` one, on the next day where it must."""
    return next((each for each in minutes(time) if each > first), first + _NIGHT)


def minutes(time: str) -> tuple[int, ...]:
    """Return the minutes of the day that what is written as "8.30 pm" may mean; "8" means two."""
    told = HOUR_PARTS.search(time)
    if told is None:
        return ()
    hour, half = int(told["hour"]), (told["half"] or "").casefold()
    minute = hour * 60 + int(told["minute"] or 0)
    if half:
        return (minute % _NOON + _NOON * (half == "p"),)
    return (minute, minute + _NOON) if hour < _CLEAR and not told["minute"] else (minute,)
