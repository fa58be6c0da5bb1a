"""R0.9: a model may clear a doubt or raise one, and changes nothing that is plain."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import JsonValue
from tests.verify.samples import BRIDGE, passage

from quaere.audit.cited_text import CitedSentence
from quaere.audit.second_opinion import MOST, Case, Judge, JudgeLimits, apply_rulings_to_cases
from quaere.domain.model import Completion, ModelRequest
from quaere.domain.report import CheckedBy, Ruling, Support
from quaere.errors import ModelRejected
from quaere.ports.model import Ledger
from quaere.ports.reason import Reasoner
from quaere.reason.extractive.reasoner import ExtractiveReasoner
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
        ("unsupported", Support.NOT_JUDGED),
    ],
)
async def test_a_model_judges_all_but_quotes_whatever_words_make_of_them(
    word: str, support: Support
) -> None:
    ruler, model = judge(word, word)
    cases = [case(PLAIN), case(FAR), case(DOUBTFUL), Case(case(FAR).said)]
    rulings, fault = await ruler.rule(cases)
    assert fault == ""
    assert {index: each.support for index, each in rulings.items()} == dict.fromkeys(
        (1, 2), support
    )
    after = apply_rulings_to_cases(cases, rulings)
    assert after[0] == cases[0]
    assert after[3].finding is None
    for index in (1, 2):
        decided = after[index].finding
        assert decided
        assert (decided.support, after[index].by) == (support, CheckedBy.MODEL)
        assert decided.note
        assert (cases[index].probability, after[index].probability) == (decided.probability, None)
    assert model.steps() == ["check"]
    assert len(ruler.calls()) == 1
    assert ruler.calls() == ()


async def test_a_claim_that_cites_nothing_is_asked_about_with_what_is_nearest() -> None:
    ruler, model = judge("supported")
    said = CitedSentence(0, len(DOUBTFUL), 1, DOUBTFUL, (), True)
    uncited = Case(said, None, None, {1: (HERE,)})
    rulings, _ = await ruler.rule([uncited])
    decided = apply_rulings_to_cases([uncited], rulings)[0].finding
    assert decided is not None
    assert decided.support is Support.SUPPORTED
    assert decided.note.startswith("it cites nothing; it is found in")
    assert model.steps() == ["check"]


async def test_a_figure_that_no_source_has_stays_missing_whatever_a_model_says() -> None:
    said = case("The Orrin Bridge, opened by Maude Tellin, spans 999 metres and cost crowns.")
    after = apply_rulings_to_cases([said], {0: Ruling(support=Support.SUPPORTED)})
    assert after[0].finding
    assert not after[0].finding.support.holds


async def test_no_model_is_asked_about_quotes() -> None:
    ruler, model = judge()
    assert await ruler.rule([case(PLAIN)]) == ({}, "")
    assert model.steps() == []


async def test_many_sentences_take_several_requests_of_a_limited_size() -> None:
    ruler, model = judge(*["supported"] * MOST)
    rulings, _ = await ruler.rule([case(DOUBTFUL) for _ in range(MOST + 5)])
    assert list(rulings) == list(range(MOST + 5))
    assert model.steps() == ["check", "check"]


async def test_a_budget_that_is_too_small_is_told_and_rules_nothing() -> None:
    ruler, model = judge("supported", limits=JudgeLimits(tokens=10))
    rulings, fault = await ruler.rule([case(DOUBTFUL)])
    assert (rulings, "tokens" in fault) == ({}, True)
    assert model.steps() == []


async def test_a_model_that_fails_is_told_and_rules_nothing() -> None:
    model = ScriptedModel({"check": ModelRejected("no key")})
    ruler = Judge(ModelReasoner(Models(plan=model, evaluate=model, write=model, check=model)))
    rulings, fault = await ruler.rule([case(DOUBTFUL)])
    assert rulings == {}
    assert "no key" in fault


class Silent:
    """A reasoner that plans and writes, and checks nothing."""

    name = "silent"

    def for_run(self, ledger: Ledger, marks: str = "") -> Reasoner:
        del ledger, marks
        return ExtractiveReasoner()


async def test_a_reasoner_that_does_not_check_is_told_and_rules_nothing() -> None:
    rulings, fault = await Judge(Silent()).rule([case(DOUBTFUL)])
    assert (rulings, fault) == ({}, "silent does not check sentences.")


class Slow(ScriptedModel):
    """Answers one request, and takes all day for the next."""

    async def complete(self, request: ModelRequest) -> Completion:
        if self.requests:
            await asyncio.sleep(1_000)
        return await super().complete(request)


async def test_what_was_judged_before_time_ran_out_is_kept_and_the_rest_is_counted() -> None:
    listed: list[JsonValue] = [{"number": n, "verdict": "supported"} for n in range(1, MOST + 1)]
    model = Slow({"check": {"verdicts": listed}})
    ruler = Judge(ModelReasoner(Models(plan=model, evaluate=model, write=model, check=model)))
    rulings, fault = await ruler.rule([case(DOUBTFUL)] * (MOST + 5), within_s=0.5)
    assert list(rulings) == list(range(MOST))
    assert fault.endswith(f"did not judge 5 of {MOST + 5} sentences: time ran out.")
