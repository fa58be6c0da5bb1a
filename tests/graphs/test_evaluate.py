"""What the step that weighs the evidence tells, and what it goes on with."""

from __future__ import annotations

import pytest
from tests.graphs.reasoners import Insatiable, something_new, the_same_again
from tests.graphs.world import HOP, Shelf, Slowed, Still, engine, told

from quaere.domain.events import Evaluated
from quaere.domain.verdict import StopReason

pytestmark = pytest.mark.anyio


async def test_every_loop_is_reviewed_with_what_is_new_in_it() -> None:
    reasoner = Insatiable(something_new)
    await told(engine(reasoner=reasoner), max_iters=3)
    assert [review.iteration for review in reasoner.reviews] == [1, 2, 3]
    before: frozenset[str | int] = frozenset()
    for review in reasoner.reviews:
        held = {entry.id for entry in review.evidence}
        assert set(review.fresh) == held - before
        before = before | held
    assert reasoner.reviews[0].fresh


async def test_what_is_told_of_an_evaluation_is_what_is_done_next() -> None:
    run = await told(engine(reasoner=Insatiable(something_new)), max_iters=3)
    first, second, last = run.of(Evaluated)
    asked = [outcome.query.text for outcome in run.report.queries]
    for evaluated in (first, second):
        assert evaluated.stop_reason is None
        assert evaluated.next_queries
        assert set(evaluated.next_queries) <= set(asked)
        assert evaluated.coverage == evaluated.checklist.coverage
    assert last.next_queries == ()
    assert last.stop_reason is run.report.stop_reason is StopReason.MAX_ITERATIONS


async def test_every_step_of_a_report_is_of_one_loop_and_says_how_long_it_took() -> None:
    clock = Still()
    run = await told(
        engine(Slowed(Shelf(), clock), reasoner=Insatiable(something_new), clock=clock),
        max_iters=3,
        max_execution_time_s=3600,
    )
    steps = run.report.steps
    assert [step.iteration for step in steps] == [0, 1, 2]
    assert steps[0].queries == (HOP,)
    for step in steps[1:]:
        assert step.queries == tuple(
            each.query.text for each in run.report.queries if each.iteration == step.iteration
        )
    assert [step.seconds for step in steps] == [60.0 * len(step.queries) for step in steps]
    counts = [(step.considered, step.read) for step in steps]
    assert counts == sorted(counts)


async def test_what_was_asked_already_is_not_asked_again() -> None:
    run = await told(engine(reasoner=Insatiable(the_same_again)), max_iters=6)
    asked = [each.query.text for each in run.report.queries]
    assert asked.count("slate ridges") == 1
    assert "ridges, slate" not in asked
    assert run.report.stop_reason is not StopReason.MAX_ITERATIONS


async def test_no_more_is_asked_than_the_run_may() -> None:
    run = await told(engine(reasoner=Insatiable(something_new)), max_iters=5, max_queries=3)
    assert len(run.report.queries) == 3
    assert run.report.spend.queries == 3


async def test_a_loop_without_a_model_costs_the_text_that_was_read_for_it() -> None:
    run = await told(engine(reasoner=Insatiable(something_new)), max_iters=2)
    read = sum(evaluated.metadata.token_count for evaluated in run.of(Evaluated))
    assert read > 0
    assert run.report.spend.tokens >= read
    assert run.report.spend.iterations == 2
