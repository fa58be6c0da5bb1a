"""``quaere doctor``: Check the configuration and suggest fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from quaere.errors import SettingsError
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import importing
from quaere.faces.cli.options import PlainCommand
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit
from quaere.view.layout import columns, counted

if TYPE_CHECKING:
    from quaere.runtime.doctor import Diagnosis


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("doctor", cls=PlainCommand)(doctor)


def doctor(
    *,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not contact models or search services.")
    ] = False,
    form: options.Form = ShortFormat.TEXT,
) -> None:
    """Check the configuration and suggest fixes.

    Each configured model generates a few tokens and each search service answers one query, unless
    --offline is given. Keys are never shown. The exit code is 1 when something that is configured
    does not work; notes are not errors.
    """
    with importing():
        from quaere.faces.cli.output import json
        from quaere.faces.cli.running import in_app, settle
        from quaere.runtime.doctor import misconfigured

    try:
        settings = settle()
        diagnosis = in_app(settings, lambda app: app.doctor(offline=offline))
    except SettingsError as error:
        diagnosis = misconfigured(error)
    emit(json(diagnosis) if form is ShortFormat.JSON else told(diagnosis))
    raise typer.Exit(ExitCode.ANSWERED if diagnosis.healthy else ExitCode.ERROR)


def told(diagnosis: Diagnosis) -> str:
    """Return ``diagnosis`` as a table with a closing line."""
    found = diagnosis.findings
    table = columns([(each.health.upper(), each.part, each.name, each.message) for each in found])
    faults = sum(not each.sound for each in found)
    last = (
        f"{counted(faults, 'problem')} found." if faults else "Everything that is configured works."
    )
    return f"{table}\n{last}\n"
