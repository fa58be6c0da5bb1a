"""Tells whether a sentence denies, or leaves open, what a question asks."""

from __future__ import annotations

import re
from decimal import Decimal

from quaere.text.facts import negation
from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.numbers import numbers
from quaere.text.tokens import stem, terms

_WITHOUT_EFFECT = lazy_regex(
    r"(?i)\b(?:no (?:significant|statistical\w*|differences?|association|evidence|effect|benefit"
    r"|correlation|relationship)|not (?:\w+ly )?(?:significant|associated|differ\w*|affect\w*"
    r"|improve\w*|increase\w*|reduce\w*|correlated|related)|(?:fail|lack)(?:s|ed)? (?:to|of)"
    r"|unlikely|remains? (?:unclear|unknown|controversial))\b"
)
_CLAUSE = lazy_regex(r"[,;，；]")
_PARTLY = lazy_regex(
    r"(?i)\bnot (?:always|completely|entirely|fully|necessarily|quite|strictly|totally|wholly)\b"
)
"""Denies a part alone: neither a yes nor a no."""
NEEDS = lazy_regex(
    r"(?i)\b(?:needs?|needed|requires?|required|must|necessary|mandatory|depends? on|only with)\b"
)
OPTIONAL = lazy_regex(r"(?i)\boptional(?:ly)?\b|\b(?:can|may) be left out\b")
"""Denies a need."""
_FORBIDS = lazy_regex(
    r"(?i)\b(?:forbidden|prohibited|banned|disallowed|ruled out|impossible|unsupported)\b"
)
_MAY_BE = """
    permit permitted allowed possible supported available welcome included covered admitted eligible
    entitled
"""
_LICENSED = frozenset(map(stem, _MAY_BE.split()))
"""Stems of what is denied where something may not be: "it is not permitted for guests"."""
_ON = lazy_regex(
    r"(?i)\b(?:(?:turned|switched) on|on by default|enabled|activated)\b|\b(?:is|are) on\W*$"
    r"|^\W*(?:is|are) .*\bon\W*$"
)
_OFF = lazy_regex(
    r"(?i)\b(?:(?:turned|switched) off|off by default|disabled|deactivated)\b|\b(?:is|are) off\W*$"
    r"|^\W*(?:is|are) .*\boff\W*$"
)
"""How a question or a sentence says that something is in use, or is not."""
_BY_DEFAULT = lazy_regex(r"(?i)\b(?:on|off|enabled|disabled|activated|deactivated) by default\b")
_STATES = frozenset(
    map(stem, ("enabled", "activated", "disabled", "deactivated", "turned", "switched"))
)
_EITHER_WAY = lazy_regex(r"(?i)\bwhether or not\b|\bor not\b|\[no-?\]")
"""Says neither yes nor no."""
_LETS = lazy_regex(r"(?i)\b(?:be )?(?:allowed|able|permitted|supposed) to\b")
"""Who is not allowed to sail does not sail."""


def leaves_open(said: str, text: str) -> bool:
    """Whether ``said`` is about a part or another amount: "more than seven" leaves three open."""
    partly = _PARTLY.search(said) is not None and not _PARTLY.search(text)
    return partly or not _values(text) <= _values(said)


def _values(text: str) -> frozenset[Decimal]:
    return frozenset(number.value for number in numbers(text))


def settles_denial(said: str, text: str) -> bool:
    """Return whether ``said`` can answer a question that denies something, as "without a key" does.

    One that merely has its words leaves it open: "it takes the best model" does not say "no" to
    "can it be used without a model?", and "it needs a model" does.
    """
    return bool(denies_of(said, text)) or NEEDS.search(said) is not None


def _forbids(said: str) -> bool:
    """Whether ``said`` forbids something or denies that it may be."""
    denied = negation(said).denied
    forbidding = (found[0].casefold() for found in _FORBIDS.finditer(said))
    return any(stem(word) not in denied for word in forbidding) or bool(denied & _LICENSED)


def denies_of(said: str, text: str) -> bool | None:
    """Return whether ``said`` denies something that ``text`` asks of; None where it does both."""
    if spoken() is not None:
        return _denies_by_clause(said, text)
    if NEEDS.search(text) and OPTIONAL.search(said):
        return True
    if _forbids(said) and not _forbids(text):
        return True
    bare = _EITHER_WAY.sub(" ", _LETS.sub(" ", said))
    denied = negation(bare).denied
    if {_is_on(said), _is_on(text)} == {True, False}:
        return denied.isdisjoint(_STATES)
    denied &= frozenset(terms(text))
    return bool(denied) or _WITHOUT_EFFECT.search(said) is not None


def _is_on(text: str) -> bool | None:
    """Return whether ``text`` says that something is on; None where it says neither, or both."""
    by_default = _BY_DEFAULT.search(text)
    told = by_default[0] if by_default else text
    on, off = _ON.search(told) is not None, _OFF.search(told) is not None
    return on if on is not off else None


def _denies_by_clause(said: str, text: str) -> bool | None:
    """Return the same by the clause that has most words of ``text``."""
    asked = frozenset(terms(text))
    clauses = [(len(asked & frozenset(terms(c))), is_negative(c)) for c in _CLAUSE.split(said)]
    most = max(shared for shared, _ in clauses)
    found = {negative for shared, negative in clauses if shared == most}
    return found.pop() if len(found) == 1 else None


def is_negative(text: str) -> bool:
    """Return whether ``text`` holds a denial."""
    language = spoken()
    if language is None:
        return negation(text).denies
    return re.search(f"(?i){language.denies}", text) is not None
