"""``quaere providers``: List the search services and the settings they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from quaere.faces.cli import options
from quaere.faces.cli.follow import importing
from quaere.faces.cli.help_text import PlainCommand
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit
from quaere.view.layout import columns

if TYPE_CHECKING:
    from quaere.runtime.search import Listing


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("providers", cls=PlainCommand)(providers)


def providers(*, form: options.Form = ShortFormat.TEXT) -> None:
    """List the search services and the settings they need.

    A star marks the services that are used by default. The settings are environment variables;
    their values are not shown, except for the host of a base URL.
    """
    with importing():
        from quaere.faces.cli.environment import settle
        from quaere.faces.cli.output import json
        from quaere.runtime.resources import Resources
        from quaere.runtime.search import listed_providers

    settings = settle()
    listing = listed_providers(Resources(settings))
    emit(json(listing) if form is ShortFormat.JSON else told(listing))


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
