"""What comes before research: names that are followed, briefs, what people are asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import pytest
from pydantic import JsonValue
from tests.graphs.minds import BORN, FOUNDER, Mind, holding, leading, led_by, prompts, thinking
from tests.graphs.team import FLAX, TWO, team
from tests.graphs.world import (
    DOCUMENTS,
    HOP,
    NOTHING,
    PLAIN,
    Shelf,
    Slowed,
    Still,
    Told,
    Unled,
    engine,
    told,
)

from quaere.domain.budget import Limits, ProfileName
from quaere.domain.events import (
    Evaluated,
    EvidenceCollected,
    PlanMade,
    SearchFinished,
    SentenceWritten,
)
from quaere.domain.model import Completion, ModelRequest, Usage
from quaere.domain.question import Intent, Query
from quaere.domain.report import AnswerStatus
from quaere.domain.source import Hit
from quaere.domain.team import Inquiry, InquiryKind, Reply, Strategy
from quaere.domain.verdict import StopReason
from quaere.errors import SearchError
from quaere.graphs.configuration import Configuration
from quaere.graphs.nodes.collect import KEPT
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.runtime.engine import Engine
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


class Asker:
    """Replies as told, and remembers what it was asked."""

    def __init__(self, reply: Reply) -> None:
        self.asked: list[Inquiry] = []
        self._reply = reply

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Reply."""
        self.asked.append(inquiry)
        return self._reply


def approving(reply: Reply, *, approve: bool = True) -> tuple[Engine, Asker]:
    """Return an engine whose topics are approved by an asker, and the asker."""
    asker = Asker(reply)
    engine = team(ExtractiveReasoner(), approve_plan=approve)
    return replace(engine, human=asker), asker


async def test_the_first_topics_are_shown_and_go_out_as_they_are_when_nothing_is_said() -> None:
    engine, asker = approving(Reply())
    run = await told(engine, TWO)
    assert [inquiry.kind for inquiry in asker.asked] == [InquiryKind.TOPICS]
    assert asker.asked[0].topics == run.report.dispatched_topics == (HOP, PLAIN)
    assert run.report.citations


async def test_topics_that_come_back_are_researched_in_their_place() -> None:
    engine, _ = approving(Reply(topics=(FLAX,)))
    run = await told(engine, TWO)
    assert run.report.dispatched_topics == (FLAX,)


async def test_a_topic_that_the_user_drops_is_not_researched_in_a_later_round() -> None:
    """What is left of the topics is not answered, so that the supervisor is asked once more."""
    engine, asker = approving(Reply(topics=(NOTHING,)))
    run = await told(engine, f"{NOTHING} {PLAIN}")
    assert asker.asked[0].topics == (NOTHING, PLAIN)
    assert run.report.dispatched_topics == (NOTHING,)


async def test_a_model_that_leads_on_is_told_which_topics_the_user_dropped() -> None:
    def lead(request: ModelRequest) -> dict[str, JsonValue] | str:
        if request.step == "supervise":
            return {"reflection": "", "topics": [], "complete": True}
        if request.step != "brief":
            return Mind()(request)
        return {"brief": "Find both.", "reflection": "", "topics": [NOTHING, PLAIN], "last": True}

    model = ScriptedModel(lead)
    engine = replace(
        thinking(model),
        strategy=Strategy.SUPERVISOR,
        configuration=Configuration(approve_plan=True, enable_early_termination=False),
        human=Asker(Reply(topics=(NOTHING,))),
    )
    await told(engine, f"{NOTHING} {PLAIN}")
    asked = next(r.messages[1].content for r in model.requests if r.step == "supervise")
    assert f"left these topics out; do not give them out:\n- {PLAIN}\n" in asked


async def test_topics_of_the_user_that_are_too_many_at_once_have_their_turn_later() -> None:
    asker = Asker(Reply(topics=(FLAX, PLAIN)))
    engine = team(ExtractiveReasoner(), approve_plan=True, max_concurrent_research_units=1)
    run = await told(replace(engine, human=asker), f"{HOP} {NOTHING}")
    assert run.report.dispatched_topics == (FLAX, PLAIN)


@pytest.mark.parametrize("asked", [True, False], ids=["nobody-to-ask", "not-allowed"])
async def test_nothing_is_asked_by_default(*, asked: bool) -> None:
    engine, asker = approving(Reply(topics=(FLAX,)), approve=asked)
    run = await told(replace(engine, human=None) if asked else engine, TWO)
    assert run.report.dispatched_topics == (HOP, PLAIN)
    assert not asker.asked


def unsure(request: ModelRequest) -> dict[str, JsonValue] | str:
    """Ask which observatory is meant, until that was said."""
    if request.step == "supervise":
        return {"topics": [], "complete": True}
    if request.step != "brief":
        return Mind()(request)
    said: dict[str, JsonValue] = {"brief": "Find the birthplace.", "topics": [HOP], "last": True}
    return {**said, "clarification": "Which observatory is meant?"}


def asking(reply: str, *, allowed: bool) -> tuple[Engine, Asker, ScriptedModel]:
    """Return an engine with a model that asks back, the asker and the model."""
    model, asker = ScriptedModel(unsure), Asker(Reply(text=reply))
    engine = replace(
        thinking(model),
        strategy=Strategy.SUPERVISOR,
        configuration=Configuration(allow_clarification=allowed),
        human=asker,
    )
    return engine, asker, model


async def test_a_question_is_asked_back_once_and_the_reply_is_heard() -> None:
    engine, asker, model = asking("The one above Hask.", allowed=True)
    run = await told(engine, HOP)
    assert [i.text for i in asker.asked] == ["Which observatory is meant?"]
    briefs = [r.messages[1].content for r in model.requests if r.step == "brief"]
    assert len(briefs) == 2
    assert "- clarification:" in briefs[0]
    assert "The one above Hask." not in briefs[0]
    assert "- clarification:" not in briefs[1]
    assert "Asked back: Which observatory is meant? Answer: The one above Hask." in briefs[1]
    assert run.report.citations
    assert run.report.question == HOP
    assert len(run.report.calls) == len(model.requests)


async def test_no_question_is_asked_back_unless_it_is_allowed() -> None:
    engine, asker, model = asking("The one above Hask.", allowed=False)
    await told(engine, HOP)
    assert not asker.asked
    assert model.steps().count("brief") == 1
    assert "- clarification:" not in model.requests[0].messages[1].content


async def test_the_time_that_a_reply_takes_is_not_the_runs() -> None:
    class Slow(Asker):
        async def ask(self, inquiry: Inquiry) -> Reply:
            await asyncio.sleep(1.5)
            return await super().ask(inquiry)

    engine = replace(team(ExtractiveReasoner(), approve_plan=True), human=Slow(Reply()))
    run = await told(engine, TWO, max_execution_time_s=1.4)
    assert run.report.citations
    assert run.report.stop_reason != "timeout"


TIGHT = "at most three for a complex one"
"""What a prompt tells researchers and nobody else."""
REWORDED = "In what village did the founder of the observatory called Quill come into the world?"


def last(*topics: str) -> ScriptedModel:
    """Return a model that gives out ``topics`` and wants no more than these."""
    script = leading(topics)

    def said(request: ModelRequest) -> dict[str, JsonValue] | str:
        written = script(request)
        if request.step != "brief" or isinstance(written, str):
            return written
        return {**written, "last": True}

    return ScriptedModel(said)


class Together(ScriptedModel):
    """A model whose first two calls end only once both have begun."""

    def __init__(self, topics: Sequence[str]) -> None:
        super().__init__(leading(topics))
        self._begun = 0
        self._both = asyncio.Event()

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer."""
        await self._join()
        return await super().complete(request)

    async def stream(self, request: ModelRequest):  # noqa: ANN201
        """Answer piece by piece."""
        await self._join()
        async for piece in super().stream(request):
            yield piece

    async def _join(self) -> None:
        self._begun += 1
        if self._begun == 2:
            self._both.set()
        await self._both.wait()


async def test_the_brief_and_the_first_look_are_not_waited_for_in_turn() -> None:
    async with asyncio.timeout(20):
        run = await told(led_by(Together([HOP]), fallback=False), HOP)
    assert run.report.stop_reason is StopReason.SUFFICIENT


@pytest.mark.parametrize("profile", [ProfileName.STANDARD, ProfileName.DEEP])
async def test_what_the_first_look_answers_is_researched_no_further(profile: ProfileName) -> None:
    model, alone = last(HOP, FLAX), ScriptedModel(Mind())
    run = await told(led_by(model), HOP, profile=profile)
    loop = await told(thinking(alone), HOP, profile=profile)
    assert sorted(model.steps()) == sorted(["brief", *alone.steps()])
    assert run.report.answer == loop.report.answer
    assert "".join(each.appended for each in run.of(SentenceWritten)) == run.report.answer
    assert run.report.stop_reason is StopReason.SUFFICIENT
    assert run.report.dispatched_topics == ()
    assert [each.stop_reason for each in run.of(Evaluated)] == [StopReason.SUFFICIENT]
    assert [step.queries for step in run.report.steps] == [s.queries for s in loop.report.steps]


@pytest.mark.parametrize("topic", [HOP, REWORDED])
async def test_the_sole_researcher_goes_on_from_the_first_look_as_the_loop_does(topic: str) -> None:
    model, alone, shelf, other = last(topic), ScriptedModel(Mind()), Unled(), Unled()
    run = await told(led_by(model, shelf), HOP)
    loop = await told(thinking(alone, other), HOP)
    assert "evaluate" in alone.steps(), "it is a question that takes two rounds"
    assert sorted(model.steps()) == sorted(["brief", *alone.steps()])
    assert [query.text for query in shelf.asked] == [query.text for query in other.asked]
    assert run.report.answer == loop.report.answer
    assert run.report.dispatched_topics == (topic,)


async def test_what_was_done_at_the_first_look_is_counted_once() -> None:
    model, shelf = last(HOP), Unled()
    report = (await told(led_by(model, shelf), HOP)).report
    assert len(report.calls) == len(model.requests) == report.spend.model_calls
    assert report.spend.tokens == sum(call.usage.total_tokens for call in report.calls)
    assert [each.query.text for each in report.queries] == [query.text for query in shelf.asked]
    assert report.spend.queries == len(shelf.asked)


async def test_several_topics_are_looked_at_from_the_beginning() -> None:
    """Also where one of them is the question itself."""
    model = last(HOP, FLAX)
    await told(led_by(model, Unled()), HOP)
    first, *of_topics = prompts(model, "plan")
    assert TIGHT not in first
    assert len(of_topics) == 2
    assert all(TIGHT in prompt for prompt in of_topics)


async def test_a_question_of_several_parts_goes_to_researchers_at_once() -> None:
    model = last(HOP, PLAIN)
    await told(led_by(model), TWO)
    assert len(prompts(model, "plan")) == 2
    assert all(TIGHT in prompt for prompt in prompts(model, "plan"))


@pytest.mark.parametrize("asking", ["approve_plan", "allow_clarification"])
async def test_nothing_is_weighed_before_people_have_had_their_say(asking: str) -> None:
    model, asker = last(HOP), Asker(Reply())
    configuration = Configuration.model_validate({asking: True})
    await told(replace(led_by(model), configuration=configuration, human=asker), HOP)
    assert model.steps()[0] == "brief"
    assert all(TIGHT in prompt for prompt in prompts(model, "plan"))


async def test_a_brief_is_enough_to_go_on_with_where_the_first_look_is_not_weighed() -> None:
    script = leading([HOP, FLAX], None)

    def spoilt(request: ModelRequest) -> dict[str, JsonValue] | str:
        is_first = request.step == "plan" and TIGHT not in request.messages[1].content
        return "Let me think about it." if is_first else script(request)

    model = ScriptedModel(spoilt)
    report = (await told(led_by(model, Shelf(), fallback=False), HOP)).report
    assert [each.step for each in report.degradations] == ["plan"]
    assert report.dispatched_topics == (HOP, FLAX)
    assert report.citations
    assert len(report.calls) == len(model.requests)


async def test_the_brief_and_the_first_look_cannot_together_spend_more_than_there_is() -> None:
    """Each would fit alone, and both take all that they may."""
    script = leading([HOP])

    def wordy(request: ModelRequest) -> Completion:
        usage = Usage(prompt_tokens=500, completion_tokens=request.max_output_tokens)
        return Completion(text=json.dumps(script(request)), usage=usage)

    alone, model = ScriptedModel(wordy), ScriptedModel(wordy)
    await told(thinking(alone), HOP, token_budget=3_200)
    report = (await told(led_by(model), HOP, token_budget=3_200)).report
    assert alone.steps()[0] == "plan"
    assert model.steps()[0] == "brief"
    assert "plan" not in model.steps()
    assert report.spend.tokens <= 3_200
