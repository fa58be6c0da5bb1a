"""Sentences judged again: those in doubt by an embedder, all but quotes by a model that reads.

A model that reads is asked before anything happens to a sentence: it judges the words as written,
and what words alone came to holds only for what it does not judge.

A sentence and a line that say the same in other words have embeddings close to each other. That
is weighed together with the signals of the words, with weights of its own (``calibration.json``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quaere.domain.report import Support
from quaere.models.similarity import known_as
from quaere.verify.repair import Claim, Fate, Outcome, Pool, settled
from quaere.verify.signals import Pair
from quaere.verify.support import (
    FLOOR,
    EmbeddingSignal,
    Finding,
    Weights,
    calibration,
    check,
    compare,
    in_doubt,
)

RULING_NOTES = {
    Support.PARTLY: "only a part of it is in what it cites",
    Support.CONTRADICTED: "what it cites says otherwise",
    Support.UNVERIFIABLE: "is not in what it cites",
}
"""The note on a sentence that a ruling objects to, when the rules found nothing."""


def doubtful(outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """Return the indices of the outcomes whose sentence is shown and still in doubt."""
    return tuple(
        index
        for index, outcome in enumerate(outcomes)
        if outcome.sentence is not None and outcome.finding and in_doubt(outcome.finding)
    )


def open_claims(outcomes: Sequence[Outcome]) -> dict[int, Claim]:
    """Return what a model is to judge, by index of the outcome: all but what is quoted whole.

    How likely words make a claim does not settle it: "his elder brother" and "his younger brother"
    have all words but one in common.
    """
    return {index: outcome.claim for index, outcome in enumerate(outcomes) if outcome.claim}


def apply_rulings(
    outcomes: Sequence[Outcome], rulings: Mapping[int, Support]
) -> tuple[Outcome, ...]:
    """Return ``outcomes`` with ``rulings`` applied, by index.

    A ruling decides, with two exceptions. It does not put a figure or a date into a source that has
    none: that can be seen, and models overlook it. And where it finds no support, the sentence is
    taken out only if its words raise a plain objection, too; else it is marked. Of what is
    ruled a part, the part that words can tell is kept. Rulings on what is quoted whole are
    ignored, so that a page which talks a model into a verdict reaches no quote.

    Args:
        outcomes: What checking made of the sentences, as ``verify_sentence`` returns it; they stay
            as they are where there is no ruling.
        rulings: SUPPORTED, PARTLY, CONTRADICTED or UNVERIFIABLE; others are ignored.
    """
    return tuple(
        _ruled(outcome, outcome.claim, rulings[index])
        if outcome.claim and index in rulings
        else outcome
        for index, outcome in enumerate(outcomes)
    )


def _ruled(outcome: Outcome, claim: Claim, ruling: Support) -> Outcome:
    if ruling is Support.NOT_A_CLAIM:
        return outcome
    if ruling is Support.SUPPORTED:
        return outcome if claim.finding.figures else _cleared(outcome, claim)
    note = claim.finding.note or RULING_NOTES[ruling]
    if ruling is Support.CONTRADICTED or (
        ruling is Support.UNVERIFIABLE and _has_plain_objection(claim.finding)
    ):
        return outcome.model_copy(
            update={"sentence": None, "fate": Fate.DROPPED, "objection": note}
        )
    if ruling is Support.PARTLY and _is_shortened(outcome, claim):
        return outcome
    shown = claim.sentence.model_copy(
        update={"support": ruling, "note": note, "probability": claim.finding.probability}
    )
    return outcome.model_copy(update={"sentence": shown, "fate": Fate.MARKED, "objection": note})


def _has_plain_objection(finding: Finding) -> bool:
    """Return whether something is found against a sentence besides that it is not likely."""
    return bool(finding.missing) or finding.opposed or finding.share < FLOOR


def _is_shortened(outcome: Outcome, claim: Claim) -> bool:
    shown = outcome.sentence
    return shown is not None and shown.text != claim.sentence.text


def _cleared(outcome: Outcome, claim: Claim) -> Outcome:
    shown = claim.sentence.model_copy(
        update={
            "support": Support.SUPPORTED,
            "note": "",
            "probability": claim.finding.probability,
        }
    )
    corrected = outcome.fate is Fate.REPAIRED and not _is_shortened(outcome, claim)
    fate = Fate.REPAIRED if corrected else Fate.SUPPORTED
    return outcome.model_copy(update={"sentence": shown, "fate": fate})


MOST_LINES = 25
"""Lines of its sources that a sentence is compared with."""
DAMPING = 5
"""Words added to the length of a line, so that a heading with one word of the sentence does not
come first."""

TextPair = tuple[str, str]
"""A sentence and a line that may say it."""


def weights_for(embedder: str) -> Weights | None:
    """Return the weights for the embedder called ``embedder``; None when it was not measured."""
    return calibration().with_embedder.get(known_as(embedder))


def candidate_lines(pair: Pair) -> list[TextPair]:
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


def needs_embedder(finding: Finding) -> bool:
    """Return whether an embedder may tell more than the words did.

    Words of two languages are not compared, for most embedders know one language; nor is what
    contradicts its source, which an embedder takes for nearly the same.
    """
    contradicted = finding.support is Support.CONTRADICTED
    return in_doubt(finding) and finding.probability is not None and not contradicted


def embedder_pairs(outcomes: Sequence[Outcome], pool: Pool) -> dict[int, list[TextPair]]:
    """Return what to ask an embedder, by index of the outcome that is in doubt."""
    asked: dict[int, list[TextPair]] = {}
    for index, outcome in enumerate(outcomes):
        if outcome.sentence and outcome.finding and needs_embedder(outcome.finding):
            cited = [pool[number] for number in outcome.sentence.evidence]
            if texts := candidate_lines(compare(outcome.sentence.text, cited)):
                asked[index] = texts
    return asked


def reweigh(
    outcomes: Sequence[Outcome], pool: Pool, cosines: Mapping[int, float], weights: Weights
) -> tuple[Outcome, ...]:
    """Return ``outcomes`` with those in doubt weighed again.

    Args:
        outcomes: What checking made of the sentences.
        pool: What they may cite.
        cosines: How near the nearest of the lines in `embedder_pairs` came, by index.
        weights: Those of the embedder.
    """
    return tuple(
        _reweighed(outcome, pool, EmbeddingSignal(weights=weights, nearest_line=cosines[index]))
        if index in cosines
        else outcome
        for index, outcome in enumerate(outcomes)
    )


def _reweighed(outcome: Outcome, pool: Pool, meaning: EmbeddingSignal) -> Outcome:
    if outcome.sentence is None:
        return outcome
    finding = check(outcome.sentence, pool, meaning)
    fate = Fate.MARKED
    if finding.support is Support.SUPPORTED:
        fate = Fate.SUPPORTED if outcome.fate is Fate.MARKED else outcome.fate
    again = settled(outcome.sentence, finding, fate, outcome.objection or finding.note)
    claim = outcome.claim
    if claim and not _is_shortened(outcome, claim):
        weighed = claim.finding.model_copy(update={"probability": finding.probability})
        claim = claim.model_copy(update={"finding": weighed})
    return again.model_copy(update={"claim": claim})
