"""The version of the tables in a database, and their migration to another.

Alembic is imported only when there is something to migrate, because the import is slow.
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
"""Key of the advisory lock that lets one process at a time migrate a PostgreSQL database."""


def current(connection: Connection) -> str | None:
    """Return the version of the tables; None when there are none."""
    if not inspect(connection).has_table(_VERSION.name):
        return None
    return connection.execute(select(_VERSION.c.version_num)).scalar_one_or_none()


def upgrade(connection: Connection, revision: str = REVISION) -> None:
    """Migrate the tables to ``revision`` within the transaction of the caller."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if current(connection) == revision:
        return
    from alembic import command  # noqa: PLC0415

    command.upgrade(config(connection), revision)


def config(connection: Connection) -> Config:
    """Return the Alembic configuration for ``connection``."""
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
