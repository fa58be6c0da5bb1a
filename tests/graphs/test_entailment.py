"""An entailment network in a run: between words and the check of a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.graphs.test_nodes import Liar
from tests.graphs.world import engine, told
from tests.models.test_entailment import LABELS, write_network

from quaere.domain.events import ModelCalled, Phase
from quaere.domain.model import ModelRequest
from quaere.domain.report import CheckedBy, Ruling, Sentence, Support
from quaere.models.entailment import LocalEntailment, ServedEntailment
from quaere.models.failures import ModelUnusable
from quaere.ports.reason import Inspection
from quaere.runtime.resources import Resources
from quaere.runtime.settings import load_settings
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

SAID = Sentence(text="It was Tressel Ford that she came from, in the sixties.", evidence=(2,))
ALWAYS_YES = [[0, 0, 0], [0, 0, 1], [0, 0, 4], [4, 0, 0], [0, 4, 0]]


async def test_r0_9_a_network_clears_what_words_leave_open(tmp_path: Path) -> None:
    by_words = (await told(engine(reasoner=Liar(SAID)))).report
    assert [each.support for each in by_words.sentences] == [Support.NOT_JUDGED]
    network = LocalEntailment(write_network(tmp_path / "nli", ALWAYS_YES, LABELS))
    run = await told(replace(engine(reasoner=Liar(SAID)), entailment=network))
    (shown,) = run.report.sentences
    assert (shown.support, shown.by) == (Support.SUPPORTED, CheckedBy.ENTAILMENT)
    assert shown.reason == "it is found in what it cites"
    assert run.report.degradations == ()


async def test_r0_12_a_network_that_fails_is_done_without(tmp_path: Path) -> None:
    lost = LocalEntailment(str(tmp_path))
    report = (await told(replace(engine(reasoner=Liar(SAID)), entailment=lost))).report
    assert [each.by for each in report.sentences] == [CheckedBy.WORDS]
    assert [each.step for each in report.degradations] == ["entail"]


class Judging(Liar):
    """A reasoner whose check finds nothing."""

    async def check(self, inspection: Inspection) -> tuple[Ruling | None, ...]:
        return tuple(None for _ in inspection.sentences)

    @property
    def tells_early(self) -> bool:
        return False


async def test_its_calls_are_in_the_report_of_a_run_without_a_model() -> None:
    judge = ServedEntailment(ScriptedModel({"entail": "yes"}, name="test:judge"))
    run = await told(replace(engine(reasoner=Liar(SAID)), entailment=judge))
    report = run.report
    assert [each.by for each in report.sentences] == [CheckedBy.ENTAILMENT]
    assert [call.step for call in report.calls] == ["entail"]
    assert report.spend.model_calls == 1
    (called,) = [event for event in run.events if isinstance(event, ModelCalled)]
    assert called.phase is Phase.VERIFYING


async def test_a_strange_answer_is_told_once_and_leaves_its_sentence_alone_undecided() -> None:
    def script(request: ModelRequest) -> str:
        return "Hm." if SAID.text in request.messages[0].content else "yes"

    other = Sentence(text="Someone from Tressel Ford drew up the plans for it.", evidence=(2,))
    judge = ServedEntailment(ScriptedModel(script, name="test:judge"))
    run = await told(replace(engine(reasoner=Liar(SAID, other)), entailment=judge))
    assert {each.text: each.by for each in run.report.sentences} == {
        SAID.text: CheckedBy.WORDS,
        other.text: CheckedBy.ENTAILMENT,
    }
    (degradation,) = run.report.degradations
    assert degradation.step == "entail"
    assert degradation.reason == (
        "test:judge did not judge 1 of 2 sentences: it answered neither yes nor no"
    )


async def test_a_refused_key_is_told_of_once() -> None:
    refusing = ScriptedModel({"entail": ModelUnusable("bad key")}, name="test:judge")
    judge = ServedEntailment(refusing)
    run = await told(replace(engine(reasoner=Judging(SAID)), entailment=judge))
    assert [each.reason for each in run.report.degradations] == [
        "test:judge judged nothing: bad key"
    ]


def test_the_settings_name_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert Resources(load_settings()).entailment is None
    monkeypatch.setenv("QUAERE_ENTAILMENT", f"local:{tmp_path}")
    named = Resources(load_settings()).entailment
    assert named is not None
    assert named.name == f"local:{tmp_path}"
