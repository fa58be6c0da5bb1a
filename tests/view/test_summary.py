"""The columns of a trace follow its events (R4.3)."""

from __future__ import annotations

from functools import reduce

from tests.store.runs import failed_run, whole_run

from quaere.domain.events import Evaluated, Event, ModelCalled, RunFinished, SearchFinished
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Query
from quaere.domain.report import QueryOutcome, Sentence
from quaere.view.reduce import Progress
from quaere.view.summary import Summary, closing_line, metrics_of


def test_the_state_has_the_shape_of_the_document() -> None:
    summary = Summary()
    for event in whole_run():
        summary = summary.after(event)
    state = summary.state
    assert list(state) == ["refined_question", "checklist", "knowledge_base", "iterations"]
    assert state["refined_question"] == "Orrin"
    assert state["checklist"] == [
        {"id": "a", "description": "who built the mill", "satisfied": True}
        | {"status": "satisfied", "evidence": []},
        {"id": "b", "description": "when it was built", "satisfied": False}
        | {"status": "partial", "evidence": []},
        {"id": "c", "description": "what it milled", "satisfied": False}
        | {"status": "unsatisfied", "evidence": []},
    ]
    assert state["iterations"] == [
        {"iteration": 1, "queries": ["mill Orrin"], "results_count": 6}
        | {"checklist_progress": "1/3"},
        {"iteration": 2, "queries": ["Orrin"], "results_count": 0, "checklist_progress": "1/3"},
    ]
    knowledge = state["knowledge_base"]
    assert isinstance(knowledge, dict)
    assert knowledge["facts"] == ["The mill at Orrin was built by Tamsin Wray."]
    assert knowledge["sources"] == [
        {"id": "src_1", "type": "folder", "pmid": None}
        | {"title": "The mill", "url": "file:///notes/mill.md"}
    ]


def test_progress_never_goes_back_and_ends_at_one() -> None:
    summary, seen = Summary(), [0.0]
    for event in whole_run():
        summary = summary.after(event)
        seen.append(summary.progress.share)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert len(set(seen)) > 4


def test_a_topic_does_not_pass_for_the_whole() -> None:
    evaluated = next(event for event in whole_run() if isinstance(event, Evaluated))
    summary = Summary().after(evaluated.model_copy(update={"topic": "the weir"}))
    assert summary.progress.checklist.items == ()
    assert summary.progress.loops == ()


def test_a_finished_run_has_a_result_and_metrics_r4_3() -> None:
    done = Summary().after(whole_run()[-1])
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    assert done.share == 1.0
    assert done.result == {
        "answer": finished.report.answer,
        "sources": [
            {
                "id": "src_1",
                "type": "folder",
                "title": "The mill at Orrin was built by Tamsin Wray.",
                "url": "file:///notes/mill.pdf",
                "snippet": "The mill at Orrin was built by Tamsin Wray.",
            }
        ],
        "checklist_coverage": {"unsatisfied": 2, "partial": 1, "satisfied": 1},
        "status": "insufficient",
        "stop_reason": "no_new_information",
        "confidence": 0.6,
    }
    assert done.metrics == {
        "total_iterations": 2,
        "queries": 3,
        "failed_queries": 1,
        "poor_queries": 0,
        "sources_processed": 9,
        "pages_read": 4,
        "pubmed_queries": 0,
        "web_queries": 0,
        "searches": {},
        "failed_searches": {},
        "verdicts": {"supported": 1},
        "fetches": {},
        "evidence_pooled": 0,
        "evidence_selected": 0,
        "stage_seconds": {},
        "llm_calls": 0,
        "tokens": 1234,
        "cost_usd": 0.25,
        "seconds": 2.5,
    }
    assert Summary().after(failed_run()[-1]).result == {}


def test_searches_that_failed_are_counted_by_provider() -> None:
    summary = Summary()
    for provider, error in (("folder", ""), ("wikipedia", "down"), ("wikipedia", "down")):
        search = SearchFinished(
            query="mill", intent="raw", provider=provider, hits=0, fresh=0, error=error
        )
        summary = summary.after(search)
    assert "failed_searches" not in summary.metrics, "the run is not over"
    done = summary.after(whole_run()[-1])
    assert done.metrics["failed_searches"] == {"wikipedia": 2}


def progress_of(events: list[Event]) -> Progress:
    return reduce(Progress.after, events, Progress())


def test_the_closing_line_of_a_run_is_that_of_its_report() -> None:
    """R3.10: one line for each run, without a word of it."""
    events = whole_run()
    assert closing_line(progress_of(events), events[-1], 9.0) == {
        "loops": 2,
        "stop_reason": "no_new_information",
        "status": "insufficient",
        "queries": 3,
        "failed_queries": 1,
        "poor_queries": 0,
        "searches": {},
        "fetches": {},
        "evidence_pooled": 0,
        "evidence_selected": 0,
        "llm_calls": 0,
        "tokens": 1234,
        "cost_usd": 0.25,
        "seconds": 2.5,
        "stage_seconds": {},
    }


def test_a_run_that_came_to_no_report_is_told_as_far_as_it_went() -> None:
    usage = Usage(prompt_tokens=70)
    calls = [
        ModelCalled(call=ModelCall(step="plan", model="a:1", usage=usage, cost_usd=cost))
        for cost in (0.5, None)
    ]
    failing = SearchFinished(query="q", intent="raw", provider="p", hits=0, fresh=0, error="no")
    *before, failure = failed_run()
    evaluated = next(event for event in whole_run() if isinstance(event, Evaluated))
    progress = progress_of([*before, *calls, failing, evaluated])
    line = closing_line(progress, failure, 9.12345)
    assert line == {
        "loops": 1,
        "stop_reason": "search_error",
        "status": "failed",
        "queries": 2,
        "failed_queries": 1,
        "poor_queries": 0,
        "searches": {"": 1, "p": 1},
        "fetches": {},
        "evidence_pooled": 0,
        "evidence_selected": 0,
        "llm_calls": 2,
        "tokens": 140,
        "cost_usd": 0.5,
        "seconds": 9.123,
        "stage_seconds": {"indexing": 2.0},
    }
    stopped = closing_line(progress, before[-1], 9.12345)
    assert stopped == line | {"status": "stopped", "stop_reason": ""}
    assert Summary(progress).metrics == {"llm_calls": 2, "tokens": 140, "cost_usd": 0.5}


def test_a_query_that_found_little_has_not_failed() -> None:
    def told(query: str, provider: str, hits: int, error: str = "") -> SearchFinished:
        return SearchFinished(
            query=query, intent="raw", provider=provider, hits=hits, fresh=hits, error=error
        )

    searches = (
        *(told("mill", "p", 5), told("mill", "r", 0, "down")),
        *(told("weir", "p", 2), told("weir", "r", 0, "down")),
        *(told("sket", "p", 0, "down"), told("sket", "r", 0, "down")),
    )
    begun = closing_line(progress_of(list(searches)), searches[-1], 1.0)
    assert [begun[f"{each}queries"] for each in ("", "failed_", "poor_")] == [3, 1, 1]
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    outcomes = (("mill", 5, ""), ("weir", 2, ""), ("sket", 0, "down"))
    queries = tuple(
        QueryOutcome(query=Query(text=text), iteration=0, hits=hits, error=error)
        for text, hits, error in outcomes
    )
    metrics = metrics_of(finished.report.model_copy(update={"queries": queries}))
    assert (metrics["failed_queries"], metrics["poor_queries"]) == (1, 1)


def test_facts_are_what_rests_on_evidence_and_the_stage_is_the_last() -> None:
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    bare = Sentence(text="So it is.")
    report = finished.report.model_copy(update={"sentences": (bare,), "steps": ()})
    done = Summary().after(finished.model_copy(update={"report": report}))
    knowledge = done.state["knowledge_base"]
    assert isinstance(knowledge, dict)
    assert knowledge["facts"] == []
    assert done.metrics["sources_processed"] == 0
    assert done.stage == "finalizing"
