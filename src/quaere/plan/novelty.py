"""Tells whether a topic repeats another one, and how much of a finding is new.

Both compare sets of words, as requirement R1 has it: lower-cased, without stop words. No model is
asked, so the result is the same with every reasoner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

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
