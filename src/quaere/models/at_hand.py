"""Models that are at hand besides the vendors': of installed packages, and of servers nearby.

Such a server is Ollama, LM Studio or llama.cpp on this machine, with the models it has ready.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict
from yarl import URL

from quaere.models.vendors import VENDORS, Vendor
from quaere.ports.model import ChatModel
from quaere.ports.plugins import plugins

GROUP = "quaere.models"
"""Entry-point group of plug-ins; each entry point names a `ModelPlugin`."""


@dataclass(frozen=True, slots=True)
class ModelPlugin:
    """A vendor whose models a plug-in opens."""

    vendor: str
    """What comes before the colon: ``house`` for ``house:small``."""
    open: Callable[[str], ChatModel]
    """Opens a model by what comes after it; raises SettingsError when it cannot be used."""


@cache
def plugin_vendors() -> Mapping[str, ModelPlugin]:
    """Return the plug-ins by vendor; one of a vendor that is there is left out."""
    return {each.vendor: each for each in plugins(GROUP, ModelPlugin) if each.vendor not in VENDORS}


class OwnModels(Mapping[str, ChatModel]):
    """The models that a caller has opened, and those that plug-ins open once they are named."""

    def __init__(self, opened: Mapping[str, ChatModel]) -> None:
        """Have ``opened``, by name."""
        self._opened = dict(opened)

    def __getitem__(self, name: str) -> ChatModel:
        """Return the model of that name.

        Raises:
            KeyError: when neither the caller nor a plug-in has it.
            SettingsError: when its plug-in cannot open it.
        """
        if name not in self._opened:
            vendor, _, model = name.partition(":")
            self._opened[name] = plugin_vendors()[vendor].open(model)
        return self._opened[name]

    def __contains__(self, name: object) -> bool:
        """Return whether the caller or a plug-in has a model of that name; it stays closed."""
        if name in self._opened:
            return True
        vendor, colon, model = str(name).partition(":")
        return bool(colon and model) and vendor in plugin_vendors()

    def __iter__(self) -> Iterator[str]:
        """Yield the names of those that are open."""
        return iter(self._opened)

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._opened)


PATIENCE_S = 0.3
"""What a server on this machine may take to list its models."""
MAX_BYTES = 1_000_000

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
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

    Only loopback addresses are asked, directly and without following redirects: the servers' own,
    or those in ``base_urls``, by vendor. A server lists first what was used last. Blocks for
    `PATIENCE_S` a server at most.
    """
    found: list[str] = []
    for vendor in VENDORS.values():
        base = URL(base_urls.get(vendor.name) or vendor.base_url)
        if vendor.lists and base.scheme == "http" and base.host in _LOOPBACK:
            found += (f"{vendor.name}:{name}" for name in _listed(vendor, base))
    return found


def _listed(vendor: Vendor, base: URL) -> Iterator[str]:
    """Yield the models that ``vendor`` lists at ``base``, without those that write nothing."""
    listed = _answer(vendor, base)
    for model in (*listed.get("data", ()), *listed.get("models", ())):
        name = model.get("id") or model.get("name") or ""
        if name and name.isprintable() and not _NO_WRITER.search(name):
            yield name


def _answer(vendor: Vendor, base: URL) -> _Listed:
    """Return the list of ``vendor`` at ``base``; an empty one where nothing answers."""
    connection = HTTPConnection(base.host or "", base.port or 80, timeout=PATIENCE_S)
    try:
        with closing(connection):
            connection.request("GET", f"{base.path.rstrip('/')}/{vendor.lists}")
            return _LIST.validate_json(connection.getresponse().read(MAX_BYTES))
    except (OSError, HTTPException, ValidationError):
        return {}
