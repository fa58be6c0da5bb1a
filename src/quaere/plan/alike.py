"""How alike two topics are, by their words and by what an embedder makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from quaere.domain.embedder import MINILM
from quaere.plan.novelty import DUPLICATE, Similarity, topic_similarity
from quaere.text.stated import stated

SAME: Mapping[str, float] = MappingProxyType({MINILM: 0.92})
"""Cosine from which two topics are the same, by what an embedder is known as: the lowest at which
fewer pairs are merged wrongly than by words in each collection (``quaere eval duplicates``)."""

Cosines = Mapping[tuple[str, str], float]
"""The cosine of pairs of topics."""


def pairs_to_compare(proposed: Sequence[str], dispatched: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of topics that `quaere.plan.screen.screen` may have to compare."""
    return [
        (topic, other)
        for place, topic in enumerate(proposed)
        for other in (*dispatched, *proposed[:place])
    ]


def meant_similarity(cosines: Cosines, same: float) -> Similarity:
    """Return a similarity that is that of the words or that of the meaning, whichever is higher.

    A cosine of ``same`` counts as `DUPLICATE` does among words, and as much more or less as it is
    above or below. It counts only for topics with the same figures, dates and denials: to an
    embedder a figure of 2019 is nearly one of 2020.
    """

    def similarity(a: str, b: str) -> float:
        by_words = topic_similarity(a, b)
        cosine = cosines.get((a, b))
        if cosine is None or stated(a) != stated(b):
            return by_words
        return max(by_words, min(1.0, cosine - same + DUPLICATE))

    return similarity
