"""Makes a vendor's client. What LangChain leaves untyped is given a type here, and only here."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from typing import Protocol, cast

from quaere.errors import SettingsError
from quaere.reason.models.spec import ModelAccess, ModelSpec
from quaere.reason.models.vendors import Vendor

Turns = Sequence[tuple[str, str]]
"""Messages as pairs of role and text."""

NO_KEY = "none"
"""Sent where no key is needed, or else the client looks for OpenAI's own and sends that."""


class Reply(Protocol):
    """What LangChain makes of an answer, or of a piece of one."""

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


class Client(Protocol):
    """A chat model of LangChain."""

    async def ainvoke(self, turns: Turns, /, **arguments: object) -> Reply:
        """Return the answer."""
        ...

    def astream(self, turns: Turns, /, **arguments: object) -> AsyncGenerator[Reply, None]:
        """Yield the answer in pieces."""
        ...


def check(spec: ModelSpec, access: ModelAccess) -> None:
    """See whether a client can be made, without importing anything.

    Raises:
        SettingsError: when the extra, the key or the base URL is missing.
    """
    vendor = spec.about
    if find_spec(vendor.module) is None:
        raise SettingsError(
            f"{spec.name} needs the client of its vendor: pip install 'quaere[{vendor.extra}]'."
        )
    if vendor.key_variable and not access.api_key.get_secret_value():
        raise SettingsError(f"{spec.name} needs a key: set {vendor.key_variable}.")
    if not (access.base_url or vendor.base_url):
        raise SettingsError(
            f"{spec.name} needs the base URL of its server, such as http://127.0.0.1:8000/v1."
        )


def make(spec: ModelSpec, access: ModelAccess) -> Client:
    """Return a client with connections of its own.

    It imports what it needs, which takes a second of CPU.
    """
    vendor = spec.about
    factory = cast("Callable[..., Client]", getattr(import_module(vendor.module), vendor.client))
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
    prepared = _ARGUMENTS.get(vendor.module, _with_key)(access.api_key.get_secret_value())
    client = factory(**arguments, **prepared)
    if vendor.module == "langchain_anthropic":
        _unshare(client)
    return client


async def close(vendor: Vendor, client: Client) -> None:
    """Close the connections of ``client``."""
    closing = cast("Callable[[], Awaitable[None]]", attrgetter(vendor.close)(client))
    await closing()


def _with_key(key: str) -> dict[str, object]:
    return {"api_key": key}


def _of_openai(key: str) -> dict[str, object]:
    # Without connections of its own it shares those of all its kind, even across event loops.
    connections = cast("Callable[[], object]", import_module("openai").DefaultAsyncHttpxClient)
    return {"api_key": key or NO_KEY, "http_async_client": connections()}


def _of_ollama(key: str) -> dict[str, object]:
    return {"client_kwargs": {"headers": {"Authorization": f"Bearer {key}"}}} if key else {}


_ARGUMENTS: Mapping[str, Callable[[str], dict[str, object]]] = {
    "langchain_openai": _of_openai,
    "langchain_ollama": _of_ollama,
}


class _Sdk(Protocol):
    def copy(self, *, http_client: object) -> object: ...


def _unshare(client: Client) -> None:
    """Give a client of Anthropic its own connections, for which it has no argument."""
    shared = cast("_Sdk", attrgetter("_async_client")(client))
    connections = cast("Callable[[], object]", import_module("anthropic").DefaultAsyncHttpxClient)
    setattr(client, "_async_client", shared.copy(http_client=connections()))  # noqa: B010
