"""Finds who all belongs to a group: the persons of a list, or those that a sentence names.

"Who works at the surgery?" is answered by all items below "Our team". English alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from quaere.reason.extractive.answer_fit import answer_fit
from quaere.reason.extractive.dated_headings import FORMER
from quaere.reason.extractive.pool import Line, Pool, page_of
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
        r"(?i)\W*(?:who(?: all)?|(?:what|which) (?:people|persons|members)) "
        r"(?P<deed>works?|teach(?:es)?|serves?|sits?|plays?|sings?|belongs?|is|are|was|were)"
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
_GOVERN: Final = frozenset(terms("board committee council trustees"))
"""Stems of headings over persons that need not work for what the page is about."""
_ROLES: Final = frozenset(
    terms(
        "assistants cleaners coaches cooks doctors drivers gardeners librarians managers musicians"
        " nurses officers players receptionists secretaries singers teachers technicians trainers"
        " tutors wardens"
    )
)
"""Stems of headings over persons who have such a role in what the page is about."""
_GUESTS: Final = frozenset(
    terms(
        "applicants clients customers donors guests patients patrons references speakers sponsors"
        " thanks visitors winners"
    )
)
"""Stems of headings over persons that do not belong to what the page is about."""
_WITH_ROLE: Final = lazy_regex(r"[^,(–—]+(?:,| \(| [–—-]) ?[a-z]")
"""An item that tells what somebody is: "Ada Moss, nurse"."""
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
    of_work: bool
    """Whether it is asked who works there."""


class _Listed(NamedTuple):
    """Persons of one list who are asked for."""

    lines: tuple[Line, ...]
    is_named: bool
    """Whether the heading over them has all that is asked: else they are some of the group."""


def find_people(question: str, pool: Pool) -> Group | None:
    """Return all who belong to the group that ``question`` asks for; None where none are listed.

    They are those below the heading that is named; without one, those of all lists of a page.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    asked = _asked(last_question(question))
    if asked is None:
        return None
    listed = list(_listed(asked, pool))
    found = _of_one_page([each for each in listed if each.is_named] or listed, pool)
    if len(found) >= LEAST:
        return Group(found, "; ".join(line.text.rstrip(".") for line in found))
    line = next((line for line in pool.lines if _names_group(line, asked, pool)), None)
    return Group((line,), "") if line else None


def _of_one_page(found: Sequence[_Listed], pool: Pool) -> tuple[Line, ...]:
    """Return the persons of all lists ``found`` on the page that has most of them."""
    pages = dict[str, list[Line]]()
    for each in found:
        for line in each.lines:
            pages.setdefault(page_of(pool.passages[line.owner]), []).append(line)
    return tuple(max(pages.values(), key=len, default=list[Line]())[:MOST])


def _asked(text: str) -> _Asked | None:
    if not is_english():
        return None
    for asks in _ASKS:
        if found := asks.match(text):
            told = found.groupdict()
            group = frozenset(terms(told["group"] or ""))
            roles = frozenset(terms(told.get("roles") or "")) - _ANY_MEMBER
            of_work = (told.get("deed") or "").casefold().startswith(("work", "teach", "serve"))
            return _Asked(group, roles, of_work) if group | roles else None
    return None


def _listed(asked: _Asked, pool: Pool) -> Iterator[_Listed]:
    """Yield the persons of each list below a line that says they are of the group."""
    for lines in pool.lines_of:
        for is_person, run in groupby(lines, key=_is_entry):
            persons = tuple(run)
            if is_person and _heads(asked, persons, lines, pool):
                head = _head_over(persons[0], lines, pool)
                are_all = asked.roles <= head
                chosen = (line for line in persons if are_all or _has_roles(line, asked))
                is_named = bool(asked.group) and asked.group <= head
                yield _Listed(tuple(chosen), is_named)


def _heads(asked: _Asked, persons: Sequence[Line], lines: Sequence[Line], pool: Pool) -> bool:
    """Whether what is over ``persons`` says that they are of the group, or each says its role."""
    first = persons[0]
    head = _head_over(first, lines, pool)
    around = head | pool.title_terms[first.owner] | pool.file_terms(first) | first.under
    if not asked.group <= around:
        return False
    named = asked.group or asked.roles
    if head & (FORMER - named):
        return False
    staff = (_STAFF | _ROLES) - (_GOVERN if asked.of_work else frozenset())
    if head & (named | staff):
        return True
    are_staff = any(line.terms & _ROLES for line in persons)  # painters may be shown, not employed
    have_roles = are_staff and all(_WITH_ROLE.match(line.text) for line in persons)
    return have_roles and not head & (_GUESTS | _GOVERN)


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
