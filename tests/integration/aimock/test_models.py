"""Every vendor's client against a genuine third-party server, its bad days included (R2.1)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import cast

import pytest
from pydantic import SecretStr
from tests.contracts.chat_model import CONSTRAINED, PLAIN, ChatModelContract, asking, streamed
from tests.integration.aimock.server import Aimock, absent, running

from quaere.domain.model import Finish
from quaere.errors import ModelError
from quaere.models import LangChainModel, ModelAccess, ModelSpec, open_model

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(bool(absent()), reason=absent())]

VENDORS = {
    "openai:gpt-4.1-mini": "/v1",
    "anthropic:claude-sonnet-4-6": "",
    "google:gemini-2.5-flash": "",
    "groq:openai/gpt-oss-20b": "",
    "deepseek:deepseek-chat": "/v1",
    "mistral:mistral-large-latest": "/v1",
    "ollama:llama3.2:3b": "",
    "compatible:org/moth-8b": "/v1",
    "llamacpp:moth": "/v1",
}
UNCOUNTED = {"anthropic", "groq", "mistral", "ollama"}
"""Those for which aimock leaves out counts that the vendors give, in streams at least."""


@pytest.fixture(scope="module")
def aimock() -> Iterator[Aimock]:
    with running() as server:
        yield server


@pytest.fixture(params=VENDORS)
def name(request: pytest.FixtureRequest) -> str:
    return cast("str", request.param)


@pytest.fixture
async def model(name: str, aimock: Aimock) -> AsyncIterator[LangChainModel]:
    aimock.calm()
    access = ModelAccess(
        base_url=aimock.url + VENDORS[name], api_key=SecretStr("sk-moth"), timeout_s=10
    )
    found = open_model(ModelSpec.parse(name), access)
    yield found
    await found.aclose()


class TestAgainstAimock(ChatModelContract):
    @pytest.fixture
    async def model(self, model: LangChainModel) -> LangChainModel:
        return model

    @pytest.fixture
    async def broken(self, model: LangChainModel, aimock: Aimock) -> AsyncIterator[LangChainModel]:
        aimock.disturb(dropRate=1)
        yield model
        aimock.calm()


async def test_it_counts_what_the_server_counts(model: LangChainModel) -> None:
    completion = await model.complete(PLAIN)
    _, last = await streamed(model.stream(PLAIN))
    if model.name.partition(":")[0] not in UNCOUNTED:
        for usage in (completion.usage, last.usage):
            assert (usage.prompt_tokens, usage.completion_tokens) == (31, 17)
            assert not usage.estimated


async def test_a_stream_comes_in_pieces(model: LangChainModel) -> None:
    pieces, _ = await streamed(model.stream(PLAIN))
    assert len(pieces) > 2


async def test_an_answer_that_ends_otherwise_says_how(model: LangChainModel) -> None:
    if model.name.startswith("ollama"):
        pytest.skip("aimock's Ollama always stops well")
    for request, finish in (
        (asking("Now say it is cut."), Finish.LENGTH),
        (asking("Now say it is forbidden."), Finish.REFUSAL),
    ):
        assert (await model.complete(request)).finish is finish
        assert (await streamed(model.stream(request)))[1].finish is finish


@pytest.mark.parametrize("rate", ["dropRate", "malformedRate", "disconnectRate", "rateLimitRate"])
async def test_chaos_is_an_error_that_may_pass(
    model: LangChainModel, aimock: Aimock, rate: str
) -> None:
    """R0.8: nothing but our own errors comes out, and each call is made once."""
    aimock.disturb(**{rate: 1.0})
    before = aimock.asked()
    with pytest.raises(ModelError) as whole:
        await model.complete(CONSTRAINED)
    with pytest.raises(ModelError) as pieces:
        await streamed(model.stream(PLAIN))
    assert whole.value.retryable
    assert pieces.value.retryable
    assert aimock.asked() == before + 2, "a library tried again"
    if rate == "rateLimitRate":
        assert whole.value.retry_after == pieces.value.retry_after
        assert whole.value.retry_after is not None
    aimock.calm()
    assert (await model.complete(PLAIN)).finish is Finish.STOP
