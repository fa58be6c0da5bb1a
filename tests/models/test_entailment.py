"""An entailment network in a folder, run by ONNX Runtime, and a service that says yes or no."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import inf, nan
from pathlib import Path

import pytest
from onnx import TensorProto, helper
from tests.verify.samples import BRIDGE, passage, sentence
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from quaere.domain.model import ModelRequest
from quaere.domain.report import CheckedBy, Ruling, Support
from quaere.errors import ModelError, ModelRejected, ModelUnavailable, SettingsError
from quaere.models.entailment import AT_ONCE, PATIENCE, STEP, LocalEntailment, ServedEntailment
from quaere.models.failures import ModelUnusable
from quaere.models.meter import Meter
from quaere.ports.model import Entailed, EntailmentModel, ToldPairs
from quaere.testing import ScriptedModel
from quaere.verify.repair import Fate, verify_sentence
from quaere.verify.second_opinion import (
    apply_rulings,
    entailment_ruling,
    entailment_rulings,
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


PATIENTLY_S = 60.0


async def each_of(model: EntailmentModel, pairs: Sequence[tuple[str, str]]) -> list[Entailed]:
    """Return what ``model`` tells of ``pairs``, which is of all."""
    told = await model.entail(pairs, Meter(), within_s=PATIENTLY_S)
    assert told.fault == ""
    return [each for each in told.each if each]


THREE = [[0, 0, 0], [0, 0, 0], [0, 0, 4], [4, 0, 0], [0, 4, 0]]


async def test_three_numbers_are_read_by_their_labels(tmp_path: Path) -> None:
    network = LocalEntailment(write_network(tmp_path / "nli", THREE, LABELS))
    await network.warm()
    pairs = [("yes", "x"), ("no", "x"), ("perhaps", "x")] * STEP
    told = await each_of(network, pairs)
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
    inside, outside = await each_of(network, [(fits, "x"), (f"x {fits}", "x")])
    assert inside.entailed > 0.9
    assert outside.entailed == pytest.approx(1 / 3), "the end of the premise is cut off"


async def test_one_number_is_the_odds_that_a_claim_is_supported(tmp_path: Path) -> None:
    network = LocalEntailment(write_network(tmp_path / "one", [[0], [0], [5], [-5], [0]]))
    said, not_said = await each_of(network, [("yes", "x"), ("no", "x")])
    assert (said.entailed > 0.9, said.contradicted) == (True, None)
    assert not_said.entailed < 0.1


@pytest.mark.parametrize("row", [[nan], [-inf], [nan, 1, 2], [1, 2, inf]])
async def test_what_is_no_number_says_nothing_of_a_claim(tmp_path: Path, row: list[float]) -> None:
    zeros = [0.0] * len(row)
    network = LocalEntailment(write_network(tmp_path / "net", [zeros] * 2 + [row] + [zeros] * 2))
    told = await network.entail([("yes", "x")], Meter(), within_s=PATIENTLY_S)
    assert told == ToldPairs(each=(None,), fault="it came to no number")


async def test_a_claim_that_is_too_long_costs_no_other(tmp_path: Path) -> None:
    network = LocalEntailment(write_network(tmp_path / "nli", THREE, LABELS))
    pairs = [("yes", "x"), ("yes", "x " * 257), ("yes", "x " * 256)]
    told = await network.entail(pairs, Meter(), within_s=PATIENTLY_S)
    assert [each is not None for each in told.each] == [True, False, True]
    assert told.fault == "a claim is too long for it"


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
    (told,) = await each_of(network, [("yes", "x")])
    assert (told.entailed > 0.9, told.contradicted) == (True, None)


@pytest.mark.parametrize(
    ("name", "is_told"),
    [("ollama:bespoke-minicheck", False), ("vllm:org/Bespoke-MiniCheck-7B", False), ("x:y", True)],
)
async def test_only_a_model_that_was_not_made_for_it_is_told_the_question(
    name: str, *, is_told: bool
) -> None:
    model = ScriptedModel({"entail": "Yes"}, name=name)
    await asked(model, [("It rained.", "Rain fell.")])
    (message,) = model.requests[0].messages
    given, _, question = message.content.partition("\n\n")
    assert given == "Document: It rained.\nClaim: Rain fell."
    assert question.startswith("Does the document say all that the claim says?") is is_told


async def test_a_service_is_warmed_where_it_has_a_client_to_import() -> None:
    warmed: list[str] = []

    async def warm() -> None:
        warmed.append("client")

    await ServedEntailment(ScriptedModel({})).warm()
    await ServedEntailment(ScriptedModel({}), warm).warm()
    assert warmed == ["client"]


async def asked(
    model: ScriptedModel,
    pairs: Sequence[tuple[str, str]],
    *,
    meter: Meter | None = None,
    within_s: float = PATIENTLY_S,
) -> ToldPairs:
    """Return what ``model`` tells of ``pairs`` by a meter with tokens enough."""
    meter = meter or Meter()
    meter.open(100_000, None)
    return await ServedEntailment(model).entail(pairs, meter, within_s=within_s)


async def test_a_service_is_asked_for_yes_or_no_and_its_calls_are_booked() -> None:
    meter = Meter()
    told = await asked(
        ScriptedModel({"entail": "Yes"}), [("It rained.", "Rain fell.")], meter=meter
    )
    assert told == ToldPairs(each=(Entailed(entailed=1.0, in_a_word=True),))
    assert [call.step for call in meter.drain()] == ["entail"]


@pytest.mark.parametrize(
    ("said", "entailed"),
    [
        ("**Yes**, it does.", 1.0),
        ('"No."', 0.0),
        ("<think>No, wait: it does.</think>\n\nYes", 1.0),
        ("Answer: no", 0.0),
        ("Yesterday it did.", None),
        ("Nothing is certain.", None),
        ("", None),
    ],
)
async def test_yes_and_no_are_words_however_they_are_decorated(
    said: str, entailed: float | None
) -> None:
    (each,) = (await asked(ScriptedModel({"entail": said}), [("a", "b")])).each
    assert (each.entailed if each else None) == entailed


def one_in(claims: str, answer: str | ModelError) -> ScriptedModel:
    """Return a model that says yes, and ``answer`` of what begins with a word of ``claims``."""

    def script(request: ModelRequest) -> str | ModelError:
        _, _, claim = request.messages[0].content.partition("Claim: ")
        return answer if claim.split()[0] in claims.split() else "yes"

    return ScriptedModel(script)


@pytest.mark.parametrize("answer", ["Perhaps.", ModelRejected("it is too long")])
async def test_what_goes_wrong_with_one_claim_costs_no_other(answer: str | ModelError) -> None:
    pairs = [("a", f"{n} b") for n in range(12)]
    told = await asked(one_in("2 6", answer), pairs)
    assert [n for n, each in enumerate(told.each) if each is None] == [2, 6]
    assert told.fault == (answer.message if isinstance(answer, ModelError) else NEITHER)


NEITHER = "it answered neither yes nor no"


async def test_a_service_that_never_says_yes_or_no_is_soon_asked_no_more() -> None:
    model = ScriptedModel({"entail": "Perhaps."})
    told = await asked(model, [("a", f"{n} b") for n in range(40)])
    assert set(told.each) == {None}
    assert PATIENCE <= len(model.requests) < PATIENCE + AT_ONCE


async def test_many_passages_of_one_claim_are_one_failure() -> None:
    pairs = [*(("a", "0 b") for _ in range(2 * PATIENCE)), ("a", "1 b")]
    told = await asked(one_in("0", "Perhaps."), pairs)
    assert told.each[-1] == Entailed(entailed=1.0, in_a_word=True)


async def test_a_service_that_refuses_everybody_is_asked_by_those_on_their_way_alone() -> None:
    model = ScriptedModel({"entail": ModelUnusable("bad key")})
    told = await asked(model, [("a", f"{n} b") for n in range(40)])
    assert (set(told.each), told.fault) == ({None}, "bad key")
    assert len(model.requests) <= AT_ONCE


async def test_one_call_finds_a_service_well_again_and_goes_on_with_the_rest() -> None:
    """While it is tried with a single call, all others are refused."""
    model = ScriptedModel({"entail": "yes"}, latency_s=0.05, failures=[None] + [PAUSED] * 3)
    told = await asked(model, [("a", f"{n} b") for n in range(8)])
    assert told == ToldPairs(
        each=(Entailed(entailed=1.0, in_a_word=True),) * 8, fault=PAUSED.message
    )


PAUSED = ModelUnavailable("it is paused")


async def test_what_was_told_before_the_time_was_over_counts(tmp_path: Path) -> None:
    slow = ScriptedModel({"entail": "yes"}, latency_s=0.2)
    told = await asked(slow, [("a", f"{n} b") for n in range(3 * AT_ONCE)], within_s=0.3)
    assert [each for each in told.each if each] == [
        Entailed(entailed=1.0, in_a_word=True)
    ] * AT_ONCE
    assert told.fault == "it had no more than 0.3 s"
    network = LocalEntailment(write_network(tmp_path / "nli", THREE, LABELS))
    none = await network.entail([("yes", "x")], Meter(), within_s=0.0)
    assert (none.each, none.fault) == ((None,), "it had no more than 0 s")


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
    assert (shown.by, shown.probability) == (CheckedBy.ENTAILMENT, told.entailed)
    assert (after.sentence.support if after.sentence else None, after.fate) == (support, fate)


def test_a_yes_or_no_is_no_number() -> None:
    ruling = entailment_ruling([Entailed(entailed=1.0, in_a_word=True)])
    assert ruling == Ruling(support=Support.SUPPORTED, by=CheckedBy.ENTAILMENT)


def test_what_it_leaves_open_is_left_to_others() -> None:
    assert entailment_ruling([Entailed(entailed=0.5)]) is None


def test_a_passage_of_which_it_could_not_tell_may_say_it() -> None:
    assert entailment_ruling([Entailed(entailed=0.0, contradicted=1.0), None]) is None
    said = entailment_ruling([None, Entailed(entailed=1.0)])
    assert said is not None
    assert said.support is Support.SUPPORTED


def test_of_how_many_sentences_it_did_not_tell_is_counted_by_sentence() -> None:
    asked = {3: [("a", "b"), ("c", "b")], 5: [("a", "d")]}
    yes = Entailed(entailed=1.0)
    rulings, fault = entailment_rulings(asked, ToldPairs(each=(None, yes, None), fault="odd."))
    assert (list(rulings), fault) == ([3], "did not judge 1 of 2 sentences: odd")
    nothing = entailment_rulings(asked, ToldPairs(each=(None, None, None), fault="odd."))
    assert nothing == ({}, "judged nothing: odd")
