"""Weighing the evidence, and when nobody has to be asked."""

from __future__ import annotations

from typing import cast

import pytest
from tests.graphs.reasoners import Insatiable, something_new, the_same_again
from tests.graphs.world import HOP, Shelf, Slowed, Still, engine, told
from tests.verify.samples import BRIDGE, FERRY, entry, passage

from quaere.domain.budget import Limits, Spend
from quaere.domain.events import Evaluated, Event
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, Intent, Plan, Query, Question
from quaere.domain.report import Degradation, QueryOutcome, Step
from quaere.domain.verdict import Continue, NextAction, Reflection, StepMetadata, Stop, StopReason
from quaere.graphs.flow import Runtime, run_flow
from quaere.graphs.nodes.evaluate import evaluate
from quaere.graphs.state import LoopState, initial_state
from quaere.ports.reason import Review
from quaere.reason.extractive.reasoner import ExtractiveReasoner

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


HERE, THERE = passage(BRIDGE, title="Bridge"), passage(FERRY, title="Ferry")
EVIDENCE = (entry(1, HERE), entry(2, THERE))
ASKED = "When was the Orrin Bridge opened?"
MORE = Query(text="Orrin Bridge toll")
CALLED = (ModelCall(step="plan", model="m"),)


def thought(*, sufficient: bool = False, **fields: object) -> Reflection:
    action = NextAction.FINALIZE if sufficient else NextAction.SEARCH_MORE
    made = {"next_action": action, "confidence": 0.5, "checklist": Checklist(), **fields}
    return Reflection.model_validate(made)


class Judging(ExtractiveReasoner):
    """Thinks what it was told to; remembers what it was shown."""

    def __init__(self, reflection: Reflection) -> None:
        super().__init__()
        self._thinks = reflection
        self.asked: list[Review] = []

    async def evaluate(self, review: Review) -> Reflection:
        self.asked.append(review)
        return self._thinks


def outcome(text: str, iteration: int, error: str = "") -> QueryOutcome:
    return QueryOutcome(query=Query(text=text), iteration=iteration, error=error)


def state(*, loop: int = 1, limits: Limits | None = None, **fields: object) -> LoopState:
    made = initial_state(Question(text=ASKED), requested=None, limits={})
    plan = Plan(refined_question=ASKED, checklist=Checklist(), queries=())
    known = {
        "selection": EVIDENCE,
        "research_plan": plan,
        "spend": Spend(iterations=loop),
        "outcomes": (outcome("toll", loop),),
    }
    made.update({**known, **fields})  # type: ignore[typeddict-item]
    made["budget"] = made["budget"].override(limits or {})
    return made


async def weighed(
    of: LoopState, reflection: Reflection | None = None, clock: Still | None = None
) -> tuple[LoopState, Judging, Evaluated]:
    """Return what evaluating adds to the state, who was asked, and what was told."""
    judge = Judging(reflection or thought(queries=(MORE,)))
    context = engine(reasoner=judge, clock=clock or Still())._run_context(0.0)
    context.store.add([HERE, THERE])
    events: list[Event] = []
    update = await evaluate(of, Runtime(context, events.append, run_flow))
    (told,) = [each for each in events if isinstance(each, Evaluated)]
    return cast("LoopState", update), judge, told


# Where nobody has to be asked


async def test_what_planning_has_weighed_is_not_weighed_again() -> None:
    known = thought(queries=(MORE,), reason="by the plan")
    made, judge, _ = await weighed(state(loop=0, reflection=known))
    assert judge.asked == []
    assert made["reflection"]
    assert made["reflection"].reason == "by the plan"
    assert made["spend"] == Spend(iterations=1)
    _, judge, _ = await weighed(state(loop=1, reflection=known))
    assert len(judge.asked) == 1, "in a later loop there is more to weigh"
    _, judge, _ = await weighed(state(loop=0))
    assert len(judge.asked) == 1


@pytest.mark.parametrize(
    ("calls", "reviewed", "error", "again"),
    [
        (CALLED, (1, 2), "503", True),
        ((), (1, 2), "503", False),
        (CALLED, (1,), "503", False),
        (CALLED, (1, 2), "", False),
    ],
)
async def test_a_model_is_not_asked_about_what_it_has_seen_where_no_query_was_answered(
    calls: tuple[ModelCall, ...], reviewed: tuple[int, ...], error: str, again: bool
) -> None:
    last = thought(queries=(Query(text="other"),))
    of = state(
        calls=calls,
        reviewed=reviewed,
        reflection=last,
        outcomes=(outcome("old", 0), outcome("toll", 1, error), outcome("fee", 1, error)),
    )
    made, judge, _ = await weighed(of)
    assert (judge.asked == []) is again
    if again:
        assert made["reflection"]
        assert [query.text for query in made["reflection"].queries] == ["toll", "fee"]


@pytest.mark.parametrize(
    ("gap", "reviewed", "asked"),
    [
        ("cost in crowns", (2,), True),
        ("colour of the lamps", (2,), False),
        ("cost in crowns", (1, 2), False),
    ],
)
async def test_who_has_answered_is_asked_again_where_something_new_may_close_the_gap(
    gap: str, reviewed: tuple[int, ...], asked: bool
) -> None:
    answered = thought(answer="It was opened in 1891 [1].", gaps=(gap,), queries=(MORE,))
    made, judge, told = await weighed(state(reflection=answered, reviewed=reviewed))
    assert bool(judge.asked) is asked
    if not asked:
        assert made["reflection"]
        assert made["reflection"].queries == ()
        assert made["reflection"].answer == answered.answer
        assert told.next_queries == ()
        assert isinstance(made["decision"], Stop)


async def test_who_has_not_answered_is_asked_whatever_was_found() -> None:
    _, judge, _ = await weighed(state(reflection=thought(gaps=("colour of the lamps",))))
    assert len(judge.asked) == 1


# What the reasoner is shown, and what comes of it


async def test_a_review_has_what_is_new_and_what_is_left() -> None:
    of = state(reviewed=(2,), limits={"max_queries": 7, "max_citations": 3})
    made, judge, _ = await weighed(of)
    (review,) = judge.asked
    assert review.fresh == (1,)
    assert review.iteration == 2
    assert (review.remaining.queries, review.max_citations) == (7, 3)
    assert set(review.passages) == {HERE.id, THERE.id}
    assert made["reviewed"] == (1, 2)


@pytest.mark.parametrize("going_on", [True, False])
async def test_what_is_told_and_kept_is_what_was_decided(going_on: bool) -> None:
    said = {"queries": (MORE,), "gaps": ("toll",), "reason": "so", "findings": (1,)}
    reflection = thought(sufficient=not going_on, **said)
    made, _, told = await weighed(state(), reflection)
    assert [query.text for query in made["pending"]] == ([MORE.text] if going_on else [])
    assert told.next_queries == ((MORE.text,) if going_on else ())
    assert told.stop_reason is (None if going_on else StopReason.SUFFICIENT)
    assert (told.gaps, told.reason, told.confidence) == (("toll",), "so", 0.5)
    assert isinstance(made["decision"], Continue if going_on else Stop)


async def test_a_step_counts_what_its_own_loop_came_to() -> None:
    clock = Still(seconds=90.0)
    before = Step(
        iteration=0, queries=(), considered=0, read=0, evidence=(), coverage=0, confidence=0,
        seconds=30.0,
    )  # fmt: skip
    of = state(
        steps=(before,),
        considered=("a", "b"),
        opened=("a",),
        reviewed=(2,),
        outcomes=(outcome("old", 0), outcome("toll", 1)),
        limits={"max_execution_time_s": 3600},
    )
    made, _, _ = await weighed(of, thought(findings=(1, 2, 9), queries=(MORE,)), clock)
    (step,) = made["steps"]
    assert (step.iteration, step.queries) == (1, ("toll",))
    assert (step.considered, step.read, step.evidence) == (2, 1, (1, 2))
    assert step.findings == 1, "of those that are new"
    assert step.seconds == 60.0


async def test_a_loop_whose_searches_all_failed_says_nothing_about_findings() -> None:
    of = state(outcomes=(outcome("toll", 1, "503"),))
    made, _, _ = await weighed(of, thought(findings=(1,), queries=(MORE,)))
    assert [step.findings for step in made["steps"]] == [None]


async def test_a_loop_without_calls_costs_the_text_that_was_read_for_it() -> None:
    reflection = thought(queries=(MORE,), metadata=StepMetadata(token_count=70))
    made, _, _ = await weighed(state(), reflection)
    assert made["spend"] == Spend(iterations=1, tokens=70)
    assert made["calls"] == ()


@pytest.mark.parametrize("known", [True, False])
async def test_that_searching_was_limited_is_said_once(known: bool) -> None:
    failed = tuple(outcome(f"q{n}", 1, "503") for n in range(4))
    told = (Degradation(step="search", reason="too many searches failed"),) if known else ()
    made, _, _ = await weighed(state(outcomes=failed, degradations=told))
    assert [each.step for each in made["degradations"]] == ([] if known else ["search"])


async def test_nothing_is_said_to_be_limited_where_all_was_answered() -> None:
    made, _, _ = await weighed(state())
    assert made["degradations"] == ()


# What is asked next


PLANNED = tuple(Query(text=f"{word} of the Orrin Bridge", intent=Intent.TERMS) for word in
    ("length", "toll", "engineer", "weight", "colour"))  # fmt: skip


@pytest.mark.parametrize(
    ("loops", "error", "least"), [(2, "", 2), (3, "", 1), (9, "", 1), (9, "503", 3)]
)
async def test_a_run_of_few_loops_asks_at_once_what_it_may_need(
    loops: int, error: str, least: int
) -> None:
    spare = tuple(query.model_copy(update={"reserve": True}) for query in PLANNED)
    plan = Plan(refined_question=ASKED, checklist=Checklist(), queries=spare)
    of = state(
        loop=0,
        research_plan=plan,
        outcomes=(outcome(ASKED, 0, error),),
        limits={"max_iters": loops, "max_queries": 50},
    )
    made, _, _ = await weighed(of, thought())
    assert len(made["pending"]) == least


async def test_where_a_model_proposes_what_was_asked_the_question_is_asked_with_its_gap() -> None:
    of = state(
        calls=CALLED,
        outcomes=(outcome(ASKED, 0), outcome("toll", 1)),
        limits={"max_iters": 9, "max_queries": 50},
    )
    again = thought(queries=(Query(text="toll"),), gaps=("who paid for the lamps",))
    made, _, _ = await weighed(of, again)
    (query,) = made["pending"]
    assert "lamps" in query.text
    without = state(outcomes=of["outcomes"], limits={"max_iters": 9, "max_queries": 50})
    made, _, _ = await weighed(without, again)
    assert made["pending"] == ()


@pytest.mark.parametrize(("calls", "least"), [((), 5), (CALLED, 3)])
async def test_a_model_that_has_been_asked_before_is_left_queries_for_its_later_loops(
    calls: tuple[ModelCall, ...], least: int
) -> None:
    limits: Limits = {"max_iters": 4, "max_queries": 5}
    asking = tuple(each.model_copy(update={"intent": Intent.REFORMULATION}) for each in PLANNED)
    made, _, _ = await weighed(state(calls=calls, limits=limits), thought(queries=asking))
    assert len(made["pending"]) == least
