"""Whether an earlier question asked the same, and whether its evidence is fresh enough still."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from quaere.evidence.recency import need
from quaere.text.facts import name_words, stated_facts
from quaere.text.similarity import jaccard
from quaere.text.tokens import terms

SAME = 0.8
"""Share of stems that two questions must have in common. Word sets tell few rewordings, and below
this they take questions for the same that are not: see docs/evaluation.md on repeated topics."""

FRESH_KEPT = timedelta(hours=12)
"""For how long the evidence serves a question whose answer changes."""
KEPT = timedelta(days=30)
"""The same for any other."""

_ASKING = re.compile(
    r"(?i)\b(who|whom|whose|what|which|when|where|why|how(?: (?:many|much|long|far|old|often))?"
    r"|wer|wen|wem|was|welche[rsmn]?|wann|wo|warum|wie(?: viele?)?)\b"
)


def same_question(asked: str, earlier: str) -> bool:
    """Whether ``earlier`` asks what ``asked`` asks.

    Their stems must nearly agree; what they ask for, whom they name, the figures, the dates and
    what they deny must agree altogether.
    """
    if _asked_for(asked) != _asked_for(earlier):
        return False
    if name_words(asked) != name_words(earlier) or stated_facts(asked) != stated_facts(earlier):
        return False
    return jaccard(frozenset(terms(asked)), frozenset(terms(earlier))) >= SAME


def is_fresh(asked: str, *, read: datetime, now: datetime) -> bool:
    """Whether what was read at ``read`` may still serve the question ``asked``."""
    ages = need(asked, now.date()).half_life is not None
    return now - read <= (FRESH_KEPT if ages else KEPT)


def _asked_for(text: str) -> frozenset[str]:
    return frozenset(" ".join(match[0].casefold().split()) for match in _ASKING.finditer(text))
