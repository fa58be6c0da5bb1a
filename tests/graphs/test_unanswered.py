"""When nothing answers, or nobody says anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP, Narrow, engine, told

from quaere.domain.budget import ProfileName
from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.domain.team import Strategy
from quaere.domain.verdict import StopReason
from quaere.errors import SearchError
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio


class Deaf(Narrow):
    """A narrow shelf that fails some calls, the first being number 1."""

    def __init__(self, *failing: int) -> None:
        super().__init__()
        self._failing, self._calls = failing, 0

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Fail or answer."""
        self._calls += 1
        if self._calls in self._failing:
            raise SearchError("503 from the shelf")
        return await super().search(query, limit=limit)


async def test_queries_that_nobody_answered_are_asked_again_without_a_call() -> None:
    """The model has said what it needs: shown the same once more, it could only repeat it."""
    model = ScriptedModel(Mind())
    run = await told(thinking(model, Deaf(2, 3)))
    asked = [(o.query.text, bool(o.error), o.iteration) for o in run.report.queries]
    assert asked[:2] == [(HOP, False, 0), ("Odile Varga birthplace", True, 1)]
    assert ("Odile Varga birthplace", False, 2) in asked
    assert model.steps() == ["plan", "evaluate", "check"]
    assert run.report.stop_reason is StopReason.SUFFICIENT
    assert "Odile Varga was born in Tressel Ford in 1861 [1]." in run.report.answer
    assert [step.findings for step in run.report.steps][1] is None, "it tells nothing"


async def test_a_service_that_stays_away_ends_the_search_all_the_same() -> None:
    model = ScriptedModel(Mind())
    run = await told(thinking(model, Deaf(*range(2, 40))))
    assert run.report.stop_reason is StopReason.DEGRADED
    assert model.steps().count("evaluate") == 0
    assert run.report.answer.startswith("Search capabilities were limited")


HOLLOW = (
    '{"brief": "b", "clarification": "", "reflection": "", "complete": true, "last": true,'
    ' "topics": [], "checklist": [], "findings": [], "satisfied": [], "gaps": [], "queries": [],'
    ' "sufficient": false, "confidence": 0, "answer": "", "verdicts": []}'
)


@pytest.mark.parametrize("strategy", [Strategy.LOOP, Strategy.SUPERVISOR])
@pytest.mark.parametrize("profile", [ProfileName.STANDARD, ProfileName.CHAT])
@pytest.mark.parametrize("reply", ["{}", HOLLOW, HOLLOW.replace("true", "false")])
async def test_it_says_what_is_said_without_a_model_r0_12(
    reply: str, profile: ProfileName, strategy: Strategy
) -> None:
    model = ScriptedModel(lambda _: reply)
    run = await told(replace(thinking(model), strategy=strategy), profile=profile)
    without = await told(replace(engine(), strategy=strategy), profile=profile)
    assert run.report.answer == without.report.answer
    assert run.report.answer.startswith("Tressel Ford [1]")
