"""Models of vendors that installed packages bring along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from quaere.models.vendors import VENDORS
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
