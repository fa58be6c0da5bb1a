"""Compares topics with one another, and findings with what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from quaere.models.similarity import MINILM, known_as
from quaere.text.facts import stated_facts
from quaere.text.similarity import jaccard
from quaere.text.tokens import STOP_WORDS, words

DUPLICATE = 0.75
"""Similarity from which a topic repeats another one (R1.5)."""

Similarity = Callable[[str, str], float]
"""How alike two topics are, 0 to 1."""

_MARKS = '.,;:!?()[]"'


def topic_similarity(a: str, b: str) -> float:
    """Return how alike two topics are, 0 to 1: the Jaccard similarity of their word sets."""
    return jaccard(_topic_words(a), _topic_words(b))


def duplicate_of(
    topic: str,
    known: Sequence[str],
    threshold: float = DUPLICATE,
    similarity: Similarity = topic_similarity,
) -> str | None:
    """Return the most similar of the ``known`` topics that ``topic`` repeats, or None.

    Of equally similar ones it is the first.

    Args:
        topic: What is proposed.
        known: What was dispatched, or proposed before.
        threshold: Similarity from which a topic repeats another one, 0 to 1.
        similarity: How alike ``topic`` and another one are, 0 to 1.
    """
    rated = [(similarity(topic, other), other) for other in known]
    best = max(rated, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] >= threshold else None


class NoteSets:
    """The words of all notes taken so far, kept as a set, so that new ones are quickly compared.

    The notes are not cut off at some length: without the oldest ones, what they say would count
    as new when it is found again.
    """

    def __init__(self, notes: Iterable[str] = ()) -> None:
        self._words: set[str] = set()
        for note in notes:
            self.add(note)

    def add(self, text: str) -> None:
        """Take ``text`` into the notes."""
        self._words |= _distinct_words(text)

    def novelty(self, new: str) -> float:
        """Return the share, 0 to 1, of the distinct words of ``new`` that the notes lack.

        It is 0.0 when ``new`` has none, and 1.0 for any that has some while there are no notes.
        """
        own = _distinct_words(new)
        return len(own - self._words) / len(own) if own else 0.0


def _topic_words(topic: str) -> frozenset[str]:
    """Return what ``topic`` is compared by, also where it has only stop words or only signs."""
    return _distinct_words(topic) or frozenset(words(topic)) or frozenset(topic.split())


def _distinct_words(text: str) -> frozenset[str]:
    """Return the words of ``text`` without stop words.

    White space ends every word, so what separates two of them is looked at once however often
    it comes; and most of that is one word whose letters need no tokenizer. Together this takes a
    quarter of the time in a long text.
    """
    found: set[str] = set()
    others: list[str] = []
    for chunk in set(text.split()):
        bare = chunk.strip(_MARKS)
        if bare.isalpha() and bare.isascii():
            found.add(bare.lower())
        else:
            others.append(chunk)
    return frozenset(found.union(words(" ".join(others)))) - STOP_WORDS


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
    """Return the pairs of topics that `quaere.plan.delegation.screen` may have to compare."""
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
