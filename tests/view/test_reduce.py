"""What a watcher knows of a run, by the events that it was told."""

from __future__ import annotations

from functools import reduce

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faces.cli import samples

from quaere.domain.events import Event, Phase, PlanMade
from quaere.domain.question import Checklist, Item
from quaere.view.reduce import STAGES, Progress


def _after(events: list[Event]) -> Progress:
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
