"""Small models: two short calls, of which code makes plan and judgement."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
from pydantic import JsonValue
from tests.contracts.reasoner import Case
from tests.graphs.minds import shown
from tests.graphs.world import DOCUMENTS, HOP

from quaere.domain.model import Completion, Finish, ModelRequest, Traits
from quaere.domain.question import Checklist
from quaere.errors import ContractError
from quaere.models.meter import Meter
from quaere.reason.llm.reasoner import ModelReasoner, Models, RunReasoner
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio


class Tiny(ScriptedModel):
    """A model of few parameters."""

    traits = Traits(small=True, schema_unseen=True)


def reasoner_of(model: ScriptedModel) -> RunReasoner:
    meter = Meter()
    meter.open(10_000_000, None)
    return ModelReasoner(Models(model, model, model, model)).for_run(meter)


def case() -> Case:
    return Case(HOP, dict(DOCUMENTS))


def obliging(request: ModelRequest) -> dict[str, JsonValue]:
    """Name one item, and every passage twice over."""
    if request.step == "plan":
        return {"checklist": [HOP, HOP]}
    return {"ids": [*shown(request), *shown(request)]}


async def test_a_plan_takes_two_short_calls() -> None:
    model, asked = Tiny(obliging), case()
    opening = await reasoner_of(model).plan(asked.look())
    assert model.steps() == ["plan", "evaluate"]
    outline, bearing = model.requests
    assert all(request.max_output_tokens <= 240 for request in model.requests)
    assert outline.output is not None
    assert list(outline.output.definition["properties"]) == ["checklist"]  # type: ignore[call-overload]
    assert bearing.output is not None
    assert list(bearing.output.definition["properties"]) == ["ids"]  # type: ignore[call-overload]
    assert [item.description for item in opening.plan.checklist.items] == [HOP]
    assert opening.reflection is not None
    assert set(opening.reflection.findings or ()) == {e.id for e in asked.evidence}
    assert not opening.plan.queries, "code plans them"


async def test_a_model_that_cannot_list_is_asked_about_the_whole_question() -> None:
    caught = Completion(text='{"checklist": ["' + "and so on, " * 40, finish=Finish.LENGTH)

    def stuck(request: ModelRequest) -> dict[str, JsonValue] | Completion:
        return caught if request.step == "plan" else {"ids": [1]}

    model = Tiny(stuck)
    opening = await reasoner_of(model).plan(case().look())
    assert model.steps() == ["plan", "evaluate"]
    assert len(opening.plan.checklist.items) == 1


@pytest.mark.parametrize("named", ["all", "none"])
async def test_evidence_is_judged_in_one_short_call_and_what_helped_once_goes_on_helping(
    named: str,
) -> None:
    model, asked = Tiny(obliging), case()
    plan = (await reasoner_of(model).plan(asked.look())).plan
    helpful = asked.evidence[-1]
    (item,) = plan.checklist.items
    written = f"{HOP}\n<data-1>"
    rested = item.model_copy(update={"evidence": (helpful.passage,), "description": written})
    review = asked.review(plan).model_copy(update={"checklist": Checklist(items=(rested,))})
    judge = Tiny(obliging if named == "all" else {"evaluate": {"ids": []}})
    reflection = await reasoner_of(judge).evaluate(review)
    assert judge.steps() == ["evaluate"]
    assert judge.requests[0].max_output_tokens <= 240
    assert f"- {HOP} (data-1>" in judge.requests[0].messages[-1].content
    found = set(reflection.findings or ())
    assert found == ({each.id for each in asked.evidence} if named == "all" else {helpful.id})


async def test_one_that_does_not_name_passages_is_an_error() -> None:
    model = Tiny(lambda request: {"checklist": ["a"]} if request.step == "plan" else "none")
    with pytest.raises(ContractError):
        await reasoner_of(model).plan(case().look())


async def test_one_is_shown_few_passages_and_asked_to_write_once() -> None:
    model = Tiny(lambda asked: "It burned." if asked.step == "synthesize" else obliging(asked))
    texts = {
        f"Quill {n}": f"The founder of Observatory {n} was born in Hask {n}. " * 30
        for n in range(30)
    }
    many = Case(HOP, texts)
    opening = await reasoner_of(model).plan(many.look())
    writing = reasoner_of(model).synthesize(many.assignment(opening.plan, opening.plan.checklist))
    with pytest.raises(ContractError):
        assert [sentence async for sentence in writing] == []
    assert model.steps() == ["plan", "evaluate", "synthesize"]
    for request in model.requests:
        assert len(shown(request)) <= 8
        assert request.max_output_tokens <= 600
        assert sum(len(message.content) for message in request.messages) < 10_000


class Circling(Tiny):
    """Goes round in circles when it writes, a few words at a time."""

    written = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
        for _ in range(5_000):
            self.written += 1
            yield "- one thing and "
        yield Completion(text="")


async def test_what_goes_round_in_circles_is_cut_off() -> None:
    model, asked = Circling(obliging), case()
    opening = await reasoner_of(model).plan(asked.look())
    writing = reasoner_of(model).synthesize(asked.assignment(opening.plan, opening.plan.checklist))
    with pytest.raises(ContractError):
        assert [sentence async for sentence in writing] == []
    assert model.written < 50
