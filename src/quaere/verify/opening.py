"""The sentence with which an answer begins, where it draws the conclusion of those that follow."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.report import CheckedBy, Sentence, Support
from quaere.text.languages.phrases import ENGLISH_REASONS
from quaere.verify.repair import Fate, Outcome, Pool, dropped
from quaere.verify.support import FLOOR, check

FOLLOWING = 3
"""Sentences after the first whose evidence it may rest on."""

UNFOUNDED = ENGLISH_REASONS.unfounded


def resting_on(
    first: Sentence, following: Sequence[Sentence], outcomes: Sequence[Outcome]
) -> Sentence:
    """Return ``first``, with which an answer begins; if it cites nothing, it cites what follows do.

    Answers often begin with their result ("No, they are in different provinces.") and give the
    grounds afterwards. Checking then decides whether the grounds support it.

    Args:
        first: As written.
        following: The sentences after it, as written.
        outcomes: What checking made of these. Of one that holds, what it was found to rest on
            counts: that may be another passage than its writer cited.
    """
    if first.evidence:
        return first
    pairs = zip(following[:FOLLOWING], outcomes, strict=False)
    grounds = (o.sentence if o.sentence and o.sentence.support.holds else s for s, o in pairs)
    cited = dict.fromkeys(n for sentence in grounds for n in sentence.evidence)
    return first.model_copy(update={"evidence": tuple(cited)})


def keep_opening(
    written: Sequence[Sentence], outcomes: Sequence[Outcome], pool: Pool
) -> tuple[Outcome, ...]:
    """Return ``outcomes``; the first stays, marked, where it was dropped for want of words.

    "No." has no words that a source could hold, and the answer is lost without it. What a source
    contradicts stays dropped, and so does a conclusion whose grounds all failed.

    Args:
        written: The sentences as the writer gave them.
        outcomes: What checking made of them, in order, after `resting_on`.
        pool: As for checking.
    """
    if not outcomes or written[0].evidence or not _says_too_little(outcomes[0]):
        return tuple(outcomes)
    first, *rest = outcomes
    grounded = any(o.sentence and o.sentence.support.holds for o in rest)
    found = check(resting_on(written[0], written[1:], rest), pool)
    if found.support is Support.CONTRADICTED:
        return tuple(outcomes)
    if not grounded:
        return (dropped(written[0], found, first.claim), *rest)
    kept = written[0].model_copy(
        update={"support": Support.NOT_JUDGED, "by": CheckedBy.WORDS, "reason": UNFOUNDED}
    )
    return (
        first.model_copy(update={"sentence": kept, "fate": Fate.MARKED, "dropped": None}),
        *rest,
    )


def _says_too_little(outcome: Outcome) -> bool:
    """Return whether a sentence has too few words in common with its grounds to be judged."""
    if outcome.sentence is None:
        return True
    finding = outcome.finding
    return outcome.fate is Fate.MARKED and finding is not None and finding.share < FLOOR
