"""An entailment network in a run: between words and the check of a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.graphs.test_nodes import Liar
from tests.graphs.world import engine, told
from tests.models.test_entailment import LABELS, write_network

from quaere.domain.report import CheckedBy, Sentence, Support
from quaere.models.entailment import LocalEntailment
from quaere.runtime.resources import Resources
from quaere.runtime.settings import load_settings

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
    assert shown.reason == "an entailment model finds it in what it cites"
    assert run.report.degradations == ()


async def test_r0_12_a_network_that_fails_is_done_without(tmp_path: Path) -> None:
    lost = LocalEntailment(str(tmp_path))
    report = (await told(replace(engine(reasoner=Liar(SAID)), entailment=lost))).report
    assert [each.by for each in report.sentences] == [CheckedBy.WORDS]
    assert [each.step for each in report.degradations] == ["entail"]


def test_the_settings_name_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert Resources(load_settings()).entailment is None
    monkeypatch.setenv("QUAERE_ENTAILMENT", f"local:{tmp_path}")
    named = Resources(load_settings()).entailment
    assert named is not None
    assert named.name == f"local:{tmp_path}"
