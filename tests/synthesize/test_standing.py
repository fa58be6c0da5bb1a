"""A part of the question is open again where the one sentence on it was refuted."""

from __future__ import annotations

import pytest
from tests.synthesize.drafts import COST, EVIDENCE, HERE, SPANS, THERE

from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import Sentence, Support
from quaere.synthesize.standing import refuted, standing

WRONG = COST.model_copy(
    update={"item": "cost", "support": Support.CONTRADICTED, "evidence": (), "quotes": ()}
)
ASKED = Checklist(
    items=(
        Item(id="span", description="its span", status=ItemStatus.SATISFIED, evidence=(HERE.id,)),
        Item(id="cost", description="its cost", status=ItemStatus.SATISFIED, evidence=(HERE.id,)),
    )
)
SPAN = SPANS.model_copy(update={"item": "span"})


def test_it_is_answered_in_part_and_named_among_what_is_missing() -> None:
    checklist, gaps = standing(ASKED, ("who paid",), [SPAN], [WRONG], EVIDENCE)
    assert [item.status for item in checklist.items] == [ItemStatus.SATISFIED, ItemStatus.PARTIAL]
    assert gaps == ("who paid", "its cost")


@pytest.mark.parametrize(
    ("shown", "dropped"),
    [
        ([SPAN, COST.model_copy(update={"item": "cost"})], [WRONG]),
        ([SPAN, COST], [WRONG]),
        ([SPAN], [WRONG.model_copy(update={"support": Support.NOT_JUDGED})]),
        ([SPAN], [WRONG.model_copy(update={"item": None})]),
        ([SPAN], []),
    ],
)
def test_it_stays_where_another_may_be_on_it_or_none_was_refuted(
    shown: list[Sentence], dropped: list[Sentence]
) -> None:
    assert refuted(ASKED, shown, dropped, EVIDENCE) == ()
    assert standing(ASKED, (), shown, dropped, EVIDENCE) == (ASKED, ())


def test_a_sentence_on_what_is_missing_answers_nothing() -> None:
    silent = Sentence(text="The sources do not say.", support=Support.NOT_A_CLAIM, item="cost")
    assert [item.id for item in refuted(ASKED, [SPAN, silent], [WRONG], EVIDENCE)] == ["cost"]


def test_a_sentence_with_other_evidence_is_not_on_it() -> None:
    other = SPANS.model_copy(update={"evidence": (2,)})
    assert THERE.id not in ASKED.items[1].evidence
    assert [item.id for item in refuted(ASKED, [other], [WRONG], EVIDENCE)] == ["cost"]
