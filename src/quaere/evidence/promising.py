"""Picks from a long page the passages that are worth a place in the pool."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.source import Passage
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms

PER_PAGE = 6
"""Passages of one page that go into the pool. More let one long page crowd out the others."""


def promising(passages: Sequence[Passage], wanted: str) -> tuple[Passage, ...]:
    """Return the passages of one page that fit ``wanted`` best, in the order of the page.

    The first passage is always among them: it says what the page is about.
    """
    if len(passages) <= PER_PAGE:
        return tuple(passages)
    scores = Bm25([terms(passage.text) for passage in passages]).scores(terms(wanted))
    ranked = sorted(range(1, len(passages)), key=lambda place: (-scores[place], place))
    return tuple(passages[place] for place in sorted([0, *ranked[: PER_PAGE - 1]]))
