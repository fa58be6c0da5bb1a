"""How alike two topics are, by their words and by what an embedder makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from quaere.domain.embedder import MINILM, known_as
from quaere.plan.novelty import DUPLICATE, Similarity, topic_similarity
from quaere.text.facts import stated_facts

_SAME: Mapping[str, float] = MappingProxyType({MINILM: 0.92})
"""By what an embedder is known as: the lowest cosine at which the pairs that are found the same are
so as often as by words, in every collection of one half of the pairs (``quaere eval duplicates``).
"""

Cosines = Mapping[tuple[str, str], float]
"""The cosine of pairs of topics."""


def known_cosine(embedder: str) -> float | None:
    """Return the cosine from which two topics are the same; None where nobody measured it."""
    return _SAME.get(known_as(embedder))


def pairs_to_compare(proposed: Sequence[str], dispatched: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of topics that `quaere.plan.screen.screen` may have to compare."""
    return [
        (topic, other)
        for place, topic in enumerate(proposed)
        for other in (*dispatched, *proposed[:place])
    ]


def meant_similarity(cosines: Cosines, same: float) -> Similarity:
    """Return a similarity that is that of the words or that of the meaning, whichever is higher.

    A cosine of ``same`` counts as `DUPLICATE` does among words, one of 1 as the same words, and
    those between and below in proportion. It counts only for topics with the same figures, dates
    and denials: to an embedder a figure of 2019 is nearly one of 2020.
    """

    def similarity(a: str, b: str) -> float:
        by_words = topic_similarity(a, b)
        cosine = cosines.get((a, b))
        if cosine is None:
            return by_words
        by_meaning = _among_words(cosine, same)
        # What is stated is looked up last: it takes a hundred times as long as all the rest.
        return (
            by_meaning if by_meaning > by_words and stated_facts(a) == stated_facts(b) else by_words
        )

    return similarity


def _among_words(cosine: float, same: float) -> float:
    """Return the share of words in common that ``cosine`` stands for."""
    if cosine < same:
        return DUPLICATE * max(0.0, cosine) / same
    return 1.0 if same == 1 else DUPLICATE + (1 - DUPLICATE) * (cosine - same) / (1 - same)
