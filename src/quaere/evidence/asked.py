"""The question as weighted terms: what a passage can cover, and how much each part counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from quaere.text.relations import related_words
from quaere.text.tokens import is_stop_word, stem, words

DocumentShare = Callable[[str], float]

RAREST = 1e-4
"""Share of passages below which a word is as rare as a word can be."""

COMMONEST = 0.99
"""Share of passages above which a word is as common as a word can be: in a collection of one
passage, every word that it holds is in all of them and still tells it from nothing."""

RELATED_WEIGHT = 0.5
"""Weight of a word for the same relation against the question's own word."""


@dataclass(slots=True)
class Rarity:
    """How rare words are: by the index's own count where there is one, else by the pool's."""

    document_share: DocumentShare
    _known: dict[str, float] = field(default_factory=dict[str, float])

    def of(self, word: str) -> float:
        """Return the weight of a folded word: 0.01 for one that is everywhere, 9.2 at the most.

        It is ``log(1 + (1 - s) / s)`` for the share ``s`` of passages that hold the word, the
        inverse document frequency of BM25 without its smoothing.
        """
        known = self._known.get(word)
        if known is None:
            share = min(COMMONEST, max(RAREST, self.document_share(word)))
            known = self._known[word] = math.log(1 + (1 - share) / share)
        return known

    def of_all(self, content: Iterable[str]) -> float:
        """Return the summed weight of words, stop words left out."""
        return sum(self.of(word) for word in content if not is_stop_word(word))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, prepared for scoring."""

    phrase: str
    """Its folded words with a space at both ends, so that whole names can be looked for in it."""
    weights: Mapping[str, float]
    """Weight of each of its terms (stems)."""
    related: Mapping[str, float]
    """Weight of terms that speak of a relation which the question asks about."""
    words: Mapping[str, str]
    """A word of the question for each of its terms."""
    total: float
    """Sum of the weights; never 0."""


def analyze(question: str, rarity: Rarity) -> Asked:
    """Return ``question`` as weighted terms."""
    folded = words(question)
    content = {stem(word): word for word in reversed(folded) if not is_stop_word(word)}
    weights = {term: rarity.of(content[term]) for term in sorted(content)}
    related: dict[str, float] = {}
    for term, weight in weights.items():
        for other in map(stem, related_words(content[term])):
            if other not in weights:
                related[other] = max(related.get(other, 0.0), RELATED_WEIGHT * weight)
    return Asked(
        phrase=phrase(folded),
        weights=weights,
        related=related,
        words=content,
        total=sum(weights.values()) or 1.0,
    )


def phrase(folded: Sequence[str]) -> str:
    """Return folded words as one text in which whole words can be looked for."""
    return f" {' '.join(folded)} "
