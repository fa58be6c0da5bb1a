"""Finds under which dated or numbered heading something is said, as logs of changes are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool, page_of
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.dates import dates
from quaere.text.facts import negation
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stems_of, terms

COVERED, SAID = 0.85, 0.5
"""Share of the question's weight that a line, the headings over it and the title of its page must
hold between them, and the line alone."""
FEWEST = 2
"""Words of the question that the line must have."""
AHEAD = 0.1
"""What a line must hold more than those under other headings, else nothing is decided."""

_ASKS_VERSION = lazy_regex(
    r"(?i)\W*(?:(?:since|in|with|from|as of) )?(?:which|what) (?:[\w.-]+ )?(?:version|release)s?\b"
)
_VERSION = lazy_regex(
    r"(?<![\w.])v?\d{1,9}(?:\.\d{1,9})+(?:[-.]?(?:rc|alpha|beta|a|b|dev|post)[.\d]*)?(?![\w-])"
)
_SINCE = lazy_regex(
    r"(?i)\b(?:as of|since|(?:starting|beginning) (?:with|from)"
    r"|(?:new|added|introduced|changed) in)"
    r"\s+(?:version\s+|release\s+|[\w-]+\s+(?=v?\d+\.))?`?(?P<version>v?\d[\w.-]*\w|v?\d+)"
)
"""How a sentence itself tells since which version something is so."""
_OF_BEFORE = lazy_regex(r"(?:This|That|It)\s(?:was|is|has been|changed)\b")
"""How a sentence begins that tells more of what the one before it says."""
_PLAIN_HEADING = lazy_regex(
    r"(?i)(?:[a-z]+ )?(?:version |release |v)\d{1,9}(?:\.\d{1,9})+(?:[ ,–—-]+[^.;:!?]{0,40})?"
    r"|(?:noteworthy |major )?changes (?:in|since) (?:[\w-]+ ){1,3}v?\d{1,9}(?:\.\d{1,9})+"
    r"|what['’]?s new in (?:[\w-]+ ){1,3}v?\d{1,9}(?:\.\d{1,9})+"
)
"""A line that heads what follows in plain text, where nothing marks a heading."""
_GONE = lazy_regex(r"(?i)\b(?:drop(?:s|ped)?|remov(?:es?|ed)|no longer|discontinued?)\b")
"""Says that something went, and not that it came."""
_WHY = lazy_regex(r",?\s+(?:as|because|since)\s")
"""What comes before the reason for a change, which may have a date of its own."""
_ASKING = stems_of(
    "version release get come arrive appear introduce introduced add added become became first"
    " earliest begin began start started can could able handle support way exist"
)
_RELEASED = _ASKING | stems_of(
    "released publish published ship shipped launch launched issued date"
)
"""What is said of a version whose date is asked for."""


_LATEST = lazy_regex(
    r"(?i)\W*(?:what|which)(?:['’]s| is| was)? (?:the )?(?:latest|newest|current|most recent|last)"
    r" (?P<of>(?:version|release)\b.*)"
)

_CALLED_LATEST = lazy_regex(
    r"(?i)\b(?:latest|newest|current|most recent)(?: stable)? (?:version|release)\b"
)

_TO_COME = lazy_regex(
    r"(?i)\b(?:unreleased|not (?:yet )?released|planned|upcoming|coming|future|next|draft|tb[acd]"
    r"|wip|(?:in|under) (?:development|progress)|snapshot|dev)\b"
)
"""Says of a version that it is not out."""


class Release(NamedTuple):
    """What the heading over a line says that was asked for, and the line."""

    kind: Kind
    text: str
    heading: str
    line: Line


def find_release(question: str, pool: Pool) -> Release | None:
    """Return the date or the version of the heading under which is said what ``question`` asks.

    A "when" is answered by the date, "which version" by the number; when a version came out, by
    the heading that names it, and the latest one by the highest number. None where the line has a
    date of its own, or lines under several headings say about as much. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    if not is_english():
        return None
    text = last_question(question)
    if latest := _LATEST.match(text):
        return _latest(latest["of"], pool)
    kind = _asked(text)
    if kind is None:
        return None
    version = _VERSION.search(text) if kind is Kind.DATE else None
    released = _of_version(version[0], text, pool) if version else None
    return released or _over_what_is_said(text, kind, pool)


def _of_version(version: str, text: str, pool: Pool) -> Release | None:
    """Return the date that a heading tells of ``version``, where ``text`` asks for no more."""
    title = frozenset[str]().union(*pool.title_terms)
    rest = frozenset(terms(text.replace(version, " "))) - _RELEASED - title
    if rest:
        return None
    named = re.compile(rf"(?<![\w.]){re.escape(version)}(?![\w-]|\.\d)")
    lines = (line for line in pool.lines if line.heading and named.search(line.text))
    found = [Release(Kind.DATE, told, "", line) for line in lines if (told := _date(line.text))]
    return found[0] if len({each.text for each in found}) == 1 else None


def _over_what_is_said(text: str, kind: Kind, pool: Pool) -> Release | None:
    """Return what the heading tells over the line that says what ``text`` asks."""
    wanted = [term for term in terms(text) if term not in _ASKING]
    if len(wanted) < FEWEST:
        return None
    return _clearest(list(_told(text, kind, Goal(text, pool, wanted), pool)))


def _clearest(found: Sequence[tuple[float, Release]]) -> Release | None:
    """Return the release that holds most of what is asked; None where another has about as much."""
    if not found:
        return None
    most, best = max(found, key=itemgetter(0))
    next_most = max((held for held, other in found if not _is_same(other, best)), default=0.0)
    return best if most - next_most >= AHEAD else None


def _latest(of: str, pool: Pool) -> Release | None:
    """Return the highest version that headings tell, where a page begins with it.

    What the question says ``of`` it besides is in the title of that page. None where several pages
    have such headings, the first one is of something else ("1.2 Installation"), or a line speaks of
    a latest version itself.
    """
    found = list(_headed_by_version(pool))
    pages = {page_of(pool.passages[line.owner]) for line, _ in found}
    if len(pages) != 1 or _speaks_of_latest(pool):
        return None
    first, told = found[0]
    is_highest = told == max((version for _, version in found), key=_numbers)
    is_told = is_highest and _is_of_release(first, told, pool) and _begins_page_on(of, first, pool)
    return Release(Kind.NAME, told, "", first) if is_told else None


def _headed_by_version(pool: Pool) -> Iterator[tuple[Line, str]]:
    """Yield the headings that tell a version which may be out, each with that."""
    for line in pool.lines:
        version = _VERSION.search(line.text) if line.heading else None
        if version and _TO_COME.search(line.text) is None:
            yield line, version[0]


def _is_of_release(heading: Line, version: str, pool: Pool) -> bool:
    """Whether ``heading`` has a date, or nothing but ``version`` and what it is a version of."""
    rest = frozenset(terms(heading.text.replace(version, " ")))
    return bool(_date(heading.text)) or rest <= _RELEASED | pool.title_terms[heading.owner]


def _speaks_of_latest(pool: Pool) -> bool:
    return any(_CALLED_LATEST.search(line.text) for line in pool.lines)


def _begins_page_on(of: str, line: Line, pool: Pool) -> bool:
    """Whether ``line`` is at the head of a page whose title has what is said ``of`` the version."""
    titled = pool.title_terms[line.owner] | pool.file_terms(line)
    return pool.passages[line.owner].start == 0 and frozenset(terms(of)) - _RELEASED <= titled


def _numbers(version: str) -> tuple[tuple[int, ...], bool]:
    """Return what orders ``version``: its numbers, and that it is none that comes before them."""
    plain = re.match(r"v?([\d.]+)", version)
    parts = plain[1].split(".") if plain else ()
    return tuple(int(part) for part in parts if part), plain is not None and plain[0] == version


def _is_same(one: Release, other: Release) -> bool:
    return (one.heading, one.text) == (other.heading, other.text)


def _asked(text: str) -> Kind | None:
    """Return what of a heading ``text`` asks for: its date, or the number of a version."""
    if _ASKS_VERSION.match(text):
        return Kind.NAME
    return Kind.DATE if expected_kind(text) is Kind.DATE else None


def _told(text: str, kind: Kind, goal: Goal, pool: Pool) -> Iterator[tuple[float, Release]]:
    """Yield the lines that say enough of ``goal``, each with how much, under such a heading."""
    for line in pool.lines:
        before = pool.before(line) if _OF_BEFORE.match(line.text) else frozenset[str]()
        own = goal.mask(line.terms | line.led | before | _noted(line, pool))
        if line.heading or own.bit_count() < FEWEST or goal.share(own) < SAID:
            continue
        all_said = own | goal.mask(pool.over(line))
        if goal.share(all_said) < COVERED or not _says_so(line.text, text):
            continue
        if release := _headed(line, kind, text, pool):
            yield goal.share(own), release


_NOTE = lazy_regex(rf"(?i)(?:new|added|introduced) in (?:version |release )?{_VERSION.pattern}")
"""A note that tells since when there is what is described there."""


def _noted(line: Line, pool: Pool) -> frozenset[str]:
    """Return the stems of the heading that ``line`` is a note to; none where it is no such note."""
    if not _NOTE.match(line.text):
        return frozenset()
    return frozenset(terms(pool.headings_over(line).rpartition("\n")[2]))


def _says_so(said: str, text: str) -> bool:
    """Whether ``said`` denies what ``text`` does, and says that something went only if it does."""
    is_of_end = _GONE.search(said) is not None and _GONE.search(text) is None
    return negation(said).denies == negation(text).denies and not is_of_end


def _headed(line: Line, kind: Kind, text: str, pool: Pool) -> Release | None:
    """Return what the nearest heading over ``line`` that has a date or a version says."""
    told = _WHY.split(line.text, maxsplit=1)[0]
    if kind is Kind.DATE and any(date.year is not None for date in dates(told)):
        return None
    if kind is not Kind.DATE and (since := _SINCE.search(line.text)):
        return Release(kind, since["version"], "", line)
    above = pool.headings_over(line).splitlines()
    widest = _last_above(line, pool, _heads_version)
    for heading in (*_last_above(line, pool, _is_plain_heading), *reversed(above), *widest):
        if (told := _told_by(heading, kind)) and told not in text:
            return Release(kind, told, heading, line)
    return None


def _last_above(line: Line, pool: Pool, heads: Callable[[Line], bool]) -> Iterator[str]:
    """Yield the last line above ``line`` that ``heads`` it, if any does."""
    above = reversed(pool.lines_of[line.owner][: line.place])
    yield from islice((each.text for each in above if heads(each)), 1)


def _is_plain_heading(line: Line) -> bool:
    """Whether ``line`` is a version and no sentence: "Version 2.1 (May)"."""
    return _PLAIN_HEADING.fullmatch(line.text) is not None


def _heads_version(line: Line) -> bool:
    """Whether ``line`` is a heading that begins with a version, as one of the first level may."""
    return line.heading and _VERSION.match(line.text) is not None


def _told_by(heading: str, kind: Kind) -> str:
    """Return the date of ``heading`` with its day or month, or the number of a version in it."""
    if kind is not Kind.DATE:
        found = _VERSION.search(heading)
        return found[0] if found else ""
    return _date(heading)


def _date(heading: str) -> str:
    """Return the date of ``heading`` with its day or month; empty without one."""
    told = (date for date in dates(heading) if date.year is not None and date.month is not None)
    return next((heading[date.start : date.end] for date in told), "")
