"""Says whether something is true of two things at once, and whether they share it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, filterfalse
from operator import attrgetter
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.comparisons.same import (
    OPENING,
    ROLES,
    is_page_of,
    shared,
    sort_shared,
)
from quaere.reason.extractive.comparisons.sides import flat_side, passages_about
from quaere.reason.extractive.denials import denies_of, is_negative
from quaere.reason.extractive.pool import Line, Pool, spaced
from quaere.reason.extractive.questions.parts import Comparison
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import nations
from quaere.text.tokens import stem, terms, words

SAID = 0.85
"""Share of the weight of what may differ that a line must hold to say whether it does."""
BOTH = 0.5
"""Share of a predicate's weight that the pages of both sides must hold for a yes."""
_ROLE_HAD = lazy_regex(rf"(?i)\b(?:ha(?:s|ve|d)|with|by)\b.*\b{ROLES}s?\b")
"""Says of what is compared who made it: "both have American directors"."""
_IS_A = lazy_regex(r"\b(?:is|was|are|were) (?:an?|the|one of the) (?P<what>(?:\S+ ?){1,8})")
"""Says what something is: "is a 2003 Australian documentary"."""
_NO_COUNTRY = lazy_regex(r"(?i)\b[a-z]+(?:[- ]speaking|[- ]language| football| descent| origin)\b")
"""What is called by a country and is found elsewhere as well."""
_NOT_ITS_OWN = lazy_regex(
    r"(?i)\b(?:(?:about|after|by|for|of|on|to|with|who|which|that|[a-z]+ed|set|shot|starring)\b.*"
    r"|[a-z]+[- ](?:speaking|language|born|based|style)\b|American football\b)"
)
"""Of what is said of a thing, what does not tell of which country it is."""


class Agreed(NamedTuple):
    """Whether something holds of both sides, and the lines that tell."""

    says: bool
    lines: tuple[Line, ...]
    is_read: bool
    """Whether facts were read off and compared; else their pages have the words, or lack them."""


Decide = Callable[[str], Agreed | None]
"""Answers a question for yes or no about one thing; None where nothing tells."""


def of_both(text: str, compared: Comparison, pool: Pool, decide: Decide) -> Agreed | None:
    """Return whether what ``compared`` is about holds of both sides; None where nothing tells.

    Two things have the same of something, or are both of the country that is named, as the openings
    of their pages say; or it is said of each by itself; or the pages of both have the words.

    Args:
        text: The question.
        compared: The two things, and what is asked of them.
        pool: The evidence, read.
        decide: Answers the question about one of the two.
    """
    if sort := sort_shared(compared.about):
        told = shared(sort, compared, pool)
        return told and Agreed(told.says, told.lines, is_read=told.is_whole)
    return (
        _of_the_country(compared, pool)
        or _in_rows(compared, pool)
        or _of_each(text, compared, decide)
        or _told_of_both(compared, pool)
    )


_ONE = {"are": "Is", "were": "Was", "do": "Does", "have": "Has"}
"""The verb with which one asks of one thing what that asks of two."""
_OF_BOTH = lazy_regex(r"(?i)\b(?:both|each|either)\s+")


def _of_each(text: str, compared: Comparison, decide: Decide) -> Agreed | None:
    """Return whether it is said of each side by itself; a no of one is enough for no."""
    verb = words(text)[0]
    rest = _OF_BOTH.sub("", compared.about)
    sides = (compared.first, compared.second)
    told = [decide(f"{_ONE.get(verb.casefold(), verb)} {side} {rest}?") for side in sides]
    agreed = all_agreed(told)
    return agreed and (agreed._replace(is_read=False) if agreed.says else agreed)


def all_agreed(told: Sequence[Agreed | None]) -> Agreed | None:
    """Return whether what is ``told`` of each side holds of all; a no of one is enough for no.

    None where nothing tells of one, and no other denies it.
    """
    found = list(filter(None, told))
    denied = next(filterfalse(attrgetter("says"), found), None)
    if denied or len(found) < len(told):
        return denied
    lines = dict.fromkeys(chain.from_iterable(each.lines for each in found))
    return Agreed(True, tuple(lines), all(map(attrgetter("is_read"), found)))


_SAYS = {"yes": True, "y": True, "✓": True, "no": False, "n": False, "✗": False}
"""What a cell says."""


def _in_rows(compared: Comparison, pool: Pool) -> Agreed | None:
    """Return what the cells of both sides say below the head that has what is asked of them."""
    asked = frozenset(terms(_OF_BOTH.sub("", compared.about)))
    sides = (compared.first, compared.second)
    told = [cell for side in sides if (cell := _cell_of(side, asked, pool))]
    if not asked or len(told) < len(sides):
        return None
    says, lines = zip(*told, strict=True)
    return Agreed(all(says), lines, is_read=True)


def _cell_of(side: str, asked: frozenset[str], pool: Pool) -> tuple[bool, Line] | None:
    """Return whether the row of ``side`` says yes below the head that is ``asked`` for."""
    named = flat_side(side)
    for line in pool.lines:
        if len(line.columns) != len(line.values) or not line.columns:
            continue
        if spaced(line.values[0]) == named:
            for head, value in zip(line.columns, line.values, strict=True):
                if asked == frozenset(terms(head)) and value.casefold() in _SAYS:
                    return _SAYS[value.casefold()], line
    return None


def _of_the_country(compared: Comparison, pool: Pool) -> Agreed | None:
    """Return a no where one of the two is of another country than the one that is asked for.

    "Are both American directors?" is denied by a page that opens with "a Hungarian director".
    """
    asked = frozenset(nations(compared.about))
    if not asked or _ROLE_HAD.search(compared.about) or _NO_COUNTRY.search(compared.about):
        return None
    for line, told in _origins(compared, pool):
        if asked.isdisjoint(told):
            return Agreed(says=False, lines=(line,), is_read=True)
    return None


def _origins(compared: Comparison, pool: Pool) -> Iterator[tuple[Line, tuple[str, ...]]]:
    """Yield the countries of which pages say that the sides are, after the line that does so."""
    for side in (compared.first, compared.second):
        for owner in passages_about(side, pool, compared)[:1]:
            line, told = _called_after(owner, pool)
            if line and told:
                yield line, told


def _called_after(owner: int, pool: Pool) -> tuple[Line | None, tuple[str, ...]]:
    """Return the countries by which passage ``owner`` says what its thing is, and the line."""
    for line in pool.lines_of[owner][:OPENING]:
        if defined := _IS_A.search(line.text):
            return line, nations(_NOT_ITS_OWN.sub(" ", defined["what"]))
    return None, ()


def _told_of_both(compared: Comparison, pool: Pool) -> Agreed | None:
    """Return whether the pages of both sides have the words of what is asked of them.

    Each must have a page of its own: in one that names both, the words may be about either.
    """
    goal = Goal(compared.about, pool)
    shares: list[float] = []
    lines: list[Line] = []
    for side in (compared.first, compared.second):
        owners = [o for o in passages_about(side, pool, compared) if is_page_of(side, o, pool)]
        told = [line for owner in owners for line in pool.lines_of[owner]]
        if not told:
            return None
        mask = 0
        for line in told:
            mask |= goal.mask(line.terms | pool.title_terms[line.owner])
        shares.append(goal.share(mask))
        lines.append(max(told, key=lambda x: (not x.heading, goal.share(goal.mask(x.terms)))))
    return Agreed(min(shares) >= BOTH, tuple(lines), is_read=False)


_BETWEEN = lazy_regex(
    r"(?i)(?P<about>.*\b(?P<verb>differ\w*|change[ds]?|var(?:y|ied|ies)|gaps?)\b.*?)"
    r"\bbetween\s+(?P<a>[^,]+?),?\s+and\s+(?P<b>[^,]+?)\s*\?*$"
)
"""Asks whether something is another with one thing than with another."""


def parted(text: str, told: Iterable[Line], pool: Pool) -> Agreed | None:
    """Return whether two things differ in something, as lines say that need not name the two.

    "Drag did not differ between the hulls" says no to "Does drag differ between oak and elm?"
    where its passage tells of oak and of elm. None where lines say one thing each. English alone.
    """
    asks = in_english(_BETWEEN.match, text)
    if asks is None or is_negative(text):
        return None
    goal, verb = Goal(text, pool, terms(asks["about"])), stem(asks["verb"].casefold())
    sides = frozenset(terms(asks["a"])), frozenset(terms(asks["b"]))
    saying = [
        line
        for line in told
        if verb in line.terms
        and goal.share(goal.said(line.terms)) >= SAID
        and _is_of_both(line, sides, pool)
    ]
    denied = {denies_of(line.text, text) for line in saying}
    if len(denied) != 1:
        return None
    return Agreed(denied == {False}, (saying[0],), is_read=False)


def _is_of_both(line: Line, sides: tuple[frozenset[str], frozenset[str]], pool: Pool) -> bool:
    """Whether the passage of ``line`` has both ``sides``, and the line both or neither."""
    around = frozenset[str]().union(*(each.terms for each in pool.lines_of[line.owner]))
    shared = sides[0] & sides[1]
    named = {side - shared <= line.terms for side in sides}
    return all(side <= around for side in sides) and len(named) == 1
