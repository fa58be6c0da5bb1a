"""How common words are, estimated from what was found: for searches that tell nothing of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet

from quaere.evidence.asked import DocumentShare
from quaere.evidence.prepared import TITLE_REPEATS, Prepared
from quaere.text.names import names
from quaere.text.tokens import stem, words

BEYOND = 20.0
"""What was found is taken for one part in so many of what was searched, the rest of which lacks
its words: that puts names on the scale that an index of some thousand passages gives."""

BEYOND_EACH = 0.75
"""The same for each passage found, where they are few: a search that brings a handful has little
more to bring."""

SMOOTHING = 0.02
"""Added to the share of a word, which a few dozen passages tell no better than that."""


def estimated_share(question: str, pool: Collection[Prepared]) -> DocumentShare:
    """Return the share of passages that hold a word, as far as ``pool`` lets it be guessed.

    A title is said once, however many passages stand under it. The question's own words are no
    evidence of a rest that lacks them: what was found was found by them, and those that nearly
    all of it holds are the commonest. Names in the question are rare all the same.
    """
    holding = _holding(pool)
    named = {stem(word) for name in names(question) for word in words(name.text)}
    plain = {stem(word) for word in words(question)} - named
    beyond = min(BEYOND, max(1.0, len(pool) * BEYOND_EACH))

    def share(word: str) -> float:
        term = stem(word)
        found = holding[term] / max(1, len(pool)) + SMOOTHING
        return found if term in plain else found / beyond

    return share


def _holding(pool: Collection[Prepared]) -> Counter[str]:
    """Return how many passages hold each term, those that only have it in a title taken as one."""
    by_title: defaultdict[str, list[Prepared]] = defaultdict(list)
    for passage in pool:
        by_title[passage.title.full].append(passage)
    holding = Counter[str]()
    for title, passages in by_title.items():
        titled = frozenset(map(stem, title.split()))
        told = Counter(term for each in passages for term in _body(each, titled))
        holding += told + Counter(titled - told.keys())
    return holding


def _body(passage: Prepared, titled: AbstractSet[str]) -> Iterator[str]:
    """Yield the terms of the text of ``passage``, whose title holds ``titled``."""
    for term, count in passage.counts.items():
        if count > TITLE_REPEATS * (term in titled):
            yield term
