"""What the supervisor is told of each topic that was researched, and who is asked next (R1)."""

from __future__ import annotations

import pytest
from tests.graphs.misbehaving import refuse_reason
from tests.graphs.team import FLAX, TWO, Led, answers, states, team
from tests.graphs.world import HOP, NOTHING, PLAIN, told

from quaere.domain.events import Evaluated, EvidenceCollected, PhaseStarted
from quaere.domain.team import Delegation
from quaere.domain.verdict import Stop, StopReason

pytestmark = pytest.mark.anyio

DONE = Delegation(thought="Enough is known.", complete=True)


async def test_each_call_is_answered_with_how_far_its_topic_is_and_what_was_found() -> None:
    last = (await states(team(Led([FLAX, PLAIN, NOTHING], DONE))))[-1]
    found, half, nothing = answers(last)[:3]
    assert str(found.content).startswith("Answered. ")
    assert "spun into linen" in str(found.content)
    assert "Open:" not in str(found.content)
    assert found.status == "success"
    assert str(half.content).startswith("Answered in part. ")
    assert "Open: " in str(half.content)
    assert str(nothing.content).startswith("Not answered.")
    assert "interrupted" not in str(found.content) + str(nothing.content)
    assert "Open: " in str(nothing.content)


async def test_a_call_whose_research_broke_off_says_so_and_has_failed() -> None:
    last = (await states(team(Led([PLAIN, FLAX], DONE, faults={FLAX: refuse_reason}))))[-1]
    _, broken = answers(last)[:2]
    assert str(broken.content).startswith("The research was interrupted: ")
    assert "no tokens left at the vendor" in str(broken.content)
    assert broken.status == "error"


async def test_a_research_that_its_supervisor_calls_complete_is_not_cut_short() -> None:
    last = (await states(team(Led([HOP, FLAX], DONE))))[-1]
    assert last["decision"] == Stop(reason=StopReason.SUFFICIENT)
    assert not last["truncated"]
    assert "ended early" not in str(answers(last)[-1].content)


async def test_a_research_that_ends_without_any_topic_is_told_by_its_first_look() -> None:
    last = (await states(team(Led(DONE))))[-1]
    assert last["decision"] == Stop(reason=StopReason.NO_NEW_INFORMATION)
    (step,) = last["steps"]
    assert step.iteration == 0
    assert step.queries


async def test_a_round_says_how_many_topics_it_has_and_what_it_came_to() -> None:
    run = await told(team(Led([HOP, FLAX], DONE)), TWO)
    assert "researching 2 topics" in [event.message for event in run.of(PhaseStarted)]
    collected = run.of(EvidenceCollected)[-1]
    assert collected.pool >= len(collected.selected) > 0
    evaluated = run.of(Evaluated)[-1]
    assert evaluated.coverage == evaluated.checklist.coverage == 1.0
    assert evaluated.next_queries == ()
