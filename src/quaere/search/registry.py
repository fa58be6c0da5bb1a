"""The search providers that can be asked for by name, plug-ins included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from importlib.metadata import EntryPoint

from quaere.domain.question import SourceKind
from quaere.errors import SettingsError, UsageError
from quaere.ports.plugins import plugins as installed
from quaere.ports.search import SearchProvider

GROUP = "quaere.search_providers"
"""Entry-point group of plug-ins; each entry point names a ``ProviderInfo``."""

Factory = Callable[[Mapping[str, str]], SearchProvider]
"""Makes a provider from the values of its settings, by name: those it needs and its options."""


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``calls`` searches in any ``per_s`` seconds."""

    calls: int
    per_s: float = 1.0


@dataclass(frozen=True, slots=True)
class ProviderInfo:
    """What can be known of a provider before it is made."""

    name: str
    kinds: frozenset[SourceKind]
    needs: tuple[str, ...]
    """Names of the settings without which it cannot be made."""
    description: str
    factory: Factory
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    """Settings that it can do without, with the value that each has when it is not set."""
    rate: Rate | None = None
    """What the service allows; None when it needs no limit here."""
    with_text: bool = False
    """Whether hits come with the text of their pages, so that none has to be opened."""

    def missing(self, settings: Mapping[str, str]) -> tuple[str, ...]:
        """Return the names of the needed settings that ``settings`` lacks or leaves empty."""
        return tuple(name for name in self.needs if not settings.get(name))


class Registry:
    """Providers by name."""

    def __init__(self, infos: Iterable[ProviderInfo]) -> None:
        """Hold ``infos``.

        Raises:
            UsageError: when two of them have one name.
        """
        self._infos: dict[str, ProviderInfo] = {}
        for info in infos:
            if info.name in self._infos:
                raise UsageError(f"There are two search services called {info.name!r}.")
            self._infos[info.name] = info

    @property
    def infos(self) -> tuple[ProviderInfo, ...]:
        """All providers, by name."""
        return tuple(self._infos[name] for name in sorted(self._infos))

    def info(self, name: str) -> ProviderInfo:
        """Return the provider called ``name``.

        Raises:
            UsageError: when there is none; the message names those there are.
        """
        if name not in self._infos:
            near = get_close_matches(name.lower(), self._infos, 1)
            guess = f" Did you mean {near[0]}?" if near else ""
            if "," in name:
                guess = " Name one at a time: --provider may be repeated."
            known = ", ".join(sorted(self._infos)) or "none"
            raise UsageError(f"Unknown search service {name!r}.{guess} Available: {known}.")
        return self._infos[name]

    def make(self, name: str, settings: Mapping[str, str]) -> SearchProvider:
        """Return a new provider, which gets to see its own settings and no others.

        Raises:
            UsageError: when no provider is called ``name``.
            SettingsError: when a setting that it needs is missing.
        """
        info = self.info(name)
        if missing := info.missing(settings):
            raise SettingsError(f"The search service {name} needs {', '.join(missing)}.")
        chosen = {name: settings.get(name) or value for name, value in info.options.items()}
        return info.factory(chosen | {need: settings[need] for need in info.needs})


def plugins(found: Iterable[EntryPoint] | None = None) -> tuple[ProviderInfo, ...]:
    """Return the providers of the installed plug-ins; see `quaere.ports.plugins`."""
    return installed(GROUP, ProviderInfo, found)
