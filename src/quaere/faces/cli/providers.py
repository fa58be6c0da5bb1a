"""``quaere providers``: List the search services and the settings they need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import typer

from quaere.domain.value import Outside, Value
from quaere.faces.cli import options
from quaere.faces.cli.follow import importing
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit
from quaere.view.layout import columns

if TYPE_CHECKING:
    from quaere.runtime.settings import Settings
    from quaere.search.registry import ProviderInfo

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


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("providers")(providers)


def providers(context: typer.Context, *, form: options.Form = ShortFormat.TEXT) -> None:
    """List the search services and the settings they need.

    A star marks the services that are used by default. The settings are environment variables;
    their values are not shown, except for the host of a base URL.
    """
    with importing():
        from quaere.faces.cli.environment import settle
        from quaere.faces.cli.output import json
        from quaere.runtime.resources import Resources

    settings = settle(debug=bool(context.obj))
    listed = [_folder(settings)]
    listed += [_listed(info, settings) for info in Resources(settings).web.registry.infos]
    listing = Listing(providers=tuple(sorted(listed, key=lambda each: each.name)))
    emit(json(listing) if form is ShortFormat.JSON else told(listing))


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
    from quaere.runtime.settings import service_settings
    from quaere.search.services import DEFAULT_PROVIDERS

    values = service_settings([*info.needs, *info.options])
    missing = info.missing(values)
    asked = settings.providers or (() if settings.docs else DEFAULT_PROVIDERS)
    return Listed(
        name=info.name,
        description=info.description,
        kinds=tuple(sorted(info.kinds)),
        ready=not missing,
        needs=info.needs,
        missing=missing,
        options=tuple(info.options),
        host=_host({**info.options, **values}),
        default=info.name in asked,
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


def told(listing: Listing) -> str:
    """Return ``listing`` as a table for a person."""
    rows = [
        (
            f"{each.name}{' *' if each.default else ''}",
            "ready" if each.ready else f"needs {', '.join(each.missing)}",
            ", ".join(each.kinds),
            each.host,
            each.description,
        )
        for each in listing.providers
    ]
    return columns(rows)
