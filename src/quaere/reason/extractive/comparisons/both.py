"""Says whether something is true of two things at once, and whether they share it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.comparisons.compare import led_to, passages_about
from quaere.reason.extractive.denials import denies_of, is_negative
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.parts import Comparison
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import nations
from quaere.text.tokens import stem, terms

SAID = 0.85
"""Share of the weight of what may differ that a line must hold to say whether it does."""
BOTH = 0.5
"""Share of a predicate's weight that the pages of both sides must hold for a yes."""
OPENING = 3
"""Lines of a passage among which it says of which country something is."""

_SAME_COUNTRY = lazy_regex(r"(?i)\bsame (?:country|nation(?:ality)?)\b")
_ROLES = r"(director|composer|author|performer|writer|producer|founder)"
_ROLE = lazy_regex(rf"(?i)\b{_ROLES}s?\b")
_ROLE_OF = lazy_regex(rf"(?i)\W*(?:both |the )*{_ROLES}s? of\b")
_ROLES_OF = lazy_regex(rf"(?i)\W*(?:both |the )*{_ROLES}s of\b")
"""Said before the first side, and of both: "the directors of A and B"."""
_ROLE_HAD = lazy_regex(rf"(?i)\b(?:ha(?:s|ve|d)|with|by)\b.*\b{_ROLES}s?\b")
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


def of_both(compared: Comparison, pool: Pool) -> Agreed | None:
    """Return whether what ``compared`` is about holds of both sides; None where nothing tells.

    Two things are of the same country, or both of the one that is named, as the openings of their
    pages say; of anything else the pages of both have the words.
    """
    if _SAME_COUNTRY.search(compared.about):
        return _same_country(compared, pool)
    return _of_the_country(compared, pool) or _told_of_both(compared, pool)


def _same_country(compared: Comparison, pool: Pool) -> Agreed | None:
    role = _ROLE.search(compared.about)
    countries = [_country(side, role, compared, pool) for side in (compared.first, compared.second)]
    told = [each for each in countries if each]
    if len(told) < 2:
        return None
    (first, before), (second, after) = told
    return Agreed(not first.isdisjoint(second), (*before, *after), is_read=True)


def _country(
    side: str, role: re.Match[str] | None, compared: Comparison, pool: Pool
) -> tuple[frozenset[str], tuple[Line, ...]] | None:
    """Return the first countries that the page of ``side``, or of its director, names."""
    role = role or _ROLE_OF.match(side) or _ROLES_OF.match(compared.first)
    for owner, before in _pages_of(side, role, compared, pool):
        for line in pool.lines_of[owner][:OPENING]:
            if named := nations(line.text)[:2]:
                return frozenset(named), (*before, line)
    return None


def _pages_of(
    side: str, role: re.Match[str] | None, compared: Comparison, pool: Pool
) -> Iterator[tuple[int, tuple[Line, ...]]]:
    """Yield the passages about ``side``, or about who had the ``role``, with what leads to each."""
    for owner in passages_about(side, pool, compared):
        if role:
            yield from led_to(owner, role[1], pool)
        else:
            yield owner, ()


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
    """Return whether the pages of both sides have the words of what is asked of them."""
    goal = Goal(compared.about, pool)
    shares: list[float] = []
    lines: list[Line] = []
    for side in (compared.first, compared.second):
        owners = passages_about(side, pool, compared)
        told = [line for owner in owners for line in pool.lines_of[owner]]
        if not told:
            return None
        mask = 0
        for line in told:
            mask |= goal.mask(line.terms | pool.title_terms[line.owner])
        shares.append(goal.share(mask))
        lines.append(max(told, key=lambda line: goal.share(goal.mask(line.terms))))
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
