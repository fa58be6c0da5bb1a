"""How clients are made, and what their hooks make of requests and responses."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from types import SimpleNamespace
from typing import cast

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from quaere.errors import ModelRejected
from quaere.models import VENDORS, ModelAccess, ModelSpec
from quaere.models.client import (
    CONNECTED_S,
    MAX_ANSWER_BYTES,
    NO_KEY,
    Client,
    Request,
    Response,
    check,
    close,
    keep_to_first_choice,
    limit_connecting,
    limit_response,
    make,
    record_response,
    recording_responses,
)

pytestmark = pytest.mark.anyio

MODELS = {
    "openai": "gpt-4.1-mini",
    "anthropic": "claude-sonnet-4-6",
    "google": "gemini-2.5-flash",
    "groq": "llama-3.3-70b",
    "deepseek": "deepseek-chat",
    "mistral": "mistral-large-latest",
    "ollama": "llama3.2:3b",
}
each_vendor = pytest.mark.parametrize("vendor", MODELS)


def access(**said: object) -> ModelAccess:
    return ModelAccess.model_validate({"api_key": SecretStr("k-1"), **said})


# How they are made


@each_vendor
async def test_every_client_has_connections_of_its_own_that_are_limited_and_recorded(
    vendor: str,
) -> None:
    spec = ModelSpec.parse(f"{vendor}:{MODELS[vendor]}")
    one, other = make(spec, access()), make(spec, access())
    of = attrgetter(VENDORS[vendor].connections)
    assert of(one) is not of(other)
    for client in (one, other):
        hooks = cast("Mapping[str, Sequence[object]]", of(client).event_hooks)
        assert limit_connecting in hooks["request"]
        assert {record_response, limit_response} <= set(hooks["response"])
        await close(spec.about, client)
        assert of(client).is_closed


@pytest.mark.parametrize(
    ("vendor", "read"), [*((name, 0) for name in MODELS if name != "google"), ("google", 2)]
)
async def test_certificates_are_read_for_the_first_client_of_a_process_alone(
    vendor: str, read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes 17 ms of CPU each time; Google's own library reads them twice besides."""
    times: list[str | None] = []
    load = ssl.SSLContext.load_verify_locations

    def counted(context: ssl.SSLContext, cafile: str | None = None, *rest: str | None) -> None:
        times.append(cafile)
        load(context, cafile, *rest)

    spec = ModelSpec.parse(f"{vendor}:{MODELS[vendor]}")
    await close(spec.about, make(spec, access(base_url="http://127.0.0.1:9/v1")))
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", counted)
    await close(spec.about, make(spec, access(base_url="http://127.0.0.1:8/v1")))
    assert len(times) == read


async def made(name: str, said: ModelAccess) -> object:
    spec = ModelSpec.parse(name)
    client = make(spec, said)
    await close(spec.about, client)
    return client


@pytest.mark.parametrize(
    ("name", "given", "taken"),
    [
        ("openai:gpt-4.1-mini", 0.5, 0.5),
        ("openai:gpt-4.1-mini", 0.0, 0.0),
        ("openai:gpt-4.1-mini", None, None),
        ("openai:o3", 0.5, None),
    ],
)
async def test_a_temperature_is_given_to_models_that_take_one(
    name: str, given: float | None, taken: float | None
) -> None:
    client = await made(name, access(temperature=given))
    assert attrgetter("temperature")(client) == taken


async def test_a_client_neither_tries_again_nor_ends_before_our_own_deadline() -> None:
    client = await made("openai:gpt-4.1-mini", access(timeout_s=20.5))
    assert attrgetter("max_retries")(client) == 0
    assert attrgetter("request_timeout")(client) == 22
    assert attrgetter("cache")(client) is False


async def test_a_server_is_reached_where_it_was_said_to_be_or_where_its_vendor_is() -> None:
    for said, reached in (("http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1"), ("", None)):
        client = await made("openai:gpt-4.1-mini", access(base_url=said))
        assert attrgetter("openai_api_base")(client) == (reached or VENDORS["openai"].base_url)


@pytest.mark.parametrize(("key", "sent"), [("k-1", "k-1"), ("", NO_KEY)])
async def test_no_key_is_looked_for_where_none_was_given(
    key: str, sent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    client = await made("llamacpp:moth", access(api_key=SecretStr(key)))
    assert attrgetter("openai_api_key")(client).get_secret_value() == sent


@pytest.mark.parametrize(("key", "sent"), [("k-1", "Bearer k-1"), ("", None)])
async def test_ollama_is_sent_a_key_where_there_is_one(key: str, sent: str | None) -> None:
    client = await made("ollama:llama3.2:3b", access(api_key=SecretStr(key)))
    headers = attrgetter("_async_client._client.headers")(client)
    assert headers.get("authorization") == sent


@each_vendor
def test_what_can_be_made_passes_the_check(vendor: str) -> None:
    check(ModelSpec.parse(f"{vendor}:{MODELS[vendor]}"), access())


# Requests


@pytest.mark.parametrize(
    ("asked", "limited"),
    [
        ({"connect": 600.0, "read": 600.0}, {"connect": CONNECTED_S, "read": 600.0}),
        ({"connect": None, "read": None}, {"connect": CONNECTED_S, "read": None}),
        ({"connect": 2.0, "read": 600.0}, {"connect": 2.0, "read": 600.0}),
        ({"read": 600.0}, {"connect": CONNECTED_S, "read": 600.0}),
        (None, {"connect": CONNECTED_S}),
    ],
)
async def test_connecting_may_take_seconds_however_long_an_answer_may_take(
    asked: object, limited: Mapping[str, float | None]
) -> None:
    extensions = {"trace": 1} if asked is None else {"trace": 1, "timeout": asked}
    request = SimpleNamespace(extensions=dict(extensions))
    await limit_connecting(cast("Request", request))
    assert request.extensions == {"trace": 1, "timeout": limited}
    assert CONNECTED_S < 10


# Responses


@dataclass
class Body:
    """A response whose body comes in ``parts``."""

    parts: Sequence[bytes]
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: list[int | None] = field(default_factory=list[int | None])
    closed: bool = False

    async def aiter_raw(self, chunk_size: int | None = None) -> AsyncIterator[bytes]:
        self.asked.append(chunk_size)
        for part in self.parts:
            yield part

    async def aiter_bytes(self, chunk_size: int | None = None) -> AsyncIterator[bytes]:
        self.asked.append(chunk_size)
        for part in self.parts:
            yield part

    async def aclose(self) -> None:
        self.closed = True


@given(st.lists(st.integers(0, 20_000), max_size=4))
def test_a_body_is_decoded_little_by_little_and_nothing_of_it_is_lost(sizes: list[int]) -> None:
    parts = [bytes([n + 1]) * size for n, size in enumerate(sizes)]

    async def read() -> None:
        body = Body(parts)
        response = cast("Response", body)
        await limit_response(response)
        raw = [part async for part in response.aiter_raw(77)]
        assert b"".join(raw) == b"".join(parts)
        assert all(0 < len(part) <= 4_096 for part in raw)
        assert b"".join([part async for part in response.aiter_bytes(78)]) == b"".join(parts)
        assert body.asked == [77, 78]
        assert not body.closed

    anyio.run(read)


@pytest.mark.parametrize("over", [0, 1])
async def test_an_answer_may_be_as_long_as_the_limit_and_no_longer(over: int) -> None:
    half = MAX_ANSWER_BYTES // 2
    body = Body([b"a" * half, b"b" * half, b"c" * over])
    response = cast("Response", body)
    await limit_response(response)
    taken, fault = 0, ""
    try:
        async for part in response.aiter_bytes():
            taken += len(part)
    except ModelRejected as error:
        fault = error.message
    assert ("larger than 8 MB" in fault) is bool(over)
    assert taken == MAX_ANSWER_BYTES
    assert body.closed is bool(over)


@pytest.mark.parametrize("coding", ["", "gzip", "br"])
async def test_what_is_packed_once_is_taken(coding: str) -> None:
    await limit_response(cast("Response", Body([b"a"], {"content-encoding": coding})))


async def test_what_is_packed_twice_is_refused() -> None:
    with pytest.raises(ModelRejected, match="compressed twice"):
        await limit_response(cast("Response", Body([b"a"], {"content-encoding": "gzip, br"})))


async def test_responses_are_recorded_in_their_own_block_alone() -> None:
    one, two, three, four = (cast("Response", Body([])) for _ in range(4))
    outer: list[Response] = []
    inner: list[Response] = []
    with recording_responses(outer):
        await record_response(one)
        with recording_responses(inner):
            await record_response(two)
        await record_response(three)
    await record_response(four)
    assert outer == [one, three]
    assert inner == [two]


# Choices


class Streaming:
    """A client that keeps what it is given to convert, and makes nothing of what has no choice."""

    def __init__(self, *, makes: bool = True) -> None:
        self.seen: list[object] = []
        self._makes = makes

    def _convert_chunk_to_generation_chunk(
        self, chunk: Mapping[str, object], kind: type, base: object, /
    ) -> object:
        self.seen.append((chunk, kind, base))
        message = SimpleNamespace(additional_kwargs={})
        return SimpleNamespace(message=message) if self._makes else None


def converted(client: Streaming, chunk: Mapping[str, object]) -> object:
    return attrgetter("_convert_chunk_to_generation_chunk")(client)(chunk, dict, "base")


def choice(index: int | None, text: str, refusal: str | None = None) -> Mapping[str, object]:
    delta = {"content": text} if refusal is None else {"content": text, "refusal": refusal}
    return {"delta": delta} if index is None else {"index": index, "delta": delta}


def test_of_several_answers_the_first_alone_is_read() -> None:
    client = Streaming()
    keep_to_first_choice(client)
    first, second, unnumbered = choice(0, "a"), choice(1, "b"), choice(None, "c")
    converted(client, {"id": "x", "choices": [second, first]})
    converted(client, {"id": "x", "choices": [unnumbered]})
    assert client.seen == [
        ({"id": "x", "choices": [first]}, dict, "base"),
        ({"id": "x", "choices": [unnumbered]}, dict, "base"),
    ]
    assert converted(client, {"id": "x", "choices": [second]}) is None
    assert len(client.seen) == 2, "what belongs to another answer is not converted at all"


@pytest.mark.parametrize("choices", [[], None])
def test_a_chunk_without_choices_may_tell_of_usage(choices: object) -> None:
    client = Streaming()
    keep_to_first_choice(client)
    assert converted(client, {"choices": choices, "usage": 7}) is not None
    assert client.seen == [({"choices": [], "usage": 7}, dict, "base")]


@pytest.mark.parametrize(
    ("pieces", "kept"),
    [
        ([choice(0, "a", "No.")], {"refusal": "No."}),
        ([choice(0, "a", "")], {}),
        ([choice(0, "a")], {}),
        ([choice(1, "b", "No."), choice(0, "a")], {}),
        ([{"index": 0, "delta": None}], {}),
    ],
)
def test_a_refusal_of_the_first_answer_is_kept_beside_its_text(
    pieces: list[Mapping[str, object]], kept: Mapping[str, str]
) -> None:
    client = Streaming()
    keep_to_first_choice(client)
    piece = converted(client, {"choices": pieces})
    assert attrgetter("message.additional_kwargs")(piece) == kept


def test_what_converts_to_nothing_stays_nothing() -> None:
    client = Streaming(makes=False)
    keep_to_first_choice(client)
    assert converted(client, {"choices": [choice(0, "a", "No.")]}) is None


def test_a_client_that_converts_otherwise_is_left_as_it_is() -> None:
    client = SimpleNamespace(name="moth")
    keep_to_first_choice(cast("Client", client))
    assert vars(client) == {"name": "moth"}
