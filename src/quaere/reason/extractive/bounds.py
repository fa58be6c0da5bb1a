"""Whether a rule is one for some place, time, group or sort alone, of which the question is silent.

"Glass is not allowed at the pool" says neither yes nor no to whether glass is allowed: the rule is
the answer, with its bounds. English alone.
"""

from __future__ import annotations

from typing import Final

from quaere.reason.extractive.denials import REJECTS, asks_leave, excepts, is_told_of
from quaere.reason.extractive.pool import Line, Pool
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers
from quaere.text.synonyms import forms_of
from quaere.text.tokens import terms, words

_RULED: Final = (
    r"allowed|permitted|forbidden|prohibited|banned|ok(?:ay)?|possible|included|covered|insured"
    r"|free|required|needed|necessary|compulsory|mandatory|accepted|admitted|welcome|available"
    r"|supported"
)
_ASKS: Final = lazy_regex(
    rf"(?i)\W*(?:is|are)\s(?!it\b|they\b|there\b)[^?]*\b(?:{_RULED})\b"
    r"(?:\s(?:of|from|in|at|on|for|with)\b[^?]*)?\W*\Z"
)
"""Asks whether a thing is allowed, included, free or needed."""
_PARTS: Final = lazy_regex(r"[;:]\s|\.\s|,?\s(?:but|while|whereas)\s|,\sand\s")
_PLACED: Final = (
    "in|into|on|onto|at|inside|outside|within|from|during|between|after|before|until|under|over"
    "|above|near|for"
)
_VERBS: Final = (
    "is|are|was|were|may|must|can|cannot|can['’]t|will|shall|should|has|have|needs?|gets?|costs?"
)
_PHRASE: Final = lazy_regex(
    rf"(?i)(?:^\W*|\s)(?:(?:{_PLACED})(?!\sleast\b|\smost\b|\sto\b)|to(?=\s(?:the|an?|our|your)\b))"
    rf"\s(?!(?:is|are|was|were)\b)(?P<what>.+?)(?=[,;:.()!]|\s(?:{_PLACED}|to|of|by|with|{_VERBS}|and|or|not|never|as)\b|\Z)"
)
"""Says where, when or for whom something is so."""
_EXCEPTION: Final = lazy_regex(r"(?i),?\s(?:except|apart from|other than|unless|if)\b.*")
_ANY: Final = lazy_regex(
    r"(?i)\b(?:all|any|anywhere|anybody|anyone|each|every|everybody|everyone|everywhere"
    r"|everything|whole|entire|you)\b"
)
"""Bounds nothing: "on all pitches"."""
_AT_TIMES: Final = lazy_regex(
    r"(?i)\s(?:when|whenever|while|as long as)\s"
    r"|\b(?:once|twice|[a-z]+ times|\d+ times) (?:an?|per)\b"
)
"""Says at what times, or how often, something is so."""
_HOW_MANY: Final = lazy_regex(r"(?i)(?:one|two|three|four|five|six)(?: people| persons)?")
"""Bounds nothing either: "bedding for two"."""
_OF_ANY_RULE: Final = frozenset(
    terms(
        "use using bring bringing keep keeping take taking wear wearing have having own site"
        " premises ground property building time times day night charge cost price fare fee rent"
        " rate ticket reason safety hygiene law principle general extra nothing rule please"
        " strictly also therefore unfortunately generally sorry note"
    )
)
"""Stems of words that bound no rule."""
_ADDRESSED: Final = frozenset(
    terms(
        "you we guest visitor member tenant resident employee staff worker customer client user"
        " pupil student parent participant passenger traveller camper patient reader people person"
        " everybody everyone anybody anyone adult holder owner colleague"
    )
)
"""Stems of those for whom the rules of a place are made."""
_SUBJECT: Final = lazy_regex(rf"(?i)^(?P<who>.+?)\s(?:{_VERBS})\b")
_OF: Final = lazy_regex(r"(?i)\bof\W*\Z")
_MODAL: Final = lazy_regex(r"(?i)\b(?:may|must|can|cannot|can['’]t)\b")
_PRONOUN: Final = lazy_regex(r"(?i)^\W*(?:it|they|this|that|these|those|there|he|she|you|we|i)\b")
_AND: Final = lazy_regex(r"(?i)\s?,\s?|\s(?:and|or|nor)\s")
_ROW: Final = lazy_regex(r"[^:;.]{1,40}: (?P<key>[^;]+); [^:;.]{1,60}: ")
"""How a row of a table begins that is read as a sentence."""


def asks_rule(text: str) -> bool:
    """Return whether ``text`` asks what a rule says: what is allowed, included, free or needed."""
    return is_english() and (asks_leave(text) or _ASKS.match(text) is not None)


_RULING: Final = lazy_regex(
    r"(?i)\b[a-z]+ (?:not )?(?:allowed|permitted|forbidden|prohibited|banned)\b"
)


def is_ruling_row(line: Line) -> bool:
    """Return whether ``line`` is a row, read as a sentence, that rules on a thing."""
    is_row = bool(line.columns) and _ROW.match(line.text) is not None
    return is_row and any(map(_RULING.search, line.values))


def is_bounded(line: Line, text: str, pool: Pool) -> bool:
    """Return whether ``line`` tells a rule within bounds of which ``text`` says nothing.

    What is over the line bounds nothing: on a page about the pool, rules are for the pool.
    """
    if not asks_rule(text) or REJECTS.search(line.text) or excepts(line.text, text):
        return False
    asked = _asked(text)
    row = _ROW.match(line.text)
    if row is not None:
        return asked.isdisjoint(terms(row["key"]))
    known = asked | pool.over(line) | pool.file_terms(line) | _OF_ANY_RULE
    part = _EXCEPTION.sub("", _part_about(asked, line.text))
    if _AT_TIMES.search(part) and not _AT_TIMES.search(text):
        return True
    return _is_placed(part, asked, known) or _is_of_some(part, asked, known, text)


def says_all(line: Line, text: str, pool: Pool) -> bool:
    """Return whether ``line``, with what is over it, has each word of ``text`` in some form."""
    said = line.terms | pool.over(line) | pool.file_terms(line)
    asked = (word for word in words(text) if frozenset(terms(word)))
    return all(not forms_of(word).isdisjoint(said) or is_told_of(word, line.text) for word in asked)


def _asked(text: str) -> frozenset[str]:
    """Return the stems of ``text`` in all their forms."""
    return frozenset(terms(text)).union(*map(forms_of, words(text)))


def _part_about(asked: frozenset[str], said: str) -> str:
    """Return the part of ``said`` that has most of what is ``asked``, the first of several."""
    return max(_PARTS.split(said), key=lambda part: len(asked & frozenset(terms(part))))


def _is_placed(part: str, asked: frozenset[str], known: frozenset[str]) -> bool:
    """Whether ``part`` says where, when or for whom it is so, in none of the words ``asked``."""
    return any(
        _bounds(phrase["what"], asked, known, is_first=not part[: phrase.start()].strip())
        for phrase in _PHRASE.finditer(part)
    )


def _bounds(what: str, asked: frozenset[str], known: frozenset[str], *, is_first: bool) -> bool:
    """Whether ``what`` is a place, time or group that is not ``known``.

    Where it comes first, what follows without a comma may be the thing that is asked about: "On
    Sundays dogs are allowed".
    """
    told = list(terms(what))
    if not told or _ANY.search(what) or _HOW_MANY.fullmatch(what):
        return False
    if is_first:
        told = told[:1]
    return asked.isdisjoint(told) and not known.issuperset(told)


def _is_of_some(part: str, asked: frozenset[str], known: frozenset[str], text: str) -> bool:
    """Whether ``part`` is about a sort of the thing, or a group, that ``text`` does not name."""
    subject = _SUBJECT.match(part)
    if subject is None or _PRONOUN.match(part) or _ANY.search(subject["who"]):
        return False
    groups = [frozenset(terms(each)) for each in _AND.split(_without_amount(subject["who"]))]
    about = [each for each in groups if each & asked] or (groups if _is_by_some(part, text) else [])
    return bool(about) and not any(each <= known | _ADDRESSED for each in about)


def _without_amount(subject: str) -> str:
    """Return ``subject`` without how much it is, which bounds nothing: "a deposit of £50"."""
    amount = next((each for each in numbers(subject) if each.unit), None)
    if amount is None or not _OF.search(subject, 0, amount.start):
        return subject
    return subject[: amount.start] + subject[amount.end :]


def _is_by_some(part: str, text: str) -> bool:
    """Whether ``text`` asks what one may do, and ``part`` says who may."""
    return asks_leave(text) and _MODAL.search(part) is not None
