"""The brief agent over a search service on loopback, on its good days and bad ones (R2.6)."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pydantic import JsonValue
from tests.graphs.world import DOCUMENTS, HOP, NOTHING, PLAIN
from tests.look_alikes import web_engines
from tests.look_alikes.server import Asked, Fault, LookAlikeServer, Reply, as_json
from tests.look_alikes.shelf import Shelf, Work

pytestmark = pytest.mark.anyio

BUSY = as_json({"detail": {"error": "too many requests"}}, status=429)
WORKS = tuple(Work(100 + at, *pair) for at, pair in enumerate(DOCUMENTS.items()))
PATIENCE_S = 90


@dataclass(frozen=True)
class Done:
    """How the command ended."""

    code: int
    printed: dict[str, JsonValue]
    """What standard output holds: one object of JSON and nothing else."""
    stderr: str

    @property
    def answer(self) -> str:
        answer = self.printed["answer"]
        assert isinstance(answer, str)
        return answer


@dataclass
class Agent:
    """The command, and the service that it asks."""

    service: LookAlikeServer
    home: Path

    @property
    def queries(self) -> list[str]:
        return [str(asked.body["query"]) for asked in self.service.asked]

    async def ask(self, question: str, **settings: str) -> Done:
        environment = {
            **{name: value for name, value in os.environ.items() if "QUAERE" not in name},
            "QUAERE_CACHE_DIR": str(self.home / "cache"),
            "QUAERE_DATA_DIR": str(self.home / "data"),
            "QUAERE_PROVIDERS": "tavily",
            "TAVILY_API_KEY": "tvly-nobody",
            "TAVILY_BASE_URL": self.service.base_url,
            **settings,
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "quaere", "ask", question, "--format", "brief"),
            env=environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(PATIENCE_S):
            out, err = await process.communicate()
        return Done(process.returncode or 0, json.loads(out), err.decode())


@pytest.fixture
async def agent(tmp_path: Path) -> AsyncGenerator[Agent]:
    async with LookAlikeServer(web_engines.tavily(Shelf(WORKS))) as service:
        yield Agent(service, tmp_path)


async def test_a_question_is_answered_with_its_citations_r2_6(agent: Agent) -> None:
    done = await agent.ask(PLAIN)
    assert done.code == 0
    assert "five" in done.answer
    assert "[1]" in done.answer
    citations = done.printed["citations"]
    assert isinstance(citations, list)
    assert citations[0] == {
        "id": 1,
        "title": "Tressel Ford",
        "url": next(work.url for work in WORKS if work.title == "Tressel Ford"),
    }


async def test_finding_nothing_is_said_plainly_r2_6_r2_4(agent: Agent) -> None:
    done = await agent.ask(NOTHING)
    assert done.answer.startswith("No evidence found")
    assert done.printed["citations"] == []
    assert done.code == 4
    assert 1 <= len(set(agent.queries)) <= 5


async def test_a_rate_limit_is_waited_for_r2_6(agent: Agent) -> None:
    answered = agent.service.answer

    def busy_at_first(asked: Asked) -> Reply:
        first = len(agent.service.asked) == 1
        return (
            Reply(BUSY.body, status=429, headers={"Retry-After": "1"}) if first else answered(asked)
        )

    agent.service.answer = busy_at_first
    done = await agent.ask(PLAIN)
    assert done.code == 0
    assert "five" in done.answer
    assert agent.queries[0] in agent.queries[1:], "what was refused is asked again"


@pytest.mark.parametrize("instead", [BUSY, Fault.STALLED, Fault.CUT])
async def test_that_nothing_could_be_searched_is_not_that_nothing_was_found_r2_6_r0_8(
    agent: Agent, instead: Reply | Fault
) -> None:
    agent.service.instead = instead
    done = await agent.ask(PLAIN, RESEARCH_MAX_EXECUTION_TIME_S="10")
    assert done.code == 1
    assert done.answer.startswith("Search capabilities were limited")
    assert done.printed["citations"] == []
    assert "Nothing could be searched. tavily" in done.stderr


async def test_an_empty_folder_is_a_mistake_of_the_caller_r2_6(agent: Agent) -> None:
    folder = agent.home / "documents"
    folder.mkdir()
    done = await agent.ask(PLAIN, QUAERE_DOCS=str(folder), QUAERE_PROVIDERS="folder")
    assert done.code == 2
    assert done.printed == {
        "answer": "No evidence found that answers the question.",
        "citations": [],
    }
    assert f"There is nothing to read in {folder}" in done.stderr


async def test_a_service_that_dies_in_the_middle_leaves_what_was_found_r2_6_r2_4(
    agent: Agent,
) -> None:
    answered = agent.service.answer

    def dying(asked: Asked) -> Reply:
        return answered(asked) if len(agent.service.asked) == 1 else as_json({}, status=500)

    agent.service.answer = dying
    done = await agent.ask(HOP)
    assert "Odile Varga" in done.answer
    assert done.printed["citations"]


async def test_what_the_first_round_leaves_open_is_asked_in_a_second_r2_6_r2_3(
    agent: Agent,
) -> None:
    """One search finds one page, and only the page that the first names has the answer."""

    class One(Shelf):
        def find(self, text: str, start: int, count: int) -> list[Work]:
            return list(super().find(text, start, min(1, count)))

    agent.service.answer = web_engines.tavily(One(WORKS))
    done = await agent.ask(HOP)
    assert "Tressel Ford" in done.answer
    assert done.code == 0
    assert any("varga" in query.casefold() for query in agent.queries), (
        "the second round knows the first"
    )
    assert 2 <= len(set(agent.queries)) <= 5
