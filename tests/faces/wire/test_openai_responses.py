"""Responses, item by item: what clients of OpenAI's Responses read of a run, and how it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import pytest
from openai.types.responses import Response
from tests.faces.wire.streams import NAMES, RUN, Object, bodies, log, read, report_of

from quaere.domain.events import (
    RunEvent,
    RunFailed,
    RunFinished,
    SearchFinished,
    SentenceWritten,
    SourceRead,
)
from quaere.domain.model import Usage
from quaere.domain.source import ReadStatus
from quaere.faces.wire.openai import ResponseOptions, ResponseStream, Sources, response_id
from quaere.faces.wire.parts import Body, closing_list, progress_line, source_links, total_usage

each_log = pytest.mark.parametrize("name", NAMES)
each_report = pytest.mark.parametrize("name", [name for name in NAMES if report_of(log(name))])
PLAIN = ResponseOptions()
each_place = pytest.mark.parametrize("sources", Sources)


def told_of(events: Sequence[RunEvent], options: ResponseOptions = PLAIN) -> list[Object]:
    return bodies(read(ResponseStream(RUN, 12.5, options), events))


def of_kind(told: Sequence[Object], kind: str) -> list[Object]:
    return [each for each in told if each["type"] == kind]


def ended(told: Sequence[Object]) -> Mapping[str, object]:
    """Return the response as the last event has it."""
    return cast("Object", told[-1]["response"])


def items(told: Sequence[Object], kind: str) -> list[Object]:
    return [each for each in cast("list[Object]", ended(told)["output"]) if each["type"] == kind]


def begun_to_answer(name: str = "web") -> list[RunEvent]:
    """Return the events of a run up to the first sentence of its answer."""
    events = log(name)
    place = next(n for n, each in enumerate(events) if isinstance(each, SentenceWritten))
    return list(events[: place + 1])


# What was asked, and how it stands


def test_what_a_client_has_said_of_its_response_is_read_in_it_again() -> None:
    said = ResponseOptions(
        model="m",
        background=True,
        instructions="Be brief.",
        previous_response_id="resp_0",
        metadata={"ticket": "9"},
    )
    stream = ResponseStream(RUN, 12.5, said)
    asked: Body = {
        "id": f"resp_{RUN}",
        "object": "response",
        "created_at": 12.5,
        "model": "m",
        "background": True,
        "instructions": "Be brief.",
        "metadata": {"ticket": "9"},
        "previous_response_id": "resp_0",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "temperature": None,
        "top_p": None,
    }
    none_yet = {"error": None, "incomplete_details": None, "usage": None, "quaere": None}
    assert stream.response == {**asked, **none_yet, "output": [], "status": "queued"}
    told = bodies(read(stream, log("web")))
    assert asked.items() <= dict(ended(told)).items()
    assert ended(told) == stream.response
    assert response_id(RUN) == asked["id"]


def test_a_response_begins_empty_and_in_progress() -> None:
    created, begun, *_ = told_of(log("web"))
    for each, kind in ((created, "response.created"), (begun, "response.in_progress")):
        response = cast("Object", each["response"])
        assert each["type"] == kind
        assert (response["status"], response["output"]) == ("in_progress", [])


# Reasoning


@each_log
def test_the_reasoning_is_the_progress_up_to_the_answer(name: str) -> None:
    told = told_of(log(name))
    deltas = [each["delta"] for each in of_kind(told, "response.reasoning_summary_text.delta")]
    lines: list[str] = []
    for event in log(name):
        if isinstance(event, SentenceWritten) and event.appended:
            break
        if line := progress_line(event):
            lines.append(f"{line}\n")
    assert deltas == lines
    text = "".join(lines)
    part = {"type": "summary_text", "text": text}
    (added,) = of_kind(told, "response.reasoning_summary_part.added")
    (whole,) = of_kind(told, "response.reasoning_summary_text.done")
    (closed,) = of_kind(told, "response.reasoning_summary_part.done")
    assert added["part"] == {"type": "summary_text", "text": ""}
    assert whole["text"] == text
    assert closed["part"] == part
    (item,) = items(told, "reasoning")
    assert item == {
        "type": "reasoning",
        "id": f"rs_{RUN}",
        "summary": [part],
        "status": "completed",
    }


@each_log
def test_what_is_told_of_an_item_names_it_and_its_place(name: str) -> None:
    told = told_of(log(name))
    output = cast("list[Object]", ended(told)["output"])
    placed = [each for each in told if "item_id" in each]
    assert placed
    for each in placed:
        assert output[cast("int", each["output_index"])]["id"] == each["item_id"]
        assert each.get("summary_index", 0) == each.get("content_index", 0) == 0
    for each in told:
        if each["type"] in {"response.output_item.added", "response.output_item.done"}:
            item = cast("Object", each["item"])
            assert output[cast("int", each["output_index"])]["id"] == item["id"]


@each_log
def test_an_item_is_in_progress_until_it_is_done_and_nothing_is_told_of_it_afterwards(
    name: str,
) -> None:
    open_: set[object] = set()
    for each in told_of(log(name)):
        place = each.get("output_index")
        match each["type"]:
            case "response.output_item.added":
                open_.add(place)
                item = cast("Object", each["item"])
                assert item["type"] == "reasoning" or item["status"] == "in_progress"
            case "response.output_item.done":
                open_.remove(place)
            case _:
                assert place is None or place in open_
    assert not open_


# Searches and pages


def calls_of(*events: RunEvent) -> list[Object]:
    first = log("web")[0]
    return told_of((first, *events, log("failed")[-1]))


def test_a_search_that_was_answered_lists_what_it_found() -> None:
    search = next(e for e in log("web") if isinstance(e, SearchFinished) and e.found)
    told = calls_of(search)
    (call,) = items(told, "web_search_call")
    assert call == {
        "type": "web_search_call",
        "id": f"ws_{RUN}_{search.seq}",
        "status": "completed",
        "action": {
            "type": "search",
            "query": search.query,
            "queries": [search.query],
            "sources": [{"type": "url", "url": each.url} for each in search.found],
        },
    }
    steps = [str(each["type"]) for each in told if "web_search_call" in str(each["type"])]
    assert steps == [
        f"response.web_search_call.{step}" for step in ("in_progress", "searching", "completed")
    ]


def test_a_search_that_failed_is_not_called_completed() -> None:
    search = next(event for event in log("web") if isinstance(event, SearchFinished))
    told = calls_of(search.model_copy(update={"error": "503", "found": ()}))
    (call,) = items(told, "web_search_call")
    assert call["status"] == "failed"
    assert not of_kind(told, "response.web_search_call.completed")
    assert of_kind(told, "response.web_search_call.searching")


@pytest.mark.parametrize("final", ["", "https://a.example/new"])
@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (ReadStatus.OK, "completed"),
        (ReadStatus.NOT_FOUND, "failed"),
        (ReadStatus.TIMEOUT, "failed"),
    ],
)
def test_a_page_is_opened_at_the_address_that_it_is_at(
    final: str, status: ReadStatus, outcome: str
) -> None:
    page = SourceRead(
        url="https://a.example/old", final_url=final, title="Mill", status=status, seq=7
    )
    (call,) = items(calls_of(page), "web_search_call")
    assert call["action"] == {"type": "open_page", "url": final or "https://a.example/old"}
    assert (call["status"], call["id"]) == (outcome, f"ws_{RUN}_7")


# The answer


@each_report
@each_place
def test_the_message_is_the_answer_with_its_list_of_sources_or_alone(
    name: str, sources: Sources
) -> None:
    told = told_of(log(name), ResponseOptions(sources=sources))
    report = report_of(log(name))
    assert report
    text = report.answer + (closing_list(report) if sources is Sources.APPEND else "")
    deltas = [str(each["delta"]) for each in of_kind(told, "response.output_text.delta")]
    assert "".join(deltas) == text
    assert all(deltas)
    (done,) = of_kind(told, "response.output_text.done")
    assert done["text"] == text
    (begun,) = of_kind(told, "response.content_part.added")
    empty: Body = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
    assert begun["part"] == empty
    annotations = [
        each["annotation"] for each in of_kind(told, "response.output_text.annotation.added")
    ]
    part = {**empty, "text": text, "annotations": annotations}
    (closed,) = of_kind(told, "response.content_part.done")
    assert closed["part"] == part
    (message,) = items(told, "message")
    assert message == {
        "type": "message",
        "id": f"msg_{RUN}",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


@each_report
def test_annotations_are_numbered_and_lie_on_the_markers(name: str) -> None:
    told = told_of(log(name))
    report = report_of(log(name))
    assert report
    added = of_kind(told, "response.output_text.annotation.added")
    assert [each["annotation_index"] for each in added] == list(range(len(report.citations)))
    text = str(of_kind(told, "response.output_text.done")[0]["text"])
    links = source_links(report.citations)
    for each, cited, link in zip(added, report.citations, links, strict=True):
        said = cast("Object", each["annotation"])
        start, end = cast("int", said["start_index"]), cast("int", said["end_index"])
        assert (said["type"], said["url"], said["title"]) == ("url_citation", link, cited.title)
        assert text[start:end] == f"[{cited.id}]"


@each_report
def test_a_response_that_is_completed_says_what_the_run_came_to(name: str) -> None:
    report = report_of(log(name))
    assert report
    response = ended(told_of(log(name)))
    Response.model_validate(response)
    own = cast("Object", response["quaere"])
    assert (response["status"], response["error"]) == ("completed", None)
    assert own["run_id"] == report.run_id
    assert own["status"] == str(report.status)
    assert own["gaps"] == list(report.gaps)
    claims = cast("Sequence[Object]", own["sentences"])
    assert {each["text"] for each in claims} <= {each.text for each in report.sentences}
    usage = total_usage(report.calls)
    assert cast("Object", response["usage"])["total_tokens"] == usage.total_tokens


def test_each_count_of_tokens_has_its_own_field() -> None:
    *before, last = log("web")
    assert isinstance(last, RunFinished)
    usage = Usage(prompt_tokens=70, completion_tokens=9, cached_tokens=40, reasoning_tokens=5)
    calls = (last.report.calls[0].model_copy(update={"usage": usage}),)
    report = last.report.model_copy(update={"calls": calls})
    told = told_of([*before, last.model_copy(update={"report": report})])
    assert ended(told)["usage"] == {
        "input_tokens": 70,
        "input_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 0},
        "output_tokens": 9,
        "output_tokens_details": {"reasoning_tokens": 5},
        "total_tokens": 79,
    }


# Ends without a report


@pytest.mark.parametrize("name", ["failed", "cancelled"])
def test_an_answer_that_breaks_off_stays_as_far_as_it_was_told(name: str) -> None:
    written = begun_to_answer()
    last = log(name)[-1]
    assert isinstance(last, RunFailed)
    told = told_of([*written, last])
    text = "".join(each.appended for each in written if isinstance(each, SentenceWritten))
    (message,) = items(told, "message")
    assert message["status"] == "incomplete"
    (part,) = cast("Sequence[Object]", message["content"])
    assert (part["text"], part["annotations"]) == (text, [])
    response = ended(told)
    error = {"code": "server_error", "message": last.message}
    wanted = {"failed": ("failed", error), "cancelled": ("cancelled", None)}[name]
    assert (response["status"], response["error"]) == wanted
    assert (response["usage"], response["quaere"]) == (None, None)


def test_a_run_that_breaks_off_before_its_answer_leaves_no_message() -> None:
    told = told_of(log("failed"))
    assert items(told, "message") == []
    assert not of_kind(told, "response.content_part.done")
    assert [each["type"] for each in told[-2:]] == ["response.output_item.done", "response.failed"]


def test_nothing_is_thought_aloud_once_the_answer_has_begun() -> None:
    before = begun_to_answer()
    late = [event for event in log("web") if isinstance(event, SearchFinished)]
    told = told_of([*before, *late, log("cancelled")[-1]])
    begun = next(n for n, e in enumerate(told) if e["type"] == "response.output_text.delta")
    assert not any("reasoning" in str(each["type"]) for each in told[begun:])
    calls = items(told, "web_search_call")
    assert len(calls) == len(
        [e for e in before if isinstance(e, SearchFinished | SourceRead)]
    ) + len(late)
