"""How a run stands, as the events of its log tell it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from tests.faces.server.conftest import settings_in

from quaere.domain.budget import Remaining
from quaere.domain.events import (
    Phase,
    PhaseStarted,
    RunEvent,
    RunFailed,
    SearchFinished,
    SentenceDrafted,
)
from quaere.domain.report import Report
from quaere.domain.request import RunRequest
from quaere.domain.team import Reply
from quaere.domain.trace import Owner
from quaere.faces.mcp.forms import RunStatus
from quaere.faces.mcp.runs import Pace, Runs, Teller, status_of
from quaere.runtime.app import LOCAL, App
from quaere.runtime.run import LiveRun

pytestmark = pytest.mark.anyio

LEFT = Remaining(iterations=3, queries=9, reads=9, tokens=9000, seconds=60)


class Logged:
    """A run whose log holds these events."""

    id = "logged"
    owner = Owner()

    def __init__(self, *events: RunEvent) -> None:
        self._events = events
        self.followed = asyncio.Event()

    async def events(self, *, after: int = 0) -> AsyncGenerator[RunEvent]:
        self.followed.set()
        for event in self._events[after:]:
            yield event
        await asyncio.Event().wait()

    async def so_far(self) -> tuple[RunEvent, ...]:
        return self._events

    async def report(self) -> Report:
        raise NotImplementedError

    async def cancel(self) -> None:
        raise NotImplementedError

    async def finish(self) -> None:
        raise NotImplementedError

    async def reply(self, inquiry_id: str, reply: Reply) -> None:
        raise NotImplementedError


def phase(of: Phase, loop: int) -> PhaseStarted:
    return PhaseStarted(phase=of, loop=loop, max_loops=3, remaining=LEFT)


async def test_a_run_stands_where_its_last_event_left_it() -> None:
    searched = SearchFinished(
        phase=Phase.SEARCHING, loop=1, max_loops=3, query="mill", intent="raw", hits=4, fresh=4
    )
    first = await status_of(Logged(searched))
    second = await status_of(Logged(searched, phase(Phase.READING, 2)))
    assert (first.run_id, first.status, first.iteration) == ("logged", RunStatus.WORKING, 1)
    assert (second.status, second.iteration) == (RunStatus.WORKING, 2)
    assert 0 < first.progress < second.progress < 1
    assert (first.stage, second.stage) == ("iteration_1", "iteration_2")
    assert (first.queries, second.queries) == (("mill",), ()), "those of the loop alone"
    assert "4" in first.message
    assert second.message.startswith("Processing")


async def test_an_event_that_tells_nothing_leaves_what_was_told_before() -> None:
    reading = phase(Phase.READING, 1)
    silent = SentenceDrafted(phase=Phase.READING, loop=1, max_loops=3, text="A draft.", evidence=())
    before = await status_of(Logged(reading))
    after = await status_of(Logged(reading, silent))
    assert before.message
    assert after == before


@pytest.mark.parametrize("events", [(), (phase(Phase.SEARCHING, 1),)])
async def test_a_run_that_has_told_nothing_has_begun(events: tuple[RunEvent, ...]) -> None:
    standing = await status_of(Logged(*events))
    assert (standing.status, standing.message) == (RunStatus.WORKING, "The run has begun.")
    assert (standing.stage, standing.queries) == ("", ())


@pytest.mark.parametrize(
    ("error", "status"),
    [("run_cancelled", RunStatus.CANCELLED), ("store_error", RunStatus.FAILED)],
)
async def test_a_run_that_came_to_nothing_says_why(error: str, status: RunStatus) -> None:
    failed = RunFailed(
        phase=Phase.FINALIZING, error_type=error, message="The disk is full.", retryable=False
    )
    standing = await status_of(Logged(phase(Phase.SEARCHING, 1), failed))
    assert (standing.status, standing.message) == (status, "The disk is full.")
    assert standing.progress < 0.5, "it came no further by failing"


def test_a_call_gives_signs_of_life_and_ends_before_clients_give_up() -> None:
    pace = Pace()
    assert pace.hand_back_s < 60, "many clients wait for a minute"
    assert 2 * pace.heartbeat_s < pace.hand_back_s


@pytest.mark.parametrize("first", ["told to stop", "follows"])
async def test_a_call_returns_when_the_server_stops_whichever_came_first(
    tmp_path: Path, first: str
) -> None:
    async def unheard(progress: float, message: str) -> None:
        """Tell nobody."""

    run = Logged(phase(Phase.SEARCHING, 1))
    async with asyncio.timeout(30), App.open(settings_in(tmp_path)) as app:
        runs = Runs(app)
        if first == "told to stop":
            runs.hand_back()
        call = asyncio.create_task(runs.follow(run, 600, Teller(unheard)))
        if first == "follows":
            await run.followed.wait()
            runs.hand_back()
        assert await call is None


async def test_a_run_that_ended_is_not_made_again_though_it_could_be_resumed(
    tmp_path: Path,
) -> None:
    settings, asked = settings_in(tmp_path), RunRequest(question="Who built the mill?")
    async with App.open(settings) as app:
        begun = await app.start(asked)
        report = await begun.report()  # and the process ends before it has settled the run
    async with App.open(settings) as app:
        found = await Runs(app).find(begun.id, begun.owner)
        assert not isinstance(found, LiveRun)
        assert (await found.report()).answer == report.answer
        assert [each.spec.run_id for each in app.stopped()] == [begun.id]


async def test_without_workers_the_app_makes_the_run_itself(tmp_path: Path) -> None:
    async with App.open(settings_in(tmp_path)) as app:
        run = await Runs(app).begin(RunRequest(question="Who built the mill?"), LOCAL)
        assert isinstance(run, LiveRun)
        await run.report()
