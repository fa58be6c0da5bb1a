"""Whether two things have the same of something: country, province, band, manager or maker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from quaere.reason.extractive.comparisons.makers import deeds_asked, made_by, makers
from quaere.reason.extractive.comparisons.sides import flat_side, led_to, opens_with, passages_about
from quaere.reason.extractive.denials import is_negative
from quaere.reason.extractive.line_context import points_back
from quaere.reason.extractive.pool import Line, Pool, spaced, title_subject
from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.questions.parts import Comparison
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import nations
from quaere.text.tokens import stem, terms

OPENING = 3
"""Lines of a passage among which it says of which country, or of what else, something is."""

_SAME = lazy_regex(r"(?i)\b(?:the same|share an?) (?P<sort>[a-z]+)\b")
_COUNTRY = frozenset({"country", "nation", "nationality"})
_WITHIN_A_COUNTRY = frozenset({"state", "province"})
_ALSO_CALLED = {"band": r"(?:band|group|duo|trio|quartet)", "group": r"(?:band|group)"}
ROLES = r"(director|composer|author|performer|writer|producer|founder)"
_ROLE = lazy_regex(rf"(?i)\b{ROLES}s?\b")
_ROLE_OF = lazy_regex(rf"(?i)\W*(?:both |the )*{ROLES}s? of\b")
_ROLES_OF = lazy_regex(rf"(?i)\W*(?:both |the )*{ROLES}s of\b")
"""Said before the first side, and of both: "the directors of A and B"."""
_NAME = (
    r"(?-i:(?!(?:An?|Her|His|In|Its?|My|Our|The|Their|This|Your)\b)"
    r"[A-Z][\w'’-]*(?: (?:(?:of|and) )?[A-Z][\w'’-]*){0,3})"
)
_PLACES = lazy_regex(rf"\b(?:in|at|of|from) (?P<places>{_NAME}(?:, {_NAME}){{1,4}})")
"""A place, and what it is in: "in Jefferson County, New York, United States"."""
_WHERE = lazy_regex(rf"\b(?:in|of) (?P<place>{_NAME})")
_ELSEWHERE = r"(?<!with )(?<!near )(?<!bordering )(?<!from )(?<!unlike )"
_NAMED_SO = (
    r"(?i)\b{elsewhere}(?P<before>{name}) {word}\b"
    r"|\bthe (?P<plain>(?!same|other|whole|entire)[a-z][\w-]*) {word}\b"
    r"|\b(?P<graded>[a-z]+)-{word}\b"
    r"|\b{word}(?:(?: of| is| was|:)? (?P<after>{name}|\d[\w.,]*\b))"
)
"""Ways to name something of a sort: "Jiangsu province", "the north wing", "her manager is Kim", "a
county-level city"."""


class Shared(NamedTuple):
    """Whether two things share something, and the lines that name what each has."""

    says: bool
    lines: tuple[Line, ...]
    is_whole: bool = True
    """Whether neither has others besides: of two directors one may be shared."""


class _Named(NamedTuple):
    """What is named for one side, and the lines that lead to it and name it."""

    names: frozenset[str]
    lines: tuple[Line, ...]


def sort_shared(about: str) -> str | None:
    """Return of what sort ``about`` says that two things have the same: "province"; else None."""
    asked = _SAME.search(about)
    return asked["sort"].casefold() if asked else None


def shared(sort: str, compared: Comparison, pool: Pool) -> Shared | None:
    """Return whether both sides have the same of ``sort``; None where nothing tells.

    What each has is compared, for the words alone tell nothing: "in Jiangsu province" and "in
    Jiangxi province" share them.
    """
    sides = (compared.first, compared.second)
    if outright := _said_outright(sort, sides, pool):
        return Shared(says=True, lines=(outright,))
    told = [each for side in sides if (each := _named(sort, side, compared, pool))]
    if len(told) < len(sides):
        return None
    first, second = told
    is_same = not first.names.isdisjoint(second.names)
    if not is_same and _may_be_one(first.names, second.names):
        return None
    is_whole = first.names == second.names or deeds_asked(compared.about, sort) is None
    lines = tuple(dict.fromkeys((*first.lines, *second.lines)))
    return Shared(is_same, lines, is_whole=is_whole or not is_same)


def _may_be_one(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether a name of one is that of the other in fewer words: "Orbis" and "Orbis Pictures"."""
    pairs = ((set(a.split()), set(b.split())) for a, b in product(first, second))
    return any(a <= b or b <= a for a, b in pairs)


_WHO_MADE_BOTH = lazy_regex(
    r"(?i)\W*(?:who|(?:which|what)(?: [a-z]+){1,3}?) (?P<deed>[a-z]+) both (?P<a>[^,?]+?),? and "
    r"(?P<b>[^,?]+?)\W*"
)


class Maker(NamedTuple):
    """Who made two things, and the lines that say so of each."""

    text: str
    lines: tuple[Line, ...]


def find_shared_maker(question: str, pool: Pool) -> Maker | None:
    """Return who did to both of two things what ``question`` asks; None where nobody, or several.

    "Who directed both Tin Lanterns and Salt Road?". English alone.
    """
    asks = in_english(_WHO_MADE_BOTH.fullmatch, last_question(question))
    if asks is None:
        return None
    compared = Comparison(asks["a"], asks["b"], asks["deed"])
    told = [_makers_of(side, compared, pool) for side in (compared.first, compared.second)]
    (first, line), (second, other) = told
    both = [name for name in first if name in second]
    return Maker(both[0], tuple(filter(None, (line, other)))) if len(both) == 1 else None


def _makers_of(side: str, compared: Comparison, pool: Pool) -> tuple[tuple[str, ...], Line | None]:
    """Return who did to ``side`` what ``compared`` is about, and the line that says so."""
    deed = made_by(compared.about)
    for lines in _told_of(side, compared, pool):
        if named := tuple(makers(deed, lines[-1].text)):
            return named, lines[-1]
    return (), None


def _said_outright(sort: str, sides: tuple[str, str], pool: Pool) -> Line | None:
    """Return the line that says of both ``sides`` that they have the same of ``sort``."""
    wanted = (f" same {sort} ", *map(flat_side, sides))
    saying = (x for x in pool.lines if all(each in x.flat for each in wanted))
    return next((x for x in saying if not is_negative(x.text)), None)


def _named(sort: str, side: str, compared: Comparison, pool: Pool) -> _Named | None:
    """Return what is first named of ``sort`` for ``side``, or for the director it asks about."""
    if sort in _COUNTRY:
        return _nation(side, compared, pool)
    deeds = deeds_asked(compared.about, sort)
    for lines in _told_of(side, compared, pool):
        found = makers(deeds, lines[-1].text) if deeds else _named_in(sort, lines, pool)
        if names := frozenset(name.casefold() for name in found):
            return _Named(names, lines)
    return None


def _nation(side: str, compared: Comparison, pool: Pool) -> _Named | None:
    role = _ROLE.search(compared.about) or _ROLE_OF.match(side) or _ROLES_OF.match(compared.first)
    for owner, before in _pages_of(side, role, compared, pool):
        for line in pool.lines_of[owner][:OPENING]:
            if named := nations(line.text)[:2]:
                return _Named(frozenset(named), (*before, line))
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


def _told_of(side: str, compared: Comparison, pool: Pool) -> Iterator[tuple[Line, ...]]:
    """Yield what may tell of ``side``: how its page opens, or a line that names it alone.

    After such a line comes one that says "her" or "it" of the same, if any does.
    """
    flat = flat_side(side)
    other = flat_side(compared.second if side == compared.first else compared.first)
    for owner in passages_about(side, pool, compared):
        lines = pool.lines_of[owner]
        if is_page_of(side, owner, pool):
            yield from ((line,) for line in lines[:OPENING])
        for line in lines:
            if flat in line.flat and other not in line.flat:
                yield (line,)
                after = lines[line.place + 1 : line.place + 2]
                if after and opens_with(side, line) and points_back(after[0].text):
                    yield line, after[0]


def is_page_of(side: str, owner: int, pool: Pool) -> bool:
    """Return whether passage ``owner`` is of the page about ``side``, as its title says."""
    return flat_side(side) in spaced(title_subject(pool.passages[owner].title))


def _named_in(sort: str, lines: Sequence[Line], pool: Pool) -> Iterator[str]:
    """Yield what the last of ``lines`` names of ``sort``.

    Else the places in the only one that are called so elsewhere: "Kelderby lies in Dunmarch" names
    a county where another line has "Dunmarch county".
    """
    line = lines[-1]
    named = list(_names(sort, line))
    if named or line.columns or len(lines) > 1:
        yield from named
        return
    for place in _WHERE.finditer(line.text):
        flat = spaced(place["place"])
        called = f"{flat}{sort} ", f" {sort} of{flat}"
        if any(form in each.flat for each in pool.lines for form in called):
            yield place["place"]


def _names(sort: str, line: Line) -> Iterator[str]:
    """Yield what ``line`` names of ``sort``, in lower case."""
    if line.columns:
        sought = stem(sort)
        if len(line.columns) == len(line.values):
            cells = zip(line.columns, line.values, strict=True)
            yield from (value.casefold() for head, value in cells if sought in terms(head))
        return
    word = _ALSO_CALLED.get(sort, re.escape(sort))
    pattern = _NAMED_SO.format(elsewhere=_ELSEWHERE, name=_NAME, word=word)
    for found in re.finditer(pattern, line.text):
        told = found["before"] or found["plain"] or found["graded"] or found["after"]
        yield told.casefold()
    if sort in _WITHIN_A_COUNTRY:
        yield from _within_a_country(line.text)


def _within_a_country(text: str) -> Iterator[str]:
    """Yield what ``text`` names last of the places that each are in the next, before a country."""
    for found in _PLACES.finditer(text):
        places = [place for place in found["places"].split(", ") if not nations(place)]
        if len(places) > 1:
            yield places[-1].casefold()
