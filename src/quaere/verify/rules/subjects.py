"""Which of two things that a text sets side by side a sentence is about.

"Alder Dam needs new gates, and Birk Dam needs its spillway relined" has all words of "Alder Dam
needs its spillway relined", but in no statement of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import stems
from quaere.verify.parts import Part, elements, has, segments

LEAST: Final = 0.5
"""Share of what a sentence says besides whom it is about that the statement must have."""
_VERB: Final = lazy_regex(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|may|might|can|could|must|shall|should|will"
    r"|would|cannot|[a-z]+ed|(?:[a-z]+ly )?(?:ran|won|lost|held|gave|took|sold|bought|built|wrote"
    r"|drew|began|came|went|made|kept|paid|led|left|met|rose|fell|grew|found|got|saw|said|sent|set"
    r"|cost|put|sat|stood|spent|taught|told|wore|drove|flew|chose|broke|brought|caught)"
    r"|(?<=[a-zA-Z\d] )[a-z]{2,}[a-rt-z]s(?! (?:is|are|was|were|has|have|had|do|did|may|might|can"
    r"|could|must|shall|should|will|would|of|and|or|in|at|on|from|with|for|to|who|which|that|\w+ed)"
    r"\b))\b"
)
"""What ends the subject with which a statement begins: a verb, as far as that can be told."""
_NO_SUBJECT: Final = lazy_regex(
    r"(?i)\W*(?:it|he|she|they|we|you|i|this|that|these|those|who|which|whose|where|there|one|both"
    r"|such|most|some|all|many|others?|another|the (?:former|latter|others?|rest|"
    r"first|second|one|same)|if|when|because|as|after|before|while|since|until|although|though|in|on"
    r"|at|by|for|from|to|of|with|under|during|between|not|no|nobody|nothing|neither|only|so|then)\b"
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
    if spoken() is not None or sum(_VERB.search(part) is not None for part in segments(said)) != 1:
        return False
    told = [*_statements(lines)]
    own = elements(said)
    return any(_is_mixed(own, one, other, told) for one, other in permutations(told, 2))


def _is_mixed(own: Part, one: _Statement, other: _Statement, told: Iterable[_Statement]) -> bool:
    """Return whether ``own`` names the subject of ``one``, and else has what ``other`` says."""
    if other.points_back or not one.subject or not other.subject:
        return False
    if not one.words & other.words:
        return False  # two things set side by side have something in common
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
    lead, verb = _LEAD.match(part), None
    start = lead.end() if lead else 0
    if not _NO_SUBJECT.match(part):
        verb = _VERB.search(part, start)
    if verb is None or not start < verb.start() <= start + _LONGEST:
        return 0, 0
    if verb[0].endswith("s") and _MAY_BE_NOUN.search(part, start, verb.start()):
        return 0, 0
    return start, verb.start()
