from __future__ import annotations

import json

import pytest
from tests.testing.requests import VERDICT, asking

from quaere.domain.model import ModelRequest
from quaere.errors import ModelError
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio


async def test_each_step_gets_its_own_answer() -> None:
    model = ScriptedModel({"plan": "a plan", "synthesize": "an answer"})
    assert (await model.complete(asking(step="synthesize"))).text == "an answer"
    assert (await model.complete(asking())).text == "a plan"
    assert model.steps() == ["synthesize", "plan"]


async def test_a_script_may_be_a_function_of_the_request() -> None:
    def shout(request: ModelRequest) -> str:
        return request.messages[-1].content.upper()

    assert (await ScriptedModel(shout).complete(asking("hush"))).text == "HUSH"


async def test_a_script_may_hold_errors() -> None:
    with pytest.raises(ModelError, match="no keeper"):
        await ScriptedModel({"plan": ModelError("no keeper")}).complete(asking())


@pytest.mark.parametrize("script", [{}, {"plan": None}, {"check": "x"}])
async def test_what_is_not_scripted_has_the_schema_that_was_asked_for(
    script: dict[str, str | None],
) -> None:
    model = ScriptedModel(script)
    completion = await model.complete(asking(output=VERDICT))
    assert json.loads(completion.text) == {"next_queries": [], "confidence": 0}
    assert "the step plan" in (await model.complete(asking())).text
