"""What a watcher knows of a run, by the events that it was told."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faces.cli import samples

from quaere.domain.events import (
    Event,
    EvidenceCompacted,
    IndexProgress,
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
from quaere.domain.question import Checklist, Item, SourceKind
from quaere.domain.report import Sentence
from quaere.domain.source import ReadStatus
from quaere.view.reduce import STAGES, Progress, figures, with_figures


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


def _entered(phase: Phase, *, loop: int, at: str = "") -> Progress:
    return Progress().after(_started(phase, loop=loop, at=at))


def _started(phase: Phase, *, loop: int, at: str = "") -> PhaseStarted:
    left = samples.remaining()
    return PhaseStarted(phase=phase, loop=loop, max_loops=3, remaining=left, at=at)
