"""Models that a server on this machine has ready: Ollama, LM Studio, llama.cpp."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from urllib.request import ProxyHandler, build_opener

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from quaere.models.vendors import VENDORS, Vendor

PATIENCE_S = 0.3
"""What a server on this machine may take to list its models."""
MAX_BYTES = 1_000_000

_HERE = re.compile(r"http://(?:127\.0\.0\.1|localhost|\[::1\])(?=[:/]|$)")
_NO_WRITER = re.compile(r"(?i)embed|minilm|\bbge|rerank|whisper")
"""Names of models that write nothing."""


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

    Only loopback addresses are asked: the servers' own, or those in ``base_urls``, by vendor. A
    server lists first what was used last. Blocks for `PATIENCE_S` a server at most.
    """
    found: list[str] = []
    for vendor in VENDORS.values():
        base = base_urls.get(vendor.name) or vendor.base_url
        if vendor.lists and _HERE.match(base):
            found += (f"{vendor.name}:{name}" for name in _listed(vendor, base))
    return found


def _listed(vendor: Vendor, base: str) -> Iterator[str]:
    """Yield the models that ``vendor`` lists at ``base``; none where nothing answers."""
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(f"{base.rstrip('/')}/{vendor.lists}", timeout=PATIENCE_S) as answer:
            listed = _LIST.validate_json(answer.read(MAX_BYTES))
    except (OSError, HTTPException, ValidationError):
        return
    for model in (*listed.get("data", ()), *listed.get("models", ())):
        name = model.get("id") or model.get("name") or ""
        if name and name.isprintable() and not _NO_WRITER.search(name):
            yield name
