"""Sentences about the passages that were read: what they do not say, and that they disagree."""

from __future__ import annotations

import re
from typing import Final

from quaere.text.tokens import words

LONGEST: Final = 30
"""Words of the longest sentence that is taken for one of these."""

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


def is_about_passages(text: str) -> bool:
    """Return whether ``text`` says of the passages that they are silent, or that they disagree.

    A second clause may state anything, so that a sentence with one is none of these.
    """
    if len(words(text)) > LONGEST or _SECOND.search(text):
        return False
    return bool(_ABSENT.match(text) or _DISAGREE.match(text))


def after_disagreement(text: str) -> str:
    """Return ``text`` without the words that say of the passages that they disagree."""
    disagree = _DISAGREE.match(text)
    return text[disagree.end() if disagree else 0 :]
