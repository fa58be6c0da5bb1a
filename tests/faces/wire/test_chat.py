"""The stream of the chat API, event by event (R3.7)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.faces.wire.streams import NAMES, Object, bodies, log, read, report_of

from quaere.domain.events import Phase, PhaseStarted, RunEvent, RunFailed, RunStarted, WarningRaised
from quaere.faces.wire.chat import ChatStream
from quaere.faces.wire.parts import progress_line, source_links, total_usage, verdict_on

each_log = pytest.mark.parametrize("name", NAMES)
each_report = pytest.mark.parametrize("name", [name for name in NAMES if report_of(log(name))])


def told_of(events: Sequence[RunEvent]) -> list[Object]:
    return bodies(read(ChatStream(), events))


def of_kind(told: Sequence[Object], kind: str) -> list[Object]:
    return [each for each in told if each["type"] == kind]


@each_log
def test_every_line_of_progress_is_told_with_its_phase_and_counts(name: str) -> None:
    told = of_kind(told_of(log(name)), "progress")
    events = [
        event
        for event in log(name)
        if progress_line(event) and not isinstance(event, RunStarted | WarningRaised)
    ]
    considered = read_ = 0
    for event, each in zip(events, told, strict=True):
        assert each["message"] == progress_line(event)
        assert each.get("loop") == (event.loop or None)
        assert each.get("maxLoops") == (event.max_loops or None)
    for event in log(name):
        considered = max(considered, event.sources_considered)
        read_ = max(read_, event.sources_read)
    if told and report_of(log(name)):
        assert told[-1]["sourcesConsidered"] == considered
        assert told[-1]["sourcesRead"] == read_


@pytest.mark.parametrize(
    ("phase", "told"),
    [
        (Phase.INDEXING, "planning"),
        (Phase.SEARCHING, "searching"),
        (Phase.ITERATING, "iterating"),
        (Phase.VERIFYING, "synthesizing"),
        (Phase.FINALIZING, "finalizing"),
    ],
)
def test_phases_have_the_names_of_the_api(phase: Phase, told: str) -> None:
    begun = next(event for event in log("web") if isinstance(event, PhaseStarted))
    (each,) = told_of([begun.model_copy(update={"phase": phase})])
    assert each["phase"] == told


@each_log
def test_a_client_goes_on_from_the_last_frame_of_an_event(name: str) -> None:
    stream = ChatStream()
    for event in log(name):
        frames = list(stream.frames(event))
        assert all(frame.id is None for frame in frames[:-1])
        if frames:
            assert frames[-1].id == event.seq


def test_a_client_cannot_go_on_from_an_end_that_the_log_does_not_have() -> None:
    made_up = RunFailed(
        run_id="gone",
        phase=Phase.FINALIZING,
        error_type="run_cancelled",
        message="It was cancelled.",
        retryable=False,
    )
    (frame,) = ChatStream().frames(made_up)
    assert frame.event == "error"
    assert frame.id is None


@each_report
def test_a_chat_ends_with_its_sources_what_it_took_and_how_it_went(name: str) -> None:
    report = report_of(log(name))
    assert report
    told = told_of(log(name))
    cited = [
        {
            "type": "citation",
            "id": each.id,
            "title": each.title,
            "url": each.url,
            "link": link,
            "source_type": each.type,
            "location": each.location,
            "quote": each.quote.text,
            "verdict": str(verdict_on(each, report.sentences)),
        }
        for each, link in zip(report.citations, source_links(report.citations), strict=True)
    ]
    assert of_kind(told, "citation") == cited
    usage, done = told[-2:]
    tokens = total_usage(report.calls)
    assert usage == {
        "type": "usage",
        "prompt_tokens": tokens.prompt_tokens,
        "completion_tokens": tokens.completion_tokens,
        "total_tokens": tokens.total_tokens,
        "model_calls": report.spend.model_calls,
        "cost_usd": report.spend.cost_usd,
        "iterations": report.iterations,
        "queries": report.spend.queries,
        "seconds": report.seconds,
    }
    assert done["run_id"] == report.run_id
    assert done["status"] == str(report.status)
    assert done["stop_reason"] == str(report.stop_reason)
    assert done["confidence"] == report.confidence


@pytest.mark.parametrize("name", ["failed", "cancelled"])
def test_a_chat_that_came_to_nothing_says_why_and_whether_to_try_again(name: str) -> None:
    last = log(name)[-1]
    assert isinstance(last, RunFailed)
    assert told_of(log(name))[-1]["error"] == {
        "type": last.error_type,
        "message": last.message,
        "retryable": last.retryable,
    }
