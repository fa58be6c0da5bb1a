"""What a run asks at the terminal."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from quaere.domain.report import Report
from quaere.domain.team import Inquiry, InquiryKind, Reply, Strategy
from quaere.errors import UsageError
from quaere.faces.cli.approval import AtTerminal, approved, chosen

TOPICS = ("Where is Hask?", "What is flax?", "How high is Mount Sorrel?")


@pytest.mark.parametrize(
    ("typed", "topics"),
    [
        ("", ()),
        ("  ; ", ()),
        ("1,3", (TOPICS[0], TOPICS[2])),
        ("2; 2", (TOPICS[1],)),
        ("9", ()),
        ("What is rye, and why?", ("What is rye, and why?",)),
        ("What is rye?; What is wool?", ("What is rye?", "What is wool?")),
    ],
)
def test_what_is_typed_chooses_among_topics_or_replaces_them(
    typed: str, topics: tuple[str, ...]
) -> None:
    assert chosen(typed, TOPICS) == topics


def _quaere(*args: str, folder: Path) -> list[str]:
    (folder / "hask.md").write_text("# Hask\nThe market of Hask sells wool.\n", "utf-8")
    asked = ["What does the market of Hask sell?", "--docs", str(folder), *args]
    return [sys.executable, "-m", "quaere", "ask", *asked]


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "QUAERE_CACHE_DIR": str(folder), "QUAERE_DATA_DIR": str(folder)}


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


@pytest.mark.parametrize(
    ("typed", "topics"),
    [("3", (TOPICS[2],)), ("0", ()), ("4", ()), ("1;x", ("1", "x")), ("2,1", TOPICS[1::-1])],
)
def test_numbers_are_those_of_the_list_alone(typed: str, topics: tuple[str, ...]) -> None:
    assert chosen(typed, TOPICS) == topics
