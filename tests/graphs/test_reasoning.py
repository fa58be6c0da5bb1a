"""A step that a reasoner or an embedder cannot do is done without."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest
from tests.graphs.minds import Mind, thinking
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
from tests.graphs.team import FLAX, TWO, Led, answers, states, team
from tests.graphs.world import HOP, PLAIN, Still, engine, told

from quaere.domain.budget import ProfileName
from quaere.domain.events import RunFailed
from quaere.domain.model import ModelCall, ModelRequest, Usage
from quaere.domain.question import Checklist
from quaere.domain.report import AnswerStatus, Sentence, Support
from quaere.domain.team import Delegation
from quaere.domain.verdict import NextAction, Reflection, StepMetadata, StopReason
from quaere.errors import ContractError, ModelRejected, ModelTimeout, ReasonError, UsageError
from quaere.graphs.reasoning import EMBEDDING_SHARE, PATIENT_SHARE, attempt, contract, signed
from quaere.ports.reason import Assignment
from quaere.reason.extractive.reasoner import ExtractiveReasoner
from quaere.testing import ScriptedEmbedder, ScriptedModel
from quaere.testing.doubles import Answer, Likeness

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
    assert len({each.reason for each in run.report.degradations}) == 1  # told as one fault


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


async def unrecorded() -> object:
    raise UsageError("The recording does not say it.")


async def test_a_step_fails_in_a_typed_way_or_in_time() -> None:
    assert await attempt(asyncio.sleep(0, "done"), 30) == "done"
    for seconds in (0.0, -1.0):
        with pytest.raises(ReasonError, match="no time was left"):
            await attempt(asyncio.sleep(0), seconds)
    with pytest.raises(ReasonError, match="within the time"):
        await attempt(asyncio.sleep(30), 0.01)
    with pytest.raises(ReasonError) as lacking:
        await attempt(unrecorded(), 30)
    assert lacking.value.message == "The recording does not say it"
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


DONE = Delegation(complete=True)
REWORDED = "Of what town does the one come that set up Quill's telescope?"
"""``HOP`` in words that do not tell so."""

LOOSE = Mind(founder="Varga set the observatory up", judged="set the observatory up")
"""Says one thing in the words of its source, and another in words that leave doubts."""


def unchecked(request: ModelRequest) -> Answer:
    """Answer as `LOOSE`, but check nothing."""
    return ModelRejected("no checks") if request.step == "check" else LOOSE(request)


def claims_of(embedder: ScriptedEmbedder) -> list[str]:
    """Return the sentences that were compared with lines: what is not the question, which comes
    first in a pair where passages and lines are ranked."""
    return [one for one, _ in embedder.asked if one not in {HOP, FLAX, PLAIN}]


def near(_a: str, _b: str) -> float:
    return 1.0


def far(_a: str, _b: str) -> float:
    return -1.0


def reworded(a: str, b: str) -> float:
    return 1.0 if {a, b} == {HOP, REWORDED} else 0.0


async def test_what_words_doubt_an_embedder_may_clear() -> None:
    asked = thinking(ScriptedModel(unchecked))
    without = (await told(asked)).report
    embedder = ScriptedEmbedder(near)
    report = (await told(replace(asked, embedder=embedder))).report
    claims = set(claims_of(embedder))
    doubted = [said for said in without.sentences if said.text in claims]
    assert claims
    assert len(doubted) == len(claims) < len(without.sentences), "and only of those it was asked"
    raised = [said for said in report.sentences if said.text in claims]
    assert all(
        (after.probability or 0) > (before.probability or 0)
        for before, after in zip(doubted, raised, strict=True)
    )
    assert report.degradations == without.degradations, "the model that checks nothing"


async def test_what_an_embedder_finds_far_is_marked_and_stays() -> None:
    asked = thinking(ScriptedModel(unchecked))
    report = (await told(replace(asked, embedder=ScriptedEmbedder(far)))).report
    marked = [said for said in report.sentences if said.support is not Support.SUPPORTED]
    assert marked
    assert all(said.reason for said in marked)
    assert report.checks.marked == len(marked)


@pytest.mark.parametrize("likeness", [near, far])
async def test_a_model_judges_what_an_embedder_has_weighed(likeness: Likeness) -> None:
    model = ScriptedModel(LOOSE)
    asked = replace(thinking(model), embedder=ScriptedEmbedder(likeness))
    report = (await told(asked, profile=ProfileName.STANDARD)).report
    assert model.steps().count("check") == 1
    assert {said.support for said in report.sentences} == {Support.SUPPORTED}


async def test_nobody_is_asked_about_quotes() -> None:
    embedder = ScriptedEmbedder(near)
    await told(replace(engine(), embedder=embedder))
    assert embedder.asked, "it ranks what was found"
    assert claims_of(embedder) == []


async def test_an_embedder_that_was_not_measured_verifies_nothing() -> None:
    embedder = ScriptedEmbedder(near, name="test:another")
    asked = thinking(ScriptedModel(LOOSE))
    report = (await told(replace(asked, embedder=embedder))).report
    assert claims_of(embedder) == []
    assert report.sentences == (await told(asked)).report.sentences


class Bad(ScriptedEmbedder):
    """Gives less than it was asked for, or what is no number."""

    def __init__(self, *given: float) -> None:
        super().__init__(near)
        self._given = list(given)

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        await super().similarities(pairs)
        return self._given or [float("nan")] * len(pairs)


class Buggy(ScriptedEmbedder):
    """Meets a bug."""

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        raise KeyError(pairs[0])


@pytest.mark.parametrize(
    "embedder",
    [
        ScriptedEmbedder(near, error=ModelTimeout("it took too long")),
        Bad(),
        Bad(0.5),
        ScriptedEmbedder(lambda _a, _b: 1.5),
        Buggy(near),
    ],
    ids=["timeout", "nan", "too few", "too much", "bug"],
)
async def test_a_run_goes_on_without_an_embedder_that_fails(embedder: ScriptedEmbedder) -> None:
    asked = thinking(ScriptedModel(LOOSE))
    report = (await told(replace(asked, embedder=embedder))).report
    assert report.sentences == (await told(asked)).report.sentences
    (degradation,) = report.degradations
    assert degradation.step == "embed"
    assert degradation.reason.startswith("test:all-MiniLM-L6-v2")


async def test_an_embedder_that_hangs_costs_a_share_of_the_time() -> None:
    class Hanging(ScriptedEmbedder):
        async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
            await asyncio.sleep(600)
            return await super().similarities(pairs)

    asked = replace(thinking(ScriptedModel(LOOSE)), embedder=Hanging(near))
    run = await told(asked, max_execution_time_s=10)
    assert run.seconds < 10 * (EMBEDDING_SHARE + 0.5)
    assert [d.step for d in run.report.degradations] == ["embed"]


async def test_r1_5_a_topic_that_says_the_same_in_other_words_is_refused() -> None:
    led = Led([HOP], [REWORDED, PLAIN], DONE)
    embedder = ScriptedEmbedder(reworded)
    last = (await states(replace(team(led), embedder=embedder)))[-1]
    assert led.looked_at == [HOP, PLAIN]
    assert last["skipped_topics"] == (REWORDED,)
    refusal = next(m for m in answers(last) if m.tool_call_id == "call-2-1")
    assert HOP in str(refusal.content)
    assert (REWORDED, HOP) in embedder.asked
    led = Led([HOP], [REWORDED, PLAIN], DONE)
    await states(team(led))
    assert led.looked_at == [HOP, REWORDED, PLAIN], "words alone do not tell"


async def test_an_operator_may_say_from_where_topics_are_the_same() -> None:
    led = Led([HOP], [PLAIN], DONE)
    embedder = ScriptedEmbedder(lambda _a, _b: 0.5, name="test:another")
    asked = replace(team(led), embedder=embedder, same_cosine=0.5)
    assert (await states(asked))[-1]["skipped_topics"] == (PLAIN,)
    led = Led([HOP], [PLAIN], DONE)
    await states(replace(team(led), embedder=embedder))
    assert led.looked_at == [HOP, PLAIN], "of one that was not measured nobody knows"


async def test_an_embedder_that_failed_is_not_asked_again_in_the_run() -> None:
    embedder = ScriptedEmbedder(near, error=ModelTimeout("it took too long"))
    led = Led([HOP, FLAX], [PLAIN], DONE)
    last = (await states(replace(team(led), embedder=embedder)))[-1]
    assert led.looked_at == [HOP, FLAX, PLAIN]
    assert {one for one, _ in embedder.asked} == {TWO}, "the first look, and no researcher"
    assert [d.step for d in last["degradations"]] == ["embed"]
