"""What the events of a run add up to, on screen and in the database."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faces.cli import samples
from tests.store.runs import failed_run, whole_run

from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCompacted,
    IndexProgress,
    InquiryAnswered,
    InquiryRaised,
    ModelCalled,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFailed,
    RunFinished,
    SearchFinished,
    SentenceDrafted,
    SentenceWritten,
    SourceRead,
)
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist, Item, Query, SourceKind
from quaere.domain.report import QueryOutcome, Sentence
from quaere.domain.source import ReadStatus
from quaere.domain.team import Inquiry, InquiryKind, Reply
from quaere.view.reduce import (
    STAGES,
    Progress,
    Summary,
    closing_line,
    figures,
    metrics_of,
    with_figures,
)


def _after(events: Iterable[Event]) -> Progress:
    return reduce(Progress.after, events, Progress())


def test_a_whole_run_adds_up() -> None:
    progress = _after(samples.events())
    assert progress.question == samples.QUESTION
    assert progress.budget is not None
    assert (progress.found, progress.read, progress.refused) == (6, 5, 1)
    assert [search.hits for search in progress.searches] == [6, 0]
    assert progress.checklist == samples.CHECKLIST
    assert progress.remaining == samples.remaining()
    assert progress.warnings == 1
    assert progress.indexing is not None
    assert progress.indexing.passages == 40


def test_iterating_is_searching_again_and_the_last_loop_is_the_last_that_searched() -> None:
    progress = Progress()
    seen: list[tuple[Phase | None, int]] = []
    for event in samples.events():
        progress = progress.after(event)
        if not seen or seen[-1] != (progress.stage, progress.loop):
            seen.append((progress.stage, progress.loop))
    assert seen == [
        (None, 0),
        (Phase.INDEXING, 0),
        (Phase.SEARCHING, 1),
        (Phase.READING, 1),
        (Phase.PLANNING, 1),
        (Phase.EVALUATING, 1),
        (Phase.SEARCHING, 2),
        (Phase.EVALUATING, 2),
        (Phase.SYNTHESIZING, 2),
        (Phase.VERIFYING, 2),
    ]


def test_the_checklist_of_one_topic_among_several_is_not_that_of_the_run() -> None:
    own = Checklist(items=(Item(id="topic-1", description="Who built it?"),))
    part = Checklist(items=(Item(id="answer", description="The person"),))
    plans: list[Event] = [
        PlanMade(refined_question="q", checklist=own, queries=()),
        PlanMade(refined_question="q", checklist=part, queries=(), topic="Who built it?"),
    ]
    assert _after(plans).checklist == own


def test_stages_are_all_phases_but_those_that_are_no_place_to_be() -> None:
    assert set(Phase) - set(STAGES) == {Phase.ITERATING, Phase.FINALIZING}


@settings(max_examples=30, deadline=None)
@given(st.permutations(samples.events()))
def test_counts_never_go_down_in_whatever_order_events_come(events: list[Event]) -> None:
    progress = Progress()
    for event in events:
        later = progress.after(event)
        for count in ("found", "read", "refused", "warnings"):
            assert getattr(later, count) >= getattr(progress, count)
        progress = later


def test_loops_fill_the_share_up_to_writing_and_no_further() -> None:
    shares = [_entered(Phase.EVALUATING, loop=loop).share for loop in (1, 2, 3, 4)]
    assert shares == sorted(shares)
    assert all(len(str(share)) <= len("0.123") for share in shares)
    assert shares[-1] < _entered(Phase.SYNTHESIZING, loop=3).share < 1.0
    assert shares[1] - shares[0] > 0.2


def test_a_topic_among_several_does_not_end_the_stage_of_the_whole() -> None:
    whole = _entered(Phase.SEARCHING, loop=1, at="2026-01-01T00:00:00+00:00")
    assert whole.entered is not None
    own = _started(Phase.READING, loop=1, at="2026-01-01T00:00:05+00:00")
    part = own.model_copy(update={"topic": "Who built it?"})
    assert whole.after(part).entered == whole.entered
    assert whole.after(part).stage_seconds == {}
    assert whole.after(own).stage_seconds == {"searching": 5.0}


def test_what_was_not_read_is_refused_and_what_came_with_a_search_is_read() -> None:
    ends = (ReadStatus.OK, ReadStatus.PROVIDED, ReadStatus.OK, ReadStatus.TIMEOUT)
    progress = _after([SourceRead(url="https://e.org/", title="", status=end) for end in ends])
    assert progress.refused == 1


@pytest.mark.parametrize(
    ("calls", "writer"),
    [
        ([("synthesize", "a:1", ""), ("synthesize", "a:2", ""), ("check", "a:3", "")], "a:2"),
        ([("synthesize", "a:1", ""), ("synthesize", "a:2", "HTTP 500")], "a:1"),
        ([("evaluate", "a:1", "")], "extractive"),
    ],
)
def test_the_report_names_the_model_that_wrote_last(
    calls: list[tuple[str, str, str]], writer: str
) -> None:
    made = [ModelCall(step=step, model=model, error=error) for step, model, error in calls]
    progress = _after([ModelCalled(call=call) for call in made])
    report = samples.report().model_copy(update={"reasoner": "extractive"})
    told = with_figures(progress, RunFinished(phase=Phase.FINALIZING, report=report))
    assert told.report.synthesis.model == writer


DAY = "2026-01-01T00:00:"
FOLDER, PUBMED, WEB = SourceKind.FOLDER, SourceKind.PUBMED, SourceKind.WEB


def _searched(*kinds: SourceKind, provider: str = "a", retries: int = 0) -> SearchFinished:
    return SearchFinished(
        query="q", intent="raw", provider=provider, kinds=kinds, hits=1, fresh=1, retries=retries
    )


def test_searches_count_by_where_they_went() -> None:
    """R3.10: what a run took and made."""
    searches = [
        _searched(FOLDER),
        _searched(FOLDER, WEB, retries=1),
        _searched(PUBMED, provider="b"),
        _searched(WEB, PUBMED, retries=2),
        _searched(WEB, provider="b"),
        _searched(),
        _searched(WEB),
    ]
    told = figures(_after(searches))
    assert (told.pubmed_queries, told.web_queries) == (2, 3)
    assert told.searches == {"a": 5, "b": 2}
    assert told.retried_searches == 2


def test_figures_tell_of_pages_evidence_and_shortened_steps() -> None:
    told = figures(_after(samples.events()))
    assert told.fetches == {ReadStatus.OK: 1, ReadStatus.BLOCKED: 1}
    assert (told.evidence_pooled, told.evidence_selected) == (5, 0)
    assert told.compactions == 1
    twice = [event for event in samples.events() if isinstance(event, EvidenceCompacted)] * 2
    assert figures(_after(twice)).compactions == 2


def test_the_time_of_a_stage_is_that_of_all_its_visits() -> None:
    at = [f"2026-01-01T00:00:{second}+00:00" for second in ("00", "02.0004", "03", "07", "01")]
    entered = [
        _started(phase, loop=1, at=when)
        for phase, when in zip(
            (Phase.SEARCHING, Phase.READING, Phase.SEARCHING, Phase.READING, Phase.SEARCHING),
            at,
            strict=True,
        )
    ]
    assert figures(_after(entered[:4])).stage_seconds == {"searching": 6.0, "reading": 1.0}
    assert figures(_after(entered)).stage_seconds["reading"] == 1.0, "a clock that was set back"
    untimed = _started(Phase.READING, loop=1)
    assert figures(_after([entered[0], untimed, entered[2]])).stage_seconds == {}
    failed = RunFailed(phase=Phase.READING, error_type="e", message="m", retryable=False, at=at[1])
    assert _after([entered[0], failed]).stage_seconds == {"searching": pytest.approx(2.0004)}


def test_a_stage_begins_with_the_first_that_is_told_of_it() -> None:
    first, later = (
        IndexProgress(
            phase=Phase.INDEXING,
            folder="n",
            done=done,
            total=2,
            passages=0,
            at=f"{DAY}0{done}+00:00",
        )
        for done in (1, 2)
    )
    progress = _after([first, later])
    assert (progress.entered, progress.indexing) == (first, later)
    over = progress.after(_started(Phase.SEARCHING, loop=1, at=f"{DAY}05+00:00"))
    assert over.stage_seconds == {"indexing": 4.0}


def test_a_report_says_when_its_run_began_was_written_and_ended() -> None:
    begun, checked, ended = (f"2026-01-01T00:00:0{n}+00:00" for n in (1, 2, 3))
    started, *_ = samples.events()
    usage = Usage(prompt_tokens=40, completion_tokens=2)
    progress = _after(
        [
            started.model_copy(update={"at": begun}),
            *(
                ModelCalled(call=ModelCall(step=step, model="a:1", usage=usage))
                for step in ("synthesize", "synthesize", "check")
            ),
            _started(Phase.SYNTHESIZING, loop=1, at=begun),
            _started(Phase.VERIFYING, loop=1, at=checked),
            _started(Phase.FINALIZING, loop=1, at=ended),
        ]
    )
    finished = RunFinished(phase=Phase.FINALIZING, report=samples.report(), at=ended)
    told = with_figures(progress, finished).report
    assert (told.started_at, told.finished_at) == (begun, ended)
    assert (told.synthesis.timestamp, told.synthesis.token_count) == (checked, 84)
    assert told.figures.stage_seconds == {"synthesizing": 1.0, "verifying": 1.0, "finalizing": 0.0}
    assert progress.after(finished).report == samples.report()


@pytest.mark.parametrize(("reasoner", "tokens"), [("a:1", 42), ("extractive", 0)])
def test_the_judgement_that_carries_an_answer_has_written_it(reasoner: str, tokens: int) -> None:
    usage = Usage(prompt_tokens=40, completion_tokens=2)
    calls = [
        ModelCalled(call=ModelCall(step=step, model="a:1", usage=usage))
        for step in ("plan", "evaluate", "check")
    ]
    report = samples.report().model_copy(update={"reasoner": reasoner})
    finished = RunFinished(phase=Phase.FINALIZING, report=report)
    told = with_figures(_after(calls), finished).report.synthesis
    assert (told.model, told.token_count) == (reasoner, tokens)


def test_each_loop_has_the_searches_since_the_one_before() -> None:
    loops = _after(samples.events()).loops
    assert [[search.hits for search in loop.searches] for loop in loops] == [[6], [0]]
    assert all(loop.checklist == samples.CHECKLIST for loop in loops)


def test_the_share_begins_and_ends_where_it_should_and_never_goes_back() -> None:
    assert Progress().share == 0.0
    assert _after(samples.events()[:1]).share == 0.0, "nobody knows yet how many loops there are"
    first = _entered(Phase.SEARCHING, loop=1).share
    assert first == _entered(Phase.SEARCHING, loop=0).share == pytest.approx(0.05)
    last = _entered(Phase.SEARCHING, loop=4).share
    assert last == pytest.approx(0.85)
    writing, verifying, ending = (
        _entered(phase, loop=1).share
        for phase in (Phase.SYNTHESIZING, Phase.VERIFYING, Phase.FINALIZING)
    )
    assert last < writing < verifying < ending < 1.0
    whole = _after(samples.events())
    assert whole.share == 1.0
    assert whole.after(_started(Phase.SEARCHING, loop=1)).share == 1.0


def test_drafts_and_what_passed_of_them_are_kept_until_writing_begins_anew() -> None:
    written = SentenceWritten(text="One. [1]", sentence=Sentence(text="One."))
    progress = _after([SentenceDrafted(text="One."), SentenceDrafted(text="Two."), written])
    assert (progress.drafted, progress.written) == (("One.", "Two."), ("One. [1]",))
    assert progress.after(_started(Phase.VERIFYING, loop=1)).drafted == ("One.", "Two.")
    assert progress.after(_started(Phase.SYNTHESIZING, loop=1)).drafted == ()
    assert progress.after(SentenceDrafted(text="Part.", topic="one of several")).drafted == (
        "One.",
        "Two.",
    )


def test_a_run_waits_until_its_inquiry_is_answered() -> None:
    asked = Inquiry(kind=InquiryKind.TOPICS, text="The mill", topics=("Who built it",))
    waiting = Summary().after(InquiryRaised(inquiry=asked))
    answered = InquiryAnswered(kind=asked.kind, reply=Reply())
    assert waiting.state["waits_for"] == "topics"
    assert "waits_for" not in waiting.after(answered).state
    assert answered.durable, "what is listed of the run would stay as it was"


def _entered(phase: Phase, *, loop: int, at: str = "") -> Progress:
    return Progress().after(_started(phase, loop=loop, at=at))


def _started(phase: Phase, *, loop: int, at: str = "") -> PhaseStarted:
    left = samples.remaining()
    return PhaseStarted(phase=phase, loop=loop, max_loops=3, remaining=left, at=at)


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
