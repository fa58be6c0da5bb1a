"""The search services that a process can ask, as far as their settings describe them."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from quaere.domain.value import Outside, Value
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings, service_settings
from quaere.search.registry import DEFAULT_PROVIDERS, ProviderInfo

_BASE_URL = "_BASE_URL"


class Listed(Value):
    """A provider as far as its settings describe it; of their values only a host is shown."""

    name: str
    description: str
    kinds: tuple[str, ...]
    ready: bool
    needs: tuple[str, ...]
    """Settings that it requires."""
    missing: tuple[str, ...]
    """Required settings that are not set."""
    options: tuple[str, ...]
    """Optional settings."""
    host: Outside
    """Host of its base URL; empty if it has none."""
    default: bool
    """Whether it is used when a command names no provider."""


class Listing(Value):
    """All providers, by name."""

    providers: tuple[Listed, ...]


def listed_providers(resources: Resources) -> Listing:
    """Return all providers, with what they need and whether it is there."""
    settings = resources.settings
    listed = [_folder(settings)]
    listed += [_listed(info, settings) for info in resources.web.registry.infos]
    return Listing(providers=tuple(sorted(listed, key=lambda each: each.name)))


def usual_providers(settings: Settings) -> tuple[str, ...]:
    """Return the search services that are asked where a command names neither one nor a folder."""
    return settings.providers or (() if settings.docs else DEFAULT_PROVIDERS)


def _folder(settings: Settings) -> Listed:
    return Listed(
        name="folder",
        description="Local files and folders; --docs names them as well",
        kinds=("folder",),
        ready=bool(settings.docs),
        needs=("QUAERE_DOCS",),
        missing=() if settings.docs else ("QUAERE_DOCS",),
        options=(),
        host="",
        default=bool(settings.docs),
    )


def _listed(info: ProviderInfo, settings: Settings) -> Listed:
    values = service_settings([*info.needs, *info.options])
    missing = info.missing(values)
    return Listed(
        name=info.name,
        description=info.description,
        kinds=tuple(sorted(info.kinds)),
        ready=not missing,
        needs=info.needs,
        missing=missing,
        options=tuple(info.options),
        host=_host({**info.options, **values}),
        default=info.name in usual_providers(settings),
    )


def _host(values: Mapping[str, str]) -> str:
    """Return the host of the base URL among ``values``, without parts that may be secret."""
    for name, value in values.items():
        if name.endswith(_BASE_URL):
            try:
                return urlsplit(value).hostname or ""
            except ValueError:
                return ""
    return ""
