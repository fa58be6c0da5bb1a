"""What is scored: passages, and the question as weighted terms that they can cover.

How rare a word is comes from the index where there is one, else it is estimated from the pool.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from quaere.text.languages.language import cached_by_language
from quaere.text.names import names
from quaere.text.sentences import sentences
from quaere.text.similarity import shingles
from quaere.text.sorts import sort_words
from quaere.text.synonyms import everyday_words, related_words
from quaere.text.tokens import is_stop_word, stem, stems, words

TITLE_REPEATS = 3
"""A word of the title counts as often as this, as it does in the folder index."""

_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")


class Title(NamedTuple):
    """The spellings under which a title may be named elsewhere, each in folded words."""

    full: str
    base: str
    """Without a final parenthesis: ``mercury`` for "Mercury (planet)"."""
    short: str
    """Up to the first comma: ``springfield`` for "Springfield, Illinois"."""

    @property
    def exact(self) -> tuple[str, str]:
        """The spellings that leave nothing of the name away."""
        return (self.full, self.base)


class Features(NamedTuple):
    """A passage, prepared for scoring."""

    id: str
    title: Title
    text: str
    counts: Mapping[str, int]
    """How often each term (stem) occurs in title and text."""
    length: int
    phrase: str
    """Title and text as folded words, see `quaere.evidence.features.phrase`."""
    vocabulary: frozenset[str]
    sentences: tuple[tuple[str, ...], ...]
    """The folded words of each sentence."""


@cached_by_language(maxsize=4096)
def features_of(key: str, title: str, text: str) -> Features:
    """Return the passage of id ``key`` prepared for scoring; the last few thousand are kept."""
    forms = title_forms(title)
    counts = Counter({stem(word): TITLE_REPEATS for word in forms.full.split()})
    lines: list[tuple[str, ...]] = []
    for span in sentences(text):
        sentence = text[span.start : span.end]
        folded = words(sentence)
        counts.update(stems(folded))
        lines.append(tuple(folded))
    body = [word for line in lines for word in line]
    return Features(
        id=key,
        title=forms,
        text=text,
        counts=counts,
        length=counts.total(),
        phrase=phrase([*forms.full.split(), "|", *body]),
        vocabulary=frozenset(body) | frozenset(forms.full.split()),
        sentences=tuple(lines),
    )


RUN = 5
"""Words of a run that is looked for in other passages and pages."""


@cached_by_language(maxsize=1024)  # the whole pool is looked at again whenever more is found
def words_and_runs(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the folded words of ``text``, and its runs of ``RUN`` words; the last are kept."""
    return shingles(text, 1), shingles(text, RUN)


def phrase(folded: Sequence[str]) -> str:
    """Return folded words as one text in which whole words can be looked for."""
    return f" {' '.join(folded)} "


def title_forms(title: str) -> Title:
    """Return the spellings under which ``title`` may be named elsewhere."""
    bare = _PARENTHESIS.sub("", title)
    full = " ".join(words(title))
    base = " ".join(words(bare)) or full
    return Title(full, base, " ".join(words(bare.partition(",")[0])) or base)


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
        """Return the weight of a folded word: 0.01 for one that is everywhere, 9.2 at most.

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


class QueryTerms(NamedTuple):
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


def query_terms(question: str, rarity: Rarity) -> QueryTerms:
    """Return ``question`` as weighted terms."""
    folded = words(question)
    content = {stem(word): word for word in reversed(folded) if not is_stop_word(word)}
    weights = {term: rarity.of(content[term]) for term in sorted(content)}
    return QueryTerms(
        phrase=phrase(folded),
        weights=weights,
        related=_related(content, weights),
        words=content,
        total=sum(weights.values()) or 1.0,
    )


def stand_ins(asked: QueryTerms) -> frozenset[str]:
    """Return the stems of what documents call otherwise than ``asked``, and of things alike."""
    ways = (related_words, everyday_words, sort_words)
    others = (way(word) for way in ways for word in asked.words.values())
    return frozenset(map(stem, chain.from_iterable(others)))


def _related(content: Mapping[str, str], weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of the terms that are related to those of the question."""
    related: dict[str, float] = {}
    for term, weight in weights.items():
        for other in map(stem, related_words(content[term])):
            if other not in weights:
                related[other] = max(related.get(other, 0.0), RELATED_WEIGHT * weight)
    return related


BEYOND = 20.0
"""What was found is taken for one part in so many of what was searched, the rest of which lacks
its words: that puts names on the scale that an index of some thousand passages gives."""

BEYOND_EACH = 0.75
"""The same for each passage found, where they are few: a search that brings a handful has little
more to bring."""

SMOOTHING = 0.02
"""Added to the share of a word, which a few dozen passages tell no better than that."""


def estimated_share(question: str, pool: Collection[Features]) -> DocumentShare:
    """Return the share of passages that hold a word, as far as ``pool`` lets it be guessed.

    A title counts once, however many passages share it. The question's own words do not
    show that the rest lacks them: what was found was found by them, and those that nearly
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


def _holding(pool: Collection[Features]) -> Counter[str]:
    """Return how many passages hold each term, those that only have it in a title taken as one."""
    by_title: defaultdict[str, list[Features]] = defaultdict(list)
    for passage in pool:
        by_title[passage.title.full].append(passage)
    holding = Counter[str]()
    for title, passages in by_title.items():
        titled = frozenset(map(stem, title.split()))
        told = Counter(term for each in passages for term in _body(each, titled))
        holding.update(told)  # adding two counters would look through all of the first each time
        holding.update(titled - told.keys())
    return holding


def _body(passage: Features, titled: AbstractSet[str]) -> Iterator[str]:
    """Yield the terms of the text of ``passage``, whose title holds ``titled``."""
    for term, count in passage.counts.items():
        if count > TITLE_REPEATS * (term in titled):
            yield term
