"""An embedder whose weights are safetensors: a small BERT, beside the same in plain Python."""

from __future__ import annotations

import json
import math
import os
import random
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

import pytest
from tests.models.test_embedding import WORDS, opened, write_embedder

from quaere.errors import ModelRejected

pytestmark = pytest.mark.anyio

WIDTH, INNER, LAYERS, HEADS, EPS = 4, 6, 2, 2, 1e-12
Vector = list[float]
Weights = Mapping[str, list[Vector]]


def _shapes() -> Mapping[str, tuple[int, int]]:
    """Return rows and columns of each tensor; of a vector, one row."""
    shapes = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (64, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"]
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes[f"{layer}.attention.{part}.weight"] = (WIDTH, WIDTH)
            shapes[f"{layer}.attention.{part}.bias"] = (1, WIDTH)
        shapes |= {
            f"{layer}.intermediate.dense.weight": (INNER, WIDTH),
            f"{layer}.intermediate.dense.bias": (1, INNER),
            f"{layer}.output.dense.weight": (WIDTH, INNER),
            f"{layer}.output.dense.bias": (1, WIDTH),
        }
    return shapes | {f"{norm}.{part}": (1, WIDTH) for norm in norms for part in ("weight", "bias")}


def _weights() -> Weights:
    chance = random.Random(7)  # noqa: S311 - made-up weights
    return {
        name: [
            [chance.gauss(0, 0.1 if name.endswith("bias") else 1) for _ in range(columns)]
            for _ in range(rows)
        ]
        for name, (rows, columns) in _shapes().items()
    }


def write_bert(folder: Path, weights: Weights, kind: str = "bert") -> Path:
    """Write ``weights`` as safetensors, with the tokenizer of three words."""
    write_embedder(folder)
    (folder / "model.onnx").unlink()
    config = {"model_type": kind, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS}
    (folder / "config.json").write_text(json.dumps(config))
    head: dict[str, object] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, rows in weights.items():
        numbers = [*chain.from_iterable(rows)]
        shape = [len(rows), len(rows[0])] if len(rows) > 1 else [len(rows[0])]
        packed = struct.pack(f"<{len(numbers)}f", *numbers)
        offsets = [len(data), len(data) + len(packed)]
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": offsets}
        data += packed
    written = json.dumps(head).encode()
    packed = len(written).to_bytes(8, "little") + written + data
    (folder / "model.safetensors").write_bytes(packed)
    return folder


def _linear(weights: Weights, name: str, vector: Vector) -> Vector:
    bias = weights[f"{name}.bias"][0]
    rows = weights[f"{name}.weight"]
    return [sum(map(float.__mul__, row, vector)) + b for row, b in zip(rows, bias, strict=True)]


def _normed(weights: Weights, name: str, vector: Vector) -> Vector:
    mean = sum(vector) / len(vector)
    scale = math.sqrt(sum((x - mean) ** 2 for x in vector) / len(vector) + EPS)
    parts = zip(vector, weights[f"{name}.weight"][0], weights[f"{name}.bias"][0], strict=True)
    return [(x - mean) / scale * weight + bias for x, weight, bias in parts]


def _added(one: Vector, other: Vector) -> Vector:
    return [a + b for a, b in zip(one, other, strict=True)]


def _attended(weights: Weights, name: str, states: Sequence[Vector]) -> list[Vector]:
    queries, keys, values = (
        [_linear(weights, f"{name}.self.{part}", state) for state in states]
        for part in ("query", "key", "value")
    )
    size = WIDTH // HEADS
    heard: list[Vector] = []
    for query in queries:
        told: Vector = []
        for begin in range(0, WIDTH, size):
            part = slice(begin, begin + size)
            scores = [
                math.exp(sum(map(float.__mul__, query[part], key[part])) / math.sqrt(size))
                for key in keys
            ]
            told += [
                sum(s * v[at] for s, v in zip(scores, values, strict=True)) / sum(scores)
                for at in range(begin, begin + size)
            ]
        heard.append(_linear(weights, f"{name}.output.dense", told))
    return heard


def embedding(weights: Weights, words: Sequence[str]) -> Vector:
    """Return the mean of the last states, number by number."""
    words_, places, kinds = (
        weights[f"embeddings.{table}_embeddings.weight"]
        for table in ("word", "position", "token_type")
    )
    states = [
        _normed(
            weights,
            "embeddings.LayerNorm",
            _added(_added(words_[WORDS[word]], places[place]), kinds[0]),
        )
        for place, word in enumerate(words)
    ]
    for number in range(LAYERS):
        name = f"encoder.layer.{number}"
        heard = _attended(weights, f"{name}.attention", states)
        states = [
            _normed(weights, f"{name}.attention.output.LayerNorm", _added(state, each))
            for state, each in zip(states, heard, strict=True)
        ]
        inner = [
            [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in _linear(weights, dense, state)]
            for dense in (f"{name}.intermediate.dense",)
            for state in states
        ]
        states = [
            _normed(
                weights,
                f"{name}.output.LayerNorm",
                _added(state, _linear(weights, f"{name}.output.dense", each)),
            )
            for state, each in zip(states, inner, strict=True)
        ]
    return [sum(column) / len(states) for column in zip(*states, strict=True)]


def _cosine(one: Vector, other: Vector) -> float:
    return sum(map(float.__mul__, one, other)) / math.hypot(*one) / math.hypot(*other)


async def test_weights_in_safetensors_make_the_network_that_the_paper_describes(
    tmp_path: Path,
) -> None:
    weights = _weights()
    embedder = opened(str(write_bert(tmp_path / "bert", weights)))
    texts = ("salt", "brine moth", "moth salt brine salt")
    pairs = [(one, other) for one in texts for other in texts]
    meant = {text: embedding(weights, text.split()) for text in texts}
    wanted = [_cosine(meant[one], meant[other]) for one, other in pairs]
    assert min(wanted) < 0.9
    assert await embedder.similarities(pairs) == pytest.approx(wanted, abs=1e-4)


async def test_a_network_of_another_kind_is_to_be_exported(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "other", _weights(), kind="mpnet")
    with pytest.raises(ModelRejected, match=r"optimum-cli export onnx"):
        await opened(str(folder)).similarities([("salt", "moth")])


@pytest.mark.parametrize("damage", ["cut off", "another head", "a tensor is missing", "empty"])
async def test_damaged_weights_are_told(tmp_path: Path, damage: str) -> None:
    weights = dict(_weights())
    if damage == "a tensor is missing":
        del weights["encoder.layer.1.output.dense.weight"]
    path = write_bert(tmp_path / "bert", weights) / "model.safetensors"
    data = path.read_bytes()
    damaged = {"cut off": data[:-40], "another head": b"\xff" * 90, "empty": b""}
    path.write_bytes(damaged.get(damage, data))
    with pytest.raises(ModelRejected):
        await opened(str(path.parent)).similarities([("salt", "moth")])


THREADS = """
import os, sys
from quaere.models.embedding import LocalEmbeddings

LocalEmbeddings(sys.argv[1])._network
assert "numpy" in sys.modules
sys.stdout.write(str(len(os.listdir("/proc/self/task"))))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="it counts threads of Linux")
def test_numpy_has_no_threads_that_wait_for_each_other(tmp_path: Path) -> None:
    """They made it many times slower, and kept a process that had ended from going."""
    command = [sys.executable, "-c", THREADS, str(write_bert(tmp_path / "words", _weights()))]
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    told, fewest = (
        subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout
        for env in (None, alone)
    )
    assert told == fewest
