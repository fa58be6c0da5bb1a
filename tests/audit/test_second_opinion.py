"""R0.9: a model may clear a doubt or raise one, and changes nothing that is plain."""

from __future__ import annotations

import pytest
from pydantic import JsonValue
from tests.verify.samples import BRIDGE, passage

from quaere.audit.cited_text import CitedSentence
from quaere.audit.second_opinion import MOST, Case, Judge, JudgeLimits, apply_rulings_to_cases
from quaere.domain.report import Support
from quaere.errors import ModelRejected, ReasonError
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.testing import ScriptedModel
from quaere.verify.support import in_doubt, weigh

pytestmark = pytest.mark.anyio

HERE = passage(BRIDGE, title="Orrin Bridge")
PLAIN = "The Orrin Bridge was opened on 4 May 1891 by the engineer Maude Tellin."
DOUBTFUL = "The crossing by Maude Tellin, an engineer, cost 2.4 million crowns to erect."
FAR = "Whales sing in the deep."


def case(text: str) -> Case:
    said = CitedSentence(0, len(text), 1, text, (1,), True)
    return Case(said, weigh(text, [HERE]), None, {1: (HERE,)})


def judge(*verdicts: str, limits: JudgeLimits | None = None) -> tuple[Judge, ScriptedModel]:
    """Return a judge whose model gives ``verdicts``, in their order."""
    listed: list[JsonValue] = [
        {"number": n, "verdict": verdict} for n, verdict in enumerate(verdicts, 1)
    ]
    model = ScriptedModel({"check": {"verdicts": listed}})
    reasoner = ModelReasoner(Models(plan=model, evaluate=model, write=model, check=model))
    return Judge(reasoner, limits=limits or JudgeLimits()), model


def test_the_samples_are_what_they_are_called() -> None:
    doubts = [in_doubt(weigh(text, [HERE])) for text in (PLAIN, DOUBTFUL, FAR)]
    assert doubts == [False, True, False]


@pytest.mark.parametrize(
    ("word", "support"),
    [
        ("supported", Support.SUPPORTED),
        ("partly", Support.PARTLY),
        ("contradicted", Support.CONTRADICTED),
        ("unsupported", Support.UNVERIFIABLE),
    ],
)
async def test_a_model_decides_what_is_in_doubt_and_nothing_else(
    word: str, support: Support
) -> None:
    ruler, model = judge(word)
    cases = [case(PLAIN), case(FAR), case(DOUBTFUL), Case(case(FAR).said)]
    rulings = await ruler.rule(cases)
    assert rulings == {2: support}
    after = apply_rulings_to_cases(cases, rulings)
    assert [each.finding for each in after[:2]] == [each.finding for each in cases[:2]]
    assert after[2].finding
    assert after[2].finding.support is support
    assert after[3].finding is None
    assert model.steps() == ["check"]
    assert len(ruler.calls()) == 1
    assert ruler.calls() == ()


async def test_a_figure_that_no_source_has_stays_missing_whatever_a_model_says() -> None:
    said = case("The Orrin Bridge, opened by Maude Tellin, spans 999 metres and cost crowns.")
    after = apply_rulings_to_cases([said], {0: Support.SUPPORTED})
    assert after[0].finding
    assert after[0].finding.support is not Support.SUPPORTED


async def test_no_model_is_asked_without_a_doubt() -> None:
    ruler, model = judge()
    assert await ruler.rule([case(PLAIN), case(FAR)]) == {}
    assert model.steps() == []


async def test_all_doubts_are_one_request_and_the_number_is_limited() -> None:
    ruler, model = judge(*["supported"] * MOST)
    rulings = await ruler.rule([case(DOUBTFUL) for _ in range(MOST + 5)])
    assert list(rulings) == list(range(MOST))
    assert model.steps() == ["check"]


async def test_a_budget_that_is_too_small_is_an_error_that_says_so() -> None:
    ruler, model = judge("supported", limits=JudgeLimits(tokens=10))
    with pytest.raises(ReasonError, match="tokens"):
        await ruler.rule([case(DOUBTFUL)])
    assert model.steps() == []


async def test_a_model_that_fails_is_an_error() -> None:
    model = ScriptedModel({"check": ModelRejected("no key")})
    ruler = Judge(ModelReasoner(Models(plan=model, evaluate=model, write=model, check=model)))
    with pytest.raises(ReasonError):
        await ruler.rule([case(DOUBTFUL)])
