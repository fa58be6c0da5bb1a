"""The sentence with which an answer begins, where it draws the conclusion of those that follow."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.report import CheckedBy, Sentence, Support
from quaere.verify.repair import Fate, Outcome, Pool, dropped
from quaere.verify.support import FLOOR, check

FOLLOWING = 3
"""Sentences after the first whose evidence it may rest on."""

UNFOUNDED = "a conclusion that no single source states"


def cite_following(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return ``sentences``; a first one that cites nothing cites what the next ones do.

    Answers often begin with their result ("No, they are in different provinces.") and give the
    grounds afterwards. Checking then decides whether the grounds support it.
    """
    if len(sentences) < 2 or sentences[0].evidence:
        return tuple(sentences)
    first, *rest = sentences
    cited = dict.fromkeys(n for sentence in rest[:FOLLOWING] for n in sentence.evidence)
    return (first.model_copy(update={"evidence": tuple(cited)}), *rest)


def keep_opening(
    written: Sequence[Sentence], outcomes: Sequence[Outcome], pool: Pool
) -> tuple[Outcome, ...]:
    """Return ``outcomes``; the first stays, marked, where it was dropped for want of words.

    "No." has no words that a source could hold, and the answer is lost without it. What a source
    contradicts stays dropped, and so does a conclusion whose grounds all failed.

    Args:
        written: The sentences as the writer gave them.
        outcomes: What checking made of them, in order, after `cite_following`.
        pool: As for checking.
    """
    if not outcomes or written[0].evidence or not _says_too_little(outcomes[0]):
        return tuple(outcomes)
    first, *rest = outcomes
    grounded = any(o.sentence and o.sentence.support.holds for o in rest)
    found = check(cite_following(written)[0], pool)
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
