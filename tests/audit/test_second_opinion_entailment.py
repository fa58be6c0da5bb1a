"""R3.6: an entailment model decides what words leave open in somebody else's report, too."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.audit.test_second_opinion import DOUBTFUL, HERE, case
from tests.models.test_entailment import LABELS, write_network
from tests.verify.samples import TOWN, passage

from quaere.audit.cited_text import CitedSentence, CitedText, cited_text
from quaere.audit.second_opinion import (
    NOT_ASKED,
    Case,
    Entailment,
    Judge,
    JudgeLimits,
    apply_rulings_to_cases,
)
from quaere.audit.sources import AuditLimits
from quaere.domain.model import Completion, Usage
from quaere.domain.report import CheckedBy, Support
from quaere.models.entailment import LocalEntailment, ServedEntailment
from quaere.models.meter import Meter
from quaere.reason.llm.reasoner import ModelReasoner, Models
from quaere.runtime.app import App
from quaere.runtime.check import CheckOptions
from quaere.testing import QueueModel, ScriptedModel

pytestmark = pytest.mark.anyio

QUOTE = "It spans 312 metres and cost 2.4 million crowns"
ALWAYS_YES = [[0, 0, 0], [0, 0, 1], [0, 0, 4], [4, 0, 0], [0, 4, 0]]
ALWAYS_NO = [[0, 0, 0], [0, 2, 0], [0, 0, 4], [4, 0, 0], [0, 4, 0]]


@pytest.mark.parametrize(
    ("weights", "support"),
    [(ALWAYS_YES, Support.SUPPORTED), (ALWAYS_NO, Support.NOT_JUDGED)],
)
async def test_it_decides_what_is_not_quoted(
    tmp_path: Path, weights: list[list[float]], support: Support
) -> None:
    cases = [case(DOUBTFUL), case(QUOTE)]
    before = [each.finding.support for each in cases if each.finding]
    assert before == [Support.SUPPORTED, Support.QUOTED]
    network = LocalEntailment(write_network(tmp_path / "nli", weights, LABELS))
    rulings, fault = await Entailment(network).rule(cases)
    assert (list(rulings), fault) == ([0], "")
    after = apply_rulings_to_cases(cases, rulings)
    assert [each.by for each in after] == [CheckedBy.ENTAILMENT, CheckedBy.WORDS]
    assert after[0].finding is not None
    assert after[0].finding.support is support
    assert after[0].probability == rulings[0].probability is not None
    assert after[1].probability == 1.0


async def test_it_is_shown_the_nearest_place_of_each_source_that_is_cited() -> None:
    town = passage(TOWN, title="Velling")
    said = CitedSentence(0, len(DOUBTFUL), 1, DOUBTFUL, (1, 2), True)
    alone = case(DOUBTFUL)
    both = Case(said, alone.finding, None, {1: (HERE,), 2: (town,)})
    uncited = Case(CitedSentence(0, 9, 1, "It rained.", (), True), None, None, {1: (HERE,)})
    model = ScriptedModel({"entail": "yes"})
    entailment = Entailment(ServedEntailment(model))
    rulings, _ = await entailment.rule([uncited, both])
    assert list(rulings) == [1]
    assert len(entailment.calls()) == 3, "two places, and both together"
    shown = [request.messages[0].content for request in model.requests]
    assert sum(town.text[:30] in each for each in shown) == 2


async def test_one_that_says_nothing_leaves_the_rest_to_words() -> None:
    judge = Entailment(ServedEntailment(QueueModel("perhaps", name="test:judge")))
    rulings, fault = await judge.rule([case(DOUBTFUL)])
    assert rulings == {}
    assert fault == "test:judge judged nothing: it answered neither yes nor no."
    assert len(judge.calls()) == 1, "what it took is booked all the same"


async def test_one_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    rulings, fault = await Entailment(LocalEntailment(str(tmp_path))).rule([case(DOUBTFUL)])
    assert rulings == {}
    assert fault.startswith(f"{NOT_ASKED} local:{tmp_path}")


async def test_it_and_a_model_share_what_a_check_may_take() -> None:
    """Of 600 tokens, an answer of at most 400 leaves too little for the other."""
    meter, may = Meter(), JudgeLimits(tokens=600)
    model = ScriptedModel({"entail": Completion(text="no", usage=Usage(prompt_tokens=500))})
    entailment = Entailment(ServedEntailment(model), meter, may)
    cases = [case(DOUBTFUL)]
    assert (await entailment.rule(cases))[1] == ""
    reasoner = ModelReasoner(Models(plan=model, evaluate=model, write=model, check=model))
    rulings, fault = await Judge(reasoner, meter, may).rule(cases)
    assert rulings == {}
    assert "100 are left" in fault
    assert [request.step for request in model.requests] == ["entail"]


async def test_it_is_asked_for_no_longer_than_the_check_may_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = written_beside_its_source(tmp_path)
    monkeypatch.setenv("QUAERE_ENTAILMENT", "test:slow")
    slow = ScriptedModel({"entail": "no"}, name="test:slow", latency_s=30.0)
    async with App.open(models={slow.name: slow}) as app:
        began = time.monotonic()
        options = CheckOptions(roots=(tmp_path,), limits=AuditLimits(max_time_s=0.5))
        audit = await app.check(text, options)
    assert time.monotonic() - began < 15
    (warning,) = audit.warnings
    assert warning.message == "test:slow judged nothing: it had no more than 1 s."


async def test_what_it_costs_is_counted_and_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = written_beside_its_source(tmp_path)
    prices = tmp_path / "prices.json"
    prices.write_text('{"models": {"test:dear": {"input_usd": 1000, "output_usd": 1000}}}')
    monkeypatch.setenv("QUAERE_PRICES", str(prices))
    monkeypatch.setenv("QUAERE_ENTAILMENT", "test:dear")
    dear = ScriptedModel({"entail": "no"}, name="test:dear")
    async with App.open(models={dear.name: dear}) as app:
        free = await app.check(text, CheckOptions(roots=(tmp_path,)))
        tight = await app.check(text, CheckOptions(roots=(tmp_path,), max_cost_usd=0.01))
    (call,) = free.calls
    assert call.cost_usd
    assert tight.calls == ()
    assert "may cost $" in tight.warnings[0].message


def written_beside_its_source(folder: Path) -> CitedText:
    """Return a text of one doubtful sentence whose source lies in ``folder``."""
    (folder / "bridge.md").write_text(HERE.text)
    return cited_text(f"{DOUBTFUL[:-1]} [1].\n\n## Sources\n\n[1] bridge.md\n")


async def test_a_check_asks_the_one_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = written_beside_its_source(tmp_path)
    network = write_network(tmp_path / "nli", ALWAYS_NO, LABELS)
    for name, by in (("", CheckedBy.WORDS), (f"local:{network}", CheckedBy.ENTAILMENT)):
        monkeypatch.setenv("QUAERE_ENTAILMENT", name)
        async with App.open() as app:
            audit = await app.check(text, CheckOptions(roots=(tmp_path,)))
        assert audit.warnings == ()
        assert [each.by for each in audit.sentences if each.cites] == [by]
