"""Whether of two things both are meant or one: "a passport and a visa", "a passport or a visa"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from quaere.text.languages.language import spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, content
from quaere.verify.likeness import root

_THING: Final = r"[^\W_][\w.-]*\w"
_JOINED: Final = lazy_regex(
    rf"(?i)(?P<one>{_THING}) (?P<how>and|or) (?:(?:an?|the|by|in|on|at|to|with|for|of) ){{0,2}}"
    rf"(?P<other>{_THING})"
)
_OFFERS: Final = lazy_regex(
    r"(?i)\b(?:may|can|could|either|both|any|whether|and/or|allow\w*|permit\w*|accept\w*|possib\w+"
    r"|available|choose\w*|choice|option\w*|such as|like|including)\b"
)
"""Where each of two is offered, "and" and "or" say the same: "by card or cash", "card and cash"."""


def is_joined_otherwise(alignment: Alignment) -> bool:
    """Return whether ``and`` joins what the source parts by ``or``, or the reverse.

    A denial of either is one of both, so that both may say it then.
    """
    said, held = alignment.said, alignment.held
    if spoken() is not None or any(_OFFERS.search(text) for text in (said, held)):
        return False
    if any(word.sign < 0 for text in (said, held) for word in content(text)):
        return False
    mine, theirs = _joined(said), _joined(held)
    return any(theirs.get(pair, how) != how for pair, how in mine.items())


def _joined(text: str) -> Mapping[frozenset[str], str]:
    """Return how each two things of ``text`` are joined."""
    return {
        frozenset((root(m["one"].lower()), root(m["other"].lower()))): m["how"].lower()
        for m in _JOINED.finditer(text)
    }
