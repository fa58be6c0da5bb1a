"""A model server that is lost in the middle of a run: cited answers all the same (R0.12)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import web
from tests.faces.cli.loopback import in_background
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import DOCUMENTS, HOP, Shelf, Told, told
from tests.testing.server import DoubleServer

from quaere.domain.question import Query
from quaere.domain.report import Report
from quaere.domain.source import Hit
from quaere.models import ModelAccess, ModelSpec, open_model
from quaere.models.guard import ModelPolicy, ResilientModel
from quaere.resilience.retry import RetryPolicy
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

IMPATIENT = ModelPolicy(retry=RetryPolicy(max_wait_s=0.02, max_retry_after_s=0.02))
BORN = "born in Tressel Ford in 1861"

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Narrow(Shelf):
    """A shelf of which every query brings the best document alone, so that two calls are needed."""

    async def search(self, query: Query, *, limit: int) -> list[Hit]:
        return list(await super().search(query, limit=limit))[:1]


class Lost(DoubleServer):
    """Answers some calls; then it is gone, or answers as ``then`` does."""

    def __init__(self, model: ScriptedModel, *, answers: int, then: Handler | None = None) -> None:
        super().__init__(model)
        self._answers = answers
        self._then = then
        self._death: asyncio.Task[None] | None = None
        self.turned_away = 0

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if len(self.calls) >= self._answers and self._then:
            self.turned_away += 1
            return await self._then(request)
        response = await super()._handle(request)
        if len(self.calls) == self._answers and not self._then:
            self._death = asyncio.create_task(self.__aexit__())
        return response


async def storm(_: web.Request) -> web.StreamResponse:
    """Ask for patience."""
    error = {"error": {"message": "Slow down.", "type": "requests", "code": "rate_limit_exceeded"}}
    return web.json_response(error, status=429, headers={"Retry-After": "0"})


async def break_off(request: web.Request) -> web.StreamResponse:
    """Die in the middle of a sentence."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for piece in ("Odile Varga was born in Tressel Ford in 1861 [2].\\n", "She was an ast"):
        choice = f'{{"index": 0, "delta": {{"content": "{piece}"}}}}'
        await response.write(f'data: {{"choices": [{choice}]}}\n\n'.encode())
    await asyncio.sleep(0.05)
    if request.transport:
        request.transport.abort()
    return response


async def asked(
    server: DoubleServer,
    shelf: Shelf | None = None,
    *,
    context_tokens: int | None = None,
) -> Told:
    """Ask about the world with the model behind ``server``, through a real client."""
    access = ModelAccess(base_url=server.base_url, context_tokens=context_tokens)
    client = open_model(ModelSpec.parse("compatible:double"), access)
    model = ResilientModel(client, IMPATIENT)
    try:
        return await told(thinking(model, shelf or Narrow(), write=Named(model)))
    finally:
        await client.aclose()


class Named(ResilientModel):
    """Another model by name, so that the answer is written in a call of its own."""

    def __init__(self, inner: ResilientModel) -> None:
        super().__init__(inner, ModelPolicy(retry=RetryPolicy(attempts=1)))

    @property
    def name(self) -> str:
        return "compatible:writer"


def steps(report: Report) -> set[str]:
    return {degradation.step for degradation in report.degradations}


async def test_a_server_that_dies_after_planning_leaves_a_cited_answer() -> None:
    async with Lost(ScriptedModel(Mind()), answers=1) as server:
        run = await asked(server)
    assert [call.error == "" for call in run.report.calls][:2] == [True, False]
    assert BORN in run.report.answer
    assert run.report.citations
    assert steps(run.report) == {"evaluate", "synthesize"}, "quotations need no check"
    assert "could not be reached" in run.report.degradations[0].reason


async def test_a_server_that_dies_while_writing_leaves_what_was_written() -> None:
    async with Lost(ScriptedModel(Mind()), answers=2, then=break_off) as server:
        run = await asked(server)
    assert BORN in run.report.answer
    assert "ast" not in run.report.answer.split()
    assert run.report.citations
    assert [d.reason.partition(":")[0] for d in run.report.degradations] == [
        "cut short",
        "compatible",
    ]


async def test_a_storm_of_rate_limits_is_left_after_a_few_calls() -> None:
    async with Lost(ScriptedModel(Mind()), answers=1, then=storm) as server:
        run = await asked(server)
    assert BORN in run.report.answer
    assert run.report.citations
    assert steps(run.report) == {"evaluate", "synthesize"}, "quotations need no check"
    assert "429" in run.report.degradations[0].reason
    assert server.turned_away <= 3 * IMPATIENT.retry.attempts


async def test_a_storm_that_passes_is_ridden_out() -> None:
    gusts = iter([storm, storm])
    model = ScriptedModel(Mind())

    class Gusty(DoubleServer):
        async def _handle(self, request: web.Request) -> web.StreamResponse:
            gust = next(gusts, None)
            return await (gust(request) if gust else super()._handle(request))

    async with Gusty(model) as server:
        run = await asked(server)
    assert run.report.citations
    assert not run.report.degradations
    assert model.steps() == ["plan", "evaluate", "synthesize", "check"]


LONG = Shelf(
    {title: f"{text} " + "More is said of it. " * 300 for title, text in DOCUMENTS.items()}
)


async def test_a_window_of_4k_tokens_is_kept_to() -> None:
    """Issue 4: by measuring, so that the server never has to refuse."""
    model = ScriptedModel(Mind(), context_tokens=4_096)
    async with DoubleServer(model) as server:
        run = await asked(server, LONG, context_tokens=4_096)
    assert run.report.citations
    assert not run.report.degradations
    assert all(not call.error for call in run.report.calls)


async def test_a_window_smaller_than_it_is_said_to_be_costs_no_answer() -> None:
    async with DoubleServer(ScriptedModel(Mind(), context_tokens=1_500)) as server:
        run = await asked(server, LONG, context_tokens=16_000)
    assert run.report.citations
    assert steps(run.report) >= {"plan", "synthesize"}
    assert "compatible:double" in run.report.degradations[0].reason


@pytest.mark.slow
def test_the_command_ends_well_when_its_server_dies_after_planning(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for title, text in DOCUMENTS.items():
        (tmp_path / "docs" / f"{title}.md").write_text(f"# {title}\n\n{text}\n")
    planner = ScriptedModel(Mind(changes={"answer": ""}))
    with in_background(Lost(planner, answers=1)) as server:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "quaere", "ask", HOP, "--docs", "docs", "--quiet"),
                *("--format", "json", "--model", "compatible:double"),
            ],
            cwd=tmp_path,
            env={
                "PATH": os.environ["PATH"],
                "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
                "QUAERE_DATA_DIR": str(tmp_path / "data"),
                "QUAERE_MODEL_BASE_URL": server.base_url,
            },
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    report = Report.model_validate_json(done.stdout)
    assert report.citations
    assert BORN in report.answer
    assert steps(report) == {"synthesize"}, "quotations need no check"
    assert report.spend.model_calls >= 2
