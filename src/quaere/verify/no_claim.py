"""Sentences that state nothing about the world: about the passages, lead-ins and labels.

They stay in their place, for an answer says with them what is missing and what disagrees. One with
a figure, a date or a second clause is a claim whatever it begins with: a page could have a model
add one to such words.
"""

from __future__ import annotations

import re
from typing import Final

from quaere.text.inline import unmarked
from quaere.text.tokens import STOP_WORDS, stem, terms, words
from quaere.verify.ground import ground

LONGEST: Final = 30
"""Words of the longest sentence about the passages that is taken for one."""
LONGEST_LEAD: Final = 15
"""Words of the longest lead-in, which ends with a colon."""
LONGEST_LABEL: Final = 6
"""Words of the longest label, which has no stop and no word that the question has not."""

_MATERIAL: Final = (
    r"(?:passages?|sources?|documents?|texts?|excerpts?|evidence|material|search results?|papers?"
    r"|articles?|pages?|reports?)"
)
_SAY: Final = (
    r"(?:says?|states?|stated|mentions?|mentioned|gives?|given|specif(?:y|ies|ied)|names?|named"
    r"|indicates?|indicated|tells?|contains?|provides?|provided|explains?|explained|describes?"
    r"|discuss(?:es)?|address(?:es)?|identif(?:y|ies|ied)|reports?|reported|covers?|covered|found"
    r"|reveals?|clarif(?:y|ies)|record|answer)"
)
_ABSENT: Final = re.compile(
    rf"(?i)\s*(?:(?:the|these|those|all|both|my|available|provided|given|cited)\s+)*(?:\w+\s+)?"
    rf"{_MATERIAL}\s+(?:\w+\s+)?(?:do|does|did)(?:\s+not|n['’]t)\s+(?:\w+\s+)?{_SAY}\b"
    rf"|\s*(?:none of (?:the|these|those) (?:\w+\s)?{_MATERIAL}|no {_MATERIAL})"
    rf"\s+(?:\w+\s+)?{_SAY}\b"
    rf"|\s*(?:this|it|that) is (?:not|nowhere) {_SAY}\b(?=.*\b{_MATERIAL}\b)"
    r"|\s*(?:die|den|in den)\s+(?:\w+\s+)?(?:quellen|passagen|dokumente|textstellen)n?\b.*\b"
    r"(?:nicht|kein\w*)\b"
)
_DISAGREE: Final = re.compile(
    r"(?i)\s*(?:(?:the (?:two|three|four)|both|these two) (?:\w+\s)?\w+s"
    rf"|(?:the|these) {_MATERIAL})\s+"
    r"(?:do not agree|don['’]t agree|disagree|contradict (?:each other|one another))\b"
)
_SECOND: Final = re.compile(r"(?i)[;:]\s|\b(?:but|however|although|though|while|whereas|except)\b")


def is_no_claim(text: str, question: str = "") -> bool:
    """Return whether ``text`` states nothing that a source could support.

    Args:
        text: A sentence of an answer.
        question: What was asked; it may give labels, such as "Height".
    """
    said = unmarked(text).strip()
    disagree = _DISAGREE.match(said)
    rest = ground(said[disagree.end() if disagree else 0 :])  # "the two" counts nothing new
    if not said or rest.numbers or rest.dates:
        return False
    return _is_about_passages(said) or _is_lead_in(said) or _is_label(said, question)


def _is_about_passages(text: str) -> bool:
    if len(words(text)) > LONGEST or _SECOND.search(text):
        return False
    return bool(_ABSENT.match(text) or _DISAGREE.match(text))


def _is_lead_in(text: str) -> bool:
    return text.endswith(":") and len(words(text)) <= LONGEST_LEAD


def _is_label(text: str, question: str) -> bool:
    said = [word for word in words(text) if word not in STOP_WORDS]
    if not said or text.endswith((".", "!", "?")) or len(words(text)) > LONGEST_LABEL:
        return False
    return frozenset(map(stem, said)) <= frozenset(terms(question))
