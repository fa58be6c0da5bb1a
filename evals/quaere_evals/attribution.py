"""Measures whether sources support claims, next to plain word overlap, and compares with people.

Of a set that the weights were fitted on, only the half that was kept back is measured. With an
embedder, the figures are those of words and embedder together, followed by those of words alone.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from pydantic import BaseModel

from quaere.domain.report import Support
from quaere.errors import SettingsError
from quaere.ports.model import Embedder
from quaere.text.similarity import containment
from quaere.text.tokens import STOP_WORDS, terms, words
from quaere.verify.align import align
from quaere.verify.calibration import EmbeddingSignal, Weights, calibration
from quaere.verify.second_opinion import candidate_lines, needs_embedder, weights_for
from quaere.verify.support import Finding, compare, in_doubt, weigh
from quaere_evals.attribution_data import Claim, load_claims
from quaere_evals.verdicts import auroc, balanced_accuracy, precision, recall

BASELINE = "baseline_"
"""What the names of the figures of word overlap begin with."""
WORDS = "words_"
"""What the names of the figures of words alone begin with, where an embedder is measured."""
OVERLAP = 0.65
"""Share of its words from which the baseline calls a claim supported: the best cut on the half of
AttributionBench that the weights were fitted on."""
HALF = 0.5
"""Share of a claim's words from which it counts as laid next to a line of its source."""
CARRIERS = 5
"""Sentences of a page that may be named as those which carry a claim."""
HELD_AGAIN = 0.8
"""What a word counts for in one more sentence, once a sentence chosen before holds it."""

Figures = dict[str, float]
Progress = Callable[[str], None]


class SetScores(BaseModel):
    """The figures of one set, and those of each collection it was put together from."""

    figures: Figures
    by_source: dict[str, Figures]


class AttributionResult(BaseModel):
    """What ``quaere eval attribution`` measured, by set."""

    sets: dict[str, SetScores]

    @property
    def datasets(self) -> dict[str, Figures]:
        """All figures in one table; a collection is named after its set: ``f1/ExpertQA``."""
        table: dict[str, Figures] = {}
        for name, scores in self.sets.items():
            table[name] = scores.figures
            table |= {f"{name}/{source}": found for source, found in scores.by_source.items()}
        return table

    def as_json(self) -> dict[str, object]:
        """Return ``{"sets": {name: {figure: ..., "by_source": {...}}}}``."""
        return {
            "sets": {
                name: {**scores.figures, "by_source": scores.by_source}
                for name, scores in self.sets.items()
            }
        }


@dataclass(frozen=True, slots=True)
class _Checked:
    """A claim, what verification found of it, and what word overlap says."""

    claim: Claim
    finding: Finding
    overlap: float
    by_words: Finding
    """The same without an embedder."""

    @property
    def probability(self) -> float:
        """How likely it is supported; not at all where its words cannot be compared."""
        return self.finding.probability or 0.0


async def evaluate_attribution(
    files: Mapping[str, Path], progress: Progress | None = None, embedder: Embedder | None = None
) -> AttributionResult:
    """Return the figures of the sets in ``files``.

    Args:
        files: Where each set is, by the names that ``find_claim_sets`` gives them.
        progress: Told the name of each set before it is checked.
        embedder: Asked of what words leave in doubt, as in a run.

    Raises:
        DataError: when a file is not in the expected form.
        SettingsError: when verification has no weights for the embedder.
        ReasonError: when the embedder fails.
    """
    weights = weights_for(embedder.name) if embedder else None
    if embedder and not weights:
        raise SettingsError(
            f"Verification knows no weights for {embedder.name} and would leave it out: fit some"
            " with bench/calibrate.py --embedder."
        )
    sets: dict[str, SetScores] = {}
    for name, path in files.items():
        if progress:
            progress(name)
        claims = load_claims(name, path).unseen(calibration().fitted_on.get(name))
        checked = [_checked(claim) for claim in claims]
        if embedder and weights:
            checked = [await _meant(one, embedder, weights) for one in checked]
        sets[name] = _scored(checked, beside=embedder is not None)
    return AttributionResult(sets=sets)


def _checked(claim: Claim) -> _Checked:
    said = _plain(claim.text)
    held = frozenset[str]().union(*map(_plain, claim.sources))
    finding = weigh(claim.text, claim.passages)
    return _Checked(claim, finding, containment(said, held), finding)


async def _meant(checked: _Checked, embedder: Embedder, weights: Weights) -> _Checked:
    """Return ``checked`` with what ``embedder`` tells, where words leave it in doubt."""
    claim, by_words = checked.claim, checked.by_words
    if not needs_embedder(by_words):
        return checked
    texts = candidate_lines(compare(claim.text, claim.passages))
    if not texts:
        return checked
    meaning = EmbeddingSignal(weights=weights, nearest_line=max(await embedder.similarities(texts)))
    return replace(checked, finding=weigh(claim.text, claim.passages, meaning))


def _plain(text: str) -> frozenset[str]:
    return frozenset(words(text)) - STOP_WORDS


def _scored(checked: Sequence[_Checked], *, beside: bool) -> SetScores:
    groups: dict[str, list[_Checked]] = defaultdict(list)
    for one in checked:
        if one.claim.origin:
            groups[one.claim.origin].append(one)
    by_source = {name: _agreement(groups[name], beside=beside) for name in sorted(groups)}
    figures = _agreement(checked, beside=beside)
    figures |= _doubts(checked) | _refutations(checked) | _carried(checked)
    return SetScores(figures=figures, by_source=by_source)


def _agreement(checked: Sequence[_Checked], *, beside: bool) -> Figures:
    """Measure the probability against people; what is ``beside`` it, and word overlap, too."""
    labels = [one.claim.supported for one in checked]
    likely = [one.probability for one in checked]
    overlap = [one.overlap for one in checked]
    said = [probability >= calibration().cut for probability in likely]
    plain = [share >= OVERLAP for share in overlap]
    return {
        "n": len(checked),
        "balanced_accuracy": balanced_accuracy(labels, said),
        "auroc": auroc(labels, likely),
        f"{BASELINE}balanced_accuracy": balanced_accuracy(labels, plain),
        f"{BASELINE}auroc": auroc(labels, overlap),
        **_unsupported("", labels, said),
        **_unsupported(BASELINE, labels, plain),
        **(_by_words(checked) if beside else {}),
    }


def _by_words(checked: Sequence[_Checked]) -> Figures:
    labels = [one.claim.supported for one in checked]
    likely = [one.by_words.probability or 0.0 for one in checked]
    said = [probability >= calibration().cut for probability in likely]
    return {
        f"{WORDS}balanced_accuracy": balanced_accuracy(labels, said),
        f"{WORDS}auroc": auroc(labels, likely),
        f"{WORDS}in_doubt": fmean(in_doubt(one.by_words) for one in checked),
    }


def _unsupported(prefix: str, labels: Iterable[bool], said: Iterable[bool]) -> Figures:
    wrong, found = [not label for label in labels], [not verdict for verdict in said]
    return {
        f"{prefix}unsupported_precision": precision(wrong, found),
        f"{prefix}unsupported_recall": recall(wrong, found),
    }


def _doubts(checked: Sequence[_Checked]) -> Figures:
    """Measure the whole verdict, objections included, and how it does where it is not in doubt."""
    labels = [one.claim.supported for one in checked]
    verdicts = [one.finding.support.holds for one in checked]
    low, high = calibration().doubt
    sure = [one for one in checked if not low <= one.probability < high]
    return {
        "verdict_balanced_accuracy": balanced_accuracy(labels, verdicts),
        "partly": fmean(one.finding.support is Support.PARTLY for one in checked),
        "in_doubt": fmean(in_doubt(one.finding) for one in checked),
        "sure": len(sure) / len(checked),
        "sure_balanced_accuracy": balanced_accuracy(
            [one.claim.supported for one in sure], [one.probability >= high for one in sure]
        ),
        "brier": fmean((one.probability - one.claim.supported) ** 2 for one in checked),
    }


def _refutations(checked: Sequence[_Checked]) -> Figures:
    """Measure what is called contradicted, where people said what is."""
    refuted = [one.claim.refuted for one in checked]
    if not any(refuted):
        return {}
    opposed = [one for one in checked if one.claim.refuted or one.claim.supported]
    labels = [one.claim.supported for one in opposed]
    found = [one.finding.support is Support.CONTRADICTED for one in checked]
    near = [one for one in opposed if _aligned(one.claim) >= HALF]
    return {
        **_opposed_nearly(near),
        "supports_or_refutes_auroc": auroc(labels, [one.probability for one in opposed]),
        f"{BASELINE}supports_or_refutes_auroc": auroc(labels, [one.overlap for one in opposed]),
        "contradicted_precision": precision(refuted, found),
        "contradicted_recall": recall(refuted, found),
    }


def _opposed_nearly(near: Sequence[_Checked]) -> Figures:
    """Measure the same of claims of which half is laid next to a line, where there are any."""
    labels = [one.claim.supported for one in near]
    if len(set(labels)) < 2:
        return {}
    likely = [one.probability for one in near]
    overlap = [one.overlap for one in near]
    return {
        "aligned_n": len(near),
        "aligned_supports_or_refutes_auroc": auroc(labels, likely),
        f"{BASELINE}aligned_supports_or_refutes_auroc": auroc(labels, overlap),
    }


def _aligned(claim: Claim) -> float:
    """Return the share of the words of ``claim`` that is laid next to one line of its sources."""
    pair = compare(claim.text, claim.passages)
    return max((align(pair.claim.text, line).own for line in pair.rival_lines), default=0.0)


def _carried(checked: Sequence[_Checked]) -> Figures:
    """Measure whether the sentences that carry a claim are among the first few named."""
    claims = [one.claim for one in checked if one.claim.carriers]
    if not claims:
        return {}
    own = [_named(claim) for claim in claims]
    plain = [_overlapping(claim) for claim in claims]
    return {
        **_recalled("", claims, own),
        **_recalled(BASELINE, claims, plain),
    }


def _named(claim: Claim) -> frozenset[int]:
    lines = [frozenset(terms(line)) for line in claim.lines]
    return frozenset(carriers(frozenset(terms(claim.text)), lines, CARRIERS))


def _overlapping(claim: Claim) -> frozenset[int]:
    said = _plain(claim.text)
    shared = [len(said & _plain(line)) for line in claim.lines]
    ranked = sorted(range(len(shared)), key=lambda index: (-shared[index], index))
    return frozenset(ranked[:CARRIERS])


def _recalled(prefix: str, claims: Sequence[Claim], named: Sequence[frozenset[int]]) -> Figures:
    pairs = list(zip(claims, named, strict=True))
    return {
        f"{prefix}sentence_recall": fmean(
            max(len(needed & found) / len(needed) for needed in claim.carriers)
            for claim, found in pairs
        ),
        f"{prefix}sentences_complete": fmean(
            any(needed <= found for needed in claim.carriers) for claim, found in pairs
        ),
    }


def carriers(claim: frozenset[str], lines: Sequence[frozenset[str]], count: int) -> list[int]:
    """Return the ``count`` lines that most likely say what a sentence says, best first.

    A word counts the more, the fewer lines hold it, and less once a chosen line holds it: together
    they should carry the whole sentence.

    Args:
        claim: Stems of the sentence's words, stop words left out.
        lines: Likewise for every line.
        count: How many are wanted; fewer come back when there are fewer.
    """
    holders = Counter(term for line in lines for term in line)
    weights = {term: math.log1p((len(lines) - n + 0.5) / (n + 0.5)) for term, n in holders.items()}
    left = dict(enumerate(line & claim for line in lines))
    chosen: list[int] = []
    while left and len(chosen) < count:
        # Summed in the order of the alphabet: floats added in another order may differ.
        best = max(left, key=lambda index: (sum(weights[t] for t in sorted(left[index])), -index))
        for term in left.pop(best):
            weights[term] *= HELD_AGAIN
        chosen.append(best)
    return chosen
