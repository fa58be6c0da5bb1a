"""What a model is asked for a brief, and what is taken of what it writes."""

from __future__ import annotations

import pytest
from pydantic import JsonValue
from tests.graphs.world import HOP

from quaere.domain.budget import Remaining
from quaere.domain.question import ItemStatus, Question
from quaere.domain.team import Topic
from quaere.models.meter import Meter
from quaere.ports.reason import Overview
from quaere.reason.llm.reasoner import ModelReasoner, Models, RunReasoner
from quaere.reason.llm.supervising import FINDING_CHARS, OUTPUT_TOKENS
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

LEFT = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)
WROTE: dict[str, JsonValue] = {
    "brief": "All about the mill.",
    "reflection": "two parts",
    "topics": ["Who built it", "When it closed"],
    "last": True,
    "clarification": "  Which mill?\n",
}


def overview(**changes: object) -> Overview:
    made = Overview(question=Question(text=HOP), brief="", at_once=3, rounds_left=2, remaining=LEFT)
    return made.model_copy(update=changes)


def reasoner_of(model: ScriptedModel) -> RunReasoner:
    meter = Meter()
    meter.open(10_000_000, None)
    return ModelReasoner(Models(model, model, model, model)).for_run(meter)


async def test_a_brief_brings_the_first_topics_and_what_is_to_be_asked_back() -> None:
    model = ScriptedModel({"brief": WROTE})
    brief = await reasoner_of(model).brief(overview())
    assert (brief.text, brief.clarification) == ("All about the mill.", "Which mill?")
    assert brief.delegation
    assert brief.delegation.topics == ("Who built it", "When it closed")
    assert (brief.delegation.thought, brief.delegation.last) == ("two parts", True)
    assert model.requests[0].max_output_tokens >= OUTPUT_TOKENS


async def test_a_brief_without_topics_delegates_nothing_yet() -> None:
    model = ScriptedModel({"brief": {**WROTE, "topics": []}})
    assert (await reasoner_of(model).brief(overview())).delegation is None


@pytest.mark.parametrize("may_ask", [True, False])
async def test_a_model_is_told_of_asking_back_where_it_may(may_ask: bool) -> None:
    model = ScriptedModel({"brief": WROTE})
    await reasoner_of(model).brief(overview(may_ask=may_ask))
    told = model.requests[0].messages[-1].content
    assert ("- clarification: only when the question can mean things" in told) is may_ask
    assert "3" in told


@pytest.mark.parametrize("complete", [True, False])
async def test_a_research_is_complete_where_its_supervisor_says_so(complete: bool) -> None:
    model = ScriptedModel({"supervise": {**WROTE, "complete": complete}})
    delegation = await reasoner_of(model).delegate(overview())
    assert delegation.complete is complete
    assert delegation.topics == ("Who built it", "When it closed")


async def told(*topics: Topic, skipped: tuple[str, ...] = (), dropped: tuple[str, ...] = ()) -> str:
    """Return what a supervisor is told of ``topics``."""
    model = ScriptedModel({"supervise": {**WROTE, "complete": False}})
    await reasoner_of(model).delegate(overview(topics=topics, skipped=skipped, dropped=dropped))
    return "\n".join(message.content for message in model.requests[0].messages)


async def test_a_topic_is_told_with_what_was_found_in_one_line_that_ends() -> None:
    half = Topic(text="Who built it", status=ItemStatus.PARTIAL, finding=f"a\n b {'c' * 999}")
    text = await told(half)
    line = next(each for each in text.splitlines() if each.startswith("- Who built it"))
    start = "- Who built it (answered in part). "
    assert line == f"{start}a b {'c' * (FINDING_CHARS - 4)}"


async def test_an_error_is_told_in_place_of_how_a_topic_stands() -> None:
    text = await told(Topic(text="Why", status=ItemStatus.SATISFIED, error="it hung"))
    assert "- Why (interrupted: it hung)." in text
    assert "answered)" not in text


async def test_that_nothing_was_done_yet_is_told_as_well() -> None:
    nothing, something = await told(), await told(Topic(text="Why"), skipped=("Why not",))
    assert "- Why not" in something
    assert "- Why" not in nothing
    assert len(nothing) < len(something)


async def test_topics_that_the_user_left_out_are_told_and_not_mentioned_where_there_are_none() -> (
    None
):
    assert "left these topics out; do not give them out:\n- Who owns it\n\nReview" in await told(
        dropped=("Who owns it",)
    )
    assert "left these topics out" not in await told()
