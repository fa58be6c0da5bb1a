"""Decides a comparison of dates or amounts, so that an answer can begin with the right side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.comparisons.facts import Fact, facts_about, given, in_cells, plainest
from quaere.reason.extractive.comparisons.sides import passages_about, titled
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.quality import FIT_TO_SHOW, quality
from quaere.reason.extractive.questions.kinds import Kind, compared_kind, last_question
from quaere.reason.extractive.questions.parts import Comparison, comparison
from quaere.text.languages.language import is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import nations
from quaere.text.tokens import terms

CLEARLY = 0.2
"""Share of a quality's weight by which one side must fit it better than the other."""

_LEAST = lazy_regex(
    r"(?i)\b(?:earli\w+|first|old\w*|before|less|few\w*|small\w*|short\w*|low\w*|cheap\w*"
    r"|light\w*|slow\w*)\b"
)
_MOST = lazy_regex(
    r"(?i)\b(?:later|latest|last|young\w*|new\w*|recent\w*|after|more|most|larg\w+|bigg\w+|long\w*"
    r"|high\w*|tall\w*|great\w*|heav\w*|deep\w*|wide\w*|fast\w*|expensive)\b"
)
_PICKS = lazy_regex(r"(?i)^\W*(?:\w+ ){0,3}(?:who|which|what|whose|between|out of)\b")
"""A comparison that names what to pick; "Did both write more than five?" does not."""


class Choice(NamedTuple):
    """How a comparison ends, as far as it does."""

    lines: tuple[Line, ...] = ()
    """What decides it, the winner's first; or a line about each side where nothing does."""
    winner: str = ""
    """The side that is chosen, as the question spells it; empty where none is."""
    by_value: bool = False
    """Whether two dates or two amounts decide."""
    is_plain: bool = True
    """Whether it is plain which amounts those are."""


def decide_comparison(question: str, pool: Pool) -> Choice:
    """Return how the comparison in ``question`` ends, with the lines that decide it.

    Two dates or two amounts are decided when both are found; a choice by a quality, when what the
    sources say of one side fits it clearly better. Where nothing is said by what to compare, or a
    choice is not decided, a line about each side is returned. In all other cases none is.
    """
    text = last_question(question)
    compared = comparison(text)
    if compared is None:
        return Choice()
    if not compared.about:
        return Choice(_of_each(compared, pool))
    if " or " not in text and is_english():
        picked = _by_values(compared, pool) if _PICKS.match(text) else None
        return picked or Choice()
    choice = _by_values(compared, pool) or _by_quality(compared, pool)
    return choice if choice.winner else Choice(_of_each(compared, pool))


def order(claimed: Comparison, pool: Pool) -> Choice:
    """Return which side of ``claimed`` comes out ahead by two dates or amounts; none where neither.

    The winner is the side of which it is true: of "longer" the one with the greater length. The
    second side may be a value itself: "longer than 100 m", "opened before 1940".
    """
    asked = value_asked(claimed.about)
    value = asked and given(claimed.second, asked[0])
    if asked and value and terms(claimed.first):
        return _against(value, claimed, pool, *asked)
    return _by_values(claimed, pool) or Choice()


def _against(value: Fact, claimed: Comparison, pool: Pool, kind: Kind, least: bool) -> Choice:
    """Return which is ahead, the ``value`` or all facts about the first side."""
    side, sides = claimed.first, (claimed.first, claimed.second)
    cells = in_cells(side, claimed, kind, tuple(pool.lines))
    told = cells or facts_about(side, claimed._replace(second=""), kind, pool)
    found = [
        _decided((fact, value._replace(head=fact.head)), sides, least=least)
        for fact in told
        if fact.is_plain
    ]
    return found[0] if len({choice.winner for choice in found}) == 1 else Choice()


def value_asked(about: str) -> tuple[Kind, bool] | None:
    """Return the kind of value by which ``about`` compares, and whether the lesser is ahead.

    None where it compares by no value.
    """
    kind = compared_kind(about)
    least, most = _directions(about)
    return (kind, least) if kind in {Kind.DATE, Kind.NUMBER} and (least or most) else None


def _directions(about: str) -> tuple[bool, bool]:
    """Return whether ``about`` asks for the lesser or earlier, and for the greater or later."""
    language = language_in_use()
    if language is None:
        return _LEAST.search(about) is not None, _MOST.search(about) is not None
    least, most = f"{language.earlier}|{language.less}", f"{language.later}|{language.more}"
    return _says(least, about), _says(most, about)


def _says(pattern: str, text: str) -> bool:
    return re.search(f"(?i){pattern}", text) is not None


def _by_values(compared: Comparison, pool: Pool) -> Choice | None:
    """Return the choice by two dates or amounts; None where that is not what is compared."""
    asked = value_asked(compared.about)
    if asked is None:
        return None
    kind, least = asked
    sides = compared.first, compared.second
    return _decided(facts_of_both(compared, kind, pool), sides, least=least)


def facts_of_both(compared: Comparison, kind: Kind, pool: Pool) -> Sequence[Fact | None]:
    """Return what decides for the first side and for the second, as far as it is known."""
    return _in_tables(compared, kind, tuple(pool.lines)) or [
        plainest(facts_about(side, compared, kind, pool))
        for side in (compared.first, compared.second)
    ]


def _decided(facts: Sequence[Fact | None], sides: Sequence[str], *, least: bool) -> Choice:
    """Return which of ``sides`` is ahead by what is known of each; none where that is alike."""
    found = [(fact, side) for fact, side in zip(facts, sides, strict=True) if fact]
    if len(found) < 2 or not _are_apart(found[0][0], found[1][0]):
        return Choice()
    found.sort(key=lambda pair: pair[0].value, reverse=not least)
    lines = tuple(line for fact, _ in found for line in fact.lines)
    is_plain = all(fact.is_plain or not fact.is_amount for fact, _ in found)
    return Choice(lines, found[0][1], by_value=True, is_plain=is_plain)


def _are_apart(one: Fact, other: Fact) -> bool:
    """Whether two facts are of one measure and differ."""
    is_one_measure = (one.head, one.unit) == (other.head, other.unit)
    pairs = zip(one.value, other.value, strict=True)
    first = next((pair for pair in pairs if pair[0] != pair[1]), None)
    # Of 1932 and 3 May 1932 neither is known to be the earlier.
    return is_one_measure and first is not None and (one.is_amount or all(first))


def _in_tables(compared: Comparison, kind: Kind, lines: Sequence[Line]) -> list[Fact]:
    """Return what one column tells of both sides; nothing where none does, or two disagree."""
    told = [in_cells(side, compared, kind, lines) for side in (compared.first, compared.second)]
    pairs = [(a, b) for a, b in product(*told) if (a.head, a.unit) == (b.head, b.unit)]
    if len({tuple(fact.value for fact in pair) for pair in pairs}) != 1:
        return []
    return list(pairs[0])


def _by_quality(compared: Comparison, pool: Pool) -> Choice:
    goal = Goal(compared.about, pool)
    fits: list[tuple[float, Line, str]] = []
    for side in (compared.first, compared.second):
        owners = passages_about(side, pool, compared)
        lines = (line for owner in owners for line in pool.lines_of[owner])
        rated = ((goal.share(_told_by(line, goal)), line) for line in lines)
        best = max(rated, key=lambda pair: pair[0], default=None)
        if best is None:
            return Choice()
        fits.append((*best, side))
    worse, better = sorted(fits, key=lambda fit: fit[0])
    if better[0] - worse[0] < CLEARLY:
        return Choice()
    return Choice((better[1],), better[2])


def _told_by(line: Line, goal: Goal) -> int:
    """Return the terms of ``goal`` that ``line`` has; "Swiss" tells of Switzerland."""
    told = frozenset(nations(line.text))
    of_nations = (t for t, word in goal.words.items() if not told.isdisjoint(nations(word)))
    return goal.mask(line.terms.union(of_nations))


def _of_each(compared: Comparison, pool: Pool) -> tuple[Line, ...]:
    """Return the line about each side alone that says most of what is compared; the first such."""
    goal = Goal(compared.about, pool)
    sides = (compared.first, compared.second)
    found: list[Line] = []
    for side, other in (sides, sides[::-1]):
        others = frozenset(titled(other, pool, compared))
        apart = frozenset(passages_about(side, pool, compared)) - others
        lines = (line for owner in sorted(apart) for line in pool.lines_of[owner])
        good = (line for line in lines if quality(line) >= FIT_TO_SHOW)
        best = max(good, key=lambda line: goal.share(_told_by(line, goal)), default=None)
        if best is None:
            return ()
        found.append(best)
    return tuple(found)
