"""Every vendor's client against a server that speaks as its vendor does (R2.1)."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import cast

import pytest
from pydantic import SecretStr
from tests.contracts.chat_model import CONSTRAINED, PLAIN, ChatModelContract, streamed
from tests.look_alikes.models.server import Answer, Ending, ModelServer, Refusing, Trouble
from tests.models.vendors import KEY, SERVICES, opened

from quaere.domain.model import Completion, Finish
from quaere.errors import ModelError, ModelRejected, ModelTimeout, ModelUnreachable
from quaere.models import VENDORS, LangChainModel, ModelAccess, ModelSpec, open_model

pytestmark = pytest.mark.anyio

TEXT = Answer().text


@pytest.fixture(params=SERVICES)
def vendor(request: pytest.FixtureRequest) -> str:
    return cast("str", request.param)


@pytest.fixture
async def server(vendor: str) -> AsyncIterator[ModelServer]:
    async with ModelServer(SERVICES[vendor].wire) as running:
        yield running


@pytest.fixture
async def model(vendor: str, server: ModelServer) -> AsyncIterator[LangChainModel]:
    async with opened(vendor, server) as found:
        yield found


async def both(model: LangChainModel) -> tuple[Completion, Completion]:
    """Return the answer whole, and streamed."""
    return await model.complete(PLAIN), (await streamed(model.stream(PLAIN)))[1]


async def errors_of(model: LangChainModel) -> list[ModelError]:
    """Return what both ways of asking raise."""
    with pytest.raises(ModelError) as whole:
        await model.complete(PLAIN)
    with pytest.raises(ModelError) as pieces:
        await streamed(model.stream(PLAIN))
    return [whole.value, pieces.value]


def test_every_vendor_is_tried() -> None:
    assert set(SERVICES) == set(VENDORS)


class TestEveryVendor(ChatModelContract):
    @pytest.fixture
    async def model(self, vendor: str, server: ModelServer) -> AsyncIterator[LangChainModel]:
        async with opened(vendor, server) as found:
            yield found

    @pytest.fixture
    async def broken(self, vendor: str, server: ModelServer) -> AsyncIterator[LangChainModel]:
        server.trouble = Refusing(503)
        async with opened(vendor, server) as found:
            yield found


async def test_text_comes_as_it_was_written_without_thoughts(
    model: LangChainModel, server: ModelServer
) -> None:
    server.answer = Answer(thoughts="They want to know about moths.")
    pieces, last = await streamed(model.stream(PLAIN))
    assert pieces == list(server.answer.pieces)
    assert last.text == (await model.complete(PLAIN)).text == TEXT


async def test_usage_is_what_the_vendor_counts(
    vendor: str, model: LangChainModel, server: ModelServer
) -> None:
    """R0.7: tokens are counted by the provider's own numbers, in streams too."""
    for completion in await both(model):
        usage = completion.usage
        assert (usage.prompt_tokens, usage.completion_tokens) == (40, 12)
        assert not usage.estimated
        details = (usage.cached_tokens, usage.reasoning_tokens)
        assert details == ((16, 5) if SERVICES[vendor].details else (0, 0))


async def test_usage_is_estimated_where_nothing_is_counted(
    model: LangChainModel, server: ModelServer
) -> None:
    server.answer = Answer(counted=False)
    for completion in await both(model):
        assert completion.usage.estimated
        assert completion.usage.completion_tokens == 10  # 38 characters
        assert completion.usage.prompt_tokens == 12  # 44 characters in two messages


async def test_an_answer_that_was_cut_off_says_so(
    model: LangChainModel, server: ModelServer
) -> None:
    server.answer = Answer(ending=Ending.LENGTH)
    server.constrained = replace(server.constrained, ending=Ending.LENGTH)
    for completion in await both(model):
        assert completion.finish is Finish.LENGTH
        assert completion.text == TEXT
    constrained = await model.complete(CONSTRAINED)
    assert constrained.finish is Finish.LENGTH
    assert constrained.text == server.constrained.text


async def test_a_refusal_says_so(vendor: str, model: LangChainModel, server: ModelServer) -> None:
    if vendor == "ollama":
        pytest.skip("Ollama has no word for it")
    server.answer = Answer(ending=Ending.REFUSAL, pieces=("I ", "cannot."))
    assert [c.finish for c in await both(model)] == [Finish.REFUSAL, Finish.REFUSAL]


@pytest.mark.parametrize(
    ("status", "hint"),
    [(400, "rejected this request"), (401, "key"), (403, "key"), (404, "no model")],
)
async def test_what_will_never_work_is_rejected(
    vendor: str, model: LangChainModel, server: ModelServer, status: int, hint: str
) -> None:
    server.trouble = Refusing(status, f"No luck with {KEY}.")
    for error in await errors_of(model):
        assert isinstance(error, ModelRejected)
        assert not error.retryable
        assert hint in error.message
        assert KEY not in error.message
        assert status != 401 or VENDORS[vendor].key_variable in error.message
        assert status != 404 or SERVICES[vendor].model in error.message
    assert len(server.calls) == 2, "a library tried again"


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
async def test_what_may_pass_can_be_tried_again(
    vendor: str, model: LangChainModel, server: ModelServer, status: int
) -> None:
    """R0.8: one attempt a call, and the wait that the service asks for."""
    server.trouble = Refusing(status, f"Too much for {KEY}.", {"Retry-After": "7"})
    for error in await errors_of(model):
        assert type(error) is ModelError
        assert error.retryable
        assert KEY not in error.message
        assert error.retry_after == 7.0
    assert len(server.calls) == 2, "a library tried again"


@pytest.mark.parametrize("trouble", [Trouble.HANGING, Trouble.DRIPPING])
async def test_a_call_ends_at_its_deadline_however_slowly_bytes_come(
    vendor: str, server: ModelServer, trouble: Trouble
) -> None:
    server.trouble = trouble
    async with opened(vendor, server, timeout_s=0.3) as model:
        await model.warm()
        began = time.monotonic()
        for error in await errors_of(model):
            assert isinstance(error, ModelTimeout)
            assert "0.3 s" in error.message
        assert 0.6 <= time.monotonic() - began < 6


async def test_a_broken_answer_is_an_error(model: LangChainModel, server: ModelServer) -> None:
    server.trouble = Trouble.CUT
    for error in await errors_of(model):
        assert error.retryable


async def test_a_web_page_in_place_of_an_answer_is_a_wrong_address(
    model: LangChainModel, server: ModelServer
) -> None:
    server.trouble = Trouble.GARBLED
    for error in await errors_of(model):
        assert not error.retryable
        assert "check the base URL" in error.message


async def test_a_stream_that_ends_too_early_is_no_answer(
    model: LangChainModel, server: ModelServer
) -> None:
    server.trouble = Trouble.ENDED
    with pytest.raises(ModelError, match="ended its answer half-way"):
        await streamed(model.stream(PLAIN))


async def test_what_is_not_there_cannot_be_reached(vendor: str, server: ModelServer) -> None:
    async with opened(vendor, server) as model:
        await server.__aexit__()
        for error in await errors_of(model):
            assert error.retryable
            assert f"could not be reached at {server.base_url}" in error.message
            assert "connection refused" in error.message


@pytest.fixture
def nowhere() -> Iterator[str]:
    """An address that drops what comes: its queue of connections is full."""
    with socket.socket() as busy, ExitStack() as waiting:
        busy.bind(("127.0.0.1", 0))
        busy.listen(0)
        for _ in range(3):
            client = waiting.enter_context(socket.socket())
            client.setblocking(False)
            with suppress(BlockingIOError):
                client.connect(busy.getsockname())
        yield f"http://127.0.0.1:{busy.getsockname()[1]}"


async def test_a_server_that_is_not_there_is_not_waited_for_as_if_it_thought(
    vendor: str, nowhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its users would wait for half a minute, in every step, before they heard of it."""
    monkeypatch.setattr("quaere.models.client.CONNECTED_S", 0.2)
    access = ModelAccess(base_url=nowhere, api_key=SecretStr(KEY), timeout_s=30.0)
    model = open_model(ModelSpec.parse(f"{vendor}:{SERVICES[vendor].model}"), access)
    await model.warm()
    began = time.monotonic()
    for error in await errors_of(model):
        assert isinstance(error, ModelUnreachable)
        assert f"could not be reached at {nowhere} (no response)" in error.message
    assert time.monotonic() - began < 10
    await model.aclose()


async def test_a_cancelled_call_closes_its_connection(
    model: LangChainModel, server: ModelServer
) -> None:
    server.trouble = Trouble.HANGING
    await model.warm()
    call = asyncio.create_task(model.complete(PLAIN))
    await asyncio.wait([call], timeout=0.2)
    assert server.calls
    call.cancel()
    async with asyncio.timeout(2):
        await server.hung_up.wait()


async def test_a_stream_that_is_left_closes_its_connection(
    model: LangChainModel, server: ModelServer
) -> None:
    server.trouble = Trouble.DRIPPING
    async for piece in model.stream(PLAIN):
        assert piece
        break
    async with asyncio.timeout(2):
        await server.hung_up.wait()


async def test_the_time_that_the_taker_takes_does_not_count(
    vendor: str, server: ModelServer
) -> None:
    async with opened(vendor, server, timeout_s=0.5) as model:
        await model.warm()
        taken: list[str] = []
        async for item in model.stream(PLAIN):
            if isinstance(item, str):
                taken.append(item)
                await asyncio.sleep(0.25)
    assert "".join(taken) == TEXT


async def test_the_key_is_sent_to_nobody_else(
    vendor: str, model: LangChainModel, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-someone-else")
    await model.complete(PLAIN)
    sent = " ".join(server.calls[0].headers.values())
    assert KEY in sent
    if not VENDORS[vendor].key_variable:
        keyless = ModelAccess(base_url=server.base_url + SERVICES[vendor].path)
        other = open_model(ModelSpec.parse(model.name), keyless)
        await other.complete(PLAIN)
        await other.aclose()
        assert "sk-" not in " ".join(server.calls[1].headers.values())


def test_a_model_serves_each_event_loop_with_a_client_of_its_own(vendor: str) -> None:
    """What a caller does who has a loop for every question."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = cast("tuple[str, int]", taken.getsockname())[1]
    service = SERVICES[vendor]
    base_url = f"http://127.0.0.1:{port}{service.path}"
    access = ModelAccess(base_url=base_url, api_key=SecretStr(KEY))
    model = open_model(ModelSpec.parse(f"{vendor}:{service.model}"), access)

    async def ask() -> str:
        async with ModelServer(service.wire, port):
            return (await model.complete(PLAIN)).text

    with asyncio.Runner() as first, asyncio.Runner() as second:
        assert [first.run(ask()), second.run(ask())] == [TEXT, TEXT]
        first.run(model.aclose())
        second.run(model.aclose())


def test_the_client_of_an_event_loop_that_is_closed_is_forgotten() -> None:
    access = ModelAccess(base_url="http://127.0.0.1:9/v1", api_key=SecretStr(KEY))
    model = open_model(ModelSpec.parse("openai:moth"), access)
    assert isinstance(model, LangChainModel)
    for _ in range(3):
        asyncio.run(model.warm())
    assert len(model._opened) == 1


def test_nothing_of_a_vendor_is_imported_before_the_first_call() -> None:
    code = """
import sys
from quaere.models import ModelAccess, ModelSpec, VENDORS, open_model
for vendor in VENDORS:
    open_model(ModelSpec.parse(f"{vendor}:moth"), ModelAccess(base_url="http://x", api_key="k"))
names = ("langchain", "openai", "anthropic", "google", "groq", "ollama", "httpx", "langsmith")
print([name for name in sys.modules if name.startswith(names)])
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
