"""The questions that one puts with "and", each so that it can be asked by itself. English alone.

"When does the museum open and what does it cost?" asks when the museum opens, and what the museum
costs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from quaere.domain.question import Turn
from quaere.reason.extractive.questions.parts import with_further
from quaere.text.follow_ups import whole_question
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import terms

MOST_CHARS: Final = 300
"""Characters of a question that is taken apart."""
MOST: Final = 4
"""Questions in one, at most."""

_WH: Final = (
    r"(?:who|whom|when|where|why"
    r"|(?:what|which)(?: (?!(?:is|are|was|were|do|does|did|can|will|has|have)\b)[a-z]+){0,2}"
    r"|how (?:much|many|long|often|old|far|big|high|late|early|tall|wide|deep|heavy|fast|large"
    r"|warm|hot|cold|thick)(?: [a-z]+)?)"
)
_PREPOSITION: Final = r"(?:(?:in|at|on|by|for|from|to|until|with) )?"
_AUX: Final = r"(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|must|may|should)"
_SHARED_REST: Final = lazy_regex(
    rf"(?i)\W*(?P<one>{_PREPOSITION}{_WH}) and (?P<other>{_PREPOSITION}{_WH})"
    rf" (?P<rest>{_AUX}\b[^?]+)\??\W*\Z"
)
"""As in "When and where is the meeting?"."""
_SHARED_START: Final = lazy_regex(
    r"(?i)\W*(?P<start>(?:when|at what time|what time) (?:do|does|did|will) [^?,]+?)"
    r" (?P<one>[a-z]+) and (?P<other>[a-z]+)\W*\Z"
)
"""As in "When does it open and close?"."""
_NEXT: Final = lazy_regex(rf"(?i),?\s+and\s+(?={_PREPOSITION}{_WH}\b)")
_BARE: Final = lazy_regex(rf"(?i)(?:since )?{_PREPOSITION}(?:when|where|why|by whom|how often)")
_NAMES_ITS_OWN: Final = lazy_regex(r"(?i)\b(?:the|an?|my|our|your) [a-z]")
_POINTS: Final = lazy_regex(
    r"(?i)\b(?:it|its|they|them|their|this|that|these|those|there|he|him|his|she|hers?|one|ones)\b"
)
"""What stands for something said before: a question with none, and a thing of its own, is whole."""
_ASKS: Final = lazy_regex(rf"(?i)\W*(?:{_PREPOSITION}{_WH}|{_AUX})\b")


def several(question: str) -> tuple[str, ...]:
    """Return the questions that ``question`` puts, the first as it stands; none where it puts one.

    What the later ones leave out or point back to is put in from the first.
    """
    text = " ".join(question.split())
    if not is_english() or len(text) > MOST_CHARS or " and " not in text.casefold():
        return ()
    found = tuple(dict.fromkeys(_split(text)))
    return found if 1 < len(found) <= MOST and all(found) else ()


def _split(text: str) -> Iterator[str]:
    if shared := _SHARED_REST.match(text):
        for asked in (shared["one"], shared["other"]):
            yield f"{asked[:1].upper()}{asked[1:]} {shared['rest'].strip()}?"
        return
    if shared := _SHARED_START.match(text):
        for deed in (shared["one"], shared["other"]):
            yield f"{shared['start']} {deed}?"
        return
    first, *others = with_further(_NEXT.split(text.rstrip("?!. ")))
    if not _ASKS.match(first) or not terms(first):
        return
    yield f"{first}?"
    for other in others:
        yield _whole(other, first)


def _whole(other: str, first: str) -> str:
    """Return the question ``other`` with what it leaves to the ``first`` one; empty if unclear.

    "Who runs it and since when?" asks the rest of the first again: not in good English, but read
    by its words.
    """
    asked = f"{other[:1].upper()}{other[1:]}"
    if _BARE.fullmatch(other):
        return f"{asked} {_ASKS.sub('', first, count=1).strip()}?"
    whole = whole_question(f"{asked}?", (Turn(question=f"{first}?", answer=""),))
    if ": " not in whole:
        return whole
    return f"{asked}?" if _NAMES_ITS_OWN.search(other) and not _POINTS.search(other) else ""
