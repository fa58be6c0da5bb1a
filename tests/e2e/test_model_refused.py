"""Models that are set up wrongly: asked once a run, and the report says what to do (R0.12)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from tests.e2e.test_model_lost import BORN, Narrow
from tests.graphs.minds import Mind, thinking
from tests.graphs.team import TWO
from tests.graphs.world import HOP, told
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import ModelServer, Refusing
from tests.testing.server import DoubleServer

from quaere.domain.report import Report
from quaere.domain.team import Strategy
from quaere.faces.cli.exits import BY_STATUS, ExitCode, ending
from quaere.models import ModelAccess, ModelSpec, open_model
from quaere.models.guard import ResilientModel
from quaere.ports.model import ChatModel
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.runtime.engine import Engine
from quaere.synthesize.wording import unused_model
from quaere.testing import ScriptedModel
from quaere.view.export.markdown import markdown

pytestmark = pytest.mark.anyio

WRONG = [(401, "check the key"), (403, "ask compatible for access"), (404, "no model 'double'")]


@asynccontextmanager
async def refusing(status: int) -> AsyncGenerator[tuple[ModelServer, ChatModel]]:
    """Yield a server that refuses everything with ``status``, and the model behind it."""
    async with ModelServer(ChatCompletions()) as server:
        server.trouble = Refusing(status, "No.")
        async with opened("compatible:double", f"{server.base_url}/v1") as model:
            yield server, model


@asynccontextmanager
async def opened(name: str, base_url: str) -> AsyncGenerator[ChatModel]:
    """Yield a model with a real client."""
    client = open_model(ModelSpec.parse(name), ModelAccess(base_url=base_url))
    try:
        yield ResilientModel(client)
    finally:
        await client.aclose()


def told_once(report: Report, words: str) -> bool:
    reasons: Sequence[str] = [each.reason for each in report.degradations]
    return len(reasons) == 1 and words in reasons[0] and "not asked again" in reasons[0]


@pytest.mark.parametrize(("status", "words"), WRONG)
async def test_a_model_that_refuses_everything_is_asked_once_a_run(status: int, words: str) -> None:
    async with refusing(status) as (server, model):
        first = await told(thinking(model, Narrow()))
        assert len(server.calls) == 1
        again = await told(thinking(model, Narrow()))
    assert len(server.calls) == 2, "another run may find it mended"
    for run in (first, again):
        assert run.report.citations
        assert told_once(run.report, words)
        assert [call.step for call in run.report.calls] == ["plan"]


async def test_a_team_asks_it_once_too() -> None:
    async with refusing(401) as (server, model):
        asked: Engine = replace(thinking(model), strategy=Strategy.SUPERVISOR)
        run = await told(asked, TWO)
    assert len(run.report.dispatched_topics) == 2
    assert run.report.citations
    assert len(server.calls) == 1
    assert told_once(run.report, "check the key")


async def test_the_model_behind_it_does_every_step_and_the_report_says_why() -> None:
    async with (
        refusing(401) as (server, wrong),
        DoubleServer(ScriptedModel(Mind())) as standing,
        opened("compatible:spare", standing.base_url) as spare,
    ):
        models = Models(wrong, wrong, wrong, wrong, fallbacks=(spare,))
        run = await told(replace(thinking(wrong, Narrow()), reasoner=ModelReasoner(models)), HOP)
    assert len(server.calls) == 1
    assert len(standing.calls) == 3
    assert BORN in run.report.answer
    assert told_once(run.report, "check the key")


async def test_a_request_that_is_refused_says_nothing_of_the_next() -> None:
    async with refusing(400) as (server, model):
        run = await told(thinking(model, Narrow()))
    assert len(server.calls) > 1
    assert run.report.citations
    assert {each.step for each in run.report.degradations} >= {"plan", "synthesize"}


async def test_the_report_says_first_that_the_model_was_not_used_and_who_reasoned() -> None:
    async with refusing(401) as (_, model):
        report = (await told(thinking(model, Narrow()))).report
    assert report.reasoner == "extractive"
    assert report.degradations[0].instead == "extractive"
    first = markdown(report).splitlines()[0]
    assert first.startswith("The model that was named was not used throughout")
    assert "check the key" in first
    assert markdown(report).count("check the key") == 1
    assert ending(report, strict=True) is ExitCode.DEGRADED
    assert ending(report, strict=False) is BY_STATUS[report.status]


async def test_a_dead_server_is_told_of_once_although_every_step_failed() -> None:
    async with opened("compatible:double", "http://127.0.0.1:9/v1") as model:
        report = (await told(thinking(model, Narrow()))).report
    assert report.reasoner == "extractive"
    assert unused_model(report.degradations).count("could not be reached") == 1


async def test_with_the_named_model_at_work_nothing_is_said() -> None:
    report = (await told(thinking(ScriptedModel(Mind()), Narrow()))).report
    assert (unused_model(report.degradations), report.reasoner) == ("", "test:scriptedmodel")
    assert ending(report, strict=True) is BY_STATUS[report.status]
