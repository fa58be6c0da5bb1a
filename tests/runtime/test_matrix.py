# pyright: reportUnknownMemberType=false
# LangGraph leaves the generics of its own graphs open.
"""One request by every way in: the same limits and events, a trace each, resumable each."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import cast

import pytest
from aiohttp import web
from pydantic import JsonValue
from tests.graphs.world import DOCUMENTS, HOP
from tests.look_alikes import web_engines
from tests.look_alikes.server import LookAlikeServer
from tests.look_alikes.shelf import Shelf, Work

from quaere.domain.budget import PROFILES, Limits, ProfileName
from quaere.domain.events import (
    RUN_EVENT,
    Event,
    PlanMade,
    RunEvent,
    RunFinished,
    RunStarted,
    SearchFinished,
)
from quaere.domain.report import Report
from quaere.domain.request import RunRequest
from quaere.domain.tool import ToolResult, ToolStatus
from quaere.domain.trace import Owner, TraceStatus
from quaere.domain.verdict import StopReason
from quaere.errors import TraceNotFound
from quaere.faces import studio
from quaere.faces.api import research, run_research
from quaere.faces.tool import deep_research
from quaere.graphs.langgraph_driver import Asked
from quaere.runtime.app import LOCAL, App
from quaere.runtime.worker import WorkerPolicy

pytestmark = pytest.mark.anyio

ANN = Owner(user="ann")
ROUNDS = 2
LIMITS = Limits(max_iters=ROUNDS, max_queries=4 * ROUNDS, max_execution_time_s=600.0)
"""Those that the tool gives every run of so many rounds."""
TIMES = frozenset(
    {"run_id", "at", "seconds", "stage_seconds", "retrieved_at", "timestamp"}
    | {"started_at", "finished_at"}
)
SOON_S = 60.0


class Narrow(Shelf):
    """Finds two works at the most, so that a first look is not enough."""

    def find(self, text: str, start: int, count: int) -> Sequence[Work]:
        return super().find(text, start, min(2, count))


class Service(LookAlikeServer):
    """A search service that answers once and then no more, until it is let."""

    def __init__(self) -> None:
        works = (Work(100 + at, *pair) for at, pair in enumerate(DOCUMENTS.items()))
        super().__init__(web_engines.tavily(Narrow(works)))
        self.let, self.held = asyncio.Event(), asyncio.Event()
        self.let.set()
        self.answered: list[str] = []

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if self.answered and not self.let.is_set():
            self.held.set()
            await self.let.wait()
        response = await super()._handle(request)
        self.answered.append(str((await request.json())["query"]))
        return response


@pytest.fixture
async def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Service]:
    async with Service() as service:
        for name, value in {
            "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
            "QUAERE_DATA_DIR": str(tmp_path / "data"),
            "QUAERE_PROVIDERS": "tavily",
            "QUAERE_PROFILE": "deep",
            "QUAERE_STRATEGY": "loop",
            "RESEARCH_MAX_ITERS": str(LIMITS.get("max_iters")),
            "RESEARCH_MAX_QUERIES": str(LIMITS.get("max_queries")),
            "RESEARCH_MAX_EXECUTION_TIME_S": str(LIMITS.get("max_execution_time_s")),
            "TAVILY_API_KEY": "sk-nobody",
            "TAVILY_BASE_URL": service.base_url,
        }.items():
            monkeypatch.setenv(name, value)
        yield service
        service.let.set()


async def quaere(*arguments: str) -> str:
    """Run the command and return what it prints; it goes when its caller is cancelled."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "quaere", *arguments, stdout=asyncio.subprocess.PIPE
    )
    try:
        out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, out
    return out.decode()


async def by_command() -> None:
    log = Path("events.jsonl")
    await quaere("ask", HOP, "--quiet", "--events", str(log))
    written = await asyncio.to_thread(log.read_text, "utf-8")
    events = [RUN_EVENT.validate_json(line) for line in written.splitlines()]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    async with App.open() as app:
        stored = await (await app.traces()).events(LOCAL, events[0].run_id)
    assert [plain(event) for event in events] == [plain(event) for event in stored]


async def by_await() -> None:
    await run_research(HOP)


async def by_call() -> None:
    await asyncio.to_thread(research, HOP)


async def by_tool() -> None:
    async for step in deep_research({"question": HOP, "max_iterations": ROUNDS}, owner=ANN):
        if isinstance(step, ToolResult):
            assert step.payload.answer


async def by_studio() -> None:
    apps: list[App] = []
    with pytest.MonkeyPatch.context() as server:
        server.setattr(studio, "_APPS", apps)
        try:
            await studio.loop.ainvoke(Asked(question=HOP))
        finally:  # as at the end of the server
            for app in apps:
                await app.aclose()


async def by_worker() -> None:
    async with App.open() as app:
        if not await waiting(app):
            await quaere("submit", HOP)
        await (await app.worker(WorkerPolicy(drain=True))).run()


async def waiting(app: App) -> bool:
    """Return whether a run was submitted that is not over."""
    listed = (await (await app.traces()).list_traces(LOCAL)).traces
    return any(trace.status is not TraceStatus.COMPLETED for trace in listed)


@dataclass(frozen=True)
class Face:
    """A way in."""

    ask: Callable[[], Awaitable[None]]
    owner: Owner = LOCAL
    queued: bool = False
    """Whether a worker takes a run over, so that nobody has to say that it goes on."""


FACES = {
    "command": Face(by_command),
    "await": Face(by_await),
    "call": Face(by_call),
    "tool": Face(by_tool, ANN),
    "studio": Face(by_studio),
    "worker": Face(by_worker, queued=True),
}
STOPPABLE = [name for name in FACES if name != "call"]
"""A call that is not awaited ends with its process."""


def plain(event: Event) -> object:
    """Return ``event`` without what tells one run from another: its name, and the time."""
    return timeless(event.model_dump(mode="json"))


def timeless(value: object) -> object:
    if isinstance(value, dict):
        told = cast("dict[str, object]", value)
        return {key: timeless(each) for key, each in told.items() if key not in TIMES}
    if isinstance(value, list):
        return [timeless(each) for each in cast("list[object]", value)]
    return value


def in_order(events: Sequence[Event]) -> list[object]:
    """Return ``events`` with those of searches side by side, which may end in any order, sorted.

    Which of them was the first to find a page depends on that order as well.
    """
    told: list[object] = []
    for kind, group in groupby(events, key=type):
        if kind is SearchFinished:
            left_out = {"seq", "fresh", "found", "known"}
            searches = [timeless(each.model_dump(mode="json", exclude=left_out)) for each in group]
            told += sorted(searches, key=str)
        else:
            told += [timeless(each.model_dump(mode="json", exclude={"seq"})) for each in group]
    return told


async def only_run(owner: Owner) -> tuple[str, list[RunEvent]]:
    """Return the id and the events of the one run that the database has, which is ``owner``'s."""
    async with App.open() as app:
        traces = await app.traces()
        (trace,) = (await traces.list_traces(owner)).traces
        assert trace.status is TraceStatus.COMPLETED
        assert trace.user_id == owner.user
        assert trace.question == HOP
        with pytest.raises(TraceNotFound):
            await traces.get_trace(Owner(user="somebody else"), trace.id)
        return trace.id, list(await traces.events(owner, trace.id))


def report_of(events: Sequence[Event]) -> Report:
    last = events[-1]
    assert isinstance(last, RunFinished)
    return last.report


async def expected(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[RunEvent]:
    """Return the events of the same request to an App that keeps everything elsewhere."""
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("QUAERE_DATA_DIR", str(folder / "expected"))
        async with App.open() as app:
            run = await app.start(RunRequest.of(question=HOP))
            events = [event async for event in run.events()]
            run.settle()
    return events


@pytest.mark.parametrize("name", FACES)
async def test_every_way_in_makes_the_same_run_and_leaves_its_trace(
    name: str, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted = await expected(monkeypatch, tmp_path)
    searched = sorted(service.answered)
    service.answered.clear()
    face = FACES[name]
    await asyncio.wait_for(face.ask(), SOON_S)
    _, events = await only_run(face.owner)
    assert sorted(service.answered) == searched, "each searches for itself, and for the same"
    started = events[0]
    assert isinstance(started, RunStarted)
    assert started.budget == PROFILES[ProfileName.DEEP].override(LIMITS)
    assert [event.seq for event in events] == list(range(1, len(wanted) + 1))
    assert in_order(events) == in_order(wanted)


@pytest.mark.parametrize("name", STOPPABLE)
async def test_every_way_in_can_be_resumed_and_searches_nothing_twice(
    name: str, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted = report_of(await expected(monkeypatch, tmp_path))
    face = FACES[name]
    service.answered.clear()
    service.let.clear()
    asking = asyncio.ensure_future(face.ask())
    await asyncio.wait_for(service.held.wait(), SOON_S)
    asking.cancel()
    with suppress(asyncio.CancelledError):
        await asking
    (before,) = service.answered
    service.let.set()
    if face.queued:
        await asyncio.wait_for(face.ask(), SOON_S)
    else:
        async with App.open() as app:
            (stopped,) = app.stopped(face.owner)
            run = await app.resume(stopped.spec.run_id, face.owner)
            await asyncio.wait_for(run.report(), SOON_S)
            run.settle()
            assert app.stopped(face.owner) == []
    _, events = await only_run(face.owner)
    assert any(isinstance(event, PlanMade) for event in events)
    report = report_of(events)
    assert (report.answer, report.budget) == (wanted.answer, wanted.budget)
    assert [each.query for each in report.queries] == [each.query for each in wanted.queries]
    assert service.answered.count(before) == 1, "it was answered before the run was stopped"


SCOPE: dict[str, object] = {
    "sites": {"exclude": ["left-out.example"]},
    "published_after": "1990-01-01",
    "languages": ["en"],
}


async def command_with_options() -> None:
    await quaere("ask", HOP, "--reuse", "--quiet", *ARGUMENTS)


async def await_with_options() -> None:
    await run_research(HOP, language="de", form="list", scope=SCOPE, reuse="use")


async def tool_with_options() -> None:
    params: dict[str, JsonValue] = {
        "question": HOP,
        "language": "de",
        "form": "list",
        "exclude_sites": ["left-out.example"],
        "published_after": "1990-01-01",
        "source_languages": ["en"],
        "reuse": "use",
    }
    async for step in deep_research(params):
        assert not isinstance(step, ToolResult) or step.payload.status is not ToolStatus.ERROR


async def studio_with_options() -> None:
    apps: list[App] = []
    config: dict[str, object] = {
        "language": "de",
        "form": "list",
        "exclude_sites": "left-out.example",
        "published_after": "1990-01-01",
        "source_languages": "en",
        "reuse": "use",
    }
    with pytest.MonkeyPatch.context() as server:
        server.setattr(studio, "_APPS", apps)
        try:
            await studio.loop.ainvoke(Asked(question=HOP), {"configurable": config})
        finally:
            for app in apps:
                await app.aclose()


async def worker_with_options() -> None:
    await quaere("submit", HOP, "--reuse", *ARGUMENTS)
    async with App.open() as app:
        await (await app.worker(WorkerPolicy(drain=True))).run()


ARGUMENTS = (
    *("--language", "de", "--form", "list", "--exclude-site", "left-out.example"),
    *("--published-after", "1990-01-01", "--source-language", "en"),
)
WITH_OPTIONS = {
    "command": command_with_options,
    "await": await_with_options,
    "tool": tool_with_options,
    "studio": studio_with_options,
    "worker": worker_with_options,
}


@pytest.mark.parametrize("name", WITH_OPTIONS)
async def test_every_way_in_takes_what_may_be_said_of_a_question_and_an_earlier_run_r4_5(
    name: str, service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with App.open() as app:
        earlier = await app.start(RunRequest.of(question=HOP))
        await earlier.report()
        earlier.settle()
    await asyncio.wait_for(WITH_OPTIONS[name](), SOON_S)
    async with App.open() as app:
        latest, _ = (await (await app.traces()).list_traces(LOCAL)).traces
    assert latest.status is TraceStatus.COMPLETED
    said = latest.input_params
    assert (said["language"], said["form"], said["reuse"]) == ("de", "list", "use")
    assert said["draws_on"] == earlier.id
    assert said["scope"] == {
        "sites": {"exclude": ["left-out.example"]},
        "published_after": "1990-01-01",
        "languages": ["en"],
    }


async def test_a_run_of_another_process_is_told_to_finish(service: Service) -> None:
    service.let.clear()
    async with App.open() as app:
        submitted = await app.submit(RunRequest.of(question=HOP))
        working = asyncio.ensure_future(quaere("worker", "--drain"))
        await asyncio.wait_for(service.held.wait(), SOON_S)
        run = await app.run(submitted.id)
        await run.finish()
        await asyncio.wait_for(working, SOON_S)
        report = await run.report()
    assert report.stop_reason is StopReason.CANCELLED
    assert report.citations, "the answer is written from what was found by then"
    assert len(service.answered) == 1
