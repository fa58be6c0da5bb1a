"""How many there are of something, where one line says it with the number: "76,700 employees".

A report says it once, and of its company as "we", in a line that shares one word with the question.
English alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from quaere.reason.extractive.corrections import takes_back
from quaere.reason.extractive.denials import is_negative
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.things_counted import things_counted
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import Number, undated_numbers
from quaere.text.tokens import stems_of, terms

_BOUND = (
    r"(?P<bound>(?:about|approximately|around|at least|almost|more than|nearly|over|roughly|some"
    r"|up to) )?\Z"
)
_OF_THEIRS = lazy_regex(rf"(?i)\b(?:the|all|its|our|their)\s{_BOUND}")
"""What is before the number of those who are called by their owner: "the 8,000 Tern employees"."""
_HAS = lazy_regex(
    r"(?i)\b(?:has|have|had|employs?|employed|comprise[sd]?|totall?ed|there (?:are|were))\W+"
    r"(?:(?:a|an|the|in|total|of|all|exactly)\W+){0,4}"
    rf"{_BOUND}"
)
"""What is before the number of what somebody has, or of what there is."""
_ALL_OF_THEM = lazy_regex(
    r"(?i)\s*(?:[,.;:)]|\Z|(?:worldwide|globally|altogether|and|including|as (?:of|at))\b"
    r"|(?:in|at|on|by|since) (?:[a-z]+ ){0,4}(?:\d{1,2},? )?(?:19|20)\d\d\b|in (?:all|total)\b)"
)
"""What follows where all of them are counted, and not those "in Norway" or "who joined"."""
_SAYS_LITTLE = stems_of(
    "have has had there be many end close year fiscal total number altogether all currently now"
    " employ employs employed exist work works worked"
)
"""Stems of words that ask for no more than how many there are."""
_NEAR_CHARS, _BEHIND_CHARS = 80, 60


class Counted(NamedTuple):
    """A number with what it counts, and the line that says it."""

    text: str
    line: Line


def find_count(question: str, pool: Pool) -> Counted | None:
    """Return how many there are of what ``question`` asks the number of.

    None where lines tell different numbers, the question says more than a line and what is over it
    do, or it is one of several.
    """
    asked = last_question(question)
    things = frozenset(terms(things_counted(asked)))
    if is_negative(asked) or asked.strip() != question.strip() or not things:
        return None
    return _undisputed(asked, things, pool) or _in_row(asked, things, pool)


_OF_LIMITS = _SAYS_LITTLE | stems_of(
    "may can could most maximum limit single one person people somebody put add upload create"
)
"""Stems that the one row need not have that tells how many there may be."""
_MARKS = "`*_ "


def _in_row(asked: str, things: frozenset[str], pool: Pool) -> Counted | None:
    """Return the one figure of the only row that begins to say what it is with these ``things``.

    "Files that a user may upload" of a setting tells how many files those may be.
    """
    wanted = frozenset(terms(asked)) - things - _OF_LIMITS
    rows = (line for line in pool.lines if wanted <= line.terms | pool.over(line))
    told = (Counted(_figure_of(line, things), line) for line in rows)
    found = [each for each in told if each.text]
    return found[0] if len(found) == 1 else None


def _figure_of(row: Line, things: frozenset[str]) -> str:
    """Return the only cell of ``row`` that is a number, where another begins with ``things``."""
    told = [value.strip(_MARKS) for value in row.values] if row.columns else []
    figures = list(filter(_is_whole_number, told))
    begins = (frozenset(terms(" ".join(value.split()[: len(things)]))) for value in told)
    return figures[0] if len(figures) == 1 and things in begins else ""


def _is_whole_number(value: str) -> bool:
    """Whether ``value`` is nothing but a whole number, be it with commas: "1,000"."""
    return value.replace(",", "").isdecimal()


def _undisputed(asked: str, things: frozenset[str], pool: Pool) -> Counted | None:
    """Return the one number of ``things`` in lines that say all that is ``asked``."""
    wanted = frozenset(terms(asked)) - things - _SAYS_LITTLE
    found = () if any(map(takes_back, pool.lines)) else _all_counted(things, wanted, pool)
    found = [each for each in found if wanted <= each.line.terms | pool.over(each.line)]
    return found[0] if len({each.text.casefold() for each in found}) == 1 else None


def _all_counted(things: frozenset[str], owner: frozenset[str], pool: Pool) -> Iterator[Counted]:
    """Yield each number that counts ``things`` which somebody has, or those of the ``owner``."""
    lines = (line for line in pool.lines if not line.columns and things <= line.terms)
    return chain.from_iterable(_counted(line, things, owner) for line in lines)


def _counted(line: Line, things: frozenset[str], owner: frozenset[str]) -> Iterator[Counted]:
    """Yield each number in ``line`` that counts ``things`` which somebody or the ``owner`` has."""
    numbers = (number for number in undated_numbers(line.text) if not number.unit)
    return filter(None, (_count_at(number, line, things, owner) for number in numbers))


def _count_at(
    number: Number, line: Line, things: frozenset[str], owner: frozenset[str]
) -> Counted | None:
    """Return ``number`` with what it counts in ``line``, if that is all of ``things``."""
    told = _things_behind(line.text[number.end :], things, owner)
    if not told or not _is_of_all(line, number, told):
        return None
    before = line.text[max(0, number.start - _NEAR_CHARS) : number.start]
    had = _HAS.search(before) or (_OF_THEIRS.search(before) if _names(told, owner) else None)
    if had is None:
        return None
    count = f"{had['bound'] or ''}{line.text[number.start : number.end]}"
    return Counted(f"{count} {told.rstrip('.,;:')}", line)


def _is_of_all(line: Line, number: Number, told: str) -> bool:
    """Whether ``number`` counts all that were ``told``, and not some of them."""
    end = line.text.find(told, number.end) + len(told.rstrip(".,;:"))
    return _ALL_OF_THEM.match(line.text, end) is not None


def _names(told: str, owner: frozenset[str]) -> bool:
    return not owner.isdisjoint(terms(told))


def _things_behind(text: str, things: frozenset[str], owner: frozenset[str]) -> str:
    """Return the words with which ``text`` begins that name ``things``, or those of the ``owner``.

    Nothing where it begins with others.
    """
    behind = text[:_BEHIND_CHARS].split()[: len(things | owner) + 1]
    said = (" ".join(behind[:size]) for size in range(1, len(behind) + 1))
    return next((each for each in said if things <= frozenset(terms(each)) <= things | owner), "")
