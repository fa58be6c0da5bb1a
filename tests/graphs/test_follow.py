"""With a model, the names that the first look brings up are searched before it plans (issue 21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import pytest
from tests.graphs.minds import BORN, FOUNDER, Mind, holding, leading, led_by, prompts, thinking
from tests.graphs.world import DOCUMENTS, HOP, PLAIN, Shelf, Slowed, Still, Told, engine, told

from quaere.domain.budget import Limits, ProfileName
from quaere.domain.events import EvidenceCollected, PlanMade, SearchFinished
from quaere.domain.question import Intent, Query
from quaere.domain.report import AnswerStatus
from quaere.domain.source import Hit
from quaere.domain.verdict import StopReason
from quaere.errors import SearchError
from quaere.graphs.nodes.collect import KEPT
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

NAMED = " and for names that it brought up"


TOLD = "The founder of the Quill Observatory was Odile Varga."
WORLD = MappingProxyType({**DOCUMENTS, "Quill Observatory": f"{TOLD} {FOUNDER}"})


class Narrow(Shelf):
    """Has the page on a person for those alone who ask for the person by name."""

    def __init__(self, documents: Mapping[str, str] = WORLD) -> None:
        super().__init__(documents)

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Search."""
        found = await super().search(query, limit=limit)
        named = "varga" in query.text.casefold()
        return [hit for hit in found if named or not hit.title.startswith("Odile Varga")]


def followed(run: Told) -> list[SearchFinished]:
    """Return the searches for names before the first plan of a run, or of its researchers."""
    planned = min(event.seq for event in run.of(PlanMade))
    return [
        event
        for event in run.of(SearchFinished)
        if event.intent == Intent.BRIDGE and event.seq < planned
    ]


async def test_a_question_of_two_steps_takes_one_judgement() -> None:
    model, shelf = ScriptedModel(Mind()), Narrow()
    run = await told(thinking(model, shelf))
    assert model.steps().count("plan") == 1
    assert "evaluate" not in model.steps()
    assert holding(model.requests[0], FOUNDER)
    assert holding(model.requests[0], BORN), "the second step is there at the first judgement"
    assert NAMED in prompts(model, "plan")[0]
    first, second, *_ = shelf.asked
    assert (first.intent, second.intent) == (Intent.RAW, Intent.BRIDGE)
    assert second.focus == ("odile varga",)
    assert "odile varga" in second.purpose
    assert run.report.spend.queries == len(shelf.asked) <= 3
    assert run.report.iterations == 1
    assert run.report.stop_reason is StopReason.SUFFICIENT
    assert "Tressel Ford" in run.report.answer


async def test_without_a_model_the_plan_comes_first() -> None:
    run = await told(engine(Narrow()))
    assert followed(run) == []
    assert any(event.intent == Intent.BRIDGE for event in run.of(SearchFinished))


@pytest.mark.parametrize(
    ("limits", "count"),
    [
        ({"max_queries": 4}, 0),
        ({"max_queries": 5}, 1),
        ({"max_queries": 6}, 2),
        ({"max_iters": 1}, 0),
    ],
    ids=str,
)
async def test_the_plan_keeps_its_queries(limits: Limits, count: int) -> None:
    founders = f"{TOLD} Another founder of the Quill Observatory was Berit Norwood. {FOUNDER}"
    documents = {**WORLD, "Quill Observatory": founders}
    run = await told(thinking(ScriptedModel(Mind()), Narrow(documents)), **limits)
    assert len(followed(run)) == count
    assert run.report.spend.queries <= (limits.get("max_queries") or 10)


@pytest.mark.parametrize("profile", [ProfileName.SIMPLE, ProfileName.CHAT])
async def test_small_profiles_follow_nothing(profile: ProfileName) -> None:
    model = ScriptedModel(Mind())
    run = await told(thinking(model, Narrow()), profile=profile)
    assert followed(run) == []
    assert NAMED not in prompts(model, "plan")[0]


async def test_nothing_is_followed_when_time_is_short() -> None:
    clock = Still()
    short = replace(thinking(ScriptedModel(Mind()), Slowed(Narrow(), clock)), clock=clock)
    assert followed(await told(short, max_execution_time_s=110.0)) == []
    clock = Still()
    long = replace(thinking(ScriptedModel(Mind()), Slowed(Narrow(), clock)), clock=clock)
    assert followed(await told(long, max_execution_time_s=900.0))


class Failing(Narrow):
    """Answers everything but searches for names."""

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Search."""
        if query.intent is Intent.BRIDGE:
            self.asked.append(query)
            raise SearchError("HTTP 500")
        return await super().search(query, limit=limit)


async def test_a_run_goes_on_where_no_name_is_found_and_looks_for_them_once() -> None:
    model, shelf = ScriptedModel(Mind()), Failing()
    run = await told(thinking(model, shelf))
    assert 1 <= len([query for query in shelf.asked if query.intent is Intent.BRIDGE]) <= 2
    assert model.steps().count("evaluate") == 1, "the model asks for it itself"
    assert run.report.status is not AnswerStatus.NO_EVIDENCE
    assert "Tressel Ford" in run.report.answer


async def test_researchers_follow_names_too() -> None:
    shelf = Narrow()
    model = ScriptedModel(leading([HOP, PLAIN], None))
    run = await told(
        replace(led_by(model), providers=(shelf,)), f"{HOP} {PLAIN}", profile=ProfileName.DEEP
    )
    topics = {event.topic for event in run.of(SearchFinished) if event.intent == Intent.BRIDGE}
    assert HOP in topics
    assert "Tressel Ford" in run.report.answer


OTHERS = MappingProxyType(
    {f"Register {n}": f"An observatory is entered under number {n}." for n in range(12)}
)
NAMESAKES = MappingProxyType(
    {
        f"Odile Varga {n}": f"Odile Varga {n}, founder of the Quill Observatory, was born in {n}."
        for n in range(1900, 1920)
    }
)


async def test_what_the_first_look_showed_is_not_crowded_out() -> None:
    shelf = Narrow({"Quill Observatory": WORLD["Quill Observatory"], **OTHERS, **NAMESAKES})
    run = await told(thinking(ScriptedModel(Mind()), shelf), max_sources=12)
    assert followed(run)
    first, second, *_ = run.of(EvidenceCollected)
    assert len(first.selected) >= KEPT
    assert set(first.selected[:KEPT]) <= set(second.selected)
    assert any(entry.title.startswith("Odile") for entry in second.added)
