"""What an embedder tells of a sentence that its words leave in doubt.

A sentence and a line that say the same in other words have embeddings near to each other. That
weighs beside the signals of the words, by weights of its own (``calibration.json``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quaere.domain.embedder import known_as
from quaere.domain.report import Support
from quaere.verify.calibration import Meaning, Weights, calibration
from quaere.verify.repair import Fate, Outcome, Pool, settled
from quaere.verify.signals import Pair
from quaere.verify.support import Finding, check, compared, in_doubt

MOST_LINES = 25
"""Lines of its sources that a sentence is held against."""
DAMPING = 5
"""Words added to the length of a line, so that a heading with one word of the sentence does not
come first."""

Texts = tuple[str, str]
"""A sentence and a line that may say it."""


def weights_of(embedder: str) -> Weights | None:
    """Return the weights for the embedder called ``embedder``; None when it was not measured."""
    return calibration().with_embedder.get(known_as(embedder))


def candidates(pair: Pair) -> list[Texts]:
    """Return the sentence of ``pair`` with each line of its sources that is most likely to say it.

    Those are the lines the largest share of whose words are the sentence's, the first one first.
    """
    rated = [
        (
            len(pair.claim.terms & line.terms) / (len(line.terms) + DAMPING),
            source.text[line.span.start : line.span.end],
        )
        for source in pair.sources
        for line in source.lines
    ]
    rated.sort(key=lambda one: -one[0])
    return [(pair.claim.text, line) for _, line in rated[:MOST_LINES]]


def is_open(finding: Finding) -> bool:
    """Return whether an embedder may tell more than the words did.

    Words of two languages are left aside: most embedders know one language. So is what contradicts
    its source, of which an embedder thinks that it says nearly the same.
    """
    contradicted = finding.support is Support.CONTRADICTED
    return in_doubt(finding) and finding.probability is not None and not contradicted


def questions(outcomes: Sequence[Outcome], pool: Pool) -> dict[int, list[Texts]]:
    """Return what an embedder is to be asked, by index of the outcome that is in doubt."""
    asked: dict[int, list[Texts]] = {}
    for index, outcome in enumerate(outcomes):
        if outcome.sentence and outcome.finding and is_open(outcome.finding):
            cited = [pool[number] for number in outcome.sentence.evidence]
            if texts := candidates(compared(outcome.sentence.text, cited)):
                asked[index] = texts
    return asked


def reweighed(
    outcomes: Sequence[Outcome], pool: Pool, cosines: Mapping[int, float], weights: Weights
) -> tuple[Outcome, ...]:
    """Return ``outcomes`` with those in doubt weighed again.

    Args:
        outcomes: What checking made of the sentences.
        pool: What they may cite.
        cosines: How near the nearest of the lines in `questions` came, by index.
        weights: Those of the embedder.
    """
    return tuple(
        _reweighed(outcome, pool, Meaning(weights=weights, nearest_line=cosines[index]))
        if index in cosines
        else outcome
        for index, outcome in enumerate(outcomes)
    )


def _reweighed(outcome: Outcome, pool: Pool, meaning: Meaning) -> Outcome:
    if outcome.sentence is None:
        return outcome
    finding = check(outcome.sentence, pool, meaning)
    fate = Fate.MARKED
    if finding.support is Support.SUPPORTED:
        fate = Fate.SUPPORTED if outcome.fate is Fate.MARKED else outcome.fate
    return settled(outcome.sentence, finding, fate, outcome.objection or finding.note)
