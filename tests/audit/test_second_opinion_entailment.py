"""R3.6: an entailment model decides what words leave open in somebody else's report, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.audit.test_second_opinion import DOUBTFUL, HERE, case
from tests.models.test_entailment import LABELS, write_network
from tests.verify.samples import TOWN, passage

from quaere.audit.cited_text import CitedSentence, cited_text
from quaere.audit.second_opinion import LEFT_OUT, Case, Entailment, apply_rulings_to_cases
from quaere.domain.report import CheckedBy, Support
from quaere.models.entailment import LocalEntailment, ServedEntailment
from quaere.runtime.app import App
from quaere.runtime.check import CheckOptions
from quaere.testing import QueueModel, ScriptedModel

pytestmark = pytest.mark.anyio

QUOTE = "It spans 312 metres"
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


async def test_one_that_fails_leaves_the_rest_to_words() -> None:
    rulings, fault = await Entailment(ServedEntailment(QueueModel("perhaps"))).rule(
        [case(DOUBTFUL)]
    )
    assert rulings == {}
    assert fault.startswith(f"{LEFT_OUT} ")
    assert "neither yes nor no" in fault


async def test_a_check_asks_the_one_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "bridge.md"
    source.write_text(HERE.text)
    text = cited_text(f"{DOUBTFUL[:-1]} [1].\n\n## Sources\n\n[1] bridge.md\n")
    network = write_network(tmp_path / "nli", ALWAYS_NO, LABELS)
    for name, by in (("", CheckedBy.WORDS), (f"local:{network}", CheckedBy.ENTAILMENT)):
        monkeypatch.setenv("QUAERE_ENTAILMENT", name)
        async with App.open() as app:
            audit = await app.check(text, CheckOptions(roots=(tmp_path,)))
        assert audit.warnings == ()
        assert [each.by for each in audit.sentences if each.cites] == [by]
