"""A run that asks its asker back: off unless the caller allows it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from pydantic import JsonValue
from tests.graphs.minds import Mind, thinking
from tests.graphs.team import FLAX, TWO, team
from tests.graphs.world import HOP, NOTHING, PLAIN, told

from quaere.domain.model import ModelRequest
from quaere.domain.team import Inquiry, InquiryKind, Reply, Strategy
from quaere.graphs.configuration import Configuration
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.runtime.engine import Engine
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio


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
