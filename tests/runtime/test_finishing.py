"""A run that is asked to finish searches no more and answers from what is there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.graphs.minds import Mind
from tests.graphs.team import TWO
from tests.graphs.world import HOP, Desk, Shelf, engine, url_of

from quaere.domain.events import Event, InquiryRaised, PlanMade, RunFinished
from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Query
from quaere.domain.report import Report
from quaere.domain.request import RunRequest, RunSpec
from quaere.domain.source import Hit, Page
from quaere.domain.verdict import StopReason
from quaere.resilience.timing import SystemClock
from quaere.runtime.app import App
from quaere.runtime.run import LiveRun
from quaere.runtime.settings import Settings
from quaere.store.recording.cassette import Recorder
from quaere.store.recording.replay import Replay
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

SOON_S = 20.0
"""Far below what a search, a page or a model call that hangs would take."""
WRITING = {"synthesize", "check"}
HOUR = {"max_execution_time_s": 3600.0}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")


class Hanging(Shelf):
    """Answers the first searches and none after them."""

    def __init__(self, answers: int) -> None:
        super().__init__()
        self.hangs = asyncio.Event()
        self._answers = answers

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        found = await super().search(query, limit=limit)
        if len(self.asked) > self._answers:
            self.hangs.set()
            await asyncio.sleep(3600)
        return found[:2]


class Pondering(ScriptedModel):
    """Never comes to the end of an evaluation."""

    def __init__(self) -> None:
        super().__init__(Mind(restless=True))
        self.ponders = asyncio.Event()

    async def complete(self, request: ModelRequest) -> Completion:
        completion = await super().complete(request)
        if request.step == "evaluate":
            self.ponders.set()
            await asyncio.sleep(3600)
        return completion


async def finished(run: LiveRun) -> Report:
    """Ask ``run`` to finish and return its report, which no event may follow."""
    await run.finish()
    report = await asyncio.wait_for(run.report(), SOON_S)
    events = [event async for event in run.events()]
    assert isinstance(events[-1], RunFinished)
    assert report.stop_reason is StopReason.CANCELLED
    assert report.truncated
    return report


async def test_a_search_on_its_way_is_not_waited_for_and_none_follows(settings: Settings) -> None:
    shelf, model = Hanging(2), ScriptedModel(Mind(restless=True))
    with_model = settings.model_copy(update={"model": "test:mind"})
    async with App.open(with_model, providers=[shelf], models={"test:mind": model}) as app:
        run = await app.start(RunRequest.of(question=HOP, profile="deep", limits=HOUR))
        await asyncio.wait_for(shelf.hangs.wait(), SOON_S)
        asked, called = len(shelf.asked), len(model.requests)
        report = await finished(run)
    assert report.citations
    assert len(shelf.asked) == asked
    assert {request.step for request in model.requests[called:]} <= WRITING
    assert len(report.queries) < asked, "what was cut off has no outcome"
    assert not report.warnings
    assert not report.degradations


async def test_a_model_that_still_evaluates_is_not_waited_for(settings: Settings) -> None:
    shelf, model = Hanging(99), Pondering()
    with_model = settings.model_copy(update={"model": "test:mind"})
    async with App.open(with_model, providers=[shelf], models={"test:mind": model}) as app:
        run = await app.start(RunRequest.of(question=HOP, profile="deep", limits=HOUR))
        await asyncio.wait_for(model.ponders.wait(), SOON_S)
        asked, called = len(shelf.asked), len(model.requests)
        report = await finished(run)
    assert report.citations
    assert len(shelf.asked) == asked
    assert {request.step for request in model.requests[called:]} <= WRITING
    assert not report.degradations


async def test_researchers_of_a_supervisor_come_back_with_what_they_have(
    settings: Settings,
) -> None:
    shelf = Hanging(2)
    async with App.open(settings, providers=[shelf]) as app:
        asked_for = RunRequest.of(question=TWO, strategy="supervisor", limits=HOUR)
        run = await app.start(asked_for)
        await asyncio.wait_for(shelf.hangs.wait(), SOON_S)
        asked = len(shelf.asked)
        report = await finished(run)
    assert report.dispatched_topics
    assert report.citations
    assert len(shelf.asked) == asked


async def test_nobody_is_waited_for_who_was_asked_back(settings: Settings) -> None:
    shelf = Shelf()
    async with App.open(settings, providers=[shelf]) as app:
        asked_for = RunRequest.of(question=TWO, strategy="supervisor", approve_plan=True)
        run = await app.start(asked_for)
        async for event in run.events():
            if isinstance(event, InquiryRaised):
                break
        asked = len(shelf.asked)
        report = await finished(run)
    assert report.citations
    assert report.dispatched_topics == ()
    assert len(shelf.asked) == asked == 1


@pytest.mark.parametrize("answers", [0, 2])
async def test_a_run_that_was_told_to_finish_finishes_when_it_is_resumed(
    settings: Settings, answers: int
) -> None:
    """Issue 12: the wish was lost with the process that it was told to."""
    shelf, found = Hanging(answers), answers > 0
    settings = settings.model_copy(update={"model": "test:mind"})
    models = {"test:mind": ScriptedModel(Mind(restless=True))}
    async with App.open(settings, providers=[shelf], models=models) as app:
        run = await app.start(RunRequest.of(question=HOP, profile="deep", limits=HOUR))
        await asyncio.wait_for(shelf.hangs.wait(), SOON_S)
        await run.finish()
        await run.stop()  # as a process that ends: before anything could be written
    later = Shelf()
    async with App.open(settings, providers=[later], models=models) as app:
        resumed = await app.resume(run.id)
        report = await asyncio.wait_for(resumed.report(), SOON_S)
    assert report.stop_reason is StopReason.CANCELLED
    assert bool(report.citations) is found, "what was there is in the answer"
    assert later.asked == [], "what was cut off is not asked for again"
    assert not report.warnings


async def test_the_same_is_written_from_the_same_replies_when_it_is_stopped_while_writing(
    settings: Settings,
) -> None:
    shelf, model = Hanging(2), ScriptedModel(Mind(restless=True))
    with_model = settings.model_copy(update={"model": "test:mind"})
    async with App.open(with_model, providers=[shelf], models={"test:mind": model}) as app:
        run = await app.start(RunRequest.of(question=HOP, profile="deep", limits=HOUR))
        await asyncio.wait_for(shelf.hangs.wait(), SOON_S)
        first = await finished(run)
        await run.stop()  # its report was never handed over
    again, later = ScriptedModel(Mind(restless=True)), Shelf()
    async with App.open(with_model, providers=[later], models={"test:mind": again}) as app:
        resumed = await app.resume(run.id)
        report = await asyncio.wait_for(resumed.report(), SOON_S)
    assert (report.answer, report.stop_reason) == (first.answer, StopReason.CANCELLED)
    assert later.asked == []
    assert again.requests == [], "nothing is paid for twice"


async def test_a_run_that_was_told_to_finish_is_replayed_as_it_was(settings: Settings) -> None:
    shelf, recorder = Hanging(2), Recorder(SystemClock())
    settings = settings.model_copy(update={"model": "test:mind"})
    models = {"test:mind": ScriptedModel(Mind(restless=True))}
    async with App.open(settings, providers=[shelf], models=models) as app:
        asked_for = RunRequest.of(question=HOP, profile="deep", limits=HOUR)
        spec = RunSpec(request=asked_for, marks=recorder.marks)
        run = await app.start(spec, tap=recorder)
        await asyncio.wait_for(shelf.hangs.wait(), SOON_S)
        first = await finished(run)
        replayed = await app.replay(asked_for, Replay(recorder.cassette))
        again = await asyncio.wait_for(replayed.report(), SOON_S)
    assert (again.answer, again.stop_reason) == (first.answer, first.stop_reason)


class Binding(Desk):
    """Reads one page at once and never comes to the end of another."""

    def __init__(self, stop: asyncio.Event) -> None:
        super().__init__()
        self._stop = stop

    async def read(self, hit: Hit) -> Page:
        if hit.url != url_of("Quill Observatory"):
            self._stop.set()
            await asyncio.sleep(3600)
        return await super().read(hit)


async def test_pages_that_are_there_are_evidence_and_the_others_are_not_waited_for() -> None:
    stop = asyncio.Event()
    asked = replace(
        engine(Shelf(with_text=False), reader=Binding(stop)), stop_requested=lambda: stop
    )
    report = await asyncio.wait_for(asked.run(RunSpec.of(HOP, limits=HOUR)), SOON_S)
    assert report.stop_reason is StopReason.CANCELLED
    assert {citation.url for citation in report.citations} == {url_of("Quill Observatory")}
    assert not report.warnings


async def test_a_run_that_has_found_nothing_yet_says_so(settings: Settings) -> None:
    shelf = Hanging(0)
    events: list[Event] = []
    async with App.open(settings, providers=[shelf]) as app:
        run = await app.start(RunRequest.of(question=HOP, limits=HOUR))
        await asyncio.wait_for(shelf.hangs.wait(), SOON_S)
        report = await finished(run)
        events = [event async for event in run.events()]
    assert report.citations == ()
    assert "No evidence found" in report.answer
    assert len([event for event in events if isinstance(event, PlanMade)]) == 1
