"""The UI message stream of the AI SDK, part by part."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.faces.wire.streams import NAMES, Object, bodies, log, read, report_of

from quaere.domain.events import (
    Evaluated,
    PlanMade,
    RunEvent,
    RunFailed,
    RunFinished,
    SearchFinished,
    SentenceWritten,
    SourceRead,
    WarningRaised,
)
from quaere.faces.wire.ai_sdk import UiMessageStream
from quaere.faces.wire.openai import usage_body
from quaere.faces.wire.parts import (
    activity_body,
    checklist_body,
    cited_body,
    outcome_body,
    progress_line,
    source_links,
    total_usage,
)

each_log = pytest.mark.parametrize("name", NAMES)
each_report = pytest.mark.parametrize("name", [name for name in NAMES if report_of(log(name))])


def told_of(events: Sequence[RunEvent]) -> list[Object]:
    return bodies(read(UiMessageStream(), events))


def of_kind(told: Sequence[Object], *kinds: str) -> list[Object]:
    return [each for each in told if each["type"] in kinds]


@each_log
def test_a_message_begins_with_the_id_of_its_run(name: str) -> None:
    first, second, *_ = told_of(log(name))
    run = log(name)[0].run_id
    assert first == {"type": "start", "messageId": run, "messageMetadata": {"runId": run}}
    assert second == {"type": "start-step"}


@each_log
def test_reasoning_is_the_progress_until_the_answer_begins(name: str) -> None:
    told = told_of(log(name))
    lines: list[str] = []
    for event in log(name):
        if isinstance(event, SentenceWritten) and event.appended:
            break
        if line := progress_line(event):
            lines.append(f"{line}\n")
    assert [each["delta"] for each in of_kind(told, "reasoning-delta")] == lines
    assert len(of_kind(told, "reasoning-start")) == len(of_kind(told, "reasoning-end")) == 1
    assert {e["id"] for e in of_kind(told, "reasoning-start", "reasoning-end")} == {"progress"}
    assert {e["id"] for e in of_kind(told, "text-start", "text-delta", "text-end")} <= {"answer"}


@each_log
def test_what_the_run_does_has_parts_under_the_numbers_of_the_log(name: str) -> None:
    told = told_of(log(name))
    for event in log(name):
        if isinstance(event, SearchFinished | SourceRead):
            kind = "search" if isinstance(event, SearchFinished) else "page"
            part = {"type": f"data-{kind}", "id": f"{kind}-{event.seq}"}
            assert {**part, "data": activity_body(event)} in told
        if isinstance(event, WarningRaised):
            warned = event.warning.model_dump(mode="json")
            part = {"type": "data-warning", "id": f"warning-{event.seq}"}
            assert {**part, "data": warned} in told
    wanted = [e for e in log(name) if isinstance(e, PlanMade | Evaluated) and not e.topic]
    assert of_kind(told, "data-checklist") == [
        {
            "type": "data-checklist",
            "id": "checklist",
            "data": {"items": checklist_body(event.checklist)},
        }
        for event in wanted
    ]


@each_report
def test_each_claim_has_a_verdict_right_after_its_words(name: str) -> None:
    report = report_of(log(name))
    assert report
    told = told_of(log(name))
    verdicts = of_kind(told, "data-verdict")
    assert len(verdicts) == len(report.sentences)
    assert len({each["id"] for each in verdicts}) == len(verdicts)
    for each in verdicts:
        assert told[told.index(each) - 1]["type"] == "text-delta"


@each_report
def test_the_sources_come_after_the_text_and_before_the_end(name: str) -> None:
    report = report_of(log(name))
    assert report
    wanted: list[Object] = [{"type": "text-end", "id": "answer"}]
    for each, link in zip(report.citations, source_links(report.citations), strict=True):
        if link.startswith("http"):
            source = {"type": "source-url", "url": link, "title": each.title}
        else:
            source = {
                "type": "source-document",
                "mediaType": "text/plain",
                "title": each.title,
                "filename": each.location,
            }
        wanted.append({**source, "sourceId": str(each.id)})
        data = cited_body(each, link, report)
        wanted.append({"type": "data-citation", "id": f"citation-{each.id}", "data": data})
    wanted.append({"type": "finish-step"})
    usage = usage_body(total_usage(report.calls))
    metadata = {**outcome_body(report), "usage": usage}
    wanted.append({"type": "finish", "messageMetadata": metadata})
    assert told_of(log(name))[-len(wanted) :] == wanted


def test_a_source_on_the_web_is_known_by_its_scheme() -> None:
    *before, last = log("web")
    assert isinstance(last, RunFinished)
    (cited, *_) = last.report.citations
    urls = ["http://a.example/x", "https://a.example/x", "httpx:a", "file:///x"]
    citations = tuple(
        cited.model_copy(update={"id": n, "url": url}) for n, url in enumerate(urls, 1)
    )
    report = last.report.model_copy(update={"citations": citations})
    told = told_of([*before, last.model_copy(update={"report": report})])
    kinds = [each["type"] for each in of_kind(told, "source-url", "source-document")]
    assert kinds == ["source-url", "source-url", "source-document", "source-document"]


@pytest.mark.parametrize(("name", "end"), [("failed", "error"), ("cancelled", "abort")])
def test_a_message_that_breaks_off_is_closed_first(name: str, end: str) -> None:
    events = log("web")
    place = next(n for n, each in enumerate(events) if isinstance(each, SentenceWritten))
    last = log(name)[-1]
    assert isinstance(last, RunFailed)
    *_, closed, ended = told_of([*events[: place + 1], last])
    assert closed == {"type": "text-end", "id": "answer"}
    wanted = {"type": "error", "errorText": last.message} if end == "error" else {"type": "abort"}
    assert ended == wanted
