"""What a run asks at the terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from quaere.domain.report import Report
from quaere.faces.cli.approval import chosen

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
