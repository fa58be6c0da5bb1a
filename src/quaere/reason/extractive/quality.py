"""How well a line of a source stands as a sentence of an answer."""

from __future__ import annotations

import re
from math import prod

from quaere.reason.extractive.manuals.commands import standing
from quaere.reason.extractive.pool import Line, spaced
from quaere.text.languages.language import cached_by_language, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import QUESTION_MARKS
from quaere.text.tokens import words

FIT_TO_SHOW = 0.3
"""Quality below which a sentence is shown only when nothing else answers."""
LONG = 70
"""Words from which a sentence is a list or a table that lost its lines, more likely than prose; one
without an end is not shown where anything else answers."""
ECHO = 15
"""Characters of a question beyond which a line that holds all of it puts the same question."""
POINTER = 25
"""Words, at most, of a sentence that only sends one elsewhere."""
_POINTS = lazy_regex(
    r"(?i)(?:please )?(?:see|refer to|consult|for (?:more|further|full) (?:information|details?))\b"
)
"""How a sentence begins that sends one elsewhere, and tells nothing itself."""
_TOLD_ELSEWHERE = lazy_regex(
    r"(?i)\bincorporated (?:herein |hereto )?by reference\b"
    r"|\binformation\b.{0,120}?\b(?:may|can) be found in (?:[\w’'“”\"-]+ ){0,4}?"
    r"(?:notes?|parts?|items?|sections?|exhibits?|appendix|annex|chapters?|reports?|statements?)\b"
)
"""How reports and contracts say, at any length, that another part or another paper tells."""
PROSE = 0.85
"""Quality of a sentence; lists and listings hold many words that say nothing together."""
LEADS_IN = 0.8
"""Quality of a sentence that ends in a colon."""
_OPENS_AFAR = lazy_regex(
    r"(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|There|Here|Such|Er|Sie|Es|Il|Elle"
    r"|Ils|Elles|Он|Она|Оно|Они)\b|(?:她|他|它|هو |هي )|The [a-z]+ (?:is|was|are|were|has|had)\b"
    r"|Otherwise\b|(?:By )?[Dd]oing so\b|In that case\b|If (?:not|so)\b|Therefore\b"
    r"|For (?:this|that) reason\b"
    r"|If (?:it|they|he|she) (?:[a-z]+ not|[a-z]+n['’]t)\b"
)
_OF_THE_PAGE = lazy_regex(
    r"This (?:package|module|library|tool|program|project|application|document|manual|guide|utility"
    r"|plugin|extension|repository)\b"
)
"""How a page speaks of itself, or of what it is about: nothing before explains it."""
_ENDS = (".", "!", "。", "！", "।", "…")
_CLOSERS = "\"”»’)'」』）]* "
_OPENERS = "\"“«„‘'([「『（|`*$€£"
_RECORD = lazy_regex(r": [^;]+; ")
"""A record: "column: value; column: value"."""
_SIGN = lazy_regex(r"[{}\[\]()<>=;|$\\\"_/#@~^*]")
CODE = 0.1
"""Share of the characters of a line that are signs, from which it is a line of a program."""
_DRAWN = lazy_regex(r"[\u2500-\u257f]")
"""A frame drawn around cells."""
_NAVIGATION = lazy_regex(
    r"(?i)\b(?:click here|read more|subscribe|cookies?|all rights reserved"
    r"|privacy policy|terms of (?:use|service)|share (?:this|on)|skip to|main menu|back to top)\b"
    r"|©|»|^[^|].*\|.*\|"
)
_ENTRY = lazy_regex(r"(?i)\b(?:log ?in|sign (?:in|up))\b")
_BUTTON = 4
"""Words, at most, of what a page has to be clicked on: "Sign up for free." tells nothing."""


def needs_context(text: str) -> bool:
    """Return whether a sentence begins with what only the one before it explains: "It was ..."."""
    language = language_in_use()
    if language is not None and re.match(language.so, text):
        return True
    if language is not None and language.following is not None:  # Italian "il" is an article
        return re.match(language.points_back, text) is not None
    return _OPENS_AFAR.match(text) is not None and _OF_THE_PAGE.match(text) is None


def quality(line: Line) -> float:
    """Return how well ``line`` stands as a sentence of an answer: 1 for prose, near 0 for menus."""
    count = len(words(line.text))
    if count < 3 or line.heading or _is_furniture(line.text):
        return 0.1
    if line.text.rstrip(_CLOSERS).endswith(QUESTION_MARKS):
        return 0.3
    return prod(factor for factor, has in _flaws(line, count) if has)


def may_lead(line: Line, question: str) -> bool:
    """Return whether ``line`` is fit to show, and does not just put the same ``question``."""
    return quality(line) >= FIT_TO_SHOW and not _is_echo(line, question)


def _is_echo(line: Line, question: str) -> bool:
    """Return whether ``line`` puts the same ``question``.

    Without spaces, question words are not compared, and a statement may have all others: such
    a question has to be there as it is written.
    """
    language, flat = language_in_use(), _flat(question)
    if not question.endswith(QUESTION_MARKS) or len(flat) <= ECHO:
        return False
    if language is not None and language.pieces:
        return question.rstrip("".join(QUESTION_MARKS)) in line.text
    return flat in line.flat


@cached_by_language(maxsize=16)
def _flat(question: str) -> str:
    return spaced(question)


def _is_furniture(text: str) -> bool:
    """Whether ``text`` belongs to a page rather than to what it tells: a menu, a drawn frame."""
    if _ENTRY.search(text) and not (text.endswith(_ENDS) and len(words(text)) > _BUTTON):
        return True
    return _NAVIGATION.search(text) is not None or _DRAWN.search(text) is not None


def _is_record(line: Line) -> bool:
    return bool(line.columns) or _RECORD.search(line.text) is not None


def _flaws(line: Line, count: int) -> tuple[tuple[float, bool], ...]:
    """Return what each flaw leaves of the quality of ``line``, of ``count`` words; if it has it."""
    text = line.text
    bare = text.rstrip(_CLOSERS)
    is_record = _is_record(line)
    has_end = bare.endswith(_ENDS) or is_record
    return (
        (LEADS_IN if bare.endswith(":") else 0.5, not has_end),
        (0.8, count > LONG and not has_end),
        (0.5, not (text[0].isalnum() or text[0] in _OPENERS)),
        (0.5, not (is_record or line.listed) and len(_SIGN.findall(text)) > CODE * len(text)),
        (0.9, text[0].islower()),
        (0.5, text[0] == "(" and text[-1] == ")"),
        (0.97, needs_context(text)),
        (0.4, count <= POINTER and _POINTS.match(text) is not None),
        (0.25, _TOLD_ELSEWHERE.search(text) is not None),
        (0.7, count > LONG),
        (0.7, is_record),
    )


_THINGS = lazy_regex(r"(?:[\w'’-]+ ){1,4}(?:that|which|who)(?: [\w'’-]+){1,4}\W*")


def names_things(line: Line) -> bool:
    """Return whether ``line`` is an item that names things and asserts nothing of them.

    "Pages that need ink" does. English alone.
    """
    return line.listed and is_english() and _THINGS.fullmatch(line.text) is not None


def is_prose(line: Line) -> bool:
    """Return whether ``line`` is a sentence, or one that leads in to code and tells something."""
    leads_in = line.text.endswith(":") and standing(line) is not line
    return quality(line) >= (PROSE * LEADS_IN if leads_in else PROSE)


def is_prose_or_beside(line: Line, row: Line) -> bool:
    """Return whether ``line`` is prose, or another row of the table that ``row`` is of."""
    return is_prose(line) or (bool(line.columns) and line.columns == row.columns)
