"""What a model is told that leads researchers."""

from __future__ import annotations

import pytest
from tests.graphs.world import HOP

from quaere.domain.budget import Remaining
from quaere.domain.question import ItemStatus, Question
from quaere.domain.team import Topic
from quaere.models.meter import Meter
from quaere.ports.reason import Overview
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

TOPICS = (
    Topic(text="Who built it", status=ItemStatus.SATISFIED, finding="Tamsin\nWray did."),
    Topic(text="When it closed", gaps=("the year", "why")),
    Topic(text="Who owns it", error="no time was left"),
)


async def test_every_topic_is_told_with_how_it_stands_and_what_was_found() -> None:
    model, meter = ScriptedModel(), Meter()
    meter.open(10_000_000, None)
    left = Remaining(iterations=9, queries=9, reads=9, tokens=9_999, seconds=60.0)
    overview = Overview(
        question=Question(text=HOP),
        brief="All about the mill.",
        topics=TOPICS,
        skipped=("Who built the mill",),
        at_once=3,
        rounds_left=2,
        remaining=left,
    )
    await ModelReasoner(Models(model, model, model, model)).for_run(meter).delegate(overview)
    told = "\n".join(message.content for message in model.requests[0].messages)
    for line in (
        "- Who built it (answered). Tamsin Wray did.",
        "- When it closed (not answered). Missing: the year; why",
        "- Who owns it (interrupted: no time was left).",
        "- Who built the mill",
    ):
        assert f"{line}\n" in told
