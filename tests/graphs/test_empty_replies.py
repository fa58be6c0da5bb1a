"""A model that says nothing at every step: the answer is the one that no model gives."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.graphs.minds import thinking
from tests.graphs.world import told

from quaere.domain.budget import ProfileName
from quaere.domain.report import AnswerStatus
from quaere.domain.team import Strategy
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

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
    assert run.report.status is not AnswerStatus.NO_EVIDENCE
    assert run.report.citations
