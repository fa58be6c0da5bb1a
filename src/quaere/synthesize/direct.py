"""The direct answer that sentences carry, and whether it answers the question."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Checklist, ItemStatus
from quaere.domain.report import UNSURE, Direct, DirectKind, Sentence, claims_in
from quaere.domain.verdict import StopReason
from quaere.synthesize.compose import is_doubtful
from quaere.text.languages.language import frame


def is_incomplete(
    stop_reason: StopReason,
    checklist: Checklist,
    gaps: Sequence[str],
    sentences: Sequence[Sentence] = (),
) -> bool:
    """Return whether the question is not answered, or not all of it.

    Where ``sentences`` carry a direct answer, its confidence says that; else how the search ended.
    """
    told = direct_in(sentences)
    if told is not None:
        return not told.is_sure
    if stop_reason is StopReason.SUFFICIENT:
        return False
    return bool(gaps or checklist.with_status(ItemStatus.UNSATISFIED))


def direct_in(sentences: Sequence[Sentence]) -> Direct | None:
    """Return the direct answer that ``sentences`` have; it is unsure where none of them holds."""
    told = next((each.direct for each in sentences if each.direct), None)
    if told is None or not is_doubtful(claims_in(sentences)):
        return told
    return told.model_copy(update={"confidence": min(told.confidence, UNSURE)})


def direct_of(sentences: Sequence[Sentence], confidence: float) -> Direct:
    """Return what an answer of ``sentences`` says first; the first of them where it is no less.

    Args:
        sentences: As shown, in reading order.
        confidence: That the question is answered, where the sentences do not tell it.
    """
    claims = claims_in(sentences)
    told = direct_in(claims)
    if told is not None or not claims:
        return told or Direct(kind=DirectKind.NONE, text=frame().nothing)
    return Direct(
        kind=DirectKind.SENTENCE,
        text=claims[0].text,
        evidence=claims[0].evidence,
        quotes=claims[0].quotes,
        confidence=confidence,
    )
