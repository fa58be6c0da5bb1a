"""Two runs side by side."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.store.runs import numbered, whole_run

from quaere.domain.events import Event, RunFinished, SearchFinished
from quaere.domain.trace import Trace
from quaere.view.diff import Side, compare, side, told


def run(name: str, events: list[Event]) -> Side:
    trace = Trace(
        id=name,
        user_id="local",
        tool_name="deep_research",
        input_params={"question": "Who?"},
        created_at=datetime(2031, 5, 4, tzinfo=UTC),
    )
    return side(trace, events)


def searched(*queries: str) -> list[Event]:
    return numbered([SearchFinished(query=q, intent="raw", hits=1, fresh=1) for q in queries])


def test_queries_are_told_apart_in_their_order() -> None:
    outcome = compare(
        run("a", searched("mill", "weir", "mill", "sket")), run("b", searched("sket", "pell"))
    )
    assert outcome.queries.first == ("mill", "weir")
    assert outcome.queries.second == ("pell",)
    assert outcome.queries.both == ("sket",)


def test_runs_that_are_alike_differ_in_nothing() -> None:
    outcome = compare(run("a", whole_run()), run("b", whole_run()))
    assert outcome.sources.first == outcome.sources.second == ()
    assert outcome.sources.both == ("file:///notes/mill.pdf",)
    assert all(figure.first == figure.second for figure in outcome.figures)
    assert not [line for line in told(outcome).splitlines()[2:] if line.startswith(("- ", "+ "))]


def test_answers_and_costs_stand_side_by_side() -> None:
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    spend = finished.report.spend.model_copy(update={"tokens": 2_000_000, "cost_usd": 0.5})
    report = finished.report.model_copy(update={"answer": "Nobody knows.", "spend": spend})
    other: list[Event] = [finished.model_copy(update={"report": report})]
    shown = told(compare(run("a", whole_run()), run("b", other))).splitlines()
    assert "- The mill at Orrin was built by Tamsin Wray. [1]" in shown
    assert "+ Nobody knows." in shown
    assert [line.split() for line in shown if line.startswith(("tokens", "dollars"))] == [
        ["tokens", "1,234", "2,000,000"],
        ["dollars", "0.25", "0.5"],
    ]
