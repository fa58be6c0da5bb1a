"""What a reader who understands the sources makes of sentences that the signs leave in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from quaere.domain.report import Support
from quaere.verify.repair import Fate, Outcome
from quaere.verify.support import in_doubt

NOTES = {
    Support.PARTLY: "only a part of it is in what it cites",
    Support.CONTRADICTED: "what it cites says otherwise",
    Support.UNVERIFIABLE: "is not in what it cites",
}
"""What stands beside a sentence that a ruling objects to, when the rules found nothing."""


def open_cases(outcomes: Sequence[Outcome]) -> tuple[int, ...]:
    """Return the indices of the outcomes whose sentence is shown and still in doubt."""
    return tuple(
        index
        for index, outcome in enumerate(outcomes)
        if outcome.sentence is not None and outcome.finding and in_doubt(outcome.finding)
    )


def ruled(outcomes: Sequence[Outcome], rulings: Mapping[int, Support]) -> tuple[Outcome, ...]:
    """Return ``outcomes`` with ``rulings`` applied, by index.

    A ruling clears a doubt, except that a figure or a date is in no source: that can be seen, and
    models overlook it. What is ruled contradicted is dropped, and so is what both the rules and
    the ruling find no support for. Rulings on sentences that were not open are left aside, so that
    a page which talks a model into a verdict reaches no quote.

    Args:
        outcomes: What checking made of the sentences, as ``verify_sentence`` returns it.
        rulings: SUPPORTED, PARTLY, CONTRADICTED or UNVERIFIABLE; others are left aside.
    """
    cases = frozenset(open_cases(outcomes))
    return tuple(
        _ruled(outcome, rulings[index]) if index in cases and index in rulings else outcome
        for index, outcome in enumerate(outcomes)
    )


def upheld(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
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
    note = finding.note or NOTES[ruling]
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
