"""AG-UI, event by event: what its clients make of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest
from tests.faces.wire.streams import NAMES, RUN, Object, bodies, log, read, report_of

from quaere.domain.events import (
    Evaluated,
    PhaseStarted,
    PlanMade,
    RunEvent,
    RunFinished,
    SearchFinished,
    SentenceWritten,
    SourceRead,
    WarningRaised,
)
from quaere.domain.model import ModelCall, Usage
from quaere.faces.wire.ag_ui import ACTIVITY, PROTOCOL_VERSION, AgUiStream
from quaere.faces.wire.parts import (
    activity_body,
    checklist_body,
    cited_body,
    outcome_body,
    source_links,
    weaknesses,
)

each_log = pytest.mark.parametrize("name", NAMES)
each_report = pytest.mark.parametrize("name", [name for name in NAMES if report_of(log(name))])


def told_of(events: Sequence[RunEvent]) -> list[Object]:
    return bodies(read(AgUiStream("thread-1", RUN), events))


def of_kind(told: Sequence[Object], kind: str) -> list[Object]:
    return [each for each in told if each["type"] == kind]


def custom(told: Sequence[Object], name: str) -> list[object]:
    return [each["value"] for each in of_kind(told, "CUSTOM") if each["name"] == name]


@each_log
def test_a_run_begins_under_the_ids_of_its_client_with_nothing_done_yet(name: str) -> None:
    started, activity, *_ = told_of(log(name))
    assert (started["threadId"], started["runId"]) == ("thread-1", RUN)
    assert started["protocolVersion"] == PROTOCOL_VERSION
    assert activity["messageId"] == f"research-{RUN}"
    assert activity["activityType"] == ACTIVITY
    assert activity["content"] == {"searches": [], "pages": []}


@each_log
def test_searches_and_pages_are_added_to_the_activity_in_their_order(name: str) -> None:
    done = [event for event in log(name) if isinstance(event, SearchFinished | SourceRead)]
    deltas = of_kind(told_of(log(name)), "ACTIVITY_DELTA")
    for event, delta in zip(done, deltas, strict=True):
        path = "/searches/-" if isinstance(event, SearchFinished) else "/pages/-"
        assert delta["patch"] == [{"op": "add", "path": path, "value": activity_body(event)}]
        assert delta["messageId"] == f"research-{RUN}"


@each_log
def test_the_steps_are_the_phases_of_the_run_itself(name: str) -> None:
    phases = [str(e.phase) for e in log(name) if isinstance(e, PhaseStarted) and not e.topic]
    told = told_of(log(name))
    assert [each["stepName"] for each in of_kind(told, "STEP_STARTED")] == phases
    assert [each["stepName"] for each in of_kind(told, "STEP_FINISHED")] == phases


@each_log
def test_the_state_is_what_plan_and_evaluations_of_the_run_say(name: str) -> None:
    told = told_of(log(name))
    plans = [e for e in log(name) if isinstance(e, PlanMade) and not e.topic]
    for plan, each in zip(plans, of_kind(told, "STATE_SNAPSHOT"), strict=True):
        assert each["snapshot"] == {
            "question": plan.refined_question,
            "checklist": checklist_body(plan.checklist),
            "coverage": 0.0,
            "gaps": [],
        }
    weighed = [e for e in log(name) if isinstance(e, Evaluated) and not e.topic]
    for event, each in zip(weighed, of_kind(told, "STATE_DELTA"), strict=True):
        assert each["delta"] == [
            {"op": "add", "path": "/checklist", "value": checklist_body(event.checklist)},
            {"op": "add", "path": "/coverage", "value": event.coverage},
            {"op": "add", "path": "/gaps", "value": list(event.gaps)},
        ]


@each_report
def test_the_answer_is_one_message_from_its_first_word_to_its_last(name: str) -> None:
    told = told_of(log(name))
    (begun,) = of_kind(told, "TEXT_MESSAGE_START")
    (ended,) = of_kind(told, "TEXT_MESSAGE_END")
    assert (begun["role"], begun["messageId"]) == ("assistant", f"answer-{RUN}")
    pieces = of_kind(told, "TEXT_MESSAGE_CONTENT")
    assert {each["messageId"] for each in (begun, *pieces, ended)} == {f"answer-{RUN}"}
    assert told.index(begun) < told.index(pieces[0])
    assert told.index(pieces[-1]) < told.index(ended)


@each_report
def test_verdicts_come_with_their_sentences_and_citations_at_the_end(name: str) -> None:
    report = report_of(log(name))
    assert report
    told = told_of(log(name))
    verdicts = cast("Sequence[Object]", custom(told, "quaere.verdict"))
    assert [each["text"] for each in verdicts] == [each.text for each in report.sentences]
    cited = [
        cited_body(each, link, report)
        for each, link in zip(report.citations, source_links(report.citations), strict=True)
    ]
    assert custom(told, "quaere.citation") == cited
    ended = told[-1]
    assert (ended["threadId"], ended["runId"]) == ("thread-1", RUN)
    assert ended["result"] == outcome_body(report)


def test_a_verdict_is_told_once_and_a_text_without_a_claim_has_none() -> None:
    events = log("web")
    claims = [
        event
        for event in events
        if isinstance(event, SentenceWritten) and event.sentence.evidence and event.appended
    ]
    told = told_of(events)
    assert len(custom(told, "quaere.verdict")) == len(claims) > 1


def test_warnings_are_told_as_they_are() -> None:
    told = custom(told_of(log("degraded")), "quaere.warning")
    warned = [event.warning for event in log("degraded") if isinstance(event, WarningRaised)]
    report = report_of(log("degraded"))
    assert report
    warned += weaknesses(report)
    assert told == [each.model_dump(mode="json") for each in warned]
    assert len(told) == 4


def test_the_researchers_of_a_round_end_before_the_next_step_and_begin_once() -> None:
    told = told_of(log("researchers"))
    begun = [each["subagentRunId"] for each in of_kind(told, "SUBAGENT_STARTED")]
    assert begun == [f"topic-{n}-{RUN}" for n in range(1, len(begun) + 1)]
    assert [each["subagentRunId"] for each in of_kind(told, "SUBAGENT_FINISHED")] == begun
    assert {each["name"] for each in of_kind(told, "SUBAGENT_STARTED")} == {"researcher"}


def usage_of(*calls: ModelCall) -> object:
    *before, last = log("web")
    assert isinstance(last, RunFinished)
    report = last.report.model_copy(update={"calls": calls})
    return told_of([*before, last.model_copy(update={"report": report})])[-1].get("usage")


def test_usage_is_told_by_model_and_not_at_all_without_one() -> None:
    used = Usage(prompt_tokens=70, completion_tokens=9, cached_tokens=40, reasoning_tokens=5)
    calls = [
        ModelCall(step="plan", model="openai:gpt", usage=used),
        ModelCall(step="write", model="moth", usage=used),
        ModelCall(step="check", model="openai:gpt", usage=used),
    ]
    one = {
        "inputTokens": 70,
        "outputTokens": 9,
        "totalTokens": 79,
        "reasoningTokens": 5,
        "cachedInputTokens": 40,
    }
    twice = {key: 2 * count for key, count in one.items()}
    told = cast("Sequence[Object]", usage_of(*calls))
    assert [{k: v for k, v in each.items() if v is not None} for each in told] == [
        {"provider": "openai", "model": "gpt", **twice},
        {"model": "moth", **one},
    ]
    assert usage_of() is None


@pytest.mark.parametrize("name", ["failed", "cancelled"])
def test_an_answer_that_breaks_off_is_ended_and_so_is_its_step(name: str) -> None:
    events = log("web")
    place = next(n for n, each in enumerate(events) if isinstance(each, SentenceWritten))
    told = told_of([*events[: place + 1], log(name)[-1]])
    kinds = [str(each["type"]) for each in told[-3:]]
    last = {"failed": "RUN_ERROR", "cancelled": "RUN_FINISHED"}[name]
    assert kinds == ["TEXT_MESSAGE_END", "STEP_FINISHED", last]
    if name == "failed":
        failed = log(name)[-1].model_dump()
        assert (told[-1]["message"], told[-1]["code"]) == (failed["message"], failed["error_type"])
    else:
        assert (told[-1]["threadId"], told[-1]["runId"]) == ("thread-1", RUN)
