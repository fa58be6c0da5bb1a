"""What a call of the tool tells of its progress (R4.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.faces.cli.samples import remaining, report

from quaere.domain.events import (
    Evaluated,
    Event,
    IndexProgress,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFinished,
    SearchFinished,
    SourceRead,
)
from quaere.domain.question import Checklist, Item, ItemStatus, SourceKind
from quaere.domain.source import ReadStatus
from quaere.faces.tool import CallState

LOOPING = [Phase.INDEXING, Phase.SEARCHING, Phase.READING, Phase.PLANNING, Phase.EVALUATING]
CHECKLIST = Checklist(
    items=tuple(
        Item(id=status, description=f"{status} part", status=status)
        for status in (ItemStatus.SATISFIED, ItemStatus.PARTIAL, ItemStatus.UNSATISFIED)
    )
)


def started(phase: Phase, loop: int = 1, loops: int = 4) -> PhaseStarted:
    return PhaseStarted(phase=phase, loop=loop, max_loops=loops, remaining=remaining())


def searched(query: str = "mill", **fields: object) -> SearchFinished:
    values = {"query": query, "intent": "raw", "hits": 3, "fresh": 2, "loop": 1, "max_loops": 4}
    return SearchFinished.model_validate(values | {"phase": Phase.SEARCHING} | fields)


def after(*events: Event) -> CallState:
    state = CallState()
    for event in events:
        state = state.after(event)
    return state


@given(loops=st.integers(1, 12), data=st.data())
def test_a_loop_goes_through_its_phases_and_the_next_goes_on_from_there(
    loops: int, data: st.DataObject
) -> None:
    loop = data.draw(st.integers(1, loops))
    shares = [after(started(phase, loop, loops)).progress for phase in LOOPING]
    assert shares == sorted(set(shares)), "each phase is farther than the one before it"
    assert shares[0] == pytest.approx(0.85 * (loop - 1) / loops)
    assert shares[-1] < after(started(Phase.INDEXING, loop + 1, loops)).progress <= 0.85
    writing = after(started(Phase.SYNTHESIZING, loop, loops)).progress
    assert 0.85 <= writing < after(started(Phase.VERIFYING, loop, loops)).progress < 1
    assert after(started(Phase.FINALIZING)).progress < 1


def test_before_the_first_loop_nothing_is_known_of_how_far_it_is() -> None:
    assert after(started(Phase.SEARCHING, loop=0)).progress == 0


def test_it_never_goes_back() -> None:
    farther, behind = started(Phase.EVALUATING, 3), started(Phase.SEARCHING, 1)
    assert after(farther, behind).progress == after(farther).progress > after(behind).progress


def test_queries_and_results_are_those_of_the_loop() -> None:
    first = after(searched("mill"), searched("weir"), searched("mill", hits=4))
    assert (first.iteration, first.queries, first.results) == (1, ("mill", "weir"), 10)
    same = first.after(searched("dam", loop=0))
    assert (same.iteration, same.queries) == (1, ("mill", "weir", "dam"))
    second = same.after(started(Phase.ITERATING, loop=2))
    assert (second.iteration, second.queries, second.results) == (2, (), 0)


@pytest.mark.parametrize(
    ("kinds", "place"),
    [
        ((SourceKind.PUBMED, SourceKind.WEB), "PubMed"),
        ((SourceKind.WEB,), "Web"),
        ((SourceKind.FOLDER,), "documents"),
        ((SourceKind.NEWS,), "Web"),
        ((), "Web"),
    ],
)
def test_a_search_names_where_it_was_made(kinds: tuple[SourceKind, ...], place: str) -> None:
    event = searched(kinds=kinds)
    step = after(event).report(event)
    assert step
    assert step.message == f"Searching {place}: 'mill', 3 found"
    assert (step.data["hits"], step.data["new"], step.data["query"]) == (3, 2, "mill")


@pytest.mark.parametrize(
    ("phase", "loop", "stage"),
    [
        (Phase.READING, 2, "iteration_2"),
        (Phase.READING, 0, "refining"),
        (Phase.SYNTHESIZING, 2, "synthesizing"),
        (Phase.VERIFYING, 0, "verifying"),
    ],
)
def test_a_stage_is_its_iteration_or_what_comes_before_and_after_them(
    phase: Phase, loop: int, stage: str
) -> None:
    event = started(phase, loop)
    step = after(event).report(event)
    assert step
    assert step.stage == stage


def test_what_is_read_is_told_with_how_it_went() -> None:
    event = SourceRead(
        phase=Phase.READING, url="https://a.org/1", title="Mill", status=ReadStatus.TIMEOUT
    )
    step = after(event).report(event)
    assert step
    assert step.message == "Read https://a.org/1 (timeout)"
    assert (step.data["url"], step.data["status"]) == ("https://a.org/1", "timeout")


def test_the_checklist_is_the_last_one() -> None:
    planned = PlanMade.model_validate(
        {
            "phase": Phase.PLANNING,
            "loop": 1,
            "refined_question": "",
            "checklist": CHECKLIST,
            "queries": (),
        }
    )
    step = after(planned).report(planned)
    assert step
    assert step.message == "Planned a checklist of 3 items"
    assert step.data["items"] == [item.description for item in CHECKLIST.items]
    assert step.data["checklist"] == "1/3 items"
    judged = Evaluated(
        phase=Phase.EVALUATING,
        loop=1,
        checklist=Checklist(items=CHECKLIST.items[:2]),
        coverage=0.75,
        confidence=0.5,
        gaps=("who paid",),
        next_queries=(),
    )
    step = after(planned, judged).report(judged)
    assert step
    assert step.message == "Checklist: 1/2 items satisfied"
    assert (step.data["coverage"], step.data["gaps"]) == (0.75, ["who paid"])
    over = RunFinished(
        phase=Phase.FINALIZING, report=report().model_copy(update={"checklist": CHECKLIST})
    )
    step = after(judged, over).report(over)
    assert step
    assert (step.message, step.progress) == ("Research complete", 1.0)
    assert step.data["checklist"] == "1/3 items"
    assert step.data["stop_reason"] == str(over.report.stop_reason)


def test_what_is_no_step_is_not_reported() -> None:
    for event in (
        started(Phase.SEARCHING),
        started(Phase.PLANNING),
        IndexProgress(phase=Phase.INDEXING, folder="/notes", done=1, total=2, passages=0),
    ):
        assert after(event).report(event) is None


def test_a_step_says_where_the_call_stands() -> None:
    found = searched("mill", kinds=(SourceKind.WEB,))
    reading = started(Phase.READING)
    state = after(found, searched("weir", hits=4), reading)
    step = state.report(reading)
    assert step
    assert step.message == "Processing 7 results"
    assert (step.stage, step.progress) == ("iteration_1", state.progress)
    assert step.data == {"iteration": 1, "queries": ["mill", "weir"], "checklist": "0/0 items"}
    failed = searched("mill", error="HTTP 500")
    told = after(failed).report(failed)
    assert told
    assert told.message == "Searching Web: 'mill', failed (HTTP 500)"


@pytest.mark.parametrize(
    ("phase", "words"), [(Phase.SYNTHESIZING, "Synthesizing"), (Phase.VERIFYING, "Checking every")]
)
def test_writing_and_checking_are_told(phase: Phase, words: str) -> None:
    event = started(phase)
    step = after(event).report(event)
    assert step
    assert words in step.message


def test_more_loops_than_were_planned_leave_room_for_writing() -> None:
    late = after(started(Phase.EVALUATING, loop=9, loops=4)).progress
    assert late == pytest.approx(0.85)
    assert after(started(Phase.SEARCHING, loop=1, loops=0)).progress == pytest.approx(0.085)
