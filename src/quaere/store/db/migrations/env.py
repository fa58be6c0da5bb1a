"""Lets Alembic work on the connection that `quaere.store.db.schema` hands it."""

from __future__ import annotations

from alembic import context

from quaere.store.db import schema
from quaere.store.db.tables import metadata


def migrate() -> None:
    """Run the migrations that are asked for within the transaction that the caller has begun."""
    connection = schema.handed(context.config)
    context.configure(
        connection=connection,
        target_metadata=metadata,
        transactional_ddl=True,
        # SQLite changes a table by making it anew.
        render_as_batch=connection.dialect.name == "sqlite",
    )
    context.run_migrations()


migrate()
