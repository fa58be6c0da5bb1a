"""Sentences that the rules leave in doubt, judged again: by an embedder, or by a model that reads.

A sentence and a line that say the same in other words have embeddings close to each other. That
is weighed together with the signals of the words, with weights of its own (``calibration.json``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quaere.domain.report import Support
from quaere.models.similarity import known_as
from quaere.verify.repair import Fate, Outcome, Pool, settled
from quaere.verify.signals import Pair
from quaere.verify.support import (
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


def apply_rulings(
    outcomes: Sequence[Outcome], rulings: Mapping[int, Support]
) -> tuple[Outcome, ...]:
    """Return ``outcomes`` with ``rulings`` applied, by index.

    A ruling clears a doubt, except that a figure or a date is in no source: that can be seen, and
    models overlook it. What is ruled contradicted is dropped, and so is what both the rules and
    the ruling find no support for. Rulings on sentences that were not in doubt are ignored, so that
    a page which talks a model into a verdict reaches no quote.

    Args:
        outcomes: What checking made of the sentences, as ``verify_sentence`` returns it.
        rulings: SUPPORTED, PARTLY, CONTRADICTED or UNVERIFIABLE; others are ignored.
    """
    cases = frozenset(doubtful(outcomes))
    return tuple(
        _ruled(outcome, rulings[index]) if index in cases and index in rulings else outcome
        for index, outcome in enumerate(outcomes)
    )


def drop_contradicted(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """Return ``outcomes`` without the sentences that are still found to contradict their source.

    Words alone hardly tell who refutes whom, so `verify_sentence` leaves them open where a reader
    who understands is asked; what that reader does not clear is dropped after all.
    """
    return tuple(
        _dropped(outcome, outcome.sentence.note)
        if outcome.sentence and outcome.sentence.support is Support.CONTRADICTED
        else outcome
        for outcome in outcomes
    )


def _ruled(outcome: Outcome, ruling: Support) -> Outcome:
    finding, sentence = outcome.finding, outcome.sentence
    if finding is None or sentence is None or ruling is Support.NOT_A_CLAIM:
        return outcome
    if ruling is Support.SUPPORTED:
        return _cleared(outcome)
    note = finding.note or RULING_NOTES[ruling]
    unfounded = finding.support in {Support.UNVERIFIABLE, Support.CONTRADICTED}
    twice = ruling is Support.UNVERIFIABLE and unfounded
    if twice or ruling is Support.CONTRADICTED:
        return _dropped(outcome, note)
    shown = sentence.model_copy(update={"support": ruling, "note": note})
    return outcome.model_copy(update={"sentence": shown, "fate": Fate.MARKED, "objection": note})


def _dropped(outcome: Outcome, note: str) -> Outcome:
    return outcome.model_copy(update={"sentence": None, "fate": Fate.DROPPED, "objection": note})


def _cleared(outcome: Outcome) -> Outcome:
    finding, sentence = outcome.finding, outcome.sentence
    if finding is None or sentence is None or finding.figures:
        return outcome
    shown = sentence.model_copy(update={"support": Support.SUPPORTED, "note": ""})
    fate = Fate.SUPPORTED if outcome.fate is Fate.MARKED else outcome.fate
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
    return settled(outcome.sentence, finding, fate, outcome.objection or finding.note)
