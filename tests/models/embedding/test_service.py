"""Embeddings by OpenAI's protocol, from a server that has good and bad days."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from pydantic import SecretStr

from quaere.errors import ContractError, ModelError, ReasonError, SettingsError
from quaere.models.embedding import CosineEmbedder, open_embedder
from quaere.models.spec import ModelAccess, ModelSpec

pytestmark = pytest.mark.anyio

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
    site: Site, name: str = "compatible:moth", timeout_s: float = 5, key: str = KEY
) -> AsyncGenerator[CosineEmbedder]:
    app = web.Application()
    app.router.add_post("/v1/embeddings", site.embeddings)
    async with TestServer(app) as server:
        access = ModelAccess(
            base_url=str(server.make_url("/v1")), api_key=SecretStr(key), timeout_s=timeout_s
        )
        yield open_embedder(name, lambda _: access)


@pytest.mark.parametrize(
    "name", ["compatible:moth", "openai:text-embedding-3-small", "mistral:mistral-embed",
             "ollama:all-minilm", "llamacpp:moth"],
)  # fmt: skip
async def test_every_vendor_of_the_protocol_is_asked_alike(name: str) -> None:
    site = Site()
    async with asking(site, name) as embedder:
        assert await embedder.similarities(PAIRS) == pytest.approx([1.0, 0.5**0.5])
        assert embedder.name == name
    (body,) = site.bodies
    assert body["input"] == ["moth", "salt"]
    assert body["model"] == name.partition(":")[2]
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


async def test_warming_imports_the_client_off_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It takes seconds on a busy machine, and the first call has no more than twenty."""
    imported: list[tuple[str, bool]] = []

    def note(name: str) -> None:
        imported.append((name, threading.current_thread() is threading.main_thread()))

    monkeypatch.setattr("quaere.models.embedding.service.import_module", note)
    access = ModelAccess(base_url="http://127.0.0.1:9/v1")
    await open_embedder("compatible:m", lambda _: access).warm()
    assert imported == [("openai", False)]
