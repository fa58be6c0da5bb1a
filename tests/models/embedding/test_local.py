"""An embedder in a folder, run by fastembed: a network of three words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from onnx import TensorProto, helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from quaere.errors import ModelRejected
from quaere.models.embedding import CosineEmbedder, open_embedder
from quaere.models.embedding.local import STEP
from quaere.models.spec import ModelAccess

pytestmark = pytest.mark.anyio

WORDS = {"[PAD]": 0, "[UNK]": 1, "salt": 2, "brine": 3, "moth": 4}
MEANINGS = [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.9, 0.1, 0.0], [0.0, 1.0, 0.0]]


def write_embedder(folder: Path) -> Path:
    """Write a network that looks up the meaning of each word."""
    folder.mkdir()
    tokenizer = Tokenizer(WordLevel(WORDS, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    files = {
        "config.json": {"pad_token_id": 0},
        "tokenizer_config.json": {"model_max_length": 64, "pad_token": "[PAD]"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
    }
    for name, text in files.items():
        (folder / name).write_text(json.dumps(text))
    shape = ["batch", "length"]
    table = helper.make_tensor(
        "table", TensorProto.FLOAT, [len(MEANINGS), 3], [x for row in MEANINGS for x in row]
    )
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "words",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask")
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, 3])],
        [table],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    return folder


def opened(name: str) -> CosineEmbedder:
    return open_embedder(f"local:{name}", lambda _: ModelAccess())


async def test_a_folder_is_read_and_words_near_in_meaning_are_near(tmp_path: Path) -> None:
    embedder = opened(str(write_embedder(tmp_path / "words")))
    pairs = [("salt", "brine"), ("salt", "moth"), ("salt salt", "salt")]
    near, far, same = await embedder.similarities(pairs)
    assert near == pytest.approx(0.9 / (0.9**2 + 0.1**2) ** 0.5, abs=1e-4)
    assert far == pytest.approx(0, abs=1e-4)
    assert same == pytest.approx(1, abs=1e-4)


async def test_a_folder_can_be_opened_twice(tmp_path: Path) -> None:
    folder = str(write_embedder(tmp_path / "words"))
    for _ in range(2):
        assert await opened(folder).similarities([("salt", "salt")]) == pytest.approx([1.0])


async def test_a_folder_without_a_network_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelRejected, match=r"holds no model\.onnx .* model\.safetensors"):
        await opened(str(tmp_path)).similarities([("a", "b")])


async def test_a_damaged_network_is_told(tmp_path: Path) -> None:
    folder = write_embedder(tmp_path / "words")
    (folder / "model.onnx").write_bytes(b"no network")
    with pytest.raises(ModelRejected, match="could not be loaded"):
        await opened(str(folder)).similarities([("a", "b")])


CUT_OFF = """
import asyncio, sys, threading, time
from quaere.models.embedding.local import LocalEmbeddings

inside, given_up = threading.Event(), threading.Event()

class Slow:
    def embed(self, texts):
        inside.set()
        given_up.wait()
        time.sleep(0.5)
        sys.stdout.write(f"embedded {len(texts)}\\n")
        return []

class Embeddings(LocalEmbeddings):
    _network = Slow()

async def give_up():
    embedding = asyncio.create_task(Embeddings("slow").embed(["salt"] * 100))
    await asyncio.to_thread(inside.wait)
    embedding.cancel()
    await embedding

try:
    asyncio.run(give_up())
except asyncio.CancelledError:
    sys.stdout.write("given up\\n")
    given_up.set()
"""


def test_the_end_of_the_program_waits_until_no_thread_is_inside_a_network() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", CUT_OFF], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    told = ended.stdout.splitlines()
    assert told == ["given up", f"embedded {STEP}"], "and lets it in no more"


async def test_a_name_that_nobody_knows_is_told() -> None:
    with pytest.raises(ModelRejected, match=r"local:nobody/knows-me could not .* is not supported"):
        await opened("nobody/knows-me").similarities([("a", "b")])
