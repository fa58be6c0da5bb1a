"""An entailment network in a folder, run by ONNX Runtime, and a service that says yes or no."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from onnx import TensorProto, helper
from tests.verify.samples import BRIDGE, passage, sentence
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from quaere.domain.report import CheckedBy, Support
from quaere.errors import ContractError, ModelRejected, SettingsError
from quaere.models.entailment import STEP, LocalEntailment, ServedEntailment
from quaere.models.meter import Meter
from quaere.ports.model import Entailed
from quaere.testing import ScriptedModel
from quaere.verify.repair import Fate, verify_sentence
from quaere.verify.second_opinion import (
    apply_rulings,
    entailment_ruling,
    open_claims,
    premises,
)

pytestmark = pytest.mark.anyio

WORDS = {"[PAD]": 0, "[UNK]": 1, "yes": 2, "no": 3, "perhaps": 4}
LABELS = {0: "contradiction", 1: "neutral", 2: "entailment"}


def write_network(
    folder: Path, weights: Sequence[Sequence[float]], labels: Mapping[int, str] | None = None
) -> str:
    """Write a network that adds up what each word of premise and claim weighs."""
    folder.mkdir()
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"id2label": labels or {}}))
    wide = len(weights[0])
    table = helper.make_tensor(
        "table", TensorProto.FLOAT, [len(weights), wide], [x for row in weights for x in row]
    )
    axes = helper.make_tensor("axes", TensorProto.INT64, [1], [1])
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("ReduceSum", ["each", "axes"], ["logits"], keepdims=0),
    ]
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    told = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", wide])
    graph = helper.make_graph(nodes, "entailment", given, [told], [table, axes])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    return str(folder)


THREE = [[0, 0, 0], [0, 0, 0], [0, 0, 4], [4, 0, 0], [0, 4, 0]]


async def test_three_numbers_are_read_by_their_labels(tmp_path: Path) -> None:
    network = LocalEntailment(write_network(tmp_path / "nli", THREE, LABELS))
    await network.warm()
    pairs = [("yes", "x"), ("no", "x"), ("perhaps", "x")] * STEP
    told = await network.entail(pairs, Meter())
    assert len(told) == len(pairs)
    said, denied, open_ = told[:3]
    assert said.entailed > 0.9
    assert (denied.contradicted or 0) > 0.9
    assert open_.entailed < 0.1
    assert (open_.contradicted or 0) < 0.1
    assert told[3:6] == told[:3]


async def test_no_more_than_a_network_of_berts_size_reads_goes_in(tmp_path: Path) -> None:
    """One more token is past the last place that such a network knows."""
    network = LocalEntailment(write_network(tmp_path / "nli", THREE, LABELS))
    fits = "x " * 510 + "yes"
    inside, outside = await network.entail([(fits, "x"), (f"x {fits}", "x")], Meter())
    assert inside.entailed > 0.9
    assert outside.entailed == pytest.approx(1 / 3), "the end of the premise is cut off"


async def test_one_number_is_the_odds_that_a_claim_is_supported(tmp_path: Path) -> None:
    network = LocalEntailment(write_network(tmp_path / "one", [[0], [0], [5], [-5], [0]]))
    said, not_said = await network.entail([("yes", "x"), ("no", "x")], Meter())
    assert (said.entailed > 0.9, said.contradicted) == (True, None)
    assert not_said.entailed < 0.1


def test_a_name_without_a_folder_is_refused() -> None:
    with pytest.raises(SettingsError, match="names no folder"):
        LocalEntailment("")


async def test_a_folder_without_labels_or_without_a_network_says_so(tmp_path: Path) -> None:
    nameless = LocalEntailment(write_network(tmp_path / "nameless", THREE))
    with pytest.raises(ModelRejected, match="id2label"):
        await nameless.warm()
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelRejected, match=r"no model\.onnx"):
        await LocalEntailment(str(tmp_path / "empty")).warm()
    inverted = {0: "not_entailment", 1: "neutral", 2: "ENTAILMENT"}
    network = LocalEntailment(write_network(tmp_path / "two", THREE, inverted))
    (told,) = await network.entail([("yes", "x")], Meter())
    assert (told.entailed > 0.9, told.contradicted) == (True, None)


@pytest.mark.parametrize(
    ("name", "is_told"),
    [("ollama:bespoke-minicheck", False), ("vllm:org/Bespoke-MiniCheck-7B", False), ("x:y", True)],
)
async def test_only_a_model_that_was_not_made_for_it_is_told_the_question(
    name: str, *, is_told: bool
) -> None:
    model = ScriptedModel({"entail": "Yes"}, name=name)
    meter = Meter()
    meter.open(100_000, None)
    await ServedEntailment(model).entail([("It rained.", "Rain fell.")], meter)
    (message,) = model.requests[0].messages
    given, _, question = message.content.partition("\n\n")
    assert given == "Document: It rained.\nClaim: Rain fell."
    assert question.startswith("Does the document say all that the claim says?") is is_told


async def test_a_service_is_asked_for_yes_or_no_and_its_calls_are_booked() -> None:
    meter = Meter()
    meter.open(100_000, None)
    judge = ServedEntailment(ScriptedModel({"entail": "Yes"}))
    assert await judge.entail([("It rained.", "Rain fell.")], meter) == [Entailed(entailed=1.0)]
    assert [call.step for call in meter.drain()] == ["entail"]
    with pytest.raises(ContractError, match="neither yes nor no"):
        await ServedEntailment(ScriptedModel({"entail": "Maybe"})).entail([("a", "b")], meter)


POOL = {1: passage(BRIDGE, title="Orrin Bridge")}


@pytest.mark.parametrize(
    ("told", "support", "fate"),
    [
        (Entailed(entailed=0.9), Support.SUPPORTED, Fate.SUPPORTED),
        (Entailed(entailed=0.1, contradicted=0.9), None, Fate.DROPPED),
        (Entailed(entailed=0.1), Support.NOT_JUDGED, Fate.MARKED),
    ],
)
def test_what_it_says_decides_between_words_and_a_model(
    told: Entailed, support: Support | None, fate: Fate
) -> None:
    said = "Maude Tellin, an engineer, had 2.4 million crowns for erecting the crossing."
    outcome = verify_sentence(sentence(said, 1), POOL)
    claim = open_claims([outcome])[0]
    assert premises(claim, POOL)[0][1] == claim.sentence.text
    ruling = entailment_ruling([Entailed(entailed=0.05), told])
    assert ruling is not None
    after = apply_rulings([outcome], {0: ruling})[0]
    shown = after.sentence or after.dropped
    assert shown is not None
    assert shown.by is CheckedBy.ENTAILMENT
    assert (after.sentence.support if after.sentence else None, after.fate) == (support, fate)


def test_what_it_leaves_open_is_left_to_others() -> None:
    assert entailment_ruling([Entailed(entailed=0.5)]) is None
