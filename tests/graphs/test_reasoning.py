"""Reasoners that fail, with somebody to fall back on and without (R0.12)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from tests.graphs.misbehaving import (
    Fault,
    OddReasoner,
    break_contract,
    deafness,
    give_nothing,
    give_text,
    give_up,
    hang,
    refuse_reason,
    stumble,
)
from tests.graphs.world import Still, engine, told

from quaere.domain.events import RunFailed
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist
from quaere.domain.report import AnswerStatus, Sentence
from quaere.domain.verdict import NextAction, Reflection, StepMetadata, StopReason
from quaere.errors import ContractError, ReasonError
from quaere.graphs.reasoning import PATIENT_SHARE, attempt, contract, signed
from quaere.ports.reason import Assignment
from quaere.reason.extractive.reasoner import ExtractiveReasoner

pytestmark = pytest.mark.anyio

STEPS = ["plan", "evaluate", "synthesize"]
FAULTS = [refuse_reason, break_contract, stumble, give_up, give_nothing, give_text]
LIMIT_S = 0.4


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("fault", FAULTS)
async def test_the_fallback_takes_a_failed_step_over(step: str, fault: Fault) -> None:
    odd = OddReasoner({step}, fault)
    run = await told(engine(reasoner=odd, fallback=ExtractiveReasoner()))
    assert "She was born in Tressel Ford in 1861 [1]." in run.report.answer
    assert [d.step for d in run.report.degradations] == [step]
    (lost,) = run.report.degradations
    assert lost.reason.startswith("odd: ")
    assert lost.instead == ExtractiveReasoner().name


async def test_every_step_can_fall_back_in_one_run() -> None:
    odd = OddReasoner(STEPS, refuse_reason)
    run = await told(engine(reasoner=odd, fallback=ExtractiveReasoner()))
    assert run.report.status is AnswerStatus.ANSWERED
    assert [d.step for d in run.report.degradations] == STEPS
    assert {d.reason for d in run.report.degradations} == {"odd: no tokens left at the vendor"}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("fault", FAULTS)
async def test_without_a_fallback_the_run_ends_in_a_typed_error(step: str, fault: Fault) -> None:
    run = await told(engine(reasoner=OddReasoner({step}, fault)))
    assert isinstance(run.error, ReasonError)
    assert step in run.error.message
    last = run.events[-1]
    assert isinstance(last, RunFailed)
    assert (last.error_type, last.message) == ("reason_error", run.error.message)
    assert "Traceback" not in last.message
    assert "not a key" not in last.message, "a bug's message may hold anything; it is for the log"


async def test_when_both_fail_the_error_names_both() -> None:
    odd, other = OddReasoner(STEPS, refuse_reason), OddReasoner(STEPS, stumble)
    other.name = "other"
    run = await told(engine(reasoner=odd, fallback=other))
    assert isinstance(run.error, ReasonError)
    assert "odd: no tokens left at the vendor" in run.error.message
    assert "other: KeyError" in run.error.message


@pytest.mark.parametrize("step", STEPS)
async def test_a_reasoner_that_hangs_is_replaced_while_there_is_time_to_answer(step: str) -> None:
    odd = OddReasoner({step}, hang)
    run = await told(
        engine(reasoner=odd, fallback=ExtractiveReasoner()), max_execution_time_s=LIMIT_S
    )
    assert LIMIT_S * PATIENT_SHARE <= run.seconds < LIMIT_S + 1
    assert run.report.citations
    assert step in [d.step for d in run.report.degradations]
    assert run.report.stop_reason in {StopReason.SUFFICIENT, StopReason.TIMEOUT}


async def test_a_reasoner_that_always_hangs_costs_the_run_its_time_once() -> None:
    odd = OddReasoner(STEPS, hang)
    run = await told(
        engine(reasoner=odd, fallback=ExtractiveReasoner()), max_execution_time_s=LIMIT_S
    )
    assert run.seconds < LIMIT_S + 1
    assert run.report.citations
    assert [d.step for d in run.report.degradations] == STEPS
    assert "no result within" in run.report.degradations[-1].reason


@pytest.mark.parametrize("step", STEPS)
async def test_a_reasoner_that_ignores_being_cancelled_is_left_behind(step: str) -> None:
    async with deafness() as deaf:
        odd = OddReasoner({step}, deaf)
        run = await told(
            engine(reasoner=odd, fallback=ExtractiveReasoner()), max_execution_time_s=LIMIT_S
        )
        assert run.seconds < LIMIT_S + 1
        assert run.report.citations


@pytest.mark.parametrize("step", STEPS)
async def test_a_hanging_reasoner_without_a_fallback_is_an_error_in_time(step: str) -> None:
    async with deafness() as deaf:
        run = await told(engine(reasoner=OddReasoner({step}, deaf)), max_execution_time_s=LIMIT_S)
        assert isinstance(run.error, ReasonError)
        assert run.seconds < LIMIT_S + 1


async def test_a_fallback_that_hangs_too_is_an_error_in_time() -> None:
    odd, other = OddReasoner(STEPS, hang), OddReasoner(STEPS, hang)
    run = await told(engine(reasoner=odd, fallback=other), max_execution_time_s=LIMIT_S)
    assert isinstance(run.error, ReasonError)
    assert run.seconds < LIMIT_S + 1


MADE = Reflection(next_action=NextAction.FINALIZE, confidence=0.9, checklist=Checklist())
CALLS = [
    ModelCall(step="plan", model="a", usage=Usage(prompt_tokens=5)),
    ModelCall(step="evaluate", model="b", usage=Usage(prompt_tokens=10, completion_tokens=2)),
    ModelCall(step="evaluate", model="c", usage=Usage(prompt_tokens=20)),
]


def test_a_reflection_says_who_made_it_and_at_how_many_tokens_r0_3() -> None:
    told = signed(MADE, CALLS, "evaluate", Still()).metadata
    assert (told.model, told.token_count) == ("c", 32)
    assert told.timestamp == Still().now().isoformat(timespec="milliseconds")


def test_what_a_reflection_says_of_its_making_stays_r0_3() -> None:
    own = StepMetadata(timestamp="2031-05-04", model="rules", token_count=7)
    made = MADE.model_copy(update={"metadata": own})
    assert signed(made, [], "evaluate", Still()).metadata == own
    told = signed(made, CALLS, "evaluate", Still()).metadata
    assert (told.timestamp, told.model, told.token_count) == ("2031-05-04", "rules", 32)
    assert signed(MADE, [], "evaluate", Still()).metadata.model == ""


def test_what_a_reasoner_gives_is_of_the_kind_that_was_asked_for() -> None:
    assert contract(Reflection, MADE) is MADE
    with pytest.raises(ContractError, match="a str instead of a Reflection"):
        contract(Reflection, "done")


async def stumbling() -> object:
    return await stumble()


async def test_a_step_fails_in_a_typed_way_or_in_time() -> None:
    assert await attempt(asyncio.sleep(0, "done"), 30) == "done"
    for seconds in (0.0, -1.0):
        with pytest.raises(ReasonError, match="no time was left"):
            await attempt(asyncio.sleep(0), seconds)
    with pytest.raises(ReasonError, match=r"within the 0\.0 s"):
        await attempt(asyncio.sleep(30), 0.01)
    with pytest.raises(ReasonError, match="KeyError, a bug"):
        await attempt(stumbling(), 30)


@pytest.mark.parametrize("step", ["plan", "evaluate"])
async def test_once_the_search_is_to_end_a_model_that_searches_is_waited_for_no_more(
    step: str,
) -> None:
    """The rules take its step over, and nothing of it is a failure."""
    stop = asyncio.Event()

    async def called_off() -> object:
        stop.set()
        return await hang()

    asked = engine(reasoner=OddReasoner({step}, called_off), fallback=ExtractiveReasoner())
    run = await told(replace(asked, stop_requested=lambda: stop), max_execution_time_s=30.0)
    assert run.seconds < 15
    assert run.report.citations
    assert run.report.degradations == ()


async def test_a_model_that_writes_is_waited_for_although_the_search_has_ended() -> None:
    stop = asyncio.Event()

    class Slow(ExtractiveReasoner):
        async def synthesize(self, assignment: Assignment) -> AsyncIterator[Sentence]:
            stop.set()
            await asyncio.sleep(0.01)
            async for sentence in super().synthesize(assignment):
                yield sentence

    asked = engine(reasoner=Slow(), fallback=OddReasoner({"synthesize"}, refuse_reason))
    run = await told(replace(asked, stop_requested=lambda: stop))
    assert run.report.citations
    assert run.report.degradations == ()
