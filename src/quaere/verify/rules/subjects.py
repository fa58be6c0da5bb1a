"""Which of two things that a text sets side by side a sentence is about.

"Alder Dam needs new gates, and Birk Dam needs its spillway relined" has all words of "Alder Dam
needs its spillway relined", but in no statement of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import stems
from quaere.verify.likeness import is_irregular
from quaere.verify.parts import Part, elements, has, segments

LEAST: Final = 0.5
"""Share of what a sentence says besides whom it is about that the statement must have."""
_AUXILIARY: Final = (
    "is|are|was|were|be|has|have|had|do|does|did|may|might|can|could|must|shall|should|will|would"
    "|cannot"
)
_VERB: Final = lazy_regex(
    rf"(?:{_AUXILIARY}|[a-z]+ed|(?<=\w )[a-z]{{2,}}[a-rt-z]s(?! (?:{_AUXILIARY}|of|and|or|in|at|on"
    r"|from|with|for|to|who|which|that|\w+ed)\b))\b"
)
"""What ends the subject with which a statement begins: a verb, as far as that can be told."""
_WORD: Final = lazy_regex(r"\b[a-z]+\b")
_NO_SUBJECT: Final = lazy_regex(
    r"(?i)\W*(?:it|he|she|they|we|you|i|this|that|these|those|who|which|whose|where|there|one|both"
    r"|such|most|some|all|many|others?|another|the (?:former|latter|others?|rest|first|second|same)"
    r"|if|when|because|as|after|before|while|since|until|although|though|in|on|at|by|for|from|to|of"
    r"|with|under|during|between|not|no|nobody|nothing|neither|only|so|then)\b"
)
_LEAD: Final = lazy_regex(
    r"(?i)\W*(?:(?:and|or|but|while|whereas|yet|the|an?|every|each|any|its|his|her|their)\s)*"
)
_POINTS_BACK: Final = lazy_regex(
    r"(?i)\b(?:it|him|her|them|his|their|he|she|they|this|these|those|former|latter)\b"
)
_MAY_BE_NOUN: Final = lazy_regex(r"\b(?:in|on|at|for|from|to|with|by|\w+ing)\s")
"""Before what may be a noun in the plural rather than a verb: "recording at Sun Records"."""
_LONGEST: Final = 48
"""Characters of the longest subject that is told."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a statement is about, and all that it says."""

    subject: Part
    words: Part
    points_back: bool


def is_of_another_subject(said: str, lines: Sequence[str]) -> bool:
    """Return whether ``said`` has the subject of one statement of ``lines``, the rest of another.

    Both have a subject of their own, and that of the other is not named.
    """
    if spoken() is not None or sum(_verb(part) is not None for part in segments(said)) != 1:
        return False
    told = [*_statements(lines)]
    own = elements(said)
    return any(_is_mixed(own, one, other, told) for one, other in permutations(told, 2))


def _is_mixed(own: Part, one: _Statement, other: _Statement, told: Iterable[_Statement]) -> bool:
    """Return whether ``own`` names the subject of ``one``, and else has what ``other`` says."""
    is_contrast = one.subject and other.subject and one.words & other.words
    if not is_contrast or other.points_back:
        return False
    here, there = _without(one.subject, other.words), _without(other.subject, one.words)
    if not _common(own, here) or not there or _common(own, there):
        return False
    rest = _without(own, here)
    elsewhere = frozenset[str]().union(*(each.words for each in told if each is not other))
    taken = _without(_common(rest, other.words), elsewhere)
    kept = _without(_common(rest, one.words), other.words)
    return bool(taken) and not kept and len(_common(rest, other.words)) >= LEAST * len(rest)


def _common(own: Part, part: Part) -> Part:
    return frozenset(each for each in own if has(part, each))


def _without(own: Part, part: Part) -> Part:
    return frozenset(each for each in own if not has(part, each))


def _statements(lines: Iterable[str]) -> Iterator[_Statement]:
    for line in dict.fromkeys(lines):
        for part in segments(line):
            start, end = _subject_in(part)
            points_back = _POINTS_BACK.search(part, end) is not None
            yield _Statement(stems([part[start:end]]), elements(part), points_back)


def _subject_in(part: str) -> tuple[int, int]:
    """Return where the subject of ``part`` begins and ends; both 0 where it has none of its own."""
    lead = _LEAD.match(part)
    start = lead.end() if lead else 0
    verb = None if _NO_SUBJECT.match(part) else _verb(part, start)
    if verb is None or not start < verb.start() <= start + _LONGEST:
        return 0, 0
    if verb[0].endswith("s") and _MAY_BE_NOUN.search(part, start, verb.start()):
        return 0, 0
    return start, verb.start()


def _verb(part: str, start: int = 0) -> re.Match[str] | None:
    words = _WORD.finditer(part, start)
    return next((w for w in words if _VERB.match(part, w.start()) or is_irregular(w[0])), None)
