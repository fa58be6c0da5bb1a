"""``quaere doctor``: Check the configuration and suggest fixes.

``quaere db``: Check or upgrade the trace database.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from quaere.domain.value import Value
from quaere.errors import SettingsError
from quaere.faces.cli import options
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.options import add_commands, subcommands
from quaere.faces.cli.output import ShortFormat
from quaere.faces.cli.tables import table
from quaere.faces.cli.terminal import emit
from quaere.synthesize.wording import counted

if TYPE_CHECKING:
    from quaere.runtime.doctor import Diagnosis
    from quaere.store.db.database import Database


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    add_commands(app, doctor=doctor)
    group = subcommands(app, "db", "Check or upgrade the trace database.")
    add_commands(group, check=check, upgrade=upgrade)


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
    from quaere.faces.cli.output import json
    from quaere.faces.cli.running import in_app, settle
    from quaere.runtime.doctor import misconfigured

    try:
        settings = settle()
        diagnosis = in_app(settings, lambda app: app.doctor(offline=offline))
    except SettingsError as error:
        diagnosis = misconfigured(error)
    emit(json(diagnosis) if form is ShortFormat.JSON else diagnosis_text(diagnosis))
    raise typer.Exit(ExitCode.ANSWERED if diagnosis.healthy else ExitCode.ERROR)


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """Return ``diagnosis`` as a table with a closing line."""
    found = diagnosis.findings
    rows = table([(each.health.upper(), each.part, each.name, each.message) for each in found])
    faults = sum(not each.sound for each in found)
    last = (
        f"{counted(faults, 'problem')} found." if faults else "Everything that is configured works."
    )
    return f"{rows}\n{last}\n"


class Checked(Value):
    """The version of the tables in a database."""

    database: str
    version: str | None
    wanted: str

    @property
    def good(self) -> bool:
        """Whether this version of Quaere can use them."""
        return self.version == self.wanted


def check() -> None:
    """Check that the tables have the required version.

    The exit code is 1 if they do not.
    """
    checked = asyncio.run(_checked(_database()))
    emit(f"{_version_told(checked)}\n")
    raise typer.Exit(ExitCode.ANSWERED if checked.good else ExitCode.ERROR)


def upgrade() -> None:
    """Create the tables, or upgrade them to the required version."""
    emit(f"{_version_told(asyncio.run(_upgraded(_database())))}\n")


async def _checked(database: Database) -> Checked:
    from quaere.store.db.schema import REVISION

    async with database:
        version = await database.version()
    return Checked(database=database.name, version=version, wanted=REVISION)


async def _upgraded(database: Database) -> Checked:
    async with database:
        await database.upgrade()
        return await _checked(database)


def _version_told(checked: Checked) -> str:
    if checked.good:
        return f"{checked.database}: version {checked.version}, up to date"
    have = f"version {checked.version}" if checked.version else "no tables"
    is_later = checked.version is not None and checked.version > checked.wanted
    advice = "Install a later version of Quaere." if is_later else "Run: quaere db upgrade"
    return f"{checked.database}: {have}; version {checked.wanted} is required. {advice}"


def _database() -> Database:
    from quaere.faces.cli.running import settle
    from quaere.runtime.wiring_store import build_database

    return build_database(settle())
