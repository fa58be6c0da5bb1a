"""The first look of a supervised run, which is weighed while the brief is written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from pydantic import JsonValue
from tests.graphs.minds import Mind, leading, led_by, prompts, thinking
from tests.graphs.team import FLAX, TWO
from tests.graphs.test_consult import Asker
from tests.graphs.world import HOP, PLAIN, Shelf, Unled, told

from quaere.domain.budget import ProfileName
from quaere.domain.events import Evaluated, SentenceWritten
from quaere.domain.model import Completion, ModelRequest, Usage
from quaere.domain.team import Reply
from quaere.domain.verdict import StopReason
from quaere.graphs.configuration import Configuration
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

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
