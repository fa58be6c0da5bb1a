"""What ``quaere ask`` and ``quaere submit`` can say of a question: sources, answer, effort."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run
from tests.faces.cli.loopback import in_background
from tests.look_alikes import web_engines
from tests.look_alikes.server import LookAlikeServer
from tests.look_alikes.shelf import Shelf
from tests.misbehaving.server import Site, page, serving

from quaere.domain.budget import MODE_LIMITS, Mode
from quaere.domain.question import AnswerForm, Turn
from quaere.domain.report import Report
from quaere.domain.request import Cached, RunSpec

QUESTION = "Who built the mill at Orrin?"
MOTH = "What does the lantern moth feed on?"
WHEEL = b"""<!doctype html><html lang="en"><head><title>The tide mill</title></head><body><article>
<h1>The tide mill</h1><p>The tide mill of Sallow Creek was rebuilt by Ines Quarrie in 1907, after a
storm had taken its wheel and most of the dam that held the water back.</p></article>"""
HERON = WHEEL.replace(b"Ines Quarrie", b"Odo Heron")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with in_background(serving({"/mill": page(WHEEL), "/other": page(HERON)})) as running:
        yield running


def reported(quaere: Run, *arguments: str | Path, env: Mapping[str, str] | None = None) -> Report:
    done = quaere("ask", *arguments, "-q", "-f", "json", "--no-cache", env=env)
    assert done.returncode in {0, 3, 4}, done.stderr
    return Report.model_validate_json(done.stdout)


def test_the_answer_comes_from_the_pages_that_are_named(quaere: Run, site: Site) -> None:
    allowed = {"QUAERE_READ_HOSTS": site.host, "QUAERE_READ_PORTS": str(site.port)}
    asked = "Who rebuilt the tide mill of Sallow Creek in 1907?"
    report = reported(quaere, asked, "--url", f"{site.url}/mill", env=allowed)
    assert "Ines Quarrie" in report.answer
    assert {citation.url for citation in report.citations} == {f"{site.url}/mill"}
    both = ("--url", f"{site.url}/mill", "--url", f"{site.url}/other")
    read = {each.url for each in reported(quaere, asked, *both, env=allowed).evidence}
    assert read == {f"{site.url}/mill", f"{site.url}/other"}


def test_sites_and_dates_reach_the_service(quaere: Run) -> None:
    with in_background(LookAlikeServer(web_engines.tavily(Shelf()))) as server:
        env = {"TAVILY_API_KEY": "k", "TAVILY_BASE_URL": server.base_url}
        asked = (MOTH, "-p", "tavily")
        report = reported(
            quaere,
            *(*asked, "--site", "library.example", "--exclude-site", "Moths.Example"),
            *("--published-after", "2020-01-01", "--published-before", "2022-12-31"),
            *("--source-language", "en"),
            env=env,
        )
        assert "salt lichen" in report.answer
        for request in server.asked:
            assert request.body["include_domains"] == ["library.example"]
            assert request.body["exclude_domains"] == ["moths.example"]
            assert request.body["start_date"] == "2020-01-01"
            assert request.body["end_date"] == "2022-12-31"
        left_out = reported(quaere, *asked, "--exclude-site", "library.example", env=env)
        assert left_out.citations == ()
        too_late = reported(quaere, *asked, "--published-after", "2022-01-01", env=env)
        assert too_late.citations == ()


def test_what_is_preferred_comes_first(quaere: Run, site: Site) -> None:
    allowed = {"QUAERE_READ_HOSTS": f"{site.host},localhost", "QUAERE_READ_PORTS": str(site.port)}
    there = f"http://localhost:{site.port}/other"
    pages = ("--url", f"{site.url}/mill", "--url", there, "--max-reads", "1")
    asked = ("Who rebuilt the tide mill of Sallow Creek in 1907?", *pages)
    assert "Ines Quarrie" in reported(quaere, *asked, env=allowed).answer
    preferred = reported(quaere, *asked, "--prefer-site", "localhost", env=allowed)
    assert "Odo Heron" in preferred.answer


def test_the_answer_has_the_form_that_was_asked_for(quaere: Run, docs: Path) -> None:
    asked = ("Who built the mill at Orrin and what did it grind?", "-d", docs)
    listed = reported(quaere, *asked, "--form", "list").answer
    told = (
        "The mill at Orrin was built by Tamsin Wray in 1788. It ground barley for the whole valley"
    )
    assert listed.startswith(f"- {told} [1].")
    assert listed.count("built by") == 1
    table = reported(quaere, *asked, "--form", "table").answer
    assert re.search(r"^\|.*\|$", table, re.MULTILINE), table


def test_another_language_than_the_sources_is_told_of(quaere: Run, docs: Path) -> None:
    report = reported(quaere, QUESTION, "-d", docs, "--language", "de")
    assert [each.reason for each in report.degradations] == [
        "the answer is in English; German was asked for"
    ]


def test_a_follow_up_question_means_what_the_conversation_is_about(
    quaere: Run, docs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "talk.json"
    path.write_text(
        json.dumps([{"question": "Who built the mill at Orrin?", "answer": "Tamsin Wray did."}])
    )
    report = reported(quaere, "Where was she born?", "-d", docs, "--conversation", path)
    assert "Lower Sket" in report.answer
    assert any("Wray" in outcome.query.text for outcome in report.queries)


def test_a_mode_brings_its_limits_and_options_override_them(quaere: Run, docs: Path) -> None:
    """R3.1; the same precedence as everywhere: option, environment, mode, profile."""
    asked = (QUESTION, "-d", docs, "--mode", "deep_research", "--max-queries", "7")
    budget = reported(quaere, *asked, env={"RESEARCH_MAX_ITERS": "4"}).budget
    limits = MODE_LIMITS[Mode.DEEP_RESEARCH]
    assert budget.max_reads == limits.get("max_reads")
    assert (budget.max_queries, budget.max_iters) == (7, 4)


def test_a_submitted_run_is_asked_for_in_the_same_words(quaere: Run, tmp_path: Path) -> None:
    talk = tmp_path / "talk.json"
    talk.write_text('[{"question": "Who?", "answer": "She."}]')
    done = quaere(
        *("submit", "-", "--url", "https://a.example/", "--site", "A.example", "--refresh"),
        *("--prefer-site", "b.example", "--exclude-site", "c.example", "--form", "short"),
        *("--published-after", "2020-01-31", "--source-language", "de", "--language", "en"),
        *("--conversation", talk, "--mode", "brief", "--max-reads", "3", "--words", "50"),
        stdin=QUESTION,
        env={"QUAERE_DATA_DIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    connection = sqlite3.connect(tmp_path / "quaere.db")
    ((kept,),) = connection.execute("SELECT request FROM jobs").fetchall()
    connection.close()
    request = RunSpec.model_validate_json(kept).request
    scope = request.scope
    assert request.question == QUESTION
    assert scope.urls == ("https://a.example/",)
    assert scope.sites.model_dump() == {
        "only": ("a.example",),
        "prefer": ("b.example",),
        "exclude": ("c.example",),
    }
    assert (str(scope.published_after), scope.published_before) == ("2020-01-31", None)
    assert (scope.languages, request.language, request.form) == (("de",), "en", AnswerForm.SHORT)
    assert request.conversation == (Turn(question="Who?", answer="She."),)
    assert (request.mode, request.cached) == (Mode.BRIEF, Cached.REFRESH)
    assert request.limits == {"max_reads": 3, "answer_words": 50}


def test_an_estimate_knows_of_the_pages_and_the_mode(quaere: Run) -> None:
    asked = ("--url", "https://a.example/", "--mode", "deep_research", "--dry-run")
    done = quaere("ask", QUESTION, *asked, "-f", "json")
    made = json.loads(done.stdout)
    assert made["budget"]["max_iters"] == 6
    assert len(made["providers"]) == 1


@pytest.mark.parametrize("command", ["ask", "submit"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--url", "notes/mill.md"], "is not an http or https URL; name files"),
        (["--site", "a b"], "'a b' is not a host name"),
        (["--prefer-site", ""], "'' is not a host name"),
        (["--exclude-site", "https://a.example"], "is not a host name"),
        (["--published-after", "2024-13-01"], "is not a date"),
        (["--published-before", "1700000000"], "is not a date"),
        (["--source-language", "english"], "is not an ISO 639 code"),
        (["--language", "d"], "is not an ISO 639 code"),
        (["--max-iters", "0"], "'--max-iters': it must be at least 1, not '0'."),
        (["--max-iters", "101"], "'--max-iters': it must be at most 100, not '101'."),
        (["--max-queries", "some"], "'--max-queries': it must be a whole number, not 'some'."),
        (["--max-time", "nan"], "'--max-time': it must be a finite number, not 'nan'."),
        (["--max-time", "0"], "'--max-time': it must be greater than 0, not '0'."),
        (["--max-cost", "-1"], "'--max-cost': it must be at least 0, not '-1'."),
        (["--words", "9"], "'--words': it must be at least 10, not '9'."),
        (["--form", "poem"], "Invalid value for '--form'"),
        (["--mode", "wild"], "Invalid value for '--mode'"),
        (
            ["--published-after", "2024-01-02", "--published-before", "2024-01-01"],
            "the first day of publication, 2024-01-02, is later than the last, 2024-01-01",
        ),
        (
            ["--conversation", "/no/such/file"],
            "Cannot read '/no/such/file': No such file or directory.",
        ),
    ],
)
def test_a_bad_value_is_a_usage_error(
    quaere: Run, tmp_path: Path, command: str, arguments: list[str], message: str
) -> None:
    done = quaere(command, QUESTION, *arguments, env={"QUAERE_DATA_DIR": str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert not list(tmp_path.rglob("*.run"))


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("no JSON", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ('{"question": "Who?", "answer": "She."}', "a conversation is a JSON list of objects"),
        ('[{"question": "Who?"}]', "conversation.0.answer"),
    ],
    ids=["text", "deep", "object", "half"],
)
def test_a_file_that_holds_no_conversation_is_a_usage_error(
    quaere: Run, tmp_path: Path, written: str, message: str
) -> None:
    (tmp_path / "talk.json").write_text(written)
    done = quaere("ask", QUESTION, "-q", "--conversation", tmp_path / "talk.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_replay_names_every_option_that_it_cannot_follow(quaere: Run) -> None:
    asked = ("--replay", "tape", "--url", "https://a.example/", "--exclude-site", "b.example")
    done = quaere("ask", QUESTION, *asked)
    assert done.returncode == 2
    assert "--replay cannot be combined with --url, --exclude-site." in done.stderr


def test_help_groups_the_options(quaere: Run) -> None:
    done = quaere("ask", "--help", env={"COLUMNS": "80"})
    heads = re.findall(r"^(\w+):$", done.stdout, re.MULTILINE)
    assert heads == ["Arguments", "Sources", "Answer", "Research", "Output", "Recording", "Options"]
    assert max(map(len, done.stdout.splitlines())) <= 80
