"""Says whether something is so on a day of the week, as a line tells on which days it is."""

from __future__ import annotations

import calendar
from collections.abc import Iterable

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.facts import negation
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

COVERED = 0.7
"""Share of the weight of what is asked, but for the day, that the line, the headings over it and
the title of its page must hold between them."""
OWN = 0.2
"""Share of it that the line must hold by itself; of hours, with the headings over them."""

_FULL = {each[:3]: each for each in calendar.day_name}
_DAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NAMED = lazy_regex(
    rf"(?i)\b(?P<first>{_DAY})s?(?:\s*(?:to|until|till|through|-|–)\s*(?P<last>{_DAY})s?)?\b"
)
_SHORT = lazy_regex(
    r"\b(?P<day>Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|r|rs|nes)?\b\.?"
    r"(?=\s*(?:[-–—,&/:\d]|(?:to|and|closed|from|until|till)\b|\Z))"
)
"""A day as lists of hours write it, not "the Sun shines"."""
_HOUR = r"\d{1,2}(?:[:.]\d\d)?\s*(?:[ap]\.?m\b\.?)?"
_HOURS = lazy_regex(rf"(?i)(?<![\d.:/])(?P<first>{_HOUR})\s*(?:-|–|—|\bto\b)\s*(?P<last>{_HOUR})")
_UNTIL = lazy_regex(rf"(?i)\b(?:until|till)\s+(?P<last>{_HOUR})")
_AT = lazy_regex(rf"(?i)\bat\s+(?P<time>{_HOUR})")
_TIME = lazy_regex(r"(?i)(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?\s*(?P<half>[ap])?")
_NOON, _NIGHT, _CLEAR = 12 * 60, 24 * 60, 12
_OPENS_WITH_DAY = lazy_regex(rf"(?i)\W*(?:(?:on|at|from|every) )?(?:{_DAY}|weekend)")
_STRETCH = lazy_regex(r"[,;](?=\s)")
_WEEKEND, _WORKDAYS = (
    lazy_regex(r"(?i)\bweekends?\b"),
    lazy_regex(r"(?i)\b(?:weekdays?|working days?)\b"),
)
_EXCEPT = lazy_regex(r"(?i)\b(?:except|apart from|but for|closed|unless|other than)\b")

_CLOSED = lazy_regex(r"(?i)^(?!.*\b(?:open|opens|until|till|not|never)\b).*\b(?:closed|shut)\b")


def days_in(text: str) -> frozenset[int]:
    """Return the days of the week that ``text`` names, Monday being 0, with those in between."""
    text = _SHORT.sub(lambda short: _FULL[short["day"]], text)
    found: set[int] = set()
    for named in _NAMED.finditer(text):
        first = _place(named["first"])
        last = _place(named["last"]) if named["last"] else first
        found.update((first + n) % 7 for n in range((last - first) % 7 + 1))
    if _WEEKEND.search(text):
        found.update((5, 6))
    if _WORKDAYS.search(text):
        found.update(range(5))
    return frozenset(found)


def _place(day: str) -> int:
    return _DAYS.index(day.casefold().removesuffix("day"))


def on_days(question: str, told: Iterable[Line], pool: Pool) -> tuple[bool, Line] | None:
    """Return whether what is asked is so on the days that ``question`` names, and who says so.

    None where it names none, no line tells of days, or what it tells is not plainly this.

    Args:
        question: One that asks for yes or no, in English.
        told: The lines that assert something.
        pool: The evidence, read.
    """
    asked = days_in(question)
    if not asked or negation(question).denies:
        return None
    bare = _AT.sub(" ", _NAMED.sub(" ", question))
    goal = Goal(question, pool, terms(bare))
    lines = [line for line in told if days_in(line.text)]
    if (closed := _closed(bare, asked, lines, pool)) is not None:
        return False, closed
    held = [(_held(goal, line, pool), line) for line in lines]
    most, best = max(held, key=lambda each: each[0], default=(0.0, None))
    if best is None or most < COVERED:
        return None
    if (at := _AT.search(question)) is not None:
        is_open = {_is_open(best.text, asked, minute) for minute in _minutes(at["time"])}
        says = is_open.pop()
        return None if is_open or says is None else (says, best)
    if negation(best.text).denies or _EXCEPT.search(best.text):
        return None
    said = days_in(best.text)
    if asked <= said:
        return True, best
    beside = (line for line in lines if _goes_on(line, best) and asked & days_in(line.text))
    if (line := next(beside, None)) is not None:
        is_plain = not (negation(line.text).denies or _EXCEPT.search(line.text))
        return (True, line) if is_plain and asked <= days_in(line.text) else None
    return (False, best) if asked.isdisjoint(said) else None


def _goes_on(line: Line, best: Line) -> bool:
    """Whether ``line``, next to ``best``, says when it is on other days: "On Sundays it …"."""
    return _follow(line, best) and _OPENS_WITH_DAY.match(line.text) is not None


def _follow(line: Line, other: Line) -> bool:
    return line.owner == other.owner and abs(line.place - other.place) == 1


def _is_open(text: str, asked: frozenset[int], minute: int) -> bool | None:
    """Return whether ``text`` has hours for the days ``asked`` that a ``minute`` of the day is in.

    None where it tells none. Of "Monday to Friday 9 to 5, on Thursdays until 8" the hours that are
    told of the fewest days hold.
    """
    told: list[tuple[int, int, int]] = []
    for stretch in _STRETCH.split(text):
        days, span = days_in(stretch), _HOURS.search(stretch)
        hours = span or _UNTIL.search(stretch)
        if hours is not None and asked <= days:
            first = _minutes(span["first"])[0] if span else min(told, default=(0, 0, 0))[1]
            last = next((each for each in _minutes(hours["last"]) if each > first), first + _NIGHT)
            told.append((len(days), first, last))
    _, first, last = min(told, default=(0, 0, 0))
    return first <= minute < last if told else None


def _minutes(time: str) -> tuple[int, ...]:
    """Return the minutes of the day that what is written as "8.30 pm" may mean; "8" means two."""
    told = _TIME.match(time)
    if told is None:
        return ()
    hour, half = int(told["hour"]), (told["half"] or "").casefold()
    minute = hour * 60 + int(told["minute"] or 0)
    if half:
        return (minute % _NOON + _NOON * (half == "p"),)
    return (minute, minute + _NOON) if hour < _CLEAR and not told["minute"] else (minute,)


def _closed(bare: str, asked: frozenset[int], lines: Iterable[Line], pool: Pool) -> Line | None:
    """Return a line that says alone that on the days ``asked`` of it is closed what may be open.

    "Closed on Mondays" does, under a title or a heading that has the rest of ``bare``.
    """
    wanted = frozenset(terms(bare))
    rest = tuple(wanted - {"open"})
    if "open" not in wanted or not rest:
        return None
    goal = Goal(bare, pool, rest)
    for line in lines:
        is_of_it = goal.share(goal.said(line.terms | pool.over(line))) >= COVERED
        if is_of_it and _CLOSED.search(line.text) and asked <= days_in(line.text):
            return line
    return None


def _held(goal: Goal, line: Line, pool: Pool) -> float:
    """Return what ``line`` holds of ``goal`` with all over it; 0 where it has little by itself."""
    tells_hours = _HOURS.search(line.text) is not None
    if goal.share(goal.said(line.terms | line.over if tells_hours else line.terms)) < OWN:
        return 0.0
    return goal.share(goal.said(line.terms | line.over | pool.title_terms[line.owner]))
