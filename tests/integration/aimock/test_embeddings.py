"""Embeddings of a genuine third-party server, its bad days included."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pydantic import SecretStr
from tests.integration.aimock.server import Aimock, absent, running

from quaere.errors import ModelError
from quaere.models import ModelAccess
from quaere.models.embedding import open_embedder
from quaere.models.similarity import CosineEmbedder

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(bool(absent()), reason=absent())]

PAIRS = [("salt lichen", "salt lichen"), ("salt lichen", "the lantern moth")]


@pytest.fixture(scope="module")
def aimock() -> Iterator[Aimock]:
    with running() as server:
        yield server


@pytest.fixture(params=["openai:text-embedding-3-small", "mistral:mistral-embed", "ollama:moth"])
def embedder(request: pytest.FixtureRequest, aimock: Aimock) -> CosineEmbedder:
    aimock.calm()
    access = ModelAccess(base_url=f"{aimock.url}/v1", api_key=SecretStr("sk-moth"), timeout_s=10)
    return open_embedder(str(request.param), lambda _: access)


async def test_the_same_text_is_the_same_and_another_is_not(embedder: CosineEmbedder) -> None:
    same, other = await embedder.similarities(PAIRS)
    assert same == pytest.approx(1.0)
    assert -1 <= other < 0.9


async def test_a_server_that_fails_is_told(embedder: CosineEmbedder, aimock: Aimock) -> None:
    aimock.disturb(dropRate=1.0)
    with pytest.raises(ModelError):
        await embedder.similarities(PAIRS)
    aimock.calm()
    assert len(await embedder.similarities(PAIRS)) == 2
