"""``quaere db``: Check or upgrade the trace database."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import typer

from quaere.domain.value import Value
from quaere.faces.cli.exits import ExitCode
from quaere.faces.cli.follow import importing
from quaere.faces.cli.help_text import PlainCommand, subcommands
from quaere.faces.cli.terminal import emit

if TYPE_CHECKING:
    from quaere.store.db.database import Database


class Checked(Value):
    """The version of the tables in a database."""

    database: str
    version: str | None
    wanted: str

    @property
    def good(self) -> bool:
        """Whether this version of Quaere can use them."""
        return self.version == self.wanted


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    group = subcommands(app, "db", "Check or upgrade the trace database.")
    group.command("check", cls=PlainCommand)(check)
    group.command("upgrade", cls=PlainCommand)(upgrade)


def check() -> None:
    """Check that the tables have the required version.

    The exit code is 1 if they do not.
    """
    checked = asyncio.run(_checked(_database()))
    emit(f"{_told(checked)}\n")
    raise typer.Exit(ExitCode.ANSWERED if checked.good else ExitCode.ERROR)


def upgrade() -> None:
    """Create the tables, or upgrade them to the required version."""
    emit(f"{_told(asyncio.run(_upgraded(_database())))}\n")


async def _checked(database: Database) -> Checked:
    from quaere.store.db.schema import REVISION

    async with database:
        version = await database.version()
    return Checked(database=database.name, version=version, wanted=REVISION)


async def _upgraded(database: Database) -> Checked:
    async with database:
        await database.upgrade()
        return await _checked(database)


def _told(checked: Checked) -> str:
    if checked.good:
        return f"{checked.database}: version {checked.version}, up to date"
    have = f"version {checked.version}" if checked.version else "no tables"
    return (
        f"{checked.database}: {have}; version {checked.wanted} is required. Run: quaere db upgrade"
    )


def _database() -> Database:
    with importing():
        from quaere.faces.cli.environment import settle
        from quaere.runtime.wiring_store import build_database

    return build_database(settle())
