"""Finds who all belongs to a group: the persons of a list, or those that a sentence names.

"Who works at the surgery?" is answered by all items below "Our team". English alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from quaere.reason.extractive.answer_fit import answer_fit
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import Kind, last_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.tokens import apart, stem, terms, words

LEAST, MOST = 2, 30
"""Persons that make a group, and those of one that are told."""
PERSON: Final = 0.7
"""How well a name has to fit one of a person."""
_HEAD_WORDS: Final = 7
"""Words of a line that heads persons without being marked as a heading, at most."""

_ASKS: Final = (
    lazy_regex(
        r"(?i)\W*who (?:all )?"
        r"(?:works?|teach(?:es)?|serves?|sits?|plays?|sings?|belongs?|is|are|was|were)"
        r"(?: all)? (?:at|in|on|for|with|to) (?P<group>[^?]+)\??\W*\Z"
    ),
    lazy_regex(
        r"(?i)\W*who (?:are|were) (?:all )?(?:the|our|your)"
        r" (?P<roles>(?:[a-z-]+ ){0,2}?[a-z-]+s|people|staff)"
        r"(?: (?:at|in|on|of|for) (?P<group>[^?]+))?\??\W*\Z"
    ),
    lazy_regex(r"(?i)\W*who makes up (?P<group>[^?]+)\??\W*\Z"),
)
_STAFF: Final = frozenset(
    terms(
        "team staff people employees members member crew personnel colleagues contacts volunteers"
        " board committee council trustees officers who"
    )
) | {stem("who")}
"""Stems of headings over persons that belong to what the page is about."""
_ANY_MEMBER: Final = frozenset(terms("members people staff persons colleagues employees"))
"""Stems of roles that everybody in a group has."""
_TITLES: Final = {stem("doctor"): "Dr", stem("professor"): "Prof"}
"""What is before the names of those that have such a role."""
_FORMER: Final = frozenset(map(stem, words("former formerly past previous retired ex left")))
"""Stems of headings over persons that belong to a group no more."""
_LABELLED: Final = lazy_regex(
    r"[*_]*(?P<label>[A-Z][\w ,/&'’-]{1,40}?)[*_]*:[*_]*\s+(?P<told>\S.*)"
)
_TITLE: Final = lazy_regex(r"(?:Dr|Prof|Mrs?|Ms|Miss|Sir|Sister|Rev)\b\.?\s+")
_CONSISTS: Final = lazy_regex(
    r"(?i)\b(?:consists? of|(?:is|are) made up of|comprises?|(?:members|players|staff) (?:are|is)"
    r"|(?:is|are) run by|includes?)\b|:\s"
)
"""What is before the persons in a sentence that names all of them."""


class Group(NamedTuple):
    """The lines that name all of a group, and those persons in short."""

    lines: tuple[Line, ...]
    text: str
    """Empty where one sentence names them."""


class _Asked(NamedTuple):
    """Whom it is asked for."""

    group: frozenset[str]
    roles: frozenset[str]
    """Stems of what they are, all of which a line about one must have; none for anybody."""


def find_people(question: str, pool: Pool) -> Group | None:
    """Return all who belong to the group that ``question`` asks for; None where none are listed.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    asked = _asked(last_question(question))
    if asked is None:
        return None
    found = [each for each in _listed(asked, pool) if len(each.lines) >= LEAST]
    if found:
        return max(found, key=lambda each: len(each.lines))
    line = next((line for line in pool.lines if _names_group(line, asked, pool)), None)
    return Group((line,), "") if line else None


def _asked(text: str) -> _Asked | None:
    if not is_english():
        return None
    for asks in _ASKS:
        if found := asks.match(text):
            told = found.groupdict()
            group = frozenset(terms(told["group"] or ""))
            roles = frozenset(terms(told.get("roles") or "")) - _ANY_MEMBER
            return _Asked(group, roles) if group | roles else None
    return None


def _listed(asked: _Asked, pool: Pool) -> Iterator[Group]:
    """Yield the persons of each list below a line that says they are of the group."""
    for lines in pool.lines_of:
        for is_person, run in groupby(lines, key=_is_entry):
            persons = tuple(run)
            if is_person and _heads(asked, persons[0], lines, pool):
                are_all = asked.roles <= _head_over(persons[0], lines, pool)
                chosen = [line for line in persons if are_all or _has_roles(line, asked)][:MOST]
                yield Group(tuple(chosen), "; ".join(line.text.rstrip(".") for line in chosen))


def _heads(asked: _Asked, first: Line, lines: Sequence[Line], pool: Pool) -> bool:
    """Whether what is over the ``first`` of a list says that it is of the group."""
    head = _head_over(first, lines, pool)
    around = head | pool.title_terms[first.owner] | pool.file_terms(first) | first.under
    if not asked.group <= around:
        return False
    named = asked.group or asked.roles
    is_former = head & (_FORMER - named)
    return bool(head & (named | _STAFF)) and not is_former


def _head_over(first: Line, lines: Sequence[Line], pool: Pool) -> frozenset[str]:
    """Return the stems of the nearest heading over ``first``, and of a short line before it."""
    said = apart(pool.headings_over(first).rpartition("\n")[2])
    before = lines[first.place - 1] if first.place else None
    if before is not None and _may_head(before):
        said = f"{said} {before.text}"
    return frozenset(map(stem, words(said)))


def _may_head(line: Line) -> bool:
    is_short = len(line.text.split()) <= _HEAD_WORDS
    return line.text.endswith(":") or (is_short and not line.text.endswith((".", "!", "?")))


def _is_entry(line: Line) -> bool:
    """Whether ``line`` is about one person, or about those of one role: "Chair: Ada Moss"."""
    if line.heading or line.columns:
        return False
    if labelled := _LABELLED.fullmatch(line.text):
        return _begins_with_person(labelled["told"]) or _begins_with_person(labelled["label"])
    return line.listed and _begins_with_person(line.text)


def _begins_with_person(text: str) -> bool:
    bare = text.lstrip("*_ ")
    title = _TITLE.match(bare)
    if title is not None:
        return bare[title.end() : title.end() + 1].isupper()
    first = next(iter(names(bare)), None)
    if first is None or first.start or " " not in first.text:
        return False
    return answer_fit(Kind.PERSON, first.text) >= PERSON


def _has_roles(line: Line, asked: _Asked) -> bool:
    """Whether ``line`` is about somebody who is what is asked for."""
    return all(role in line.terms or _is_titled(role, line) for role in asked.roles)


def _is_titled(role: str, line: Line) -> bool:
    title = _TITLES.get(role)
    return title is not None and title in line.text.split()


def _names_group(line: Line, asked: _Asked, pool: Pool) -> bool:
    """Whether ``line`` is a sentence that names several persons of the group, and says so."""
    consists = None if line.heading or line.columns else _CONSISTS.search(line.text)
    if consists is None or asked.roles:
        return False
    before = frozenset(terms(line.text[: consists.start()]))
    own = asked.group - pool.title_terms[line.owner] or asked.group
    if not own or not own <= before:
        return False
    persons = [
        name
        for name in names(line.text)
        if name.start >= consists.end() and answer_fit(Kind.PERSON, name.text) >= PERSON
    ]
    return len(list(takewhile(lambda name: " " in name.text, persons))) >= LEAST
