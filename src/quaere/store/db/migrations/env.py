"""Runs Alembic on the connection that `quaere.store.db.schema` provides."""

from __future__ import annotations

from alembic import context

from quaere.store.db import schema
from quaere.store.db.schema import metadata


def migrate() -> None:
    """Run the requested migrations within the transaction of the caller."""
    connection = schema.handed(context.config)
    context.configure(
        connection=connection,
        target_metadata=metadata,
        # SQLite changes a table by recreating it.
        render_as_batch=connection.dialect.name == "sqlite",
    )
    context.run_migrations()


migrate()
