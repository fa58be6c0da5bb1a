"""Keeps an answer to its length while it is being written, and to what it has not said yet."""

from __future__ import annotations

from quaere.domain.report import Sentence
from quaere.text.tokens import words

OVERRUN = 1.6
"""How far beyond the words aimed at an answer may go before it is cut off. Models aim badly."""


class Length:
    """What is left of an answer's words and citations."""

    def __init__(self, max_words: int, max_citations: int) -> None:
        self._left = int(max_words * OVERRUN)
        self._max_citations = max_citations
        self._cited: set[int] = set()
        self._said: set[tuple[str, ...]] = set()

    @property
    def cited(self) -> bool:
        """Whether any sentence taken cites something."""
        return bool(self._cited)

    @property
    def full(self) -> bool:
        """Whether nothing more fits."""
        return self._left <= 0

    def taken(self, sentence: Sentence) -> Sentence | None:
        """Return ``sentence`` with the citations that fit; ``None`` when it is not to be shown.

        A sentence that says word for word what another said is not; nor is one of whose citations
        none fits.
        """
        said = tuple(words(sentence.text))
        if self.full or said in self._said:
            return None
        kept: list[int] = []
        for number in sentence.evidence:
            if number in self._cited or len(self._cited) < self._max_citations:
                self._cited.add(number)
                kept.append(number)
        if sentence.evidence and not kept:
            return None
        self._said.add(said)
        self._left -= len(said)
        return sentence.model_copy(update={"evidence": tuple(kept)})
