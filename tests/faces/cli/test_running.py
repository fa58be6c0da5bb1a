"""How a command follows a run: what it warns of, asks at the terminal, and says of resuming."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import select
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import Self, cast

import pytest
from tests.faces.cli.samples import events, report

from quaere.domain.events import Event, ModelCalled
from quaere.domain.model import NOT_WAITED_FOR, ModelCall
from quaere.domain.report import Report
from quaere.domain.request import RunRequest
from quaere.domain.team import Inquiry, InquiryKind, Reply, Strategy
from quaere.errors import UsageError
from quaere.faces.cli.follow import Nobody
from quaere.faces.cli.running import AtTerminal, approved, follow, handing_over, run_to_report
from quaere.runtime.app import App
from quaere.runtime.run import LiveRun
from quaere.runtime.settings import Settings

pytestmark = pytest.mark.anyio

TOPICS = ("Where is Hask?", "What is flax?", "How high is Mount Sorrel?")
PLAN = Inquiry(kind=InquiryKind.TOPICS, text="Compare them.", topics=TOPICS)
ALLOWED = {"QUAERE_APPROVE_PLAN": "true", "QUAERE_STRATEGY": "supervisor"}
ASKED = "Enter to approve"


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
        self.shown: list[Event] = []

    def show(self, event: Event) -> None:
        self.shown.append(event)


async def test_every_event_is_shown_and_noted_and_the_report_is_returned() -> None:
    told, watching = events(), Watching()
    noted: list[Event] = []
    assert await follow(live(Going(told)), watching, noted.append, quiet=False) == report()
    assert noted == told == watching.shown


async def test_a_model_that_fails_is_warned_of_once(capsys: pytest.CaptureFixture[str]) -> None:
    told = [called("a", "503"), called("a", "504"), called("b", "401"), called("c", None)]
    told += [called("d", NOT_WAITED_FOR), called("e", "e could not be reached.")]
    await follow(live(Going(told)), Nobody(), lambda _: None, quiet=False)
    assert capsys.readouterr().err.splitlines() == [
        "quaere: warning: a failed: 503",
        "quaere: warning: b failed: 401",
        "quaere: warning: e could not be reached.",
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


@pytest.mark.parametrize(
    ("typed", "topics"),
    [
        ("", ()),
        ("  ; ", ()),
        ("1,3", (TOPICS[0], TOPICS[2])),
        ("2; 2", (TOPICS[1],)),
        ("What is rye, and why?", ("What is rye, and why?",)),
        ("What is rye?; What is wool?", ("What is rye?", "What is wool?")),
    ],
)
def test_what_is_typed_chooses_among_topics_or_replaces_them(
    typed: str, topics: tuple[str, ...]
) -> None:
    assert PLAN.reply_of(typed).topics == topics


def _quaere(*args: str, folder: Path) -> list[str]:
    (folder / "hask.md").write_text("# Hask\nThe market of Hask sells wool.\n", "utf-8")
    asked = ["What does the market of Hask sell?", "--docs", str(folder), *args]
    return [sys.executable, "-m", "quaere", "ask", *asked]


def _environment(folder: Path) -> dict[str, str]:
    own = {"QUAERE_CACHE_DIR": str(folder), "QUAERE_DATA_DIR": str(folder)}
    return {**os.environ, **own, "TERM": "dumb"}  # which no live view is drawn on


def test_without_a_terminal_nobody_is_asked(tmp_path: Path) -> None:
    command = _quaere("--approve-plan", folder=tmp_path)
    done = subprocess.run(
        command, env=_environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "--approve-plan needs a terminal" in done.stderr


def test_topics_are_shown_and_can_be_replaced_at_a_terminal(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = _quaere("--approve-plan", "--format", "json", folder=tmp_path)
    with subprocess.Popen(
        command,
        env=_environment(tmp_path),
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        os.write(ours, b"Who sells wool in Hask?\n")
        report, _ = process.communicate()
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    os.close(theirs)
    assert "1. What does the market of Hask sell?" in shown
    assert Report.model_validate_json(report).dispatched_topics == ("Who sells wool in Hask?",)


class Terminal:
    """A terminal at which a command runs, and somebody who types."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        self._ours, self._theirs = pty.openpty()
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=self._theirs,
            stderr=self._theirs,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self._ours)
        os.close(self._theirs)

    def read_until(self, text: str) -> None:
        """Read what is shown until ``text`` is."""
        shown = ""
        while text not in shown:
            assert select.select([self._ours], [], [], 60)[0], shown
            shown += os.read(self._ours, 1_000).decode()

    def type(self, line: str) -> str:
        """Type ``line`` and return what the command writes on standard output."""
        os.write(self._ours, f"{line}\n".encode())
        return self.process.communicate(timeout=60)[0]


def test_the_environment_lets_a_run_ask_whoever_sits_at_the_terminal(tmp_path: Path) -> None:
    command = _quaere("--format", "json", folder=tmp_path)
    with Terminal(command, {**_environment(tmp_path), **ALLOWED}) as terminal:
        terminal.read_until(ASKED)
        report = Report.model_validate_json(terminal.type("Who sells wool in Hask?"))
    assert report.dispatched_topics == ("Who sells wool in Hask?",)


def test_a_run_that_may_ask_goes_on_where_nobody_can_be_asked(tmp_path: Path) -> None:
    command = _quaere("--format", "json", folder=tmp_path)
    environment = {**_environment(tmp_path), **ALLOWED}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert "wool" in Report.model_validate_json(done.stdout).answer


def _stopped_while_it_asks(folder: Path) -> list[str]:
    """Kill a run that waits for approval; return the command that resumes it."""
    asking = _quaere("--approve-plan", folder=folder)
    with Terminal(asking, _environment(folder)) as terminal:
        terminal.read_until(ASKED)
    (run,) = (folder / "runs").rglob("*.run")
    return [sys.executable, "-m", "quaere", "resume", run.stem, "--format", "json"]


def test_a_run_that_was_stopped_while_it_asked_asks_again(tmp_path: Path) -> None:
    resume = _stopped_while_it_asks(tmp_path)
    with Terminal(resume, _environment(tmp_path)) as terminal:
        terminal.read_until(ASKED)
        report = Report.model_validate_json(terminal.type("Who sells wool in Hask?"))
    assert report.dispatched_topics == ("Who sells wool in Hask?",)


def test_and_goes_on_with_what_it_showed_where_nobody_can_be_asked(tmp_path: Path) -> None:
    done = subprocess.run(
        _stopped_while_it_asks(tmp_path),
        env=_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert "Nobody can be asked here" in done.stderr
    report = Report.model_validate_json(done.stdout)
    assert report.dispatched_topics == ("What does the market of Hask sell?",)


@pytest.mark.parametrize("terminal", [(True, False), (False, True), (False, False)])
def test_both_ends_must_be_a_terminal(
    terminal: tuple[bool, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, *terminal)
    with pytest.raises(UsageError, match="needs a terminal"):
        approved(None)


def test_only_a_supervisor_has_topics_to_approve(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, True, True)
    assert approved(None) is approved(Strategy.SUPERVISOR) is Strategy.SUPERVISOR
    with pytest.raises(UsageError, match="a loop has no topics"):
        approved(Strategy.LOOP)


def at(monkeypatch: pytest.MonkeyPatch, *terminal: bool) -> None:
    for stream, is_one in zip((sys.stdin, sys.stderr), terminal, strict=True):
        monkeypatch.setattr(stream, "isatty", lambda is_one=is_one: is_one, raising=False)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("kind", "shown", "reply"),
    [
        (
            InquiryKind.CLARIFICATION,
            "Which Hask?\nYour answer (Enter to skip): ",
            Reply(text="1; the town"),
        ),
        (
            InquiryKind.TOPICS,
            "Proposed topics:\n1. Flax\n2. Wool\nEnter to approve",
            Reply(topics=("1", "the town")),
        ),
    ],
)
async def test_what_is_asked_is_shown_and_what_is_typed_is_the_reply(
    kind: InquiryKind,
    shown: str,
    reply: Reply,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(" 1; the town \n"))
    inquiry = Inquiry(kind=kind, text="Which Hask?", topics=("Flax", "Wool"))
    assert await AtTerminal().ask(inquiry) == reply
    assert capsys.readouterr().err.startswith(shown)


async def test_what_is_no_reply_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("no\n0\n3; 1\n2\n"))
    inquiry = Inquiry(kind=InquiryKind.TOPICS, text="Hask?", topics=("Flax", "Wool"))
    assert await AtTerminal().ask(inquiry) == Reply(topics=("Wool",))
    said = capsys.readouterr().err
    assert "cancel the run if none of these is wanted" in said
    assert "There is no topic 0; the last one is 2." in said
    assert "There is no topic 3; the last one is 2." in said


@pytest.mark.parametrize(
    ("typed", "topics"),
    [("3", (TOPICS[2],)), ("1;x", ("1", "x")), ("2,1", TOPICS[1::-1])],
)
def test_numbers_are_those_of_the_list_alone(typed: str, topics: tuple[str, ...]) -> None:
    assert PLAN.reply_of(typed).topics == topics
