"""How a command follows a run: what it warns of, and what it says of resuming."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import cast

import pytest
from tests.faces.cli.samples import events, report

from quaere.domain.events import Event, ModelCalled
from quaere.domain.model import NOT_WAITED_FOR, ModelCall
from quaere.domain.report import Report
from quaere.domain.request import RunRequest
from quaere.faces.cli.follow import Nobody
from quaere.faces.cli.running import follow, handing_over, run_to_report
from quaere.runtime.app import App
from quaere.runtime.run import LiveRun
from quaere.runtime.settings import Settings
from quaere.view.reduce import Progress

pytestmark = pytest.mark.anyio


class Going:
    """A run that tells ``told``, with a notice that comes with each event."""

    id = "run-7"

    def __init__(
        self, told: Sequence[Event] = (), notices: Sequence[str] = (), *, resumable: bool = True
    ) -> None:
        self.notices: list[str] = []
        self.resumable, self.settled = resumable, 0
        self._told, self._coming = told, list(notices)

    async def events(self) -> AsyncGenerator[Event]:
        for event in self._told:
            self.notices += self._coming[:1]
            del self._coming[:1]
            yield event

    async def report(self) -> Report:
        return report()

    def settle(self) -> None:
        self.settled += 1


def live(run: Going) -> LiveRun:
    return cast("LiveRun", run)


def called(model: str, error: str | None) -> ModelCalled:
    return ModelCalled(call=ModelCall(step="plan", model=model, error=error or ""))


class Watching(Nobody):
    def __init__(self) -> None:
        self.shown: list[tuple[Event, Progress]] = []

    def show(self, event: Event, progress: Progress) -> None:
        self.shown.append((event, progress))


async def test_every_event_is_shown_and_noted_and_the_report_is_returned() -> None:
    told, watching = events(), Watching()
    noted: list[Event] = []
    assert await follow(live(Going(told)), watching, noted.append, quiet=False) == report()
    assert noted == told == [event for event, _ in watching.shown]
    progress = Progress()
    for event, shown in watching.shown:
        progress = progress.after(event)
        assert shown == progress


async def test_a_model_that_fails_is_warned_of_once(capsys: pytest.CaptureFixture[str]) -> None:
    told = [called("a", "503"), called("a", "504"), called("b", "401"), called("c", None)]
    told.append(called("d", NOT_WAITED_FOR))
    await follow(live(Going(told)), Nobody(), lambda _: None, quiet=False)
    assert capsys.readouterr().err.splitlines() == [
        "quaere: warning: a failed: 503",
        "quaere: warning: b failed: 401",
    ]


@pytest.mark.parametrize("quiet", [True, False])
async def test_each_notice_is_told_once_and_what_was_chosen_is_not_when_quiet(
    quiet: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    notices = ["The disk is full.", "No trace is kept: QUAERE_TRACE=false.", "It is late."]
    told = [called("a", None)] * 4
    await follow(live(Going(told, notices)), Nobody(), lambda _: None, quiet=quiet)
    lines = [f"quaere: warning: {each}" for each in notices if not (quiet and "TRACE" in each)]
    assert capsys.readouterr().err.splitlines() == lines


def test_a_report_that_was_handed_over_needs_no_resuming(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run = Going()
    with handing_over(live(run)):
        assert run.settled == 0
    assert run.settled == 1
    with pytest.raises(BrokenPipeError), handing_over(live(run)):
        raise BrokenPipeError
    assert run.settled == 2
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("resumable", [True, False])
def test_a_report_that_could_not_be_written_can_be_had_again(
    resumable: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Going(resumable=resumable)
    with pytest.raises(KeyboardInterrupt), handing_over(live(run)):
        raise KeyboardInterrupt
    assert run.settled == 0
    assert ("quaere resume run-7" in capsys.readouterr().err) is resumable


def test_a_run_that_is_stopped_while_it_begins_says_how_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mill.md").write_text("The mill at Orrin was built by Tamsin Wray.\n")
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    request = RunRequest(question="Who built the mill?", docs=(tmp_path / "mill.md",))
    begun: list[str] = []

    async def begin(app: App) -> LiveRun:
        task = asyncio.current_task()
        stopped = next(each for each in asyncio.all_tasks() if each is not task)
        stopped.cancel()  # as Ctrl-C does
        run = await app.start(request)
        begun.append(run.id)
        return run

    with pytest.raises(asyncio.CancelledError):
        run_to_report(settings, begin, Nobody(), lambda _: None)
    assert f"To continue it, run: quaere resume {begun[0]}" in capsys.readouterr().err
