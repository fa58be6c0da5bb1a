"""Says whether something is so on a day of the week, as a line tells on which days it is."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.facts import negation
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

COVERED = 0.7
"""Share of the weight of what is asked, but for the day, that the line, the headings over it and
the title of its page must hold between them."""
OWN = 0.25
"""Share of it that the line must hold by itself."""

_DAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_NAMED = lazy_regex(
    rf"(?i)\b(?P<first>{_DAY})s?(?:\s*(?:to|until|till|through|-|–)\s*(?P<last>{_DAY})s?)?\b"
)
_WEEKEND, _WORKDAYS = (
    lazy_regex(r"(?i)\bweekends?\b"),
    lazy_regex(r"(?i)\b(?:weekdays?|working days?)\b"),
)
_EXCEPT = lazy_regex(r"(?i)\b(?:except|apart from|but for|closed|unless|other than)\b")

_CLOSED = lazy_regex(r"(?i)^(?!.*\b(?:open|opens|until|till|not|never)\b).*\b(?:closed|shut)\b")


def days_in(text: str) -> frozenset[int]:
    """Return the days of the week that ``text`` names, Monday being 0, with those in between."""
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
    bare = _NAMED.sub(" ", question)
    goal = Goal(question, pool, terms(bare))
    lines = [line for line in told if days_in(line.text)]
    if (closed := _closed(bare, asked, lines, pool)) is not None:
        return False, closed
    held = [(_held(goal, line, pool), line) for line in lines]
    most, best = max(held, key=lambda each: each[0], default=(0.0, None))
    if best is None or most < COVERED:
        return None
    if negation(best.text).denies or _EXCEPT.search(best.text):
        return None
    said = days_in(best.text)
    if asked <= said:
        return True, best
    return (False, best) if asked.isdisjoint(said) else None


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
    if goal.share(goal.said(line.terms)) < OWN:
        return 0.0
    return goal.share(goal.said(line.terms | line.over | pool.title_terms[line.owner]))
