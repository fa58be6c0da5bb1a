"""Makes a vendor's LangChain client. What LangChain leaves untyped gets its types only here."""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF8
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from http import HTTPStatus
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from typing import Protocol, cast
from warnings import filterwarnings

from quaere.errors import ModelRejected, SettingsError, cause_of
from quaere.models.failures import ModelUnusable
from quaere.models.vendors import ModelAccess, ModelSpec, Vendor

Turns = Sequence[tuple[str, str]]
"""Messages as pairs of role and text."""

NO_KEY = "none"
"""Sent where no key is needed, or else the client looks for OpenAI's own and sends that."""


class Reply(Protocol):
    """What LangChain makes of an answer, or of a piece of one.

    It is of another kind where the role is that of somebody else than the model, and then some of
    what follows is not there.
    """

    @property
    def type(self) -> str:
        """Whose words they are: one of `ANSWERS` where they are the model's."""
        ...

    @property
    def text(self) -> str:
        """The visible text, whatever blocks it came in."""
        ...

    @property
    def response_metadata(self) -> Mapping[str, object]:
        """How it ended, among other things."""
        ...

    @property
    def additional_kwargs(self) -> Mapping[str, object]:
        """What a vendor says besides, such as a refusal."""
        ...

    @property
    def usage_metadata(self) -> Mapping[str, object] | None:
        """Tokens, by names that are LangChain's."""
        ...


ANSWERS = frozenset({"ai", "AIMessageChunk"})
"""Kinds of replies that are an answer, whole or in part."""


class Client(Protocol):
    """A chat model of LangChain."""

    async def ainvoke(self, turns: Turns, /, **arguments: object) -> Reply:
        """Return the answer."""
        ...

    def astream(self, turns: Turns, /, **arguments: object) -> AsyncGenerator[Reply, None]:
        """Yield the answer in pieces."""
        ...


def check(spec: ModelSpec, access: ModelAccess) -> None:
    """Check that a client can be made, without importing anything.

    Raises:
        SettingsError: when the extra, the key or the base URL is missing.
    """
    vendor = spec.about
    if find_spec(vendor.module) is None:
        raise SettingsError(
            f"{spec.name} needs the client of its vendor: pip install 'quaere[{vendor.extra}]'."
        )
    check_access(spec, access, access.base_url or vendor.base_url)


def check_access(spec: ModelSpec, access: ModelAccess, base_url: str) -> None:
    """Check that the server of a model has an address and, where it needs one, a key.

    Raises:
        SettingsError: when either is missing, or the key cannot be sent.
    """
    key, variable = access.api_key.get_secret_value(), spec.about.key_variable
    if variable and not key:
        raise SettingsError(f"{spec.name} needs a key: set {variable}.")
    if not _SENDABLE.fullmatch(key):
        raise SettingsError(
            f"The key of {spec.name} contains a space, a line break or a non-ASCII character, so it"
            f" cannot be sent; set {variable or 'QUAERE_MODEL_API_KEY'} again."
        )
    if not base_url:
        raise SettingsError(
            f"{spec.name} needs the base URL of its server, such as http://127.0.0.1:8000/v1."
        )


_SENDABLE = re.compile(r"[!-~]*")
"""What the header of a request can hold as one word."""


def make(spec: ModelSpec, access: ModelAccess) -> Client:
    """Return a client with connections of its own.

    It imports what it needs, which takes a second of CPU.

    Raises:
        ModelUnusable: when the certificates to trust cannot be read.
    """
    vendor = spec.about
    arguments: dict[str, object] = {
        "model": spec.model,
        "base_url": access.base_url or vendor.base_url,
        "max_retries": 0,
        "cache": False,
        **vendor.arguments,
    }
    if vendor.tempers(spec.model) and access.temperature is not None:
        arguments["temperature"] = access.temperature
    if vendor.timeout:
        # Our own deadline comes first; this one keeps the client from having a shorter one.
        arguments[vendor.timeout] = math.ceil(access.timeout_s) + 1
    key = access.api_key.get_secret_value()
    arguments |= _ARGUMENTS.get(vendor.module, _with_key)(key)
    client = cast("Client", _new(f"{vendor.module}:{vendor.client}", **arguments))
    _ADJUSTMENTS.get(vendor.module, _as_it_is)(client, arguments)
    _connections(vendor, client).event_hooks = {
        "request": [limit_connecting],
        "response": [limit_response, refuse_pages, record_response],
    }
    return client


async def close(vendor: Vendor, client: Client) -> None:
    """Close the connections of ``client``."""
    await _connections(vendor, client).aclose()


class _Connections(Protocol):
    """A client of httpx, or of its successor httpx2."""

    event_hooks: Mapping[str, Sequence[Callable[..., Awaitable[None]]]]

    async def aclose(self) -> None: ...


def _connections(vendor: Vendor, client: Client) -> _Connections:
    return cast("_Connections", attrgetter(vendor.connections)(client))


def _with_key(key: str) -> dict[str, object]:
    return {"api_key": key}


def _for_openai(key: str) -> dict[str, object]:
    # Without connections of its own it shares those of all its kind, even across event loops; with
    # options for sockets it makes others, never used here, that pass a proxy by, and warns of them.
    return {
        "api_key": key or NO_KEY,
        "http_async_client": _unshared("openai:DefaultAsyncHttpxClient"),
        "http_client": _unshared("openai:DefaultHttpxClient"),
        "http_socket_options": (),
    }


def _for_groq(key: str) -> dict[str, object]:
    return {
        "api_key": key,
        "http_async_client": _unshared("groq:DefaultAsyncHttpxClient"),
        "http_client": _unshared("groq:DefaultHttpxClient"),
    }


def _for_ollama(key: str) -> dict[str, object]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return {"client_kwargs": {"headers": headers, "verify": _trusted("httpx")}}


def _for_google(key: str) -> dict[str, object]:
    return {"api_key": key, "client_args": {"verify": _trusted("httpx")}}


_ARGUMENTS: Mapping[str, Callable[[str], dict[str, object]]] = {
    "langchain_openai": _for_openai,
    "langchain_deepseek": _for_openai,
    "langchain_groq": _for_groq,
    "langchain_ollama": _for_ollama,
    "langchain_google_genai": _for_google,
}
"""What a client takes for its key, and for connections of its own."""

_Arguments = Mapping[str, object]


def _as_it_is(_client: Client, _arguments: _Arguments) -> None:
    pass


def _mend_openai(client: Client, _arguments: _Arguments) -> None:
    keep_to_first_choice(client)
    keep_thoughts(client)


def _unshare_anthropic(client: Client, _arguments: _Arguments) -> None:
    """Give the client connections of its own, for which it has no argument."""
    params = cast("Mapping[str, object]", attrgetter("_client_params")(client))
    connections = _unshared("anthropic:DefaultAsyncHttpxClient")
    sdk = _new("anthropic:AsyncClient", **{**params, "http_client": connections})
    _put(client, "_async_client", sdk)
    # A model may call a tool that nobody offered; its arguments are read as its answer.
    filterwarnings("ignore", "Received unexpected tool content block", UserWarning)


def _calm_google(client: Client, arguments: _Arguments) -> None:
    """Have the client go by httpx: by aiohttp, it waits up to ten seconds and tries once more."""
    options = {
        "base_url": arguments["base_url"],
        "httpx_async_client": _unshared("httpx:AsyncClient"),
        "httpx_client": _unshared("httpx:Client"),
        "client_args": {"verify": _trusted("httpx")},
        "async_client_args": {"ssl": _trusted("httpx")},
    }
    key = arguments["api_key"]
    sdk = _new("google.genai:Client", api_key=key, vertexai=False, http_options=options)
    _put(client, "client", sdk)


_ADJUSTMENTS: Mapping[str, Callable[[Client, _Arguments], None]] = {
    "langchain_openai": _mend_openai,
    "langchain_deepseek": _mend_openai,
    "langchain_anthropic": _unshare_anthropic,
    "langchain_google_genai": _calm_google,
}
"""What has to be set right when a client has been made."""


def _put(client: Client, attribute: str, value: object) -> None:
    setattr(client, attribute, value)


def _new(path: str, **arguments: object) -> object:
    """Return a new object of the class at ``module:name``."""
    return _at(path)(**arguments)


def _at(path: str) -> Callable[..., object]:
    module, _, name = path.partition(":")
    return cast("Callable[..., object]", getattr(import_module(module), name))


def _unshared(path: str) -> object:
    """Return connections of their own, of the class at ``path``, that trust what all others do."""
    made = _at(path)
    library = next(base.__module__ for base in cast("type", made).__mro__ if _is_httpx(base))
    return made(verify=_trusted(library.partition(".")[0]))


def _is_httpx(base: type) -> bool:
    return base.__module__.startswith("httpx")


@cache
def _trusted(library: str) -> object:
    """Return what ``library`` checks certificates by: read once, for it takes 17 ms of CPU.

    Raises:
        ModelUnusable: when the certificates to trust cannot be read.
    """
    try:
        return _new(f"{library}:create_ssl_context")
    except OSError as error:  # those that come with the library can be read
        message = "The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read"
        raise ModelUnusable(f"{message}: {cause_of(error)}.") from error


_STREAMED, _WHOLE = "_convert_chunk_to_generation_chunk", "_create_chat_result"

Fields = Mapping[str, object]

THOUGHTS = "reasoning_content"
"""Where the client of DeepSeek puts the thoughts of a model, and we those that others drop."""
_BESIDES = {"refusal": "refusal", "reasoning_content": THOUGHTS, "reasoning": THOUGHTS}
"""What a server says besides the text, and where we keep it."""


class _Message(Protocol):
    additional_kwargs: MutableMapping[str, object]


class _Piece(Protocol):
    message: _Message


class _Result(Protocol):
    generations: Sequence[_Piece]


class _Convert(Protocol):
    def __call__(self, chunk: Fields, kind: type, base: object, /) -> _Piece | None: ...


class _Create(Protocol):
    def __call__(self, response: object, info: object = None, /) -> _Result: ...


def keep_to_first_choice(client: object) -> None:
    """Patch ``client`` to read choice 0 of streamed chunks alone, with what is said besides.

    LangChain's client of OpenAI takes the first choice in a chunk whatever its index, although
    servers may send several concurrently, wants a delta in each, and drops a refusal and thoughts.
    """
    convert = cast("_Convert | None", getattr(client, _STREAMED, None))
    if convert is None:
        return

    @wraps(convert)
    def converted(chunk: Fields, kind: type, base: object, /) -> _Piece | None:
        choices = cast("Sequence[Fields]", chunk.get("choices") or ())
        first = list(map(_with_delta, filter(_is_first, choices)))
        if choices and not first:
            return None
        piece = convert({**chunk, "choices": first}, kind, base)
        if piece is not None and first:
            _keep_besides(piece.message, cast("Fields | None", first[0].get("delta")) or {})
        return piece

    # The client is a model of pydantic, which takes no attributes but its own.
    object.__setattr__(client, _STREAMED, converted)


def keep_thoughts(client: object) -> None:
    """Patch ``client`` to keep what a whole answer says besides its text, which LangChain drops.

    One without a choice is told as such, where LangChain stumbles.
    """
    create = cast("_Create", getattr(client, _WHOLE))

    @wraps(create)
    def created(response: object, info: object = None, /) -> _Result:
        if getattr(response, "choices", True) in (None, []) and not getattr(
            response, "error", None
        ):
            raise ModelRejected("The answer of the service contains no choices.")
        result = create(response, info)
        for piece, fields in zip(result.generations, _messages_of(response), strict=False):
            _keep_besides(piece.message, fields)
        return result

    object.__setattr__(client, _WHOLE, created)


def _is_first(choice: Fields) -> bool:
    return str(choice.get("index") or 0) == "0"


def _with_delta(choice: Fields) -> Fields:
    """Return ``choice`` with its piece as a delta: some stream messages, or bare text."""
    if choice.get("delta") is not None:
        return choice
    text = choice.get("text")
    delta = choice.get("message") or (text and {"content": text})
    return {**choice, "delta": delta} if delta else choice


def _messages_of(response: object) -> Iterator[Fields]:
    """Yield the fields of the messages in a whole answer that the client does not know."""
    for choice in cast("Sequence[object]", getattr(response, "choices", None) or ()):
        unknown: object = getattr(getattr(choice, "message", None), "model_extra", None)
        yield cast("Fields", unknown or {})


def _keep_besides(message: _Message, said: Fields) -> None:
    told = {_BESIDES[name]: value for name, value in said.items() if name in _BESIDES and value}
    message.additional_kwargs.update(told)


CONNECTED_S = 5.0
"""What a server may take to accept a connection, however long its answer may take."""


class Request(Protocol):
    """An HTTP request that is about to be sent."""

    extensions: MutableMapping[str, object]


async def limit_connecting(request: Request) -> None:
    """Give up on a server that is not there long before one that thinks; an event hook."""
    patience = cast("Mapping[str, float | None]", request.extensions.get("timeout") or {})
    connect_s = min(patience.get("connect") or CONNECTED_S, CONNECTED_S)
    request.extensions["timeout"] = {**patience, "connect": connect_s}


class Response(Protocol):
    """An HTTP response whose body may not have been read yet."""

    status_code: int
    headers: Mapping[str, str]
    aiter_raw: Callable[..., AsyncIterator[bytes]]
    """Yields the body as it comes."""
    aiter_bytes: Callable[..., AsyncIterator[bytes]]
    """Yields what ``aiter_raw`` does, decoded."""

    async def aread(self) -> bytes:
        """Read the whole body, which can be read again afterwards."""
        ...

    async def aclose(self) -> None:
        """Close it, and its connection if there is more to come."""
        ...


_noted: ContextVar[list[Response] | None] = ContextVar("noted", default=None)


@contextmanager
def recording_responses(responses: list[Response]) -> Generator[None]:
    """Add the HTTP responses received in the block to ``responses``.

    A stream that is abandoned closes them explicitly: some clients form reference cycles, so their
    connections would stay open, and the service write on, until the garbage collector runs.
    """
    token = _noted.set(responses)
    try:
        yield
    finally:
        _noted.reset(token)


async def record_response(response: Response) -> None:
    """Record ``response`` for `recording_responses`; an event hook of the HTTP client.

    JSON does not come as a stream, and is read at once: what it holds can be looked at later.
    """
    responses = _noted.get()
    if responses is not None:
        if response.headers.get("content-type", "").startswith("application/json"):
            await response.aread()
        responses.append(response)


async def refuse_pages(response: Response) -> None:
    """Refuse a web page in place of an answer, as a proxy gives it; an event hook.

    Raises:
        ModelUnusable: when it is one.
    """
    kind = response.headers.get("content-type", "").lower()
    if response.status_code != HTTPStatus.OK or not kind.startswith("text/html"):
        return
    if (await response.aread()).removeprefix(BOM_UTF8).lstrip().startswith(b"<"):
        raise ModelUnusable("its address answers with a web page; check the base URL.")


MAX_ANSWER_BYTES = 8_000_000
"""What an answer may come to, decoded: ten times the longest output of any model, with each of its
tokens in an event of its own."""
_DECODED_AT_ONCE = 4_096
"""Bytes that are decoded in one go; gzip makes a thousand times as many of them at most."""


async def limit_response(response: Response) -> None:
    """Have the body of ``response`` end with an error when it is too long; an event hook.

    Raises:
        ModelRejected: when it is encoded twice, which multiplies what a few bytes can become.
    """
    if "," in response.headers.get("content-encoding", ""):
        raise ModelRejected(
            "The answer of the service is compressed twice, which is not supported."
        )
    raw, decoded = response.aiter_raw, response.aiter_bytes

    async def little_by_little(chunk_size: int | None = None) -> AsyncIterator[bytes]:
        async for part in raw(chunk_size):
            for start in range(0, len(part), _DECODED_AT_ONCE):
                yield part[start : start + _DECODED_AT_ONCE]

    async def limited(chunk_size: int | None = None) -> AsyncIterator[bytes]:
        left = MAX_ANSWER_BYTES
        async for part in decoded(chunk_size):
            left -= len(part)
            if left < 0:
                await response.aclose()
                limit = f"{MAX_ANSWER_BYTES / 1e6:g} MB"
                raise ModelRejected(f"The answer of the service is larger than {limit}.")
            yield part

    response.aiter_raw, response.aiter_bytes = little_by_little, limited
