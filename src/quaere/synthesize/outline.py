"""Which sentences an answer contains, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from operator import itemgetter

from quaere.domain.question import Checklist
from quaere.domain.report import Sentence
from quaere.text.lazy_regex import lazy_regex
from quaere.text.similarity import containment
from quaere.text.tokens import stem, words

SAID = 0.85
"""Share of a sentence's words from which one earlier sentence makes it superfluous."""

# A character of a script without spaces counts as a word: kana, Han, Hangul, Thai to Khmer.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = lazy_regex(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
# What makes two sentences differ however much else they share.
_FIGURE = lazy_regex(r"\d")
_DENIAL = lazy_regex(r"no|not|never|none|nor|neither|without|cannot|.+n't")


def word_count(text: str) -> int:
    """Return the number of words of ``text``, separated by white space; never less than that."""
    return sum(1 for _ in _WORD.finditer(text))


def first_words(text: str, count: int) -> str:
    """Return ``text`` up to the end of its word number ``count``."""
    end = 0
    for match in islice(_WORD.finditer(text), count):
        end = match.end()
    return text[:end]


class Room:
    """What is left of an answer's length; for sentences that come one by one.

    The first sentence always fits, whatever the limits.
    """

    def __init__(self, *, max_words: int, max_citations: int) -> None:
        self._max_words = max_words
        self._max_citations = max_citations
        self._words = 0
        self._cited: set[int] = set()
        self._said: list[frozenset[str]] = []

    def takes(self, sentence: Sentence) -> bool:
        """Return whether ``sentence`` adds something and fits; one that does is counted."""
        said = frozenset(stem(word) for word in words(sentence.text))
        length = self._words + word_count(sentence.text)
        cited = self._cited.union(sentence.evidence)
        if any(_repeats(said, earlier) for earlier in self._said):
            return False
        if self._said and (length > self._max_words or len(cited) > self._max_citations):
            return False
        self._said.append(said)
        self._words, self._cited = length, cited
        return True


def outline(
    sentences: Iterable[Sentence], checklist: Checklist, *, max_words: int, max_citations: int
) -> tuple[Sentence, ...]:
    """Return the sentences of an answer in the order of the checklist.

    Sentences that say what another says are left out, then those that would exceed a limit: first
    those in doubt, then the later ones of each item, so that every item keeps its first. At least
    one stays. Sentences of one item keep their order; one of no item stays with the one before it.

    Args:
        sentences: Verified ones, in the order in which they were written.
        checklist: Its items give the order.
        max_words: The most words, markers not counted.
        max_citations: The most pieces of evidence cited.
    """
    places = {item.id: place for place, item in enumerate(checklist.items)}
    place = -1
    placed: list[tuple[int, Sentence]] = []
    for sentence in sentences:
        place = places.get(sentence.item or "", place)
        placed.append((place, sentence))
    placed.sort(key=itemgetter(0))
    turns: Counter[int] = Counter()
    queue: list[tuple[bool, int, int]] = []
    for index, (place, sentence) in enumerate(placed):
        doubtful = sentence.is_claim and not sentence.support.holds
        queue.append((doubtful, turns[place], index))
        turns[place] += 1
    room = Room(max_words=max_words, max_citations=max_citations)
    chosen = [index for _, _, index in sorted(queue) if room.takes(placed[index][1])]
    return tuple(placed[index][1] for index in sorted(chosen))


def _repeats(said: frozenset[str], earlier: frozenset[str]) -> bool:
    if any(_FIGURE.search(word) for word in said - earlier):
        return False
    if any(_DENIAL.fullmatch(word) for word in said ^ earlier):
        return False
    return said == earlier or containment(said, earlier) >= SAID
