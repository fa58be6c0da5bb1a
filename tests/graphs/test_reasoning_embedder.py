"""R0.12, R1.5, R3.6: an embedder in a run, and a run that has to do without it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.graphs.minds import Mind, thinking
from tests.graphs.team import FLAX, TWO, Led, answers, states, team
from tests.graphs.world import HOP, PLAIN, engine, told

from quaere.domain.budget import ProfileName
from quaere.domain.model import ModelRequest
from quaere.domain.report import Support
from quaere.domain.team import Delegation
from quaere.errors import ModelRejected, ModelTimeout
from quaere.graphs.reasoning import EMBEDDING_SHARE
from quaere.testing import ScriptedEmbedder, ScriptedModel
from quaere.testing.doubles import Answer, Likeness

pytestmark = pytest.mark.anyio

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
    asked = thinking(ScriptedModel(LOOSE))
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
    assert not report.degradations


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
