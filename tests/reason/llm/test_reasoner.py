"""The reasoner with models keeps the contract of every reasoner."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest
from pydantic import JsonValue
from tests.contracts.reasoner import Case, ReasonerContract
from tests.graphs.minds import shown
from tests.graphs.world import DOCUMENTS, HOP

from quaere.domain.model import Completion, ModelRequest
from quaere.domain.report import Ruling, Sentence, Support
from quaere.errors import ContractError, ModelError
from quaere.models.meter import Meter
from quaere.ports.reason import Inspection, Reasoner
from quaere.reason.llm.reasoner import ModelReasoner, Models, RunReasoner
from quaere.testing import ModelDouble, ScriptedModel

pytestmark = pytest.mark.anyio


def careless(request: ModelRequest) -> dict[str, JsonValue] | str:
    """Say something of everything, and cite more than was shown."""
    ids = list(shown(request))
    if request.step == "synthesize":
        return " ".join(f"Passage number {n} says so [{n}][999]." for n in ids)
    said: dict[str, JsonValue] = {
        "findings": [{"id": number, "items": [1, 99]} for number in [*ids, 999]],
        "satisfied": [1, 99],
        "gaps": [],
        "queries": [{"query": f"query {n}", "item": n} for n in range(5)],
        "sufficient": True,
        "confidence": 0.5 if ids else 0,
    }
    if request.step == "plan":
        said["checklist"] = ["first", "second", "third", "second"]
    return said


def reasoner_of(model: ModelDouble, meter: Meter | None = None) -> RunReasoner:
    meter = meter or Meter()
    meter.open(10_000_000, None)
    return ModelReasoner(Models(model, model, model, model)).for_run(meter)


class TestContract(ReasonerContract):
    @pytest.fixture
    def reasoner(self) -> Reasoner:
        return reasoner_of(ScriptedModel(careless))


async def test_no_call_is_made_to_write_on_nothing() -> None:
    model = ScriptedModel(careless)
    case = Case(HOP, {})
    opening = await reasoner_of(model).plan(case.look())
    writing = reasoner_of(model).synthesize(case.assignment(opening.plan, opening.plan.checklist))
    assert [sentence async for sentence in writing] == []
    assert model.steps() == ["plan"]


class Lingering(ScriptedModel):
    """Lets go of a stream as clients of vendors do: in its own time."""

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
        try:
            async for piece in super().stream(request):
                yield piece
        finally:
            await asyncio.sleep(0.01)


async def test_a_call_that_is_cut_off_at_the_length_of_the_answer_is_booked_by_then() -> None:
    model, meter = Lingering(careless), Meter()
    reasoner, case = reasoner_of(model, meter), Case(HOP, dict(DOCUMENTS))
    opening = await reasoner.plan(case.look())
    meter.drain()
    asked = case.assignment(opening.plan, opening.plan.checklist)
    short = asked.model_copy(update={"max_words": 3, "answer": ""})
    assert len([sentence async for sentence in reasoner.synthesize(short)]) == 1
    (call,) = meter.drain()
    assert call.step == "synthesize"
    assert call.usage.prompt_tokens > 0


def inspection(case: Case, *texts: str) -> Inspection:
    first = case.evidence[0]
    return Inspection(
        sentences=tuple(Sentence(text=text, evidence=(first.id,)) for text in texts),
        evidence=case.evidence,
        passages=case.passages,
    )


async def test_the_checker_judges_all_sentences_in_one_call() -> None:
    verdicts: Sequence[dict[str, JsonValue]] = [
        {"number": 1, "verdict": "supported", "id": 1},
        {"number": 2, "verdict": "contradicted", "id": 99},
        {"number": 4, "verdict": "partly"},
        {"number": 77, "verdict": "unsupported"},
    ]
    model = ScriptedModel({"check": {"verdicts": list(verdicts)}})
    asked = inspection(Case(HOP, dict(DOCUMENTS)), "One.", "Two.", "Three.", "Four.")
    assert await reasoner_of(model).check(asked) == [
        Ruling(support=Support.SUPPORTED, evidence=asked.evidence[0].id),
        Ruling(support=Support.CONTRADICTED),
        None,
        Ruling(support=Support.PARTLY),
    ]
    assert model.steps() == ["check"]
    assert "2. Two. (cites " in model.requests[0].messages[1].content


async def test_a_checker_that_fails_is_followed_by_the_model_that_evaluates() -> None:
    """A cheap model that is down would else leave all verdicts to words."""
    broken = ScriptedModel({"check": ModelError("down")}, name="test:cheap")
    verdicts: list[JsonValue] = [{"number": 1, "verdict": "supported", "id": 1}]
    main = ScriptedModel({"check": {"verdicts": verdicts}}, name="test:main")
    meter = Meter()
    meter.open(100_000, None)
    models = Models(plan=main, evaluate=main, write=main, check=broken)
    checker = ModelReasoner(models).for_run(meter)
    (ruling,) = await checker.check(inspection(Case(HOP, dict(DOCUMENTS)), "One."))
    assert ruling
    assert ruling.support is Support.SUPPORTED
    assert [call.model for call in meter.drain()] == ["test:cheap", "test:main"]
    assert models.joined().evaluate is main, "nobody else is followed by it"


async def test_the_only_verdict_on_the_only_sentence_is_on_it() -> None:
    """Some models number it as they number passages."""
    model = ScriptedModel(lambda _: {"verdicts": [{"number": 2, "verdict": "supported", "id": 1}]})
    (ruling,) = await reasoner_of(model).check(inspection(Case(HOP, dict(DOCUMENTS)), "One."))
    assert ruling
    assert ruling.support is Support.SUPPORTED


async def test_the_checker_sees_what_stands_around_a_sentence() -> None:
    model = ScriptedModel({"check": {"verdicts": []}})
    asked = inspection(Case(HOP, dict(DOCUMENTS)), "He founded it.", "In 1902.").model_copy(
        update={"question": HOP, "answer": ("Varga was born.", "He founded it.", "So.", "In 1902.")}
    )
    assert await reasoner_of(model).check(asked) == [None, None]
    prompt = model.requests[0].messages[1].content
    assert prompt.startswith(f"The question was: {HOP}")
    told = [line.split(" (cites")[0] for line in prompt.splitlines()]
    first = told.index("- Varga was born.")
    assert told[first : first + 4] == [
        "- Varga was born.",
        "1. He founded it.",
        "- So.",
        "2. In 1902.",
    ]


async def test_a_verdict_that_does_not_exist_is_refused() -> None:
    model = ScriptedModel({"check": {"verdicts": [{"number": 1, "verdict": "probably"}]}})
    with pytest.raises(ContractError):
        await reasoner_of(model).check(inspection(Case(HOP, dict(DOCUMENTS)), "One."))


async def test_two_runs_share_models_and_nothing_else() -> None:
    shared = ModelReasoner(
        Models(
            ScriptedModel(careless),
            ScriptedModel(careless),
            ScriptedModel(careless),
            ScriptedModel(careless),
        )
    )
    assert shared.for_run(Meter()).desk.fence.word != shared.for_run(Meter()).desk.fence.word
    assert shared.name == "test:scriptedmodel"
