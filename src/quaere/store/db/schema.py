"""Brings the tables of a database to the version of this Quaere, and tells which one they are.

Alembic is imported only where something is to be done: it takes a while.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, column, inspect, select, table, text

from quaere.store.db.tables import REVISION

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"
_VERSION = table("alembic_version", column("version_num"))
_LOCK = 0x9A_E2_E0
"""Number of the advisory lock that lets one process migrate a PostgreSQL database at a time."""


def current(connection: Connection) -> str | None:
    """Return the version of the tables; None where there are none of ours."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    return connection.execute(select(_VERSION.c.version_num)).scalar_one_or_none()


def upgrade(connection: Connection, revision: str = REVISION) -> None:
    """Bring the tables to ``revision``, whole or not at all: the caller's transaction holds it."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if current(connection) == revision:
        return
    from alembic import command  # noqa: PLC0415

    command.upgrade(config(connection), revision)


def config(connection: Connection) -> Config:
    """Return what Alembic is to know to work on ``connection``."""
    from alembic.config import Config  # noqa: PLC0415

    made = Config()
    made.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    made.attributes["connection"] = connection
    return made


def handed(config: Config) -> Connection:
    """Return the connection that ``config`` was made for."""
    connection = config.attributes["connection"]
    if not isinstance(connection, Connection):
        raise TypeError("migrations are run by quaere.store.db.schema.upgrade")
    return connection
