"""Embeddings of this machine and of services."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from onnx import TensorProto, helper
from pydantic import SecretStr
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from quaere.errors import ContractError, ModelError, ModelRejected, ReasonError, SettingsError
from quaere.models.embedding import STEP, open_embedder
from quaere.models.similarity import CosineEmbedder
from quaere.models.vendors import ModelAccess, ModelSpec

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
from quaere.models.embedding import LocalEmbeddings

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


KEY = "sk-nobody-may-see-this"
PAIRS = [("salt", "salt"), ("salt", "moth")]


class Site:
    """Answers as it is told; remembers what it was asked."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, object]] = []
        self.keys: list[str] = []
        self.answer: object = None
        self.status = 200
        self.hangs = False

    async def embeddings(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        self.keys.append(request.headers.get("Authorization", ""))
        if self.hangs:
            await asyncio.sleep(30)
        if isinstance(self.answer, str):
            return web.Response(text=self.answer, status=self.status, content_type="text/html")
        good = {
            "object": "list",
            "model": body["model"],
            "data": [
                {"object": "embedding", "index": n, "embedding": [1.0, float(text == "moth")]}
                for n, text in enumerate(body["input"])
            ][::-1],
            "usage": {"prompt_tokens": 2, "total_tokens": 2},
        }
        return web.json_response(good if self.answer is None else self.answer, status=self.status)


@asynccontextmanager
async def asking(
    site: Site,
    name: str = "compatible:moth",
    timeout_s: float = 5,
    key: str = KEY,
    path: str = "/v1",
) -> AsyncGenerator[CosineEmbedder]:
    app = web.Application()
    app.router.add_post("/v1/embeddings", site.embeddings)
    async with TestServer(app) as server:
        access = ModelAccess(
            base_url=str(server.make_url(path)), api_key=SecretStr(key), timeout_s=timeout_s
        )
        yield open_embedder(name, lambda _: access)


@pytest.mark.parametrize(
    "name", ["compatible:moth", "openai:text-embedding-3-small", "mistral:mistral-embed",
             "ollama:all-minilm", "llamacpp:moth", "lmstudio:moth"],
)  # fmt: skip
async def test_every_vendor_of_the_protocol_is_asked_alike(name: str) -> None:
    site = Site()
    async with asking(site, name) as embedder:
        assert await embedder.similarities(PAIRS) == pytest.approx([1.0, 0.5**0.5])
        assert embedder.name == name
    (body,) = site.bodies
    assert body["input"] == ["moth", "salt"]
    assert body["model"] == name.partition(":")[2]


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
async def test_ollama_embeds_at_the_address_that_its_models_have(path: str) -> None:
    site = Site()
    async with asking(site, "ollama:all-minilm", path=path) as embedder:
        await embedder.similarities(PAIRS)
    assert len(site.bodies) == 1
    assert site.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("status", "answer", "error"),
    [
        (200, {"data": []}, ContractError),
        (200, {"data": [{"index": 0, "embedding": [1.0]}]}, ContractError),
        (200, {}, ReasonError),
        (200, "<html>Welcome</html>", ReasonError),
        (200, "", ReasonError),
        (200, f'{{"data": [{{"index": 0, "embedding": [1{"0" * 400}]}}]}}', ReasonError),
        (400, {"error": {"message": "input too long"}}, ModelError),
        (401, {"error": {"message": f"bad key {KEY}"}}, ModelError),
        (404, {"error": {"message": "no such model"}}, ModelError),
        (500, "Something broke", ModelError),
    ],
)
async def test_a_bad_day_is_a_typed_error_without_the_key(
    status: int, answer: object, error: type[ReasonError]
) -> None:
    site = Site()
    site.status, site.answer = status, answer
    async with asking(site) as embedder:
        with pytest.raises(error) as caught:
            await embedder.similarities(PAIRS)
    assert len(site.bodies) == 1 + (status == 500)
    assert KEY not in caught.value.message
    assert "moth" in caught.value.message or "compatible" in caught.value.message


async def test_a_server_of_ones_own_is_not_given_the_key_of_openai(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    site = Site()
    async with asking(site, key="") as embedder:
        await embedder.similarities(PAIRS)
    assert site.keys == ["Bearer none"]


async def test_a_server_that_is_silent_is_given_up() -> None:
    site = Site()
    site.hangs = True
    async with asking(site, timeout_s=0.2) as embedder:
        with pytest.raises(ModelError, match=r"compatible:moth did not answer .* 0\.2 s"):
            await embedder.similarities(PAIRS)


@pytest.mark.parametrize("url", ["http://[::1", "http://127.0.0.1:99999/v1"])
async def test_an_address_that_nobody_can_use_is_told(url: str) -> None:
    access = ModelAccess(base_url=url, timeout_s=2)
    with pytest.raises(ModelError, match="compatible:moth could not be reached"):
        await open_embedder("compatible:moth", lambda _: access).similarities(PAIRS)


async def test_a_server_that_is_not_there_is_told() -> None:
    access = ModelAccess(base_url="http://127.0.0.1:9/v1", timeout_s=2)
    with pytest.raises(ModelError, match="compatible:moth"):
        await open_embedder("compatible:moth", lambda _: access).similarities(PAIRS)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("anthropic:claude", "supports no embeddings of anthropic; supported are local, openai"),
        ("openai:text-embedding-3-small", "set OPENAI_API_KEY"),
        ("compatible:moth", "needs the base URL"),
        ("moth", "vendor:model"),
        ("", "vendor:model"),
        ("local:", "names no embedder"),
    ],
)
def test_what_cannot_be_opened_says_what_to_do(name: str, why: str) -> None:
    def nothing(_: ModelSpec) -> ModelAccess:
        return ModelAccess()

    with pytest.raises(SettingsError, match=why):
        open_embedder(name, nothing)


def test_a_key_that_cannot_be_sent_is_refused_before_any_request() -> None:
    pasted = ModelAccess(api_key=SecretStr(f"{KEY} {KEY}"))
    with pytest.raises(SettingsError, match="contains a space, a line break"):
        open_embedder("openai:text-embedding-3-small", lambda _: pasted)


async def test_warming_imports_the_client_off_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It takes seconds on a busy machine, and the first call has no more than twenty."""
    imported: list[tuple[str, bool]] = []

    def note(name: str) -> None:
        imported.append((name, threading.current_thread() is threading.main_thread()))

    monkeypatch.setattr("quaere.models.embedding.import_module", note)
    access = ModelAccess(base_url="http://127.0.0.1:9/v1")
    await open_embedder("compatible:m", lambda _: access).warm()
    assert imported == [("openai", False)]
