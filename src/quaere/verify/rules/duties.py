"""What must, may, need not or must not be done, of the same deed in two aligned statements.

Words such as "must" and "may" are compared only where they govern the same verb: "you must log in
before you can vote" does not leave open whether one logs in.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, content


class Duty(Enum):
    """Whether something must be done."""

    MUST = "must"
    MAY = "may"
    NEED_NOT = "need not"
    MUST_NOT = "must not"


_BE: Final = r"(?:is|are|was|were|be|been)"
_MODALS: Final = lazy_regex(
    r"(?i)\b(?:"
    rf"(?P<NEED_NOT>need(?:n['’]t| not)|do(?:es)?(?: not|n['’]t) (?:have|need) to"
    rf"|{_BE} not (?:required|obliged|compelled) to)"
    rf"|(?P<MUST_NOT>(?:must|may|shall)(?: not|n['’]t)|can(?:not|n['’]t| not)"
    rf"|{_BE} (?:not (?:allowed|permitted) to|forbidden (?:to|from)|(?:prohibited|banned) from))"
    rf"|(?P<MUST>must|shall|ha(?:s|ve) to|needs? to|{_BE} (?:required|obliged|bound) to)"
    rf"|(?P<MAY>may|can|{_BE} (?:allowed|permitted|free|welcome) to)"
    r")\s"
)


_LOOSER: Final = frozenset({(Duty.MAY, Duty.MUST), (Duty.NEED_NOT, Duty.MUST_NOT)})
"""What a sentence says of a deed where its source says the second."""
_STRICTER: Final = frozenset((held, said) for said, held in _LOOSER)


def leaves_open(alignment: Alignment) -> bool:
    """Return whether the sentence leaves free what its source demands or forbids."""
    return not _LOOSER.isdisjoint(_duties(alignment))


def demands(alignment: Alignment) -> bool:
    """Return whether the sentence demands or forbids what its source leaves free."""
    return not _STRICTER.isdisjoint(_duties(alignment))


def _duties(alignment: Alignment) -> Iterator[tuple[Duty, Duty]]:
    """Yield what both sides say of a deed that they have in common."""
    if spoken() is not None:
        return
    mine, theirs = dict(_governed(alignment.said)), dict(_governed(alignment.held))
    for match in alignment.matches:
        said, held = mine.get(match.said.start), theirs.get(match.held.start)
        if said and held and not match.opposite:
            yield said, held


def _governed(text: str) -> Iterator[tuple[int, Duty]]:
    """Yield where each verb is that such a word governs, and whether it must be done."""
    words = content(text)
    for match in _MODALS.finditer(text):
        verb = next((word for word in words if word.start >= match.end()), None)
        if verb is not None and match.lastgroup:
            yield verb.start, Duty[match.lastgroup]
