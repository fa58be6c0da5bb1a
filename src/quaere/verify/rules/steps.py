"""Which of two steps comes first, where one side tells it by "first", "then" or "afterwards".

"Draw a card before you move" is "first draw a card, then move". Where both sides say "before" or
"after", `quaere.verify.rules.order_words` compares them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.rules.causes import Link, linked, way_round

_PARTS: Final = lazy_regex(r"[,;:.]\s+(?:(?:and|but)\s)?|\s(?:and|but)\s")
_FIRST: Final = lazy_regex(
    r"(?i)\A\W*(?:at )?first(?:ly)?\b(?!\s(?:of|in|and)\b)|\bfirst\W*\Z"
    r"|\b(?:to begin with|initially)\b"
)
_THEN: Final = lazy_regex(
    r"(?i)\A\W*(?:only )?(?:then|afterwards?|after that|next|later|subsequently|finally)\b"
    r"|\b(?:afterwards?|after that|subsequently|only then|next|second)\W*\Z"
)
_BEFORE: Final = lazy_regex(r"(?i)\b(?:before|prior to)\b(?!\s\d)")
_AFTER: Final = lazy_regex(
    r"(?i)\b(?:after|following|once|as soon as|only when)\b(?!\s(?:that|a|an|every|each|\d)\b)"
)


def turns_steps(said: str, held: str) -> bool:
    """Return whether the step that comes first in ``said`` comes second in ``held``."""
    if spoken() is not None or not (_tells(said) or _tells(held)):
        return False
    pairs = [(a, b) for a in _links(said) for b in _links(held)]
    ways = {way for way in (way_round(a, b) for a, b in pairs) if way}
    return ways == {-1}


def _tells(text: str) -> bool:
    return next(_in_turn(text), None) is not None


def _links(text: str) -> Iterator[Link]:
    yield from _in_turn(text)
    yield from _parted(text, _BEFORE, is_first=True)
    yield from _parted(text, _AFTER, is_first=False)


def _in_turn(text: str) -> Iterator[Link]:
    """Yield what a part of ``text`` says to come after those before it."""
    parts = [part for part in _PARTS.split(text) if part.strip()]
    for place, part in enumerate(parts):
        if place and _THEN.search(part):
            start = next((n for n in reversed(range(place)) if _FIRST.search(parts[n])), place - 1)
            yield linked([" ".join(parts[start:place]), part])


def _parted(text: str, word: re.Pattern[str], *, is_first: bool) -> Iterator[Link]:
    """Yield the two steps that ``word`` parts; the first of them is before it if ``is_first``."""
    match = word.search(text)
    if match is None:
        return
    before, behind = text[: match.start()], text[match.end() :]
    if not before.strip():  # "Before you move, draw a card"
        behind, _, before = behind.partition(",")
    sides: Sequence[str] = [before, behind] if is_first else [behind, before]
    yield linked(sides)
