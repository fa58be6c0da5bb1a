"""Passages are shown as 1 to n; what comes back has the ids that were meant."""

from __future__ import annotations

import pytest
from pydantic import JsonValue
from tests.contracts.reasoner import Case
from tests.graphs.minds import shown
from tests.graphs.world import DOCUMENTS, HOP

from quaere.domain.evidence import Contradiction
from quaere.domain.model import ModelRequest
from quaere.domain.question import Checklist
from quaere.domain.report import Sentence, Support
from quaere.domain.verdict import NextAction, Reflection
from quaere.models.meter import Meter
from quaere.ports.reason import Inspection
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.reason.llm.sentences import Numbering, with_ids
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio


def far_case() -> Case:
    """Return a case whose evidence came late: its ids are high, and in no order."""
    case = Case(HOP, dict(DOCUMENTS))
    case.evidence = tuple(
        entry.model_copy(update={"id": 90 - 7 * place}) for place, entry in enumerate(case.evidence)
    )
    return case


def counting(request: ModelRequest) -> dict[str, JsonValue] | str:
    """Speak of the first two passages, by their numbers."""
    if request.step == "synthesize":
        return "Odile Varga founded it [1][2]. It stands on a hill 【2†page】."
    if request.step == "check":
        return {"verdicts": []}
    return {
        "checklist": ["who founded it"],
        "findings": [{"id": 1, "items": [1]}, {"id": 2, "items": [1]}],
        "satisfied": [1],
        "contradictions": [{"ids": [2, 1], "item": 1, "what": "the founder"}],
        "gaps": [],
        "queries": [],
        "sufficient": True,
        "confidence": 1,
        "answer": "Odile Varga founded it [1-2].",
    }


async def test_a_call_counts_from_one_and_its_answer_has_the_ids_that_were_meant() -> None:
    model, case, meter = ScriptedModel(counting), far_case(), Meter()
    meter.open(10_000_000, None)
    reasoner = ModelReasoner(Models(model, model, model, model)).for_run(meter)
    opening = await reasoner.plan(case.look())
    first, second = case.evidence[0].id, case.evidence[1].id
    assert list(shown(model.requests[0])) == list(range(1, len(case.evidence) + 1))
    reflection = opening.reflection
    assert reflection is not None
    assert reflection.findings == (first, second)
    assert [fact.evidence for fact in reflection.facts] == [first, second]
    (told,) = reflection.contradictions
    assert told.ids == (min(first, second), max(first, second))
    assert told.what == "the founder"
    assigned = case.assignment(opening.plan, opening.plan.checklist)
    written = [each async for each in reasoner.synthesize(assigned)]
    assert [each.evidence for each in written] == [(first, second), (second,)]
    doubted = Sentence(text="It stands.", evidence=(second,), support=Support.PARTLY)
    await reasoner.check(
        Inspection(sentences=(doubted,), evidence=case.evidence, passages=case.passages)
    )
    assert "It stands. (cites 2)" in model.requests[-1].messages[-1].content


def test_evidence_without_text_has_no_number() -> None:
    case = far_case()
    first, second = case.evidence[:2]
    numbering = Numbering.of((first, second), {second.passage: case.passages[second.passage]})
    assert numbering.numbered([first.id, second.id]) == (1,)
    assert numbering.ids == {1: second.id}
    ids = (min(first.id, second.id), max(first.id, second.id))
    assert [*numbering.opposed([Contradiction(ids=ids)])] == []


def test_those_of_which_both_are_shown_are_opposed_by_number() -> None:
    case = far_case()
    first, second, third = case.evidence[:3]
    numbering = Numbering.of((first, second), case.passages)
    assert [entry.id for entry in numbering.evidence] == [1, 2]
    assert numbering.numbers == {first.id: 1, second.id: 2}
    both = Contradiction(ids=(min(first.id, second.id), max(first.id, second.id)), what="when")
    one = Contradiction(ids=(min(first.id, third.id), max(first.id, third.id)))
    (told,) = numbering.opposed([one, both])
    assert (told.ids, told.what) == ((1, 2), "when")


def test_a_reflection_means_ids_and_may_have_found_nothing() -> None:
    first, second = far_case().evidence[:2]
    numbering = Numbering.of((first, second), far_case().passages)
    said = Reflection(
        next_action=NextAction.FINALIZE,
        confidence=1,
        checklist=Checklist(),
        findings=(2, 1),
        answer="So [2].",
    )
    meant = numbering.meant(said)
    assert meant.findings == (second.id, first.id)
    assert meant.answer == f"So[{second.id}]."
    assert numbering.meant(said.model_copy(update={"findings": None})).findings is None


def test_numbers_in_a_text_become_ids() -> None:
    assert with_ids("So [1, 3]. And 【2†x】; [9].", {1: 40, 2: 50, 3: 9}) == (
        "So[40][9]. And[50];."
    )
