"""What a command says when it fails, to a person and to a program (R0.3, R2.2)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from signal import SIGINT

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from tests.faces.cli import samples
from tests.faces.cli.conftest import Run, ended_by_a_defect

from quaere.domain.question import Query
from quaere.domain.report import (
    AnswerStatus,
    Degradation,
    Figures,
    QueryOutcome,
    Report,
    RunWarning,
)
from quaere.domain.source import ReadStatus
from quaere.errors import QuestionError, SearchTimeout
from quaere.faces.cli.exits import (
    ErrorBody,
    ExitCode,
    NotSaved,
    ending,
    error_body,
    exit_code,
    wants_json,
)

QUESTION = "Who built the mill at Orrin?"


@pytest.mark.parametrize("form", ["json", "brief"])
@pytest.mark.parametrize(
    ("arguments", "kind", "code"),
    [
        (("ask", QUESTION, "-d", "/no/such/folder"), "usage_error", 2),
        (("ask", " ", "-d", "."), "question_error", 2),
        (("ask", QUESTION, "--max-iters", "many"), "usage_error", 2),
        (("ask", QUESTION, "--no-such-option"), "usage_error", 2),
        (("export", "nobody"), "trace_not_found", 2),
    ],
)
def test_a_run_without_a_report_prints_its_error_as_json_r0_3_r2_2(
    quaere: Run, form: str, arguments: tuple[str, ...], kind: str, code: int
) -> None:
    done = quaere(*arguments, "--format", form)
    assert done.returncode == code
    body = json.loads(done.stdout)
    assert list(body) == ["error"]
    assert list(body["error"]) == ["type", "message", "retryable"]
    assert (body["error"]["type"], body["error"]["retryable"]) == (kind, False)
    assert body["error"]["message"] in done.stderr
    plain = quaere(*arguments)
    assert (plain.returncode, plain.stdout) == (code, "")
    assert body["error"]["message"] in plain.stderr


def test_every_command_with_a_format_tells_its_errors_so(quaere: Run, tmp_path: Path) -> None:
    broken = {"QUAERE_DATABASE_URL": "sqlite:////proc/nowhere/quaere.db"}
    for arguments in (
        ("fetch", "no-such-file"),
        ("search", " "),
        ("check", "no-such-file"),
        ("index", "/no/such/folder"),
        ("trace", "diff", "aaaa", "bbbb"),
        ("trace", "list"),
        ("resume", "nobody"),
    ):
        done = quaere(*arguments, "-f", "json", env=broken if arguments[0] == "trace" else {})
        assert done.returncode in {1, 2}, arguments
        assert set(json.loads(done.stdout)["error"]) == {"type", "message", "retryable"}, arguments
        assert done.stderr, arguments


def test_an_error_that_may_pass_is_retryable_r0_3(quaere: Run) -> None:
    done = quaere(
        *("trace", "list", "--format=json"),
        env={"QUAERE_DATABASE_URL": "sqlite:////proc/nowhere/quaere.db"},
    )
    error = json.loads(done.stdout)["error"]
    assert (done.returncode, error["type"], error["retryable"]) == (1, "store_unavailable", True)


def test_a_defect_is_told_to_a_program_as_well() -> None:
    for debug in (False, True):
        done = ended_by_a_defect(*(["--debug"] * debug), "ask", "-", "--docs", ".", "-f", "json")
        assert json.loads(done.stdout)["error"]["type"] == "internal_error"


def test_an_interrupted_run_says_so_to_a_program(environment: dict[str, str]) -> None:
    """It waits on standard input until it is interrupted."""
    program = [sys.executable, "-m", "quaere", "ask", "-", "--docs", ".", "-f", "brief"]
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, *program[3:]],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        assert process.stderr.readline() == "ready\n"
        process.send_signal(SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["error"]["type"] == "interrupted"


WAITING = """
import io, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored

class Stdin:
    class buffer:
        @staticmethod
        def read(limit):
            print("ready", file=sys.stderr, flush=True)
            return sys.__stdin__.buffer.read(limit)

sys.stdin = Stdin
from quaere.faces.cli.main import main
main()
"""


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["ask", "x", "--format", "json"], True),
        (["ask", "x", "--format=brief"], True),
        (["ask", "x", "-f", "json"], True),
        (["ask", "x", "-fjson"], True),
        (["ask", "x", "-qf", "json"], True),
        (["ask", "x", "-f", "json", "-f", "text"], False),
        (["ask", "x", "-f", "text", "--format", "json"], True),
        (["ask", "--", "--format", "json"], False),
        (["ask", "x", "--format", "full"], False),
        (["ask", "x", "--format"], False),
        (["ask", "json"], False),
        ([], False),
    ],
)
def test_the_format_is_found_in_arguments_that_may_be_wrong(
    arguments: list[str], wanted: bool
) -> None:
    assert wants_json(arguments) is wanted


@given(st.lists(st.text("-f=q json", max_size=8)))
def test_no_arguments_break_the_search_for_the_format(arguments: list[str]) -> None:
    assert wants_json([*arguments, "--format", "json"]) is ("--" not in arguments)


def test_regular_ways_to_end_are_no_errors() -> None:
    for regular in (typer.Exit(3), NotSaved("x"), BrokenPipeError()):
        assert error_body(regular) is None
    expected = ErrorBody(type="search_timeout", message="late", retryable=True)
    assert error_body(SearchTimeout("late")) == expected
    assert error_body(QuestionError("empty")) == ErrorBody(
        type="question_error", message="empty", retryable=False
    )


def ended(**changes: object) -> Report:
    return samples.report().model_copy(update=changes)


def asked(*errors: str) -> tuple[QueryOutcome, ...]:
    query = Query(text="mill")
    return tuple(QueryOutcome(query=query, iteration=0, error=error) for error in errors)


def pages(**fetches: int) -> Figures:
    told = {ReadStatus(name): count for name, count in fetches.items()}
    return Figures(searches={"given": 3}, fetches=told)


UNREAD = (RunWarning(kind="read", subject="https://a.test/", message="It is gone."),)
EMPTY = (RunWarning(kind="empty", message="The folder is empty."),)
NONE = AnswerStatus.NO_EVIDENCE


@pytest.mark.parametrize(
    ("report", "code", "said"),
    [
        (ended(status=AnswerStatus.ANSWERED), ExitCode.ANSWERED, ""),
        (ended(), ExitCode.INSUFFICIENT, ""),
        (ended(queries=asked("down")), ExitCode.INSUFFICIENT, ""),
        (ended(status=NONE, queries=asked("")), ExitCode.NO_EVIDENCE, ""),
        (ended(status=NONE, queries=asked("", "down")), ExitCode.NO_EVIDENCE, ""),
        (ended(status=NONE, queries=()), ExitCode.NO_EVIDENCE, ""),
        (
            ended(status=NONE, queries=asked("down", "late")),
            ExitCode.ERROR,
            "Nothing could be searched. down. `quaere doctor` asks each service by itself",
        ),
        (
            ended(status=NONE, queries=asked(""), warnings=EMPTY),
            ExitCode.USAGE,
            "The folder is empty.",
        ),
        (
            ended(status=NONE, queries=asked(""), warnings=UNREAD, figures=pages(unreachable=2)),
            ExitCode.ERROR,
            "None of the pages that --url names could be read. https://a.test/: It is gone.",
        ),
        (
            ended(status=NONE, queries=asked(""), figures=pages(unreachable=1, ok=1)),
            ExitCode.NO_EVIDENCE,
            "",
        ),
        (
            ended(status=NONE, queries=asked(""), figures=Figures(searches={"given": 1})),
            ExitCode.NO_EVIDENCE,
            "",
        ),
        (
            ended(
                status=NONE,
                queries=asked(""),
                warnings=EMPTY,
                figures=Figures(searches={"folder": 1, "web": 1}),
            ),
            ExitCode.NO_EVIDENCE,
            "",
        ),
    ],
)
def test_a_report_ends_a_command_by_what_it_found(
    report: Report, code: ExitCode, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ending(report, strict=False) is code
    told = capsys.readouterr().err
    assert said in told
    assert bool(told) is bool(said)


def test_only_a_strict_command_minds_that_a_model_was_not_used() -> None:
    lost = (Degradation(step="plan", reason="no key", instead="rules"),)
    assert ending(ended(degradations=lost), strict=True) is ExitCode.DEGRADED
    assert ending(ended(degradations=lost), strict=False) is ExitCode.INSUFFICIENT
    assert ending(ended(), strict=True) is ExitCode.INSUFFICIENT


def test_an_error_of_the_user_s_making_has_a_code_of_its_own() -> None:
    assert exit_code(QuestionError("empty")) is ExitCode.USAGE
    assert exit_code(SearchTimeout("late")) is ExitCode.ERROR


def test_what_nobody_foresaw_and_what_was_interrupted_are_told_apart() -> None:
    for stopped in (KeyboardInterrupt(), SystemExit(1), typer.Abort()):
        body = error_body(stopped)
        assert body
        assert (body["type"], body["retryable"]) == ("interrupted", True)
    wrong = error_body(typer.BadParameter("no such file"))
    assert wrong
    assert (wrong["type"], wrong["retryable"]) == ("usage_error", False)
    assert "no such file" in wrong["message"]
    defect = error_body(ZeroDivisionError("by zero"))
    assert defect
    assert (defect["type"], defect["retryable"]) == ("internal_error", False)
    assert "Internal error (ZeroDivisionError): by zero." in defect["message"]
