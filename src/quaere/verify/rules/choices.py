"""Whether two things are asked for together or one of them is enough: "and" against "or".

Where they are named first, or may be had, both words say the same: "pupils and students pay half",
"pupils or students pay half". Where they are demanded, or one shuts the other out, they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, stems
from quaere.verify.likeness import alike

_WORD: Final = lazy_regex(
    r"(?i),?\s(?P<word>and|or|as well as|plus)\s"
    r"(?!(?:more|less|so|not|above|below|over|later|also)\b)"
)
_ENDS: Final = lazy_regex(r"[,;:().]|\b(?:and|or|but|if|when|while|which|who|that)\b")
_EITHER: Final = lazy_regex(
    r"(?i)\beither\b(?! of\b)|\bnot both\b|\b(?:nobody|no one|none) .{0,20}\bboth\b"
)
_DEMANDS: Final = lazy_regex(r"(?i)\b(?:must|shall|need\w*|requir\w*|ha(?:s|ve) to|if|when|once)\b")
_OPEN: Final = lazy_regex(r"(?i)\b(?:not|no|never|neither|nor|cannot|without|between)\b|n['’]t\b")
"""Under a denial "or" joins, and "and" need not; "between" has two ends."""


@dataclass(frozen=True, slots=True)
class _Joined:
    """Two things that are joined, as stems."""

    first: frozenset[str]
    second: frozenset[str]
    is_choice: bool


def turns_choice(alignment: Alignment) -> bool:
    """Return whether one side asks for two things together of which the other asks for one."""
    said, held = alignment.said, alignment.held
    if spoken() is not None or _OPEN.search(said) or _OPEN.search(held):
        return False
    kept = {
        a.is_choice is b.is_choice for a in _joined(said) for b in _joined(held) if _are_same(a, b)
    }
    if kept != {False}:
        return False
    excludes = _EITHER.search(said) or _EITHER.search(held)
    return bool(excludes or (_DEMANDS.search(said) and _DEMANDS.search(held)))


def _are_same(a: _Joined, b: _Joined) -> bool:
    kept = alike(a.first, b.first) and alike(a.second, b.second)
    return bool(kept or (alike(a.first, b.second) and alike(a.second, b.first)))


def _joined(text: str) -> Iterator[_Joined]:
    """Yield what each "and" and "or" of ``text`` joins, as far as the next comma or joining."""
    for match in _WORD.finditer(text):
        first = stems([_ENDS.split(text[: match.start()])[-1]])
        second = stems([_ENDS.split(text[match.end() :])[0]])
        yield _Joined(first - second, second - first, match["word"].lower() == "or")
