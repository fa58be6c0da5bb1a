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
    ModelCalled,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFinished,
    SourceRead,
)
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, Item
from quaere.domain.source import ReadStatus
from quaere.view.reduce import STAGES, Progress, with_figures


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


def _entered(phase: Phase, *, loop: int, at: str = "") -> Progress:
    return Progress().after(_started(phase, loop=loop, at=at))


def _started(phase: Phase, *, loop: int, at: str = "") -> PhaseStarted:
    left = samples.remaining()
    return PhaseStarted(phase=phase, loop=loop, max_loops=3, remaining=left, at=at)
