"""Every form of the stream, over recorded runs: what is told, in what order, and how it ends."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faces.wire.streams import (
    KINDS,
    NAMES,
    Kind,
    Object,
    Received,
    bodies,
    log,
    read,
    received,
    report_of,
)
from tests.graphs.team import TWO
from tests.graphs.world import HOP, NOTHING, PLAIN, engine

from quaere.domain.budget import ProfileName
from quaere.domain.events import (
    Event,
    PlanMade,
    RunEvent,
    RunFailed,
    RunFinished,
    SearchFinished,
    SentenceWritten,
)
from quaere.domain.question import AnswerForm
from quaere.domain.report import AnswerStatus, Opens
from quaere.domain.request import RunSpec
from quaere.domain.verdict import StopReason
from quaere.faces.wire.parts import PING, Frame, ended, failed, queued, sse

MARKER = re.compile(r"\[(\d+)\]")

each_log = pytest.mark.parametrize("name", NAMES)
each_kind = pytest.mark.parametrize("kind", KINDS, ids=str)
each_other_kind = pytest.mark.parametrize("kind", KINDS[1:], ids=str)
"""All but the log itself."""


# The recorded runs are what their names say


def test_the_recorded_runs_are_twelve_and_each_is_a_whole_log() -> None:
    assert len(NAMES) == 12
    for name in NAMES:
        assert [event.seq for event in log(name)] == list(range(1, len(log(name)) + 1)), name
        assert isinstance(log(name)[-1], RunFinished | RunFailed), name


def test_the_recorded_runs_are_what_their_names_say() -> None:
    ends = {name: report_of(log(name)) for name in NAMES}
    reasons = {name: report.stop_reason for name, report in ends.items() if report}
    assert reasons["cut_short"] is StopReason.MAX_ITERATIONS
    assert reasons["degraded"] is StopReason.DEGRADED
    failed, cancelled = log("failed")[-1], log("cancelled")[-1]
    assert isinstance(failed, RunFailed)
    assert failed.error_type == "reason_error"
    assert isinstance(cancelled, RunFailed)
    assert cancelled.error_type == "run_cancelled"
    told = {name: report for name, report in ends.items() if report}
    assert told["no_evidence"].status is AnswerStatus.NO_EVIDENCE
    assert told["conflict"].conflicts
    assert told["long"].iterations == 22
    assert told["web"].calls
    assert told["folder"].citations[0].url.startswith("file:///notes/")
    assert re.search(r"[\u0600-\u06ff]", told["right_to_left"].answer)
    assert any(event.topic for event in log("researchers"))
    assert told["researchers"].answer.startswith("| Part |")
    assert "\n- " in told["folder"].answer


# The text


@each_log
@each_kind
def test_joined_the_text_is_the_answer_of_the_report(kind: Kind, name: str) -> None:
    events = log(name)
    text = "".join(kind.texts(bodies(read(kind.begin(), events))))
    report = report_of(events)
    assert text == (report.answer if report else "")


@each_log
@each_other_kind
def test_logs_from_before_sentences_told_what_they_append_come_with_the_end(
    kind: Kind, name: str
) -> None:
    events = [
        event.model_copy(update={"appended": ""}) if isinstance(event, SentenceWritten) else event
        for event in log(name)
    ]
    text = "".join(kind.texts(bodies(read(kind.begin(), events))))
    report = report_of(events)
    assert text == (report.answer if report else "")


@each_other_kind
def test_a_tail_that_no_sentence_has_told_comes_with_the_end(kind: Kind) -> None:
    *before, last = log("degraded")
    assert isinstance(last, RunFinished)
    whole = f"{last.report.answer} There may be more to find."
    report = last.report.model_copy(update={"answer": whole})
    events = [*before, last.model_copy(update={"report": report})]
    assert "".join(kind.texts(bodies(read(kind.begin(), events)))) == whole


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(ProfileName),
    st.sampled_from([HOP, PLAIN, NOTHING, TWO]),
    st.sampled_from([None, *AnswerForm]),
    st.booleans(),
)
def test_joined_the_text_is_the_answer_in_every_profile_and_layout(
    profile: ProfileName, question: str, layout: AnswerForm | None, cut: bool
) -> None:
    limits = {"max_iters": 1} if cut else {}
    spec = RunSpec.of(question, profile=profile, form=layout, limits=limits)

    async def run() -> list[Event]:
        return [event async for event in engine().stream(spec)]

    events = cast("Sequence[RunEvent]", asyncio.run(run()))
    report = report_of(events)
    assert report
    for kind in KINDS:
        told = "".join(kind.texts(bodies(read(kind.begin(), events))))
        assert told == report.answer, kind


def test_what_opens_paragraphs_and_lists_is_in_the_text() -> None:
    events = log("web")
    written = [event for event in events if isinstance(event, SentenceWritten)]
    assert {event.sentence.opens for event in written} <= {None, *Opens}
    report = report_of(events)
    assert report
    assert "".join(event.appended for event in written) == report.answer


# The sources


def citations(kind: Kind, told: Sequence[Object]) -> list[object]:
    """Return the numbers of the sources that a stream of ``kind`` tells, in their order."""
    match kind.name:
        case "native":
            report = cast("Mapping[str, Sequence[Object]]", told[-1]["report"])
            return [each["id"] for each in report["citations"]]
        case "chat":
            return [each["id"] for each in told if each["type"] == "citation"]
        case "openai_chat":
            return list(range(1, len(cast("Sequence[str]", told[-1]["citations"])) + 1))
        case "openai_responses":
            kinds = [each["type"] for each in told]
            return list(range(1, kinds.count("response.output_text.annotation.added") + 1))
        case "ag_ui":
            named = [each for each in told if each.get("name") == "quaere.citation"]
            return [cast("Object", each["value"])["id"] for each in named]
        case _:
            sources = [each for each in told if str(each["type"]).startswith("source-")]
            return [int(str(each["sourceId"])) for each in sources]


@each_log
@each_kind
def test_every_marker_is_the_number_of_a_source_and_sources_come_in_their_order(
    kind: Kind, name: str
) -> None:
    report = report_of(log(name))
    told = bodies(read(kind.begin(), log(name)))
    if report is None:
        return
    numbers = citations(kind, told)
    assert numbers == [each.id for each in report.citations]
    text = "".join(kind.texts(told))
    assert {int(number) for number in MARKER.findall(text)} <= set(cast("list[int]", numbers))


# The end


@each_kind
@pytest.mark.parametrize("name", ["failed", "cancelled"])
def test_a_run_without_a_report_ends_as_clients_expect(kind: Kind, name: str) -> None:
    got = read(kind.begin(), log(name))
    last = got[-1]
    match kind.name, name:
        case "native", _:
            assert last.event == "run_failed"
        case "chat", _:
            assert last.event == "error"
            error = cast("Object", last.body["error"])
            assert error["type"] == {"failed": "reason_error", "cancelled": "run_cancelled"}[name]
            assert error.keys() == {"type", "message", "retryable"}
        case "openai_chat", _:
            assert last.body.keys() == {"error"}
            assert all(each.data != "[DONE]" for each in got), "it would pass for a whole answer"
        case "openai_responses", _:
            assert last.event == "response.failed"
            response = cast("Object", last.body["response"])
            assert response["status"] == name
            assert (response["error"] is None) == (name == "cancelled")
        case "ag_ui", "failed":
            assert last.body["type"] == "RUN_ERROR"
        case "ag_ui", _:
            assert last.body["type"] == "RUN_FINISHED"
            assert last.body["outcome"] == {"type": "cancelled"}
        case _:
            end = {"failed": "error", "cancelled": "abort"}[name]
            assert (got[-2].body["type"], last.data) == (end, "[DONE]")


@each_kind
@pytest.mark.parametrize("name", [name for name in NAMES if report_of(log(name))])
def test_a_run_with_a_report_ends_as_clients_expect(kind: Kind, name: str) -> None:
    got = read(kind.begin(), log(name))
    last = got[-1]
    match kind.name:
        case "native":
            assert last.event == "run_finished"
        case "chat":
            assert [each.event for each in got[-2:]] == ["usage", "done"]
        case "openai_chat":
            (choice,) = cast("Sequence[Object]", got[-2].body["choices"])
            assert (choice["finish_reason"], last.data) == ("stop", "[DONE]")
        case "openai_responses":
            assert last.event == "response.completed"
        case "ag_ui":
            assert last.body["type"] == "RUN_FINISHED"
            assert last.body["outcome"] == {"type": "success"}
        case _:
            assert (got[-2].body["type"], last.data) == ("finish", "[DONE]")


# Numbers, by which a client goes on


@each_log
def test_frames_of_the_log_carry_its_numbers_and_control_frames_none(name: str) -> None:
    got = read(KINDS[0].begin(), log(name))
    assert [each.id for each in got] == [str(event.seq) for event in log(name)]
    assert [each.event for each in got] == [event.type for event in log(name)]
    away = failed("store_unavailable", "The database is away.", retryable=True)
    control = received(PING + b"".join(map(sse, (queued(3), away, ended("completed", 7)))))
    told = [("queued", ""), ("error", ""), ("end", "")]
    assert [(each.event, each.id) for each in control] == told
    assert control[2].body == {"status": "completed", "last_seq": 7}


@each_log
def test_a_chat_that_is_resumed_after_a_frame_misses_none(name: str) -> None:
    chat = KINDS[1]
    whole = read(chat.begin(), log(name))
    places = range(len(whole) + 1)
    for cut in (*places[:20], *places[20:-20:15], *places[-20:]):
        last = next((each.id for each in reversed(whole[:cut]) if each.id), "0")
        again = chat.begin()
        for event in log(name):
            if event.seq <= int(last):
                list(again.frames(event))
        rest = read(again, [event for event in log(name) if event.seq > int(last)])
        assert set(whole) <= {*whole[:cut], *rest}
        tokens = [each for each in (*whole[:cut], *rest) if each.event == "token"]
        assert tokens == [each for each in whole if each.event == "token"], "no word comes twice"


@each_log
@each_kind
def test_the_same_log_makes_the_same_stream(kind: Kind, name: str) -> None:
    assert read(kind.begin(), log(name)) == read(kind.begin(), log(name))


# The bytes


@given(st.text(alphabet=st.characters(codec="utf-8")), st.text(alphabet="ab\r\n\u2028\x85:"))
def test_no_text_can_break_out_of_its_frame(word: str, lines: str) -> None:
    text = f"{word}{lines}\n\nevent: run_finished\ndata: {{}}"
    stream = sse(Frame({"text": text}, event="token", id=4)) + sse(Frame(text, event="next"))
    first, second = received(stream)
    assert (first.id, first.body) == ("4", {"text": text})
    broken = text.replace("\r\n", "\n").replace("\r", "\n")
    assert second == Received("next", "", broken)


@each_kind
def test_what_a_page_says_in_its_title_stays_text(kind: Kind) -> None:
    title = "![x](https://evil.example/?q=1) <img src=x>\n\ndata: {}"
    events = [
        event.model_copy(
            update={
                "query": f"{event.query} {title}",
                "found": tuple(f.model_copy(update={"title": title}) for f in event.found),
            }
        )
        if isinstance(event, SearchFinished)
        else event
        for event in log("web")
    ]
    got = read(kind.begin(), events)
    shown = Counter(each.event for each in got)
    assert shown == Counter(each.event for each in read(kind.begin(), log("web")))
    told = [
        str(each.get("reasoning_content", "")) + str(each.get("message", ""))
        for each in bodies(got)
        if each.get("type") != "reasoning"
    ]
    assert not any("](" in line or "<img" in line for line in told)


def test_the_checklist_of_a_plan_reaches_clients_that_draw_it() -> None:
    plan = next(event for event in log("folder") if isinstance(event, PlanMade))
    wanted = [item.description for item in plan.checklist.items]
    (data,) = [
        cast("Object", each["data"])
        for each in bodies(read(KINDS[5].begin(), log("folder")))
        if each["type"] == "data-checklist"
    ][:1]
    assert [item["description"] for item in cast("Sequence[Object]", data["items"])] == wanted
