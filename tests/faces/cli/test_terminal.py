"""The command at a real terminal, and when the other end goes away."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import IO

import pytest

from quaere.domain.events import Phase
from quaere.faces.cli.chat import PROMPT, WELCOME, _questions
from quaere.view.reduce import STAGES

QUESTION = "Who built the mill at Orrin?"
SGR = re.compile(r"\x1b\[([0-9;]*)m")
COLOUR = re.compile(r"^(3[0-7]|4[0-7]|9[0-7]|38|48)$")


def _at_a_terminal(
    arguments: list[str], environment: Mapping[str, str], stdin: IO[bytes] | None = None
) -> tuple[int, str]:
    """Run the command with a terminal of 100 columns as its streams, but for ``stdin`` if given."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "quaere", *arguments],
        stdin=stdin or theirs,
        stdout=theirs,
        stderr=theirs,
        env=dict(environment),
        start_new_session=True,
    )
    os.close(theirs)
    written = bytearray()
    while select.select([ours], [], [], 60)[0]:
        try:
            written += os.read(ours, 65_536)
        except OSError:  # how Linux tells that nobody has the terminal any more
            break
    os.close(ours)
    return process.wait(timeout=30), written.decode()


def _codes(written: str) -> set[str]:
    return {code for match in SGR.finditer(written) for code in match[1].split(";")}


def test_a_terminal_shows_the_stages_live_and_then_the_report(
    docs: Path, environment: dict[str, str]
) -> None:
    code, written = _at_a_terminal(["ask", QUESTION, "-d", str(docs)], environment)
    assert code == 0
    for stage in set(STAGES) - {Phase.INDEXING}:
        assert f"\x1b[1;36m{stage}" in written
    assert written.index(QUESTION) < written.index("loop 1 of") < written.index("Citations")
    assert "left: " in written
    assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")  # the cursor is back
    assert any(COLOUR.match(code) for code in _codes(written))
    report = SGR.sub("", written[written.rindex("\x1b[2K") :])
    assert "Tamsin Wray in 1788" in report
    assert "› searching" not in report


_MOVES = re.compile(r"\x1b\[(?P<count>\d*)(?P<way>[AK])|\x1b\[[0-9;?]*[A-Za-z]|(?P<text>[^\x1b])")


def _screen(written: str) -> list[str]:
    """Return the lines that a terminal of 100 columns shows in the end."""
    lines, row, column = [""], 0, 0
    for move in _MOVES.finditer(written):
        if move["way"] == "A":
            row -= int(move["count"] or 1)
        elif move["way"] == "K":
            lines[row] = ""
        text = move["text"] or ""
        if text == "\r":
            column = 0
        elif text == "\n" or (text and column == 100):
            row, column = row + 1, 0
            lines += [""] * (row + 1 - len(lines))
        if text and text not in "\r\n":
            lines[row] = f"{lines[row][:column].ljust(column)}{text}{lines[row][column + 1 :]}"
            column += 1
    return [line.rstrip() for line in lines if line.strip()]


def test_what_is_told_beside_the_live_view_leaves_nothing_of_it_behind(
    docs: Path, environment: dict[str, str]
) -> None:
    """The note on an earlier run is longer than a line, and comes while the view is there."""
    _at_a_terminal(["ask", QUESTION, "-d", str(docs)], environment)
    code, written = _at_a_terminal(["ask", QUESTION, "-d", str(docs)], environment)
    assert code == 0
    shown = _screen(written)
    assert shown[0].startswith("Nearly the same was asked on ")
    assert re.search(r", in the run [0-9a-f]{8}; --reuse", " ".join(shown[:2]))
    assert "The mill at Orrin was built by Tamsin Wray in 1788" in shown[2]
    assert not [line for line in shown if "› searching" in line or " files  " in line]


def test_questions_from_a_file_are_not_prompted_for(
    docs: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "questions").write_text(f"{QUESTION}\n")
    with (tmp_path / "questions").open("rb") as questions:
        code, written = _at_a_terminal(["chat", "-q", "-d", str(docs)], environment, questions)
    assert code == 0
    assert "Tamsin Wray in 1788" in SGR.sub("", written)
    assert PROMPT not in written


def test_an_interrupt_at_the_prompt_drops_the_line_and_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is often meant for an answer that has just ended."""
    keys: list[str | BaseException] = [KeyboardInterrupt(), QUESTION, EOFError()]

    def typed(_: str) -> str:
        if isinstance(key := keys.pop(0), BaseException):
            raise key
        return key

    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert [*_questions()] == [QUESTION]
    assert capsys.readouterr().err == "\nquaere: end with Ctrl-D.\n\n"


@pytest.fixture
def asked(
    docs: Path, environment: dict[str, str]
) -> Generator[tuple[subprocess.Popen[bytes], int]]:
    """A command that waits for its topics to be approved, and its terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "quaere", "ask", QUESTION, "-d", str(docs), "--approve-plan"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _until(terminal: int, words: bytes) -> str:
    """Return what is written to ``terminal`` until ``words`` are, or nothing comes any more."""
    written = bytearray()
    while words not in written and select.select([terminal], [], [], 30)[0]:
        try:
            written += os.read(terminal, 65_536)
        except OSError:
            break
    return written.decode()


def test_an_interrupt_while_topics_are_to_be_approved_ends_the_command(
    asked: tuple[subprocess.Popen[bytes], int],
) -> None:
    process, terminal = asked
    shown = _until(terminal, b"(a; b): ")
    os.kill(process.pid, signal.SIGINT)
    shown += _until(terminal, b"quaere resume ") + _until(terminal, b"never written")
    assert process.wait(timeout=30) == 130, "it does not wait for the line to be typed"
    last = [line for line in _screen(shown) if line]
    assert last[0] == "Proposed topics:"
    assert any(line.startswith("The run was stopped.") for line in last)


def test_topics_that_were_shown_stay_when_the_run_goes_on(
    asked: tuple[subprocess.Popen[bytes], int],
) -> None:
    process, terminal = asked
    shown = _until(terminal, b"(a; b): ")
    os.write(terminal, b"\n")
    shown += _until(terminal, b"How it went") + _until(terminal, b"never written")
    assert process.wait(timeout=30) == 0
    assert _screen(shown)[0] == "Proposed topics:"


def test_who_looks_for_commands_is_told_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"/help\n?\n{QUESTION}\n/etc/fstab says what?\n"))
    assert [*_questions()] == [QUESTION, "/etc/fstab says what?"]
    assert capsys.readouterr().err == f"{WELCOME}\n" * 2


def test_no_color_is_respected_at_a_terminal(docs: Path, environment: dict[str, str]) -> None:
    code, written = _at_a_terminal(
        ["ask", QUESTION, "-d", str(docs)], {**environment, "NO_COLOR": "1"}
    )
    assert code == 0
    assert not any(COLOUR.match(code) for code in _codes(written))


def test_a_terminal_that_cannot_move_its_cursor_gets_lines(
    docs: Path, environment: dict[str, str]
) -> None:
    code, written = _at_a_terminal(
        ["index", str(docs)], {**environment, "TERM": "dumb", "COLUMNS": "100"}
    )
    assert code == 0
    assert written.startswith("[  0.0 s] indexing ")
    assert "\x1b" not in written


def _started(environment: Mapping[str, str], docs: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "quaere", "ask", QUESTION, "-d", docs, "-f", "full"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        text=True,
        start_new_session=True,
    )


def test_a_reader_that_goes_away_is_no_reason_to_complain(
    docs: Path, environment: dict[str, str]
) -> None:
    with _started(environment, docs) as process:
        assert process.stdout
        process.stdout.close()
        assert process.stderr
        said = process.stderr.read()
    assert "BrokenPipe" not in said
    assert "Traceback" not in said
    assert "sentences supported" in said  # it came as far as the report
    assert process.returncode == 141, "as shells tell it of any program"


@pytest.mark.parametrize("command", [["providers"], ["search", "mill"], ["doctor", "--offline"]])
def test_no_command_fails_because_its_reader_has_seen_enough(
    command: list[str], docs: Path, environment: dict[str, str]
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "quaere", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment, "QUAERE_DOCS": str(docs)},
        text=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert "quaere:" not in process.stderr.read()
    assert process.returncode == 141


def test_what_is_said_is_broken_between_words_in_a_terminal(
    environment: dict[str, str],
) -> None:
    code, written = _at_a_terminal(["ask", "-q", "Why?", "-m", "nobody:model"], environment)
    first, *rest = written.replace("\r", "").rstrip("\n").split("\n")
    assert (code, first[:30]) == (2, "quaere: There is no vendor 'no")
    assert rest
    assert max(map(len, (first, *rest))) <= 100
    assert " ".join((first, *rest)).endswith(
        "any other service that speaks OpenAI's protocol is compatible:MODEL with a base URL."
    )


def test_hits_are_broken_between_words_in_a_terminal(
    docs: Path, environment: dict[str, str]
) -> None:
    _, written = _at_a_terminal(["search", "mill", "-q", "-d", str(docs)], environment)
    lines = written.replace("\r", "").split("\n")
    assert max(map(len, lines)) > 80
    assert all(len(line) <= 100 or " " not in line.strip() for line in lines)


@pytest.mark.parametrize(
    ("closed", "code", "answered", "said"),
    [
        ("<&-", 0, True, ""),
        ("2>&-", 0, True, ""),
        ("<&- >&-", 1, False, "quaere: Cannot write to standard output"),
    ],
)
def test_a_stream_that_is_closed_from_the_beginning_is_no_defect(
    docs: Path, environment: dict[str, str], *, closed: str, code: int, answered: bool, said: str
) -> None:
    asked = [sys.executable, "-m", "quaere", "ask", QUESTION, "--docs", str(docs), "-q"]
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {closed}', "sh", *asked],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code
    assert bool(done.stdout) is answered
    assert said in done.stderr
    assert "Internal error" not in done.stderr


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["ctrl-c", "terminated"]
)
def test_an_interrupted_run_ends_quietly_and_takes_its_processes_along(
    environment: dict[str, str], tmp_path: Path, number: signal.Signals, code: int
) -> None:
    for name in range(400):
        (tmp_path / f"{name}.html").write_text(f"<p>{'The mill stood. ' * 500}{name}</p>")
    with _started(environment, tmp_path) as process:
        assert process.stderr
        while "of 400 files" not in process.stderr.readline():
            pass
        children = _children(process.pid)
        os.killpg(process.pid, number)
        _, said = process.communicate(timeout=30)
    assert process.returncode == code
    assert "Traceback" not in said
    assert "quaere:" not in said
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
