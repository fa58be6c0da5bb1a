"""From the last state of a run to its report: who reasoned, and whether it was cut short."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import pytest
from tests.graphs.world import HOP, engine

from quaere.domain.budget import PROFILES
from quaere.domain.events import Phase, WarningRaised
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, Item, Question
from quaere.domain.report import Degradation, Direct, DirectKind, RunWarning, Sentence
from quaere.domain.verdict import Continue, Stop, StopReason
from quaere.errors import ReasonError
from quaere.graphs.configuration import Configuration
from quaere.graphs.flow import Flow, Runtime
from quaere.graphs.state import LoopState, initial_state, supervisor_state
from quaere.graphs.strategies import (
    by_loop,
    by_supervisor,
    reasoned_by,
    to_report,
    to_supervised_report,
)
from quaere.text.languages.language import languages

pytestmark = pytest.mark.anyio

S = TypeVar("S", bound=LoopState)

WARNING = WarningRaised(
    phase=Phase.SEARCHING, warning=RunWarning(kind="search", message="nobody answers")
)
LIMITS = {
    StopReason.MAX_ITERATIONS,
    StopReason.BUDGET_EXHAUSTED,
    StopReason.TIMEOUT,
    StopReason.CANCELLED,
}


def state(**fields: object) -> LoopState:
    made = initial_state(Question(text=HOP), requested=None, limits={})
    made.update(fields)  # type: ignore[typeddict-item]
    return made


def call(model: str, step: str = "evaluate", error: str = "") -> ModelCall:
    return ModelCall(step=step, model=model, error=error)


def degraded(step: str, instead: str = "") -> Degradation:
    return Degradation(step=step, reason="no answer", instead=instead)


@pytest.mark.parametrize(
    ("calls", "degradations", "who"),
    [
        ((), (), "a, b"),
        ((call("a"),), (), "a, b"),
        ((call("a"),), (degraded("search"),), "a, b"),
        ((call("A", error="down"), call("B"), call("b")), (), "b"),
        ((call("a"), call("b", "plan")), (degraded("plan", "extractive"),), "a, extractive"),
        ((call("a", error="down"),), (degraded("plan", "extractive"),), "extractive"),
        ((call("a", error="down"),), (), "a, b"),
    ],
)
def test_who_reasoned_are_those_of_the_named_that_did_and_who_stood_in(
    calls: tuple[ModelCall, ...], degradations: tuple[Degradation, ...], who: str
) -> None:
    assert reasoned_by("a, b", calls, degradations) == who


@pytest.mark.parametrize("reason", StopReason)
def test_what_a_limit_ended_was_cut_short(reason: StopReason) -> None:
    made = to_report(state(decision=Stop(reason=reason)), run_id="r", seconds=1.0, reasoner="a")
    assert made.stop_reason is reason
    assert made.truncated is (reason in LIMITS)


def test_what_the_graph_says_was_cut_short_is() -> None:
    over = state(decision=Stop(reason=StopReason.SUFFICIENT), truncated=True)
    assert to_report(over, run_id="r", seconds=1.0, reasoner="a").truncated


@pytest.mark.parametrize("decision", [None, Continue(queries=())])
def test_a_run_that_never_decided_to_stop_ended_by_an_error(decision: Continue | None) -> None:
    made = to_report(state(decision=decision), run_id="r", seconds=1.0, reasoner="a")
    assert made.stop_reason is StopReason.ERROR
    assert (made.confidence, made.gaps, made.refined_question) == (0.0, (), "")


def test_what_fails_again_and_again_is_told_once() -> None:
    twice = state(degradations=(degraded("plan"), degraded("search"), degraded("plan")))
    made = to_report(twice, run_id="r", seconds=1.0, reasoner="a")
    assert made.degradations == (degraded("plan"), degraded("search"))


def test_a_page_that_came_in_the_end_is_not_warned_of_and_another_once() -> None:
    came, missing = "https://hask.example/came/", "https://hask.example/missing"
    warnings = [
        RunWarning(kind=kind, message=message, subject=subject)
        for kind, message, subject in (
            ("read", "slow", came),
            ("read", "slow; quoted", missing),
            ("search", "down", came),
            ("read", "out of time", ""),
            ("read", "slow", missing),
            ("read", "out of time again", ""),
        )
    ]
    opened = (came.rstrip("/"),)
    over = state(decision=Stop(reason=StopReason.SUFFICIENT), warnings=warnings, opened=opened)
    made = to_report(over, run_id="r", seconds=1.0, reasoner="a")
    told = ["slow; quoted", "down", "out of time", "out of time again"]
    assert [each.message for each in made.warnings] == told


def test_a_supervised_report_names_its_topics_even_from_a_checkpoint() -> None:
    team = supervisor_state(
        Question(text=HOP), requested=None, limits={}, configuration=Configuration()
    )
    # A checkpoint gives tuples back as lists.
    team.update({"dispatched_topics": ["a"], "skipped_topics": ["b"]})  # type: ignore[typeddict-item]
    made = to_supervised_report(team, run_id="r", seconds=1.0, reasoner="a")
    assert (made.dispatched_topics, made.skipped_topics) == (("a",), ("b",))


def test_researchers_share_what_providers_answer_and_a_single_loop_has_nobody_to_share_with() -> (
    None
):
    question = Question(text=HOP)
    assert not by_loop(question, None, {}, PROFILES).shared
    assert by_supervisor(question, None, {}, PROFILES, Configuration()).shared


async def test_closing_a_run_ends_what_it_is_at() -> None:
    ended = asyncio.Event()

    async def wait(flow: Flow[S], state: S, runtime: Runtime, note: Callable[[S], None]) -> S:
        runtime.emit(WARNING)
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return state

    research = by_loop(Question(text=HOP), None, {}, PROFILES)
    events = research.drive(engine()._run_context(0.0), wait)
    assert await anext(events) == WARNING
    await events.aclose()
    assert ended.is_set()


async def test_a_run_that_told_much_at_once_lets_others_have_their_turn_between() -> None:
    async def tell(flow: Flow[S], state: S, runtime: Runtime, note: Callable[[S], None]) -> S:
        for _ in range(3):
            runtime.emit(WARNING)
        return state

    async def follow(name: str) -> None:
        research = by_loop(Question(text=HOP), None, {}, PROFILES)
        events = research.drive(engine()._run_context(0.0), tell)
        while await anext(events, None):
            turns.append(name)

    turns: list[str] = []
    await asyncio.gather(follow("one"), follow("other"))
    assert turns == ["one", "other"] * 3


async def test_what_a_graph_raises_comes_after_what_it_told() -> None:
    async def fail(flow: Flow[S], state: S, runtime: Runtime, note: Callable[[S], None]) -> S:
        runtime.emit(WARNING)
        raise ReasonError("it broke")

    research = by_loop(Question(text=HOP), None, {}, PROFILES)
    events = research.drive(engine()._run_context(0.0), fail)
    seen = [await anext(events)]
    with pytest.raises(ReasonError, match="it broke"):
        await anext(events)
    assert seen == [WARNING]


def test_what_is_not_certain_is_named_in_the_language_of_the_question() -> None:
    asked = "Wer baute die Mühle am Fluss?"
    told = Direct(kind=DirectKind.SENTENCE, text="Sie war alt.", evidence=(1,), confidence=0.1)
    unsure = state(
        question=Question(text=asked),
        checklist=Checklist(items=(Item(id="answer", description=asked),)),
        sentences=(Sentence(text="Sie war alt.", evidence=(1,), direct=told),),
        decision=Stop(reason=StopReason.SUFFICIENT),
    )
    made = to_report(unsure, run_id="r", seconds=1.0, reasoner="a")
    assert made.gaps == (f"{languages()['de'].frame.uncertain}: {asked}",)
