"""Parts of a run as JSON, as several forms have them."""

from __future__ import annotations

from tests.faces.cli import samples

from quaere.domain.events import SearchFinished, SourceRead
from quaere.domain.model import ModelCall, Usage
from quaere.domain.source import ReadStatus
from quaere.faces.wire.bodies import (
    activity_body,
    checklist_body,
    cited_body,
    outcome_body,
    total_usage,
)

REPORT = samples.report("It stood.")


def test_what_a_run_does_is_told_without_what_it_found_in_full() -> None:
    search = SearchFinished(query="q", intent="raw", provider="web", hits=2, fresh=1, seconds=0.5)
    assert activity_body(search) == {
        "query": "q", "provider": "web", "hits": 2, "fresh": 1,
        "seconds": 0.5, "error": "", "topic": "",
    }  # fmt: skip
    page = SourceRead(url="https://a.org", title="A", status=ReadStatus.OK, passages=3)
    assert activity_body(page) == {
        "url": "https://a.org", "title": "A", "status": "ok", "passages": 3,
        "seconds": 0.0, "reason": "", "topic": "",
    }  # fmt: skip


def test_a_checklist_is_told_item_by_item() -> None:
    assert checklist_body(samples.CHECKLIST)[1] == {
        "id": "b", "description": "when it was built", "status": "partial"
    }  # fmt: skip


def test_a_citation_is_told_with_its_words_and_the_verdict_on_what_cites_it() -> None:
    (citation,) = REPORT.citations
    body = cited_body(citation, "https://a.org#x", REPORT)
    assert body == {
        "id": 1, "title": "It stood.", "url": "file:///notes/mill.pdf", "link": "https://a.org#x",
        "type": "folder", "location": "/notes/mill.pdf, page 3 It stood.", "locator": "page 3",
        "quote": "It stood.", "verdict": "supported", "retrieved_at": None,
    }  # fmt: skip
    read = citation.model_copy(update={"retrieved_at": "2026-01-02T03:04:05Z"})
    assert cited_body(read, "", REPORT)["retrieved_at"] == "2026-01-02T03:04:05Z"


def test_how_a_run_ended_is_told_in_a_few_fields() -> None:
    assert outcome_body(REPORT) == {
        "run_id": "run-1", "status": "insufficient", "stop_reason": "no_new_information",
        "confidence": 0.6, "nearest": [],
    }  # fmt: skip


def test_the_usage_of_calls_is_added_and_estimated_if_one_of_them_is() -> None:
    def call(first: int, *, estimated: bool = False) -> ModelCall:
        usage = Usage(
            prompt_tokens=first,
            completion_tokens=first + 1,
            cached_tokens=first + 2,
            reasoning_tokens=first + 3,
            estimated=estimated,
        )
        return ModelCall(step="plan", model="a:1", usage=usage)

    assert total_usage([]) == Usage()
    whole = Usage(prompt_tokens=30, completion_tokens=32, cached_tokens=34, reasoning_tokens=36)
    assert total_usage([call(10), call(20)]) == whole
    for one, other in ((True, False), (False, True), (True, True)):
        calls = [call(10, estimated=one), call(20, estimated=other)]
        assert total_usage(calls) == whole.model_copy(update={"estimated": True})
