"""What is answered once the sentences are checked: an item falls with the only sentence on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.domain.evidence import Evidence
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import Report, Sentence, Support, claims_in
from quaere.synthesize.compose import is_incomplete, settled


def refuted(
    checklist: Checklist,
    shown: Iterable[Sentence],
    dropped: Iterable[Sentence],
    evidence: Iterable[Evidence],
) -> tuple[Item, ...]:
    """Return the satisfied items on which the answer says nothing any more.

    What it said on them was left out because its source says otherwise. A sentence that is shown
    and of no item in particular may be on each whose evidence it cites.

    Args:
        checklist: What a complete answer must contain.
        shown: The sentences of the answer.
        dropped: Those that were left out.
        evidence: What their ids stand for.
    """
    wrong = {each.item for each in dropped if each.support is Support.CONTRADICTED}
    claims = claims_in(shown)
    unsaid = wrong.difference(each.item for each in claims)
    cited = _cited((each for each in claims if each.item is None), evidence)
    satisfied = checklist.with_status(ItemStatus.SATISFIED)
    return tuple(
        item for item in satisfied if item.id in unsaid and cited.isdisjoint(item.evidence)
    )


def _cited(claims: Iterable[Sentence], evidence: Iterable[Evidence]) -> frozenset[str]:
    """Return the ids of the passages that ``claims`` cite."""
    passages = {entry.id: entry.passage for entry in evidence}
    return frozenset(passages[n] for each in claims for n in each.evidence if n in passages)


def standing(
    checklist: Checklist,
    gaps: Sequence[str],
    shown: Sequence[Sentence],
    dropped: Iterable[Sentence],
    evidence: Iterable[Evidence],
) -> tuple[Checklist, tuple[str, ...]]:
    """Return ``checklist`` and ``gaps`` as checking leaves them; see `settled` and `refuted`."""
    lost = refuted(checklist, shown, dropped, evidence)
    ticked, open_ = settled(checklist, gaps, shown)
    fallen = {item.id for item in lost}
    partial = {"status": ItemStatus.PARTIAL}
    items = tuple(
        item.model_copy(update=partial) if item.id in fallen else item for item in ticked.items
    )
    named = (item.description for item in lost if item.description not in open_)
    return ticked.model_copy(update={"items": items}), (*open_, *named)


def is_open(report: Report) -> bool:
    """Return whether ``report`` does not answer the question, or not all of it."""
    checklist, gaps = report.checklist, report.gaps
    fallen = (item.description in gaps for item in checklist.with_status(ItemStatus.PARTIAL))
    return is_incomplete(report.stop_reason, checklist, gaps, report.sentences) or any(fallen)
