"""What a source says is not so, but something else instead: "seven years instead of five".

A sentence that has what is set aside, and nothing that says so, has all its words from the source.
"""

from __future__ import annotations

from typing import Final

from quaere.text.lazy_regex import lazy_regex
from quaere.verify.align import Alignment, Word, content

_ASIDE: Final = lazy_regex(
    r"(?i)\b(?:instead of|rather than|in place of|as opposed to|in lieu of"
    r"|statt(?! dessen)|anstatt|anstelle (?:von|der|des)|au lieu d[eu]s?|plutôt que|en lugar del?"
    r"|en vez del?|invece di|anziché|em vez d[eao]s?|em lugar d[eao]s?|in plaats van)\s"
    r"(?P<aside>(?:(?!\b(?:and|und|et|y|e|en)\b)[^,;:.()]){1,60})"
)
_SAYS_SO: Final = lazy_regex(
    r"(?i)\b(?:not|no|never|nor|instead|rather|than|replac\w*|substitut\w*|exchang\w*|swap\w*"
    r"|prefer\w*|avoid\w*|without|place of|lieu|opposed|former\w*|previous\w*|earlier|before|old"
    r"|until|used to|no longer|switch\w*|drop\w*|chang\w*|mov\w*|shift\w*|from|compar\w*"
    r"|nicht|kein\w*|statt|anstatt|anstelle|bisher\w*|vorher|früher|zuvor|ersetz\w*|ohne|lieu"
    r"|plutôt|pas|sans|remplac\w*|lugar|vez|sin|reemplaz\w*|sustitu\w*|antes|invece|anziché|senza"
    r"|sostitu\w*|sem|plaats|niet|geen|zonder|vervang\w*)\b|n['’]t\b"
)


def is_set_aside(alignment: Alignment) -> bool:
    """Return whether something of a sentence stands only where its source sets it aside."""
    match = _ASIDE.search(alignment.held)
    if match is None or _SAYS_SO.search(alignment.said):
        return False
    first = _first_word(alignment.held, *match.span("aside"))
    return any(m.held == first and m.said.weight == 1 for m in alignment.matches if not m.opposite)


def _first_word(text: str, start: int, end: int) -> Word | None:
    """Return the first word of ``text`` between ``start`` and ``end`` that says something.

    "Seven instead of five years": what follows it may belong to both.
    """
    return next((word for word in content(text) if start <= word.start < end), None)
