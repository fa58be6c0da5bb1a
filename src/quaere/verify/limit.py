"""Keeps an answer to the passages that it may cite; a sentence is whole or is left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.domain.report import BEYOND_LIMIT, Sentence, Support
from quaere.verify.repair import Fate, Outcome, Pool, dropped, settled
from quaere.verify.support import Finding, check


def within_citations(
    outcomes: Sequence[Outcome],
    most: int,
    pool: Pool,
    *,
    told: Iterable[Outcome] = (),
    concludes: bool = False,
) -> tuple[Outcome, ...]:
    """Return ``outcomes`` without the sentences whose citations do not all fit.

    What a sentence rests on stands or falls as a whole: a sum of which a row is not cited would
    be judged, and read, as if it were wrong. One that its words show to hold by those that do fit
    cites them alone. Only what is shown uses room: no sentence that was taken out does.

    Args:
        outcomes: What checking made of sentences, in the order of the answer.
        most: Different passages that the answer may cite.
        pool: What may be cited.
        told: The outcomes before these, which stand.
        concludes: Whether the first cites nothing of its own, but what the others cite, of which it
            keeps what it can.
    """
    cited = {number for each in told if each.sentence for number in each.sentence.evidence}
    kept: list[Outcome] = []
    for place, outcome in enumerate(outcomes):
        fitting = _fitting(outcome, cited, most, pool, keeps=concludes and place == 0)
        if fitting.sentence:
            cited.update(fitting.sentence.evidence)
        kept.append(fitting)
    return tuple(kept)


def _fitting(outcome: Outcome, cited: set[int], most: int, pool: Pool, *, keeps: bool) -> Outcome:
    """Return ``outcome`` as it stands where ``cited`` is cited before it."""
    sentence = outcome.sentence
    if sentence is None or len(cited.union(sentence.evidence)) <= most:
        return outcome
    narrow = _narrowed(sentence, cited, most, pool)
    if keeps:
        return outcome.model_copy(update={"sentence": narrow})
    may_hold = sentence.support.holds and narrow.quotes  # words do not overrule who found it wrong
    if may_hold and (finding := check(narrow, pool)).support.holds:
        return settled(narrow, finding, Fate.REPAIRED, BEYOND_LIMIT)
    return dropped(sentence, Finding(support=Support.NOT_JUDGED, note=BEYOND_LIMIT), None)


def _narrowed(sentence: Sentence, cited: set[int], most: int, pool: Pool) -> Sentence:
    """Return ``sentence`` on those of its citations that fit, in its order."""
    numbers = set(cited)
    fitting: list[int] = []
    for number in sentence.evidence:
        if number in numbers or len(numbers) < most:
            numbers.add(number)
            fitting.append(number)
    return citing(fitting, sentence, pool)


def citing(numbers: Sequence[int], sentence: Sentence, pool: Pool) -> Sentence:
    """Return ``sentence`` with ``numbers`` as its only citations, and the quotes out of these.

    Args:
        numbers: Ids of evidence that it cites already.
        sentence: A sentence with more citations.
        pool: What may be cited.
    """
    held = {pool[number].id for number in numbers}
    quotes = tuple(quote for quote in sentence.quotes if quote.passage in held)
    return sentence.model_copy(update={"evidence": tuple(numbers), "quotes": quotes})
