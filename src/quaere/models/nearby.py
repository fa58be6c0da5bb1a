"""Models that a server on this machine has ready: Ollama, LM Studio, llama.cpp."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict
from yarl import URL

from quaere.models.vendors import VENDORS, Vendor

PATIENCE_S = 0.3
"""What a server on this machine may take to list its models."""
MAX_BYTES = 1_000_000

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_EMBEDS = re.compile(r"(?i)embed|minilm|\bbge")
"""In names of embedders, and of rerankers that were made of them."""
_DOES_OTHERWISE = re.compile(r"(?i)rerank|whisper")
"""In names of models that neither write nor embed."""


class _Named(TypedDict, total=False):
    id: str
    name: str


class _Listed(TypedDict, total=False):
    data: list[_Named]
    """Of OpenAI's protocol."""
    models: list[_Named]
    """Of Ollama's."""


_LIST = TypeAdapter(_Listed)


def nearby_models(base_urls: Mapping[str, str]) -> list[str]:
    """Return the models that servers on this machine list, as ``vendor:model``, the best first.

    Those that write nothing are left out. Only loopback addresses are asked, directly and without
    following redirects: the servers' own, or those in ``base_urls``, by vendor. A server lists
    first what was used last. Blocks for `PATIENCE_S` a server at most.
    """
    return [name for name in _useful(base_urls) if not _EMBEDS.search(name)]


def nearby_embedders(base_urls: Mapping[str, str]) -> list[str]:
    """Return the embedders among the models that servers on this machine list, in the same way."""
    return [name for name in _useful(base_urls) if _EMBEDS.search(name)]


def _useful(base_urls: Mapping[str, str]) -> Iterator[str]:
    """Yield the models that servers on this machine list and that write or embed."""
    for vendor in VENDORS.values():
        base = URL(base_urls.get(vendor.name) or vendor.base_url)
        if vendor.lists and base.scheme == "http" and base.host in _LOOPBACK:
            yield from (f"{vendor.name}:{name}" for name in _named(_answer(vendor, base)))


def _named(listed: _Listed) -> Iterator[str]:
    models = (*listed.get("data", ()), *listed.get("models", ()))
    return filter(_is_useful, (each.get("id") or each.get("name") or "" for each in models))


def _is_useful(name: str) -> bool:
    return bool(name) and name.isprintable() and not _DOES_OTHERWISE.search(name)


def _answer(vendor: Vendor, base: URL) -> _Listed:
    """Return the list of ``vendor`` at ``base``; an empty one where nothing answers."""
    connection = HTTPConnection(base.host or "", base.port or 80, timeout=PATIENCE_S)
    try:
        with closing(connection):
            connection.request("GET", f"{base.path.rstrip('/')}/{vendor.lists}")
            return _LIST.validate_json(connection.getresponse().read(MAX_BYTES))
    except (OSError, HTTPException, ValidationError):
        return {}
