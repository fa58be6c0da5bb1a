"""Finds the sentence that names all there is of a sort: "The supported rigs are sloop and yawl"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from quaere.reason.extractive.chains import Goal, highest
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.facts import negation
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

COVERED = 0.75
"""Share of the question's weight that the sentence, what is under the same label, the headings over
it and the title of its page must hold between them."""
LONGEST = 4
"""Words of a thing that is named, at most: more of them are a clause."""

_ASKS_ENUMERATED = lazy_regex(
    r"(?i)\W*(?:(?:which|what)(?:\s+are(?:\s+the)?)?|(?:list|name|give)(?:\s+me)?(?:\s+all)?"
    r"(?:\s+of)?(?:\s+the)?)\s+(?P<things>(?:[\w'’-]+\s+){0,4}?[\w-]+s)\b"
    r"(?<!\bis)(?<!\bdoes)(?<!\bwas)(?<!\bhas)"
)
_PART = r"(?:[^.;:()\[\]]|\.(?=[\w,]))"
"""What a sentence has up to its end: "U.S." ends none."""
_NAMED = rf"(?P<named>{_PART}{{1,120}}?(?:,| and | or ){_PART}+)"
_NAMES = lazy_regex(
    r"(?i)\b(?P<things>[\w-]+)(?::|\s+(?:(?:that|which)\s+are\s+(?:not\s+)?\w+\s+)?"
    r"(?:for\s+[\w-]+\s+)?(?:(?:now|currently|available|supported|allowed|possible)\s+)?"
    rf"(?:are|include|is one of|are one of)\b:?)\s++{_NAMED}"
)
_AT_LENGTH = lazy_regex(
    r"(?i)(?P<things>(?<![\w-])[\w-]+(?: [\w-]+){0,6}):\s++"
    r"(?P<named>[^.:;]{2,80}(?:;[^.:;]{2,80}){1,12})"
)
"""The same of things with long names, which semicolons part."""
_NO_THING = lazy_regex(
    r"(?i)(?:is|are|was|were|be|been|to|not|has|have|had|will|may|can|[a-z]+ly)\b"
    r"|[a-z]+ed (?:by|in|to|as|for|at|on|with|from)\b"
)
"""How a clause begins that says what is done, and names nothing."""
_ONE_OF = lazy_regex(
    rf"(?i)(?:^|[,:]\s+|\b(?:be|is|takes|as|to)\s+)(?:any |either )?one of\s+{_NAMED}"
)
_APPOSED = lazy_regex(rf"\s+(?P<bracket>\()?{_NAMED}")
"""Names after the word for them: "the formats CSV, JSON and XML", also in brackets."""
_IS_NAME = lazy_regex(r"[A-Z`]")
_WORD = lazy_regex(r"[\w-]+")
FEWEST = 3
"""Names after the word for them without a verb, at least: two may be anything."""
_PARTS = lazy_regex(r"(?i)\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+")
_ANY = frozenset(map(stem, ("option", "value", "choice", "argument", "keyword", "setting", "name")))
"""What may be given under a label, whatever the label calls it."""
_MAY_BE = frozenset(map(stem, ("possible", "allowed", "valid", "available", "accepted")))
"""What is said of all that may be given."""
_LISTS = frozenset(map(stem, ("list", "name", "give", "all")))
"""By what all of them are asked for."""
_TAKES = frozenset(map(stem, ("accept", "know", "offer", "take", "understand")))
"""What a thing does that has one of them."""


def find_enumeration(question: str, pool: Pool) -> Line | None:
    """Return the sentence that names the things that ``question`` asks for; None where none does.

    It says what they are of, or the label, the headings and the title over it do. English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    asks = in_english(_ASKS_ENUMERATED.match, text)
    if asks is None:
        return None
    things = frozenset(terms(asks["things"].split()[-1]))
    if not things:
        return None
    idle = _MAY_BE | _LISTS | _TAKES | (things & _ANY)
    wanted = [term for term in terms(text) if term not in idle]
    goal = Goal(text, pool, wanted)
    denies = negation(text).denies
    held = [
        (goal.share_in(_around(line, pool)), line)
        for line, lead in _naming(things, pool)
        if negation(lead).denies == denies
    ]
    return highest(held, COVERED)


def names_all(text: str, things: frozenset[str]) -> re.Match[str] | None:
    """Return where ``text`` names all of the ``things``, stems, after a word for them."""
    own = (told for told in _NAMES.finditer(text) if frozenset(terms(told["things"])) == things)
    found = next((told for told in own if _are_named(told["named"])), None)
    return found or _named_at_length(text, things)


def _named_at_length(text: str, things: frozenset[str]) -> re.Match[str] | None:
    """Return where ``text`` names ``things``, separated by semicolons, after a word for them."""
    told = _AT_LENGTH.finditer(text)
    return next((each for each in told if things <= frozenset(terms(each["things"]))), None)


def _naming(things: frozenset[str], pool: Pool) -> Iterator[tuple[Line, str]]:
    """Yield the lines that name several of the ``things``, or what may be given for one.

    Each comes with what leads in to the names: "no" may be one of them.
    """
    for line in pool.lines:
        told = None if line.heading or line.columns else _enumeration(line, things)
        if told is not None:
            yield line, line.text[: told.start("named")]


def _enumeration(line: Line, things: frozenset[str]) -> re.Match[str] | None:
    own = (told for told in _NAMES.finditer(line.text) if _are_of(things, told["things"], line))
    told = next((told for told in own if _are_named(told["named"])), None)
    if told := told or _named_at_length(line.text, things) or _apposed(line.text, things):
        return told
    one_of = _ONE_OF.search(line.text) if line.label else None
    return one_of if one_of and _are_named(one_of["named"]) else None


def _apposed(text: str, things: frozenset[str]) -> re.Match[str] | None:
    """Return where ``text`` names ``things`` after the word for them, most of them as names are."""
    called = (
        word
        for word in _WORD.finditer(text)
        if word[0].endswith("s") and frozenset(terms(word[0])) == things
    )
    told = (_APPOSED.match(text, word.end()) for word in called)
    return next(filter(_are_apposed, filter(None, told)), None)


def _are_apposed(told: re.Match[str]) -> bool:
    """Whether what is ``told`` after a word are several names, in brackets or as names are."""
    if not _are_named(told["named"]):
        return False
    parts = _PARTS.split(told["named"].strip())
    as_names = sum(_IS_NAME.search(part) is not None for part in parts)
    return len(parts) >= FEWEST and (bool(told["bracket"]) or 2 * as_names > len(parts))


def _are_of(things: frozenset[str], called: str, line: Line) -> bool:
    """Whether what is ``called`` so in ``line`` are ``things``: by that, or by the label alone."""
    said = frozenset(terms(called))
    return said == things or (bool(line.label and said) and said <= _ANY)


def _are_named(said: str) -> bool:
    """Whether ``said`` is an enumeration of things rather than a clause."""
    parts = _PARTS.split(said.strip())
    if any(map(_NO_THING.match, parts)):
        return False
    return all(0 < len(words(part)) <= LONGEST for part in parts)


def _around(line: Line, pool: Pool) -> frozenset[str]:
    """Return the terms of ``line``, of what is over it and of what is said under its label."""
    label = line.label
    beside = (each for each in pool.lines_of[line.owner] if label and each.label == label)
    over = pool.over(line) | pool.file_terms(line)
    return (line.terms | over).union(*(each.terms for each in beside))
