"""What the tools of the MCP server take and return, and what a report comes to in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import JsonValue
from tests.faces.cli import samples
from tests.synthesize.drafts import place_to_look, unanswered

from quaere.domain.question import MAX_QUESTION_CHARS
from quaere.domain.report import EarlierRun
from quaere.domain.value import Value
from quaere.errors import UsageError
from quaere.faces.mcp.forms import (
    MAX_RESULTS,
    MAX_STATUS_WAIT_S,
    MAX_TEXT_CHARS,
    CancelInput,
    CheckInput,
    DeepResearchInput,
    FetchInput,
    ResearchStatus,
    ResultInput,
    RunStatus,
    SearchInput,
    StatusInput,
    StatusOutput,
    checked,
    research_output,
    research_text,
    shown_url,
    status_text,
    working,
)


@pytest.mark.parametrize(
    ("kind", "least", "field", "within", "beyond"),
    [
        (SearchInput, {"query": "q"}, "limit", [1, MAX_RESULTS], [0, MAX_RESULTS + 1]),
        (SearchInput, {}, "query", ["q", "q" * MAX_QUESTION_CHARS], ["", "q" * 100_000]),
        (StatusInput, {"run_id": "a"}, "wait_s", [0, MAX_STATUS_WAIT_S], [-0.1, 25.1]),
        (ResultInput, {}, "run_id", ["a", "a" * 64], ["", "a" * 65]),
        (FetchInput, {}, "id", ["a", "a" * 4096], ["", "a" * 4097]),
        (FetchInput, {"id": "a"}, "offset", [0, 10**9], [-1]),
        (CheckInput, {}, "text", ["t", "t" * MAX_TEXT_CHARS], ["", "t" * (MAX_TEXT_CHARS + 1)]),
        (CheckInput, {"text": "t"}, "max_reads", [0, 200], [-1, 201]),
    ],
)
def test_bounds_are_kept_to_and_a_call_beyond_them_is_told_which(
    kind: type[Value],
    least: dict[str, JsonValue],
    field: str,
    within: list[JsonValue],
    beyond: list[JsonValue],
) -> None:
    for value in within:
        assert getattr(checked(kind, {**least, field: value}), field) == value
    for value in beyond:
        with pytest.raises(UsageError, match=f"Invalid arguments: {field}: "):
            checked(kind, {**least, field: value})


def test_who_asks_for_nothing_in_particular_gets_the_ordinary_call() -> None:
    assert checked(SearchInput, {"query": "q", "limit": None}).limit == 10
    assert checked(StatusInput, {"run_id": "a"}).wait_s == 0, "a status is told at once"
    assert not checked(CancelInput, {"run_id": "a", "finish": None}).finish
    assert not checked(DeepResearchInput, {"question": "Who?"}).wait
    assert checked(FetchInput, {"id": "a"}).offset == 0
    assert checked(CheckInput, {"text": "t"}).max_reads == 50


@pytest.mark.parametrize("arguments", [None, {}, {"query": None}])
def test_what_is_missing_is_named_with_all_there_is(
    arguments: dict[str, JsonValue] | None,
) -> None:
    with pytest.raises(UsageError) as raised:
        checked(SearchInput, arguments)
    assert "query: is missing" in raised.value.message
    assert "The arguments are: query, limit." in raised.value.message


def test_every_fault_is_named_in_one_message() -> None:
    with pytest.raises(UsageError) as raised:
        checked(SearchInput, {"query": "", "limit": 0, "sort": "date"})
    for field in ("query: ", "limit: ", "sort: "):
        assert field in raised.value.message


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a.example/the mill (1788)", "https://a.example/the%20mill%20%281788%29"),
        ("file:///notes/the mill.md", "file:///notes/the%20mill.md"),
        ("notes/mill.md", "notes/mill.md"),
        ("javascript:alert(1)", ""),
    ],
)
def test_a_url_is_encoded_and_one_that_leads_to_no_source_left_out(url: str, shown: str) -> None:
    assert shown_url(url) == shown


def test_places_to_look_are_data_and_stand_after_the_answer_in_the_text() -> None:
    place = place_to_look("The mill", "Wheel", "It turns.")
    output = research_output(unanswered().model_copy(update={"nearest": (place,)}))
    assert output.sources == ()
    assert [(each.title, each.url) for each in output.nearest] == [
        ("The mill", "file:///notes/the%20mill.md")
    ]
    assert research_text(output).startswith(
        f"{output.answer}\n\n"
        "Where to look. None of this answers the question; it comes nearest to it.\n"
        "- The mill, Wheel (/notes/the mill.md, lines 3-9): It turns.\n\n"
    )


def standing(status: RunStatus, message: str = "") -> StatusOutput:
    return StatusOutput(run_id="run-1", status=status, message=message, progress=0.256, iteration=2)


def test_a_status_is_one_line_that_says_what_to_do_when_it_is_over() -> None:
    going = status_text(standing(RunStatus.WORKING, "Read [1]\nx"))
    assert going == "Run run-1 is working (26%): Read (1) x"
    assert status_text(standing(RunStatus.COMPLETED)) == (
        "Run run-1 is completed (26%). Call research_result, or read quaere://runs/run-1/report."
    )


@pytest.mark.parametrize(
    ("status", "message", "said"),
    [
        (RunStatus.WORKING, "", "It goes on. Call"),
        (RunStatus.QUEUED, "", "It is waiting for a worker. Call"),
        (RunStatus.WORKING, "Read a.", "It goes on. So far: Read a. Call"),
    ],
)
def test_a_run_that_goes_on_says_how_to_follow_it(
    status: RunStatus, message: str, said: str
) -> None:
    output = working(standing(status, message))
    assert said in output.message
    assert (output.trace_id, output.iterations_used, output.progress) == ("run-1", 2, 0.256)
    assert output.status is ResearchStatus.WORKING


def test_a_report_is_told_as_data_and_as_text() -> None:
    report = samples.report("It stood.")
    output = research_output(report)
    (verdict,) = output.sentences
    assert verdict.sources == ("src_1",)
    lost = report.sentences[0].model_copy(update={"evidence": (7, 99)})
    (named,) = research_output(report.model_copy(update={"sentences": (lost,)})).sentences
    assert named.sources == ("src_1",), "what is not cited has no name"
    *_, missing, last = research_text(output).splitlines()
    assert missing == (
        "Not covered: when it was built - partial coverage; what it milled; more: It stood."
    )
    assert last.endswith(" The whole report: quaere://runs/run-1/report")
    assert "\nSources:\n[src_1] It stood. - file:///notes/mill.pdf\n\n" in research_text(output)
    before = EarlierRun(run_id="run-0", completed=datetime(2031, 5, 4, tzinfo=UTC), question="Who?")
    again = report.model_copy(update={"earlier_run": before})
    assert "Run run-0 asked nearly the same on 2031-05-04." in research_text(research_output(again))
