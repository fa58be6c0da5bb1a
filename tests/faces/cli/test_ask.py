"""``quaere ask``, as a process: what it writes where, and what its exit code says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run
from tests.faces.cli.samples import report

from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.events import RUN_EVENT
from quaere.domain.model import ModelCall
from quaere.domain.report import AnswerStatus, Report
from quaere.faces.cli.ask import _suggest_model
from quaere.faces.cli.groups import STDIN_BYTES
from quaere.models import nearby
from quaere.runtime.settings import Settings
from quaere.synthesize.brief import MAX_WORDS

QUESTION = "Who built the mill at Orrin?"


def test_an_answered_question_is_a_cited_text_and_exit_code_0(quaere: Run, docs: Path) -> None:
    done = quaere("ask", QUESTION, "--docs", docs, env={"FORCE_COLOR": "1"})
    assert done.returncode == 0, done.stderr
    answer, _, rest = done.stdout.partition("\n\nCitations\n")
    assert "built by Tamsin Wray in 1788" in answer
    assert re.search(r"\[1\]", answer)
    assert f"{docs}/mill.md, lines 1-6" in rest
    assert "The mill at Orrin was built by Tamsin Wray in 1788." in rest
    for part in (
        "Warnings",
        "torn.pdf",
        "How it went",
        "(sufficient)",
        " loop",
        "found, ",
    ):
        assert part in rest
    assert done.stderr.startswith(f"[  0.0 s] {QUESTION}\n")
    for stage in ("indexing", "searching", "planning", "evaluating", "verifying"):
        assert stage in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_brief_is_the_only_thing_on_standard_output(quaere: Run, docs: Path) -> None:
    """R2.1."""
    done = quaere("ask", QUESTION, "-d", docs, "--format", "brief", "--quiet")
    brief = json.loads(done.stdout)
    assert list(brief) == ["answer", "citations"]
    assert [list(citation) for citation in brief["citations"]] == [["id", "title", "url"]]
    assert "Tamsin Wray" in brief["answer"]
    assert "[1]" in brief["answer"]
    assert len(brief["answer"].split()) <= MAX_WORDS
    assert done.stderr == ""
    assert done.returncode == 0


def test_json_is_the_whole_report_and_events_are_its_log(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    log = tmp_path / "events.jsonl"
    done = quaere(
        *("ask", QUESTION, "-d", docs, "--format", "json", "--events", log),
        *("--profile", "deep", "--max-queries", "7", "--context", "for a walk"),
        env={"RESEARCH_MAX_QUERIES": "6", "RESEARCH_MAX_SOURCES": "9"},
    )
    report = Report.model_validate_json(done.stdout)
    assert report.status is AnswerStatus.ANSWERED
    assert report.profile is ProfileName.DEEP
    # The option before the environment, the environment before the profile (R0.11).
    assert report.budget == PROFILES[ProfileName.DEEP].override(
        {"max_queries": 7, "max_sources": 9}
    )
    events = [RUN_EVENT.validate_json(line) for line in log.read_text().splitlines()]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert (events[0].type, events[-1].type) == ("run_started", "run_finished")
    assert {event.run_id for event in events} == {report.run_id}


def test_a_report_goes_to_a_file_in_the_form_that_its_name_tells(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    done = quaere("ask", QUESTION, "-d", docs, "-q", "-o", tmp_path / "report.md")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "report.md").read_text().startswith(f"# {QUESTION}\n")


def test_an_answer_with_open_parts_is_exit_code_3(quaere: Run, docs: Path) -> None:
    question = "When was the mill at Orrin built and what did the mill cost?"
    done = quaere("ask", question, "-d", docs, "-q")
    assert done.returncode == 3
    answer, _, missing = done.stdout.partition("What is missing")
    assert "built by Tamsin Wray in 1788" in answer
    assert "what did the mill cost" in missing


def test_no_evidence_is_exit_code_4_and_said_plainly(quaere: Run, docs: Path) -> None:
    """R2.4: a plain answer, and no citations."""
    done = quaere("ask", "What is the boiling point of xenon?", "-d", docs, "-q", "-f", "brief")
    assert done.returncode == 4
    assert json.loads(done.stdout) == {
        "answer": "No evidence found that answers the question.",
        "citations": [],
    }


def test_a_run_that_is_not_kept_goes_on_from_an_earlier_one_all_the_same(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    settings = {"QUAERE_DATA_DIR": str(tmp_path / "data"), "QUAERE_RESUMABLE": "false"}
    first = quaere("ask", QUESTION, "-d", docs, "-q", "-f", "json", env=settings)
    run = Report.model_validate_json(first.stdout).run_id
    (tmp_path / "weir.md").write_text("# The weir\n\nThe weir at Pell is of oak.")
    done = quaere(
        *("ask", QUESTION, "-d", tmp_path / "weir.md", "-q", "--continue", run), env=settings
    )
    assert done.returncode == 0, done.stderr
    assert "built by Tamsin Wray in 1788 [1]" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--no-such-option"], "No such option: --no-such-option"),
        (["--profile", "lavish"], "Invalid value for '--profile'"),
        (["--format", "xls"], "Invalid value for '--format'"),
        (["--format", "pdf"], "add --output FILE.pdf"),
        (["--output", "report.xls"], "Unknown extension .xls"),
        (["--max-iters", "many"], "Invalid value for '--max-iters'"),
        (["--docs", ".", "-o", "a", "--record", "./a"], "must name different files"),
        (
            ["--docs", ".", "--replay", "tape"],
            "--replay cannot be combined with --docs.",
        ),
        (
            ["--docs", ".", "--record", "tape", "--reuse"],
            "cannot be combined with --continue or --reuse",
        ),
        (["--output", "/no/such/folder/report.md"], "the folder '/no/such/folder' does not exist"),
        (["--events", "-"], "- is not supported"),
        (
            ["--docs", ".", "--no-cache", "--refresh"],
            "--no-cache cannot be combined with --refresh.",
        ),
    ],
)
def test_bad_usage_is_exit_code_2_at_once(quaere: Run, arguments: list[str], message: str) -> None:
    done = quaere("ask", QUESTION, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("question", "arguments", "message"),
    [
        (QUESTION, ["--provider", "nobody"], "Unknown search service 'nobody'"),
        (QUESTION, ["--provider", "brave"], "BRAVE_API_KEY"),
        (QUESTION, ["--docs", "/no/such/folder"], "There is no file or folder '/no/such/folder'."),
        (" \n", ["--docs", "."], "The question is empty."),
        ("\x1b?\x07", ["--docs", "."], "The question contains no letters or digits."),
    ],
)
def test_what_the_engine_refuses_is_one_line_and_exit_code_2(
    quaere: Run, question: str, arguments: list[str], message: str, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    settings = {"QUAERE_DATA_DIR": str(data)}
    done = quaere("ask", question, "-q", *arguments, cwd=tmp_path, env=settings)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("quaere: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in data.rglob("*") if path.is_file()] == [], "nothing to resume"


def test_a_question_of_a_megabyte_from_standard_input_is_refused(quaere: Run, docs: Path) -> None:
    done = quaere("ask", "-", "-d", docs, stdin="mill " * 200_000)
    assert (done.returncode, done.stdout) == (2, "")
    assert "quaere: The question has 1,000,000 characters" in done.stderr
    assert len(done.stderr) < 1000
    assert STDIN_BYTES > 1_000_000


@pytest.mark.parametrize(
    "question",
    [
        b"Who built the \x1b[2Jmill\x00\x07 at \xff\xfe Orrin?\n",
        "מי בנה את \u202eהטחנה\u202c ב-Orrin? Tamsin".encode(),
    ],
    ids=["controls", "right-to-left"],
)
def test_odd_questions_from_standard_input_come_to_a_report(
    quaere: Run, docs: Path, question: bytes
) -> None:
    done = quaere("ask", "-", "-d", docs, stdin=question)
    assert done.returncode in {0, 3, 4}
    assert "How it went" in done.stdout
    assert not set("\x1b\x00\x07\u202e") & set(done.stdout + done.stderr)


def test_the_line_break_that_ends_standard_input_is_no_part_of_the_question(
    quaere: Run, docs: Path
) -> None:
    done = quaere("ask", "-", "-d", docs, "-q", "-f", "json", stdin=f"{QUESTION}\r\n")
    assert Report.model_validate_json(done.stdout).question == QUESTION


def test_an_argument_that_is_no_utf8_is_answered(quaere: Run, docs: Path) -> None:
    done = quaere("ask", b"Who built the mill at Orrin \xe9?", "-d", docs, "-q", "-f", "json")
    assert Report.model_validate_json(done.stdout).question == "Who built the mill at Orrin \ufffd?"


def test_a_folder_in_which_nothing_can_be_read_is_a_mistake(quaere: Run, tmp_path: Path) -> None:
    (tmp_path / "torn.pdf").write_bytes(b"%PDF-1.7")
    (tmp_path / "lie.docx").write_bytes(b"PK\x03\x04 nonsense")
    done = quaere("ask", QUESTION, "-d", tmp_path)
    assert done.returncode == 2
    assert "none of 2 files could be read" in done.stderr
    assert "torn.pdf" in done.stdout
    assert "lie.docx" in done.stdout


def test_the_environment_names_the_folders_when_no_option_does(quaere: Run, docs: Path) -> None:
    done = quaere("ask", QUESTION, "-q", env={"QUAERE_DOCS": json.dumps([str(docs)])})
    assert done.returncode == 0
    assert "Tamsin Wray" in done.stdout


def test_what_is_piped_in_and_no_text_is_no_question(quaere: Run, docs: Path) -> None:
    done = quaere("ask", "-", "-d", docs, "-q", stdin=bytes(range(256)) * 8)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "quaere: Standard input is not text; it must be the question.\n"


def test_a_model_that_is_ready_is_told_of_once_to_whom_sits_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(cache_dir=tmp_path / "not" / "yet")
    without = report()
    with_one = without.model_copy(update={"calls": (ModelCall(step="plan", model="moth"),)})

    def listed(_: Mapping[str, str]) -> list[str]:
        return ["ollama:moth", "ollama:owl"]

    def told(made: Report = without, *, at_terminal: bool = True, quiet: bool = False) -> str:
        monkeypatch.setattr(nearby, "nearby_models", listed)
        monkeypatch.setattr("sys.stderr.isatty", lambda: at_terminal)
        _suggest_model(settings, made, quiet=quiet)
        return capsys.readouterr().err

    assert told(at_terminal=False) == told(quiet=True) == told(with_one) == ""
    assert told() == (
        "ollama:moth is ready on this machine: add --model ollama:moth, or --model auto.\n"
    )
    assert told() == ""
