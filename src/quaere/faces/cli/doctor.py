"""``quaere doctor``: tries out what is configured, and says what to do where it does not work."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import importing
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.terminal import emit
from quaere.view.layout import columns, counted

if TYPE_CHECKING:
    from quaere.runtime.doctor import Diagnosis


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("doctor")(doctor)


def doctor(
    context: typer.Context,
    *,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask no model and no search service.")
    ] = False,
    form: options.Form = ShortFormat.TEXT,
) -> None:
    """Try out what is configured, and say how to mend it.

    Each named model writes a few tokens and each search service answers one query, unless --offline
    is given. No key is shown. The exit code is 1 when something configured does not work; a note is
    worth knowing and no fault.
    """
    with importing():
        from quaere.faces.cli.deliver import json
        from quaere.runtime.doctor import diagnose

    diagnosis = asyncio.run(diagnose(offline=offline, debug=bool(context.obj)))
    emit(json(diagnosis) if form is ShortFormat.JSON else told(diagnosis))
    raise typer.Exit(ExitCode.ANSWERED if diagnosis.healthy else ExitCode.ERROR)


def told(diagnosis: Diagnosis) -> str:
    """Return ``diagnosis`` as a table for a person, and what it comes to."""
    found = diagnosis.findings
    table = columns([(each.health.upper(), each.part, each.name, each.message) for each in found])
    faults = sum(not each.sound for each in found)
    last = f"{counted(faults, 'fault')}." if faults else "All that is configured works."
    return f"{table}\n{last}\n"
