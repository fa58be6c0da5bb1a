"""How alike two texts are: by shared words, by shared runs of words, and by BM25."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from quaere.text.tokens import words

# Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009); Lucene's defaults.
K1 = 1.2
B = 0.75


def jaccard(a: AbstractSet[str], b: AbstractSet[str]) -> float:
    """Return the share of all members that ``a`` and ``b`` share; 0.0 for two empty sets."""
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0


def containment(a: AbstractSet[str], b: AbstractSet[str]) -> float:
    """Return the share of ``a`` that is in ``b``; 0.0 when ``a`` is empty."""
    return len(a & b) / len(a) if a else 0.0


def shingles(text: str, size: int) -> frozenset[str]:
    """Return every run of ``size`` words of ``text``; all its words as one when it has fewer.

    Raises:
        ValueError: when ``size`` is not positive.
    """
    if size < 1:
        raise ValueError(f"a shingle has at least one word, not {size}")
    folded = words(text)
    if not folded:
        return frozenset()
    last = max(1, len(folded) - size + 1)
    return frozenset(" ".join(folded[i : i + size]) for i in range(last))


class Bm25:
    """Okapi BM25 over a fixed set of documents, each a sequence of terms."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._size = len(documents)
        self._counts = [Counter(document) for document in documents]
        mean = sum(map(len, documents)) / self._size if documents else 0.0
        self._norms = [
            K1 * (1 - B + B * len(document) / mean) if mean else K1 for document in documents
        ]
        self._scale = K1 + 1
        self._weights: dict[str, list[tuple[int, float]]] = {}

    def idf(self, term: str) -> float:
        """Return how rare ``term`` is among the documents; above zero, highest when in none."""
        holders = len(self._weights_of(term))
        return math.log(1 + (self._size - holders + 0.5) / (holders + 0.5))

    def _weights_of(self, term: str) -> list[tuple[int, float]]:
        """Return what ``term`` weighs in each document that has it.

        Most documents are asked for a few terms once, so no other term is weighed.
        """
        if term not in self._weights:
            self._weights[term] = [
                (index, counts[term] * self._scale / (counts[term] + self._norms[index]))
                for index, counts in enumerate(self._counts)
                if term in counts
            ]
        return self._weights[term]

    def scores(self, query_terms: Iterable[str]) -> list[float]:
        """Return a score for every document, in order; a term asked twice counts twice."""
        scores = [0.0] * self._size
        for term, times in Counter(query_terms).items():
            idf = self.idf(term) * times
            for index, weight in self._weights_of(term):
                scores[index] += idf * weight
        return scores

    def ranked(self, query_terms: Iterable[str]) -> list[int]:
        """Return the indices of all documents, the best first; equal ones keep their order."""
        scores = self.scores(query_terms)
        return sorted(range(self._size), key=lambda index: -scores[index])
