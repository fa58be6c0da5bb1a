"""Says whether something is so on a day of the week, as a line tells on which days it is.

And at an hour of it, as lists of hours write it: "Thu 10-20".
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.denials import is_negative
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.languages.language import (
    cached_by_language,
    days_of_week,
    in_english,
    is_english,
    language_in_use,
)
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

COVERED = 0.7
"""Share of the weight of what is asked, but for the day, that the line, the headings over it and
the title of its page must hold between them."""
ALL = 0.9
"""Share of it from which a table is of that alone: that of the pool is not of the café."""
OWN = 0.2
"""Share of it that the line must hold by itself; of hours, with the headings over them."""

_Told = tuple[Line, frozenset[int], frozenset[int]]
"""A line, the days on which it is as it says, and those on which it is closed or leaves out."""
_GROUPS = frozenset((5, 6)), frozenset(range(5)), frozenset(range(7))
_FULL = {each[:3]: each for each in calendar.day_name}
_SHORT = lazy_regex(
    r"\b(?P<day>Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:s|r|rs|nes)?\b\.?"
    r"(?=\s*(?:[-–—,&/:\d]|(?:to|and|closed|from|until|till)\b|\Z))"
)
"""A day as English lists of hours write it, not "the Sun shines"."""
_CLAUSE = lazy_regex(
    r"(?i)[,;、，；]|\s(?:and|but)\s(?=(?:(?:is|are) )?(?:open|opens|closed|shut)\b)"
)
_ONLY = lazy_regex(r"(?i)\bonly\b")


@cached_by_language(maxsize=1)
def _named() -> re.Pattern[str]:
    """Return the pattern of a day, or of several in a row, each as a group by its number."""
    days = days_of_week()

    def one(of: str) -> str:
        return "|".join(f"(?P<{of}{at}>{name})" for at, name in enumerate(days.names))

    last = rf"(?:\s*(?:{days.through}|[-–~])\s*(?:{one('last')}){days.edge})?"
    return re.compile(rf"(?i){days.edge}(?:{one('first')}){days.edge}{last}")


def _grouped(text: str) -> Iterator[frozenset[int]]:
    """Yield the days of the weekend, the other days and all days, each if ``text`` names it."""
    days = days_of_week()
    for said, group in zip(days.groups, _GROUPS, strict=True):
        named = re.search(f"(?i){days.edge}(?:{said}){days.edge}", text)
        yield group if named else frozenset()


def days_in(text: str) -> frozenset[int]:
    """Return the days of the week that ``text`` names, Monday being 0, with those in between."""
    if is_english():
        text = _SHORT.sub(lambda short: _FULL[short["day"]], text)
    found: set[int] = set()
    for named in _named().finditer(text):
        first, *last = (int(group[-1]) for group, said in named.groupdict().items() if said)
        found.update((first + n) % 7 for n in range(((last or [first])[0] - first) % 7 + 1))
    weekend, other, _ = _grouped(text)
    return frozenset(found | weekend | other)


@cached_by_language(maxsize=4096)
def _told_in(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the days that ``text`` affirms and those it denies; none where it leaves some open.

    A clause that says neither "open" nor "closed" goes with the one before, in a language that has
    its verb at the end with the one after.
    """
    days, language = days_of_week(), language_in_use()
    so, shut, closed = set[int](), set[int](), False
    clauses = _CLAUSE.split(text)
    for clause in reversed(clauses) if language and language.pieces else clauses:
        rest = re.sub(f"(?i){days.closed}", " ", clause)
        if rest != clause or re.search(f"(?i){days.open}", clause):
            closed = re.search(f"(?i){days.open}", rest) is None
        if (but := re.search(f"(?i){days.but}", rest)) is not None:
            if not (left_out := days_in(but["shut"])):
                return frozenset(), frozenset()
            shut.update(left_out)
            rest = rest.replace(but["shut"], " ")
        if is_negative(rest):
            return frozenset(), frozenset()
        *_, every = _grouped(rest)
        (shut if closed else so).update(every or days_in(clause) - shut)
    return frozenset(so - shut), frozenset(shut)


def on_days(question: str, told: Iterable[Line], pool: Pool) -> tuple[bool, Line] | None:
    """Return whether what is asked is so on the days that ``question`` names, and who says so.

    What is closed is so where it is not open. None where it names no days, no line tells of any, or
    what it tells is not plainly this.

    Args:
        question: One that asks for yes or no.
        told: The lines that assert something.
        pool: The evidence, read.
    """
    found = _open_by_table(question, pool) or _open_on(question, told, pool)
    if found is None or not re.search(f"(?i){days_of_week().closed}", question):
        return found
    is_open, line = found
    return not is_open, line


def _open_on(question: str, told: Iterable[Line], pool: Pool) -> tuple[bool, Line] | None:
    """Return the same of a question that may ask what is closed, as if it asked what is open."""
    asked, hour = days_in(question), asked_hour(question)
    days, bare = days_of_week(), _named().sub(" ", without_hour(question))
    if not asked or is_negative(re.sub(f"(?i){days.closed}", " ", question)):
        return None
    found = [(line, *said) for line in told if any(said := _told_in(line.text))]
    if not found:
        return None
    goal = Goal(question, pool, terms(bare))
    opening = re.search(f"(?i){days.open}", bare) and _opening(bare, asked, found, pool)
    if opening and not (hour and opening[0]):
        return opening
    most, best = max(((_held(goal, each[0], pool), each) for each in found), key=itemgetter(0))
    if most < COVERED:
        return None
    if hour:
        says = is_open_at(hour, best[0].text, asked, days_in)
        return None if says is None else (says, best[0])
    return _said_of(asked, best, found)


_CLOCK = lazy_regex(r"(?i)\d{1,2}(?:[:.h]\d\d| ?(?:h|uhr|uur)\b| ?[点點時时])")


def _open_by_table(question: str, pool: Pool) -> tuple[bool, Line] | None:
    """Return whether that is open on the days asked for, and a row of its hours that says so.

    None where rows differ, as those of summer and of winter do, and where a part of the day is
    asked for. English reads such tables otherwise (`quaere.reason.extractive.tables.opening`).
    """
    rest = None if is_english() else _asked_to_be_open(question)
    if rest is None:
        return None
    goal, asked = Goal(question, pool, terms(rest)), days_in(question)
    rows = (line for line in pool.lines if line.columns and not line.heading)
    of_it = (row for row in rows if goal.share_in(row.terms | pool.over(row)) >= ALL)
    found = [(told, row) for row in of_it if (told := _row_on(asked, row.values)) is not None]
    return found[0] if len({told for told, _ in found}) == 1 else None


def _asked_to_be_open(question: str) -> str | None:
    """Return what ``question`` says besides, if it asks whether something is open on some days.

    None where it asks for a part of the day as well.
    """
    days = days_of_week()
    said = re.sub(f"(?i){days.closed}", " ", question)
    is_opening = said != question or re.search(f"(?i){days.open}", question)
    if not (days_in(question) and is_opening) or is_negative(said) or _asks_hours(question):
        return None
    return re.sub(f"(?i){days.open}", " ", _named().sub(" ", said))


def _asks_hours(question: str) -> bool:
    """Whether ``question`` names an hour, or asks until when something is open."""
    language = language_in_use()
    until = r"(?!)" if language is None else language.until
    return _CLOCK.search(question) is not None or re.search(f"(?i){until}", question) is not None


def _row_on(asked: frozenset[int], values: Sequence[str]) -> bool | None:
    """Return whether a row of ``values`` tells that it is open on the days ``asked``, or closed."""
    if not values or not asked <= days_in(values[0]):
        return None
    hours = list(filter(None, values[1:]))
    if any(map(_CLOCK.search, hours)):
        return True
    shut = re.compile(f"(?i){days_of_week().closed}")
    return False if hours and all(map(shut.search, hours)) else None


def _said_of(
    asked: frozenset[int], best: _Told, found: Sequence[_Told]
) -> tuple[bool, Line] | None:
    """Return whether it is so on the days ``asked``, and the ``best`` line or the one next to it.

    "The ferry runs from Monday to Saturday. On Sundays it starts at noon." Of what is so on its
    days only, no other line says more.
    """
    if (said := _plainly(asked, best)) is not None:
        return said
    of_them = (each for each in found if asked & (each[1] | each[2]))
    if is_english() and _ONLY.search(best[0].text):
        of_them = iter(())
    beside = next((each for each in of_them if _goes_on(each[0], best[0])), None)
    if beside is not None:
        return _plainly(asked, beside)
    return (False, best[0]) if best[1] and asked.isdisjoint(best[1]) else None


def _plainly(asked: frozenset[int], told: _Told) -> tuple[bool, Line] | None:
    line, so, shut = told
    return (asked <= so, line) if asked <= so or asked <= shut else None


def _goes_on(line: Line, best: Line) -> bool:
    """Whether ``line``, next to ``best``, begins with days: it says when it is so on others."""
    days = days_of_week()
    begins = rf"(?i)\W*(?:\w+ )?(?:{days.any}|{days.groups[0]})"
    is_next = line.owner == best.owner and abs(line.place - best.place) == 1
    return is_next and re.match(begins, line.text) is not None


def _opening(
    bare: str, asked: frozenset[int], found: Sequence[_Told], pool: Pool
) -> tuple[bool, Line] | None:
    """Return whether on the days ``asked`` that is open which may be, and a line that says so.

    "Closed on Mondays" does, under a title or a heading that has the rest of ``bare``.
    """
    rest = terms(re.sub(f"(?i){days_of_week().open}", " ", bare))
    goal = Goal(bare, pool, rest)
    for line, so, shut in sorted(found, key=lambda each: -goal.share(goal.said(each[0].terms))):
        is_of_it = goal.share(goal.said(line.terms | pool.over(line))) >= COVERED
        if rest and is_of_it and (asked <= so or asked <= shut):
            return asked <= so, line
    return None


def _held(goal: Goal, line: Line, pool: Pool) -> float:
    """Return what ``line`` holds of ``goal`` with all over it; 0 where it has little by itself."""
    own = line.terms | line.over if tells_hours(line.text) else line.terms
    if goal.share(goal.said(own)) < OWN:
        return 0.0
    return goal.share(goal.said(line.terms | line.over | pool.title_terms[line.owner]))


HOUR = r"\d{1,2}(?:[:.]\d\d)?\s*(?:[ap]\.?m\b\.?)?"
"""How an hour of the day is written: "8", "20:30", "8.30 pm"."""
_HOURS = lazy_regex(rf"(?i)(?<![\d.:/])(?P<first>{HOUR})\s*(?:-|–|—|\bto\b)\s*(?P<last>{HOUR})")
_UNTIL = lazy_regex(rf"(?i)\b(?:until|till)\s+(?P<last>{HOUR})")
_AT = lazy_regex(rf"(?i)\bat\s+(?P<time>{HOUR})")
HOUR_PARTS = lazy_regex(
    r"(?i)(?P<hour>\d{1,2})(?:[:.](?P<minute>\d\d))?(?:\s*(?P<half>[ap])\.?m\b\.?)?"
)
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
    at = in_english(_AT.search, question)
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
