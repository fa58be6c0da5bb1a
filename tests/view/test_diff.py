"""Two runs side by side."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.store.runs import numbered, whole_run

from quaere.domain.budget import Spend
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


def test_two_runs_are_told_line_by_line() -> None:
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    spend = Spend(iterations=2, queries=3, reads=4, tokens=1_234, model_calls=1, cost_usd=0.125)
    report = finished.report.model_copy(
        update={"spend": spend, "seconds": 1_234.56, "confidence": 0.5, "answer": "It stood.\nSo."}
    )
    first = run("a", [*searched("mill", "weir"), finished.model_copy(update={"report": report})])
    assert told(compare(first, run("b", searched("weir", "pell")))) == (
        """\
- a, pending
+ b, pending

Question
  Who?

Queries
- mill
+ pell
  weir

Sources
- file:///notes/mill.pdf

Answer
- It stood.
- So.

Cost
              -        +
confidence    0.5      none
loops         2        none
queries       3        none
pages opened  4        none
citations     1        none
model calls   1        none
tokens        1,234    none
dollars       0.125    none
seconds       1,234.6  none
"""
    )


def test_what_neither_run_has_is_not_told() -> None:
    shown = told(compare(run("a", []), run("b", [])))
    assert not {"Queries", "Sources", "Answer"} & set(shown.splitlines())
    assert "Question\n  Who?" in shown


def test_the_last_report_and_each_source_once_are_compared() -> None:
    finished = whole_run()[-1]
    assert isinstance(finished, RunFinished)
    (citation,) = finished.report.citations
    again = citation.model_copy(update={"id": 2, "url": f"{citation.url}#p"})
    report = finished.report.model_copy(
        update={"citations": (citation, citation, again), "answer": "Later."}
    )
    events: list[Event] = [finished, finished.model_copy(update={"report": report})]
    outcome = compare(run("a", events), run("b", events))
    assert outcome.answers == ("Later.", "Later.")
    assert len(outcome.sources.both) == len(set(outcome.sources.both))
