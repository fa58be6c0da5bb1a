"""Asks whether two texts say the same, by the topic check and by other signals, as people said.

The topic check is measured on all pairs, for nothing of it was chosen on them. Every other signal
gets its cut on one half of the pairs, the lowest at which no family of sets has more false merges
among those found than the topic check has; the other half tells what that brings.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from quaere.plan.delegation import DUPLICATE, Cosines, meant_similarity, topic_similarity
from quaere.ports.model import Embedder
from quaere.text.similarity import containment, jaccard, shingles
from quaere.text.tokens import terms, words
from quaere_evals.datasets import read_rows
from quaere_evals.verdicts import auroc, precision, recall

FOLDER = "h1_near_duplicates"
FILE = "pairs.jsonl"
CONTRACT = "words"
"""The topic check of requirement R1 among the signals."""

AT_ONCE = 64
"""Pairs that an embedder is asked for at once."""

Figures = dict[str, float]
Signal = Callable[[str, str], float]


class Pair(BaseModel):
    """Two texts, and whether they say the same."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    a: str
    b: str
    set: str
    label: bool | None
    """None where people did not agree."""

    @property
    def family(self) -> str:
        """The collection that its set is a year or a part of."""
        return self.set.partition("-")[0]

    @property
    def kept_back(self) -> bool:
        """Whether it belongs to the half that no cut is chosen on; one ``a`` never to both."""
        return bool(hashlib.sha256(self.a.encode()).digest()[0] & 1)


class SignalScores(BaseModel):
    """What one signal tells apart, on the half kept back."""

    cut: float | None
    """From which it says that two texts are the same; None where no cut is precise enough."""
    sets: dict[str, Figures]


class DuplicatesResult(BaseModel):
    """What ``quaere eval duplicates`` measured."""

    datasets: dict[str, Figures]
    """The topic check at its default threshold, by set, on all pairs."""
    signals: dict[str, SignalScores]
    """Every signal, the topic check first, on the half kept back."""


def find_pairs(root: Path | None) -> Path | None:
    """Return the file of pairs in ``root``, or in the folder of that name below it."""
    places = (root / FOLDER / FILE, root / FILE) if root else ()
    return next((path for path in places if path.exists()), None)


async def evaluate_duplicates(path: Path, embedder: Embedder | None = None) -> DuplicatesResult:
    """Return the figures of the pairs in the file at ``path``.

    With an ``embedder`` two more signals are measured: the cosine alone, and words and cosine as a
    supervisor puts them together.

    Raises:
        DataError: when a line is not in the expected form.
        ReasonError: when the embedder fails.
    """
    pairs = [pair for pair in read_rows(path, Pair) if pair.label is not None]
    fitted = [pair for pair in pairs if not pair.kept_back]
    kept = [pair for pair in pairs if pair.kept_back]
    wanted = _precisions(fitted, _rated(topic_similarity, fitted), DUPLICATE)
    signals: dict[str, SignalScores] = {}
    known = _signals(fitted)
    if embedder:
        known |= _meanings(await _cosines(pairs, embedder))
    for name, signal in known.items():
        cut = DUPLICATE if name == CONTRACT else _lowest(fitted, _rated(signal, fitted), wanted)
        signals[name] = SignalScores(cut=cut, sets=_by_set(kept, _rated(signal, kept), cut))
    return DuplicatesResult(
        datasets=_by_set(pairs, _rated(topic_similarity, pairs), DUPLICATE), signals=signals
    )


def _signals(fitted: Iterable[Pair]) -> dict[str, Signal]:
    """Return the signals by name; how rare words are is taken from ``fitted``."""
    rarity = _Rarity(text for pair in fitted for text in (pair.a, pair.b))
    return {
        CONTRACT: topic_similarity,
        "all words": lambda a, b: jaccard(frozenset(words(a)), frozenset(words(b))),
        "stems": lambda a, b: jaccard(_stems(a), _stems(b)),
        "rare stems": rarity.jaccard,
        "contained stems": lambda a, b: max(
            containment(_stems(a), _stems(b)), containment(_stems(b), _stems(a))
        ),
        "characters": lambda a, b: jaccard(_trigrams(a), _trigrams(b)),
        "word order": lambda a, b: jaccard(shingles(a, 2), shingles(b, 2)),
        "stems, characters": lambda a, b: (
            (jaccard(_stems(a), _stems(b)) + jaccard(_trigrams(a), _trigrams(b))) / 2
        ),
    }


async def _cosines(pairs: Sequence[Pair], embedder: Embedder) -> Cosines:
    """Return the cosine of every pair; they are asked for in parts, for each has its time."""
    texts = [(pair.a, pair.b) for pair in pairs]
    cosines: dict[tuple[str, str], float] = {}
    for first in range(0, len(texts), AT_ONCE):
        part = texts[first : first + AT_ONCE]
        cosines |= zip(part, await embedder.similarities(part), strict=True)
    return cosines


def _meanings(cosines: Cosines) -> dict[str, Signal]:
    """Return the signals of an embedder.

    The cut of the second one is the cosine from which two topics are the same that the topic check
    does not find so by their words.
    """
    similarity = meant_similarity(cosines, same=DUPLICATE)
    return {
        "meaning": lambda a, b: max(0.0, cosines[a, b]),
        "words or meaning": lambda a, b: (
            1.0 if topic_similarity(a, b) >= DUPLICATE else similarity(a, b)
        ),
    }


class _Rarity:
    """How rare stems are, as inverse document frequency."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._size = 0
        self._holders: Counter[str] = Counter()
        for text in texts:
            self._size += 1
            self._holders.update(_stems(text))

    def jaccard(self, a: str, b: str) -> float:
        """Return the Jaccard similarity of the stems of two texts, each as heavy as it is rare."""
        one, other = _stems(a), _stems(b)
        return self._weight(one & other) / (self._weight(one | other) or 1.0)

    def _weight(self, stems: Iterable[str]) -> float:
        return math.fsum(math.log1p(self._size / (self._holders[stem] + 0.5)) for stem in stems)


def _stems(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _trigrams(text: str) -> frozenset[str]:
    spaced = f" {' '.join(words(text))} "
    return frozenset(spaced[i : i + 3] for i in range(len(spaced) - 2))


def _rated(signal: Signal, pairs: Iterable[Pair]) -> list[float]:
    return [round(signal(pair.a, pair.b), 6) for pair in pairs]


def _precisions(pairs: Sequence[Pair], rated: Sequence[float], cut: float) -> dict[str, float]:
    """Return by family which share of what is found is the same; 1.0 where nothing is found."""
    families = sorted({pair.family for pair in pairs})
    found = [
        (pair.family, pair.label) for pair, score in zip(pairs, rated, strict=True) if score >= cut
    ]
    right = Counter(family for family, label in found if label)
    every = Counter(family for family, _ in found)
    return {name: right[name] / every[name] if every[name] else 1.0 for name in families}


def _lowest(
    pairs: Sequence[Pair], rated: Sequence[float], wanted: Mapping[str, float]
) -> float | None:
    """Return the lowest cut, in hundredths, at which every family is as precise as ``wanted``."""
    for hundredth in range(1, 101):
        reached = _precisions(pairs, rated, hundredth / 100)
        if all(reached[name] >= wanted[name] for name in wanted):
            return hundredth / 100
    return None


def _by_set(pairs: Sequence[Pair], rated: Sequence[float], cut: float | None) -> dict[str, Figures]:
    grouped: dict[str, list[tuple[bool, float]]] = {}
    for pair, score in zip(pairs, rated, strict=True):
        grouped.setdefault(pair.set, []).append((bool(pair.label), score))
    return {name: _figures(grouped[name], cut) for name in sorted(grouped)}


def _figures(scored: Sequence[tuple[bool, float]], cut: float | None) -> Figures:
    labels = [label for label, _ in scored]
    said = [cut is not None and score >= cut for _, score in scored]
    return {
        "n": len(scored),
        "duplicates": sum(labels),
        "precision": precision(labels, said) if any(said) else 1.0,
        "recall": recall(labels, said),
        "false_merges": sum(
            verdict and not label for label, verdict in zip(labels, said, strict=True)
        ),
        "auroc": auroc(labels, [score for _, score in scored]),
    }
