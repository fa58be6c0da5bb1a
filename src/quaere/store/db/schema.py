"""The tables of a database, their version, and their migration to another.

What changes here needs a migration in ``migrations/versions``. Alembic is imported only when there
is something to migrate, because the import is slow.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    RowMapping,
    String,
    Table,
    Text,
    TypeDecorator,
    and_,
    column,
    false,
    inspect,
    select,
    table,
    text,
    true,
)

from quaere.domain.trace import Owner
from quaere.domain.value import Value, encodable
from quaere.errors import SchemaError
from quaere.store.run_id import is_run_id

if TYPE_CHECKING:
    from alembic.config import Config

_Kept = TypeVar("_Kept", bound=Value)

REVISION = "0010"
"""The migration that makes the tables below."""


class Utc(TypeDecorator[datetime]):
    """A time that goes in and comes out in UTC, whatever the database makes of zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Turn ``value`` to UTC; SQLite keeps no zone."""
        del dialect
        return value.astimezone(UTC) if value else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Say that what SQLite gives back is UTC."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Words(TypeDecorator[str]):
    """Text from outside, without what PostgreSQL does not take: NUL and lone surrogates."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Put replacement characters in place of what cannot be kept."""
        del dialect
        return None if value is None else encodable(value).replace("\0", "\ufffd")


metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "idx_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)


def _run() -> Column[str]:
    key = ForeignKey("tool_traces.id", ondelete="CASCADE")
    return Column("run_id", String(64), key, primary_key=True)


def _owner() -> tuple[Column[str], Column[str]]:
    return Column("user_id", String(255), nullable=False), Column("org_id", String(255))


# R4.3. The ids of users and organizations are those of the embedding program: there are no tables
# of them here to refer to.
tool_traces = Table(
    "tool_traces",
    metadata,
    Column("id", String(64), primary_key=True),
    *_owner(),
    Column("tool_name", String(100), nullable=False),
    Column("input_params", JSON, nullable=False),
    Column("status", String(50), nullable=False),
    Column("progress", Float, nullable=False, server_default="0"),
    Column("current_stage", Words),
    Column("state", JSON, nullable=False),
    Column("result", JSON(none_as_null=True)),
    Column("error_message", Words),
    Column("created_at", Utc, nullable=False),
    Column("started_at", Utc),
    Column("completed_at", Utc),
    Column("metrics", JSON, nullable=False),
    Column("graph_version", String(64)),
    Column("fence", Integer, nullable=False, server_default="0"),
    Column("lease_owner", String(255)),
    Column("lease_until", Utc),
    Column("last_seq", Integer, nullable=False, server_default="0"),
    Column("tags", JSON),
    Column("pinned", Boolean, nullable=False, server_default=false()),
    Column("share", String(64), index=True),
    Index("idx_tool_traces_user_tool", "user_id", "tool_name", "created_at"),
    Index("idx_tool_traces_status", "status"),
    Index("idx_tool_traces_created_at", "created_at"),
)

# ``body`` is the event's own JSON, kept letter for letter: JSON types change or refuse some of it.
run_events = Table(
    "run_events",
    metadata,
    _run(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("type", String(50), nullable=False),
    Column("at", Utc, nullable=False),
    Column("body", Text, nullable=False),
)

pages = Table(
    "pages",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("chars", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", Utc, nullable=False),
)

run_sources = Table(
    "run_sources",
    metadata,
    _run(),
    Column("passage", String(64), primary_key=True),
    Column("evidence", Integer, nullable=False),
    Column("topic", Words, nullable=False),
    Column("url", Words, nullable=False),
    Column("title", Words, nullable=False),
    Column("locator", Words, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("page_hash", String(64), ForeignKey("pages.hash"), index=True),
    Column("retrieved_at", Words, nullable=False),
    Column("published", Words, nullable=False),
    Column("provided", Boolean, nullable=False),
    Column("details", JSON, nullable=False),
)

run_citations = Table(
    "run_citations",
    metadata,
    _run(),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("evidence", Integer, nullable=False),
    Column("passage", String(64), nullable=False),
    Column("url", Words, nullable=False),
    Column("title", Words, nullable=False),
    Column("type", Words, nullable=False),
    Column("location", Words, nullable=False),
    Column("quote", Words, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
)

findings = Table(
    "findings",
    metadata,
    _run(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("item", Words),
    Column("statement", Words, nullable=False),
    Column("support", String(50), nullable=False),
    Column("probability", Float),
    Column("evidence", JSON, nullable=False),
)

chat_messages = Table(
    "chat_messages",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("conversation_id", String(64), nullable=False),
    *_owner(),
    Column("role", String(20), nullable=False),
    Column("content", Words, nullable=False),
    Column("citations", JSON, nullable=False),
    Column("trace_id", String(64), ForeignKey("tool_traces.id", ondelete="SET NULL"), index=True),
    Column("created_at", Utc, nullable=False),
    Index("idx_chat_messages_conversation", "conversation_id", "created_at"),
)

answers = Table(
    "answers",
    metadata,
    Column(
        "trace_id",
        String(64),
        ForeignKey("tool_traces.id", ondelete="CASCADE"),
        primary_key=True,
    ),
    *_owner(),
    Column("question", Words, nullable=False),
    Column("normalized", Words, nullable=False),
    Column("names", JSON, nullable=False),
    Column("dates", JSON, nullable=False),
    Column("profile", String(50), nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("fresh_until", Utc),
    Index("idx_answers_user", "user_id", "created_at"),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("user_id", String(255), nullable=False, index=True),
    Column("org_id", String(255)),
    Column("name", Words, nullable=False),
    Column("hash", String(128), nullable=False, unique=True),
    Column("created_at", Utc, nullable=False),
    Column("last_used_at", Utc),
    Column("expires_at", Utc),
    Column("revoked_at", Utc),
    Column("prefix", String(16)),
    Column("scopes", JSON),
    Column("limits", JSON),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(64), primary_key=True),
    *_owner(),
    Column("title", Words, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("updated_at", Utc, nullable=False),
    Index("idx_conversations_user", "user_id", "updated_at"),
)

# Folders of users of a service; their files are in the data folder, under the id.
folders = Table(
    "folders",
    metadata,
    Column("id", String(64), primary_key=True),
    *_owner(),
    Column("name", Words, nullable=False),
    Column("created_at", Utc, nullable=False),
    Index("idx_folders_user", "user_id", "created_at"),
)

# What runs took that were deleted since, by the day in UTC on which they were begun, and what
# checks took that were answered at once.
deleted_usage = Table(
    "deleted_usage",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    *_owner(),
    Column("day", String(10), nullable=False),
    Column("runs", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("cost_usd", Float, nullable=False),
    Index("idx_deleted_usage_user", "user_id", "day"),
)

# Runs by the key that the client gave its request, so that one sent twice begins one run.
idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("user_id", String(255), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("run_id", String(64), nullable=False),
    Column("created_at", Utc, nullable=False, index=True),
)

_priority = Column("priority", Integer, nullable=False, server_default="0")

# Runs that wait for a worker, in the order of ``priority``, then of submission. The status of such
# a run, its worker and the end of its lease are in its trace. What was given up stays, until an
# operator has it tried again.
jobs = Table(
    "jobs",
    metadata,
    _run(),
    Column("request", Text, nullable=False),
    Column("user_id", String(255), nullable=False),
    _priority,
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("queued_at", Utc, nullable=False),
    Column("deadline", Utc),
    Column("cancel", Boolean, nullable=False, server_default=false()),
    Column("finish", Boolean, nullable=False, server_default=false()),
    Column("reply", Text),
    Column("given_up_at", Utc),
    Column("webhook", Text),
    Column("compared_to", String(64)),
    Index("idx_jobs_queue", _priority.desc(), "queued_at", "run_id"),
)

# Processes that make runs, as each reported itself at ``seen_at``.
workers = Table(
    "workers",
    metadata,
    Column("name", String(255), primary_key=True),
    Column("version", String(64), nullable=False),
    Column("places", Integer, nullable=False),
    Column("busy", Integer, nullable=False),
    Column("ended", Integer, nullable=False),
    Column("takeovers", Integer, nullable=False),
    Column("started_at", Utc, nullable=False),
    Column("seen_at", Utc, nullable=False, index=True),
    Column("drain", Boolean, nullable=False, server_default=false()),
)

# What operators have switched on for all workers, "paused" for one.
switches = Table(
    "switches",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("since", Utc, nullable=False),
)

# When the next call to a service may begin, whichever process makes it.
service_limits = Table(
    "service_limits",
    metadata,
    Column("name", String(255), primary_key=True),
    Column("free_at", Utc, nullable=False),
)

# Requests by a key in the last minute: by the second, in UTC since 1970.
key_requests = Table(
    "key_requests",
    metadata,
    Column("key_id", String(64), ForeignKey("api_keys.id", ondelete="CASCADE"), primary_key=True),
    Column("seconds", JSON, nullable=False),
)

# Messages about ended runs, their addresses, and their delivery so far. ``next_at`` is empty when a
# message was delivered or given up.
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(64), primary_key=True),
    Column(
        "run_id",
        String(64),
        ForeignKey("tool_traces.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("url", Text, nullable=False),
    Column("compared_to", String(64)),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("created_at", Utc, nullable=False),
    Column("next_at", Utc, index=True),
    Column("delivered_at", Utc),
    Column("error", Words),
)

# Questions that are asked again and again, next at ``next_at``. ``baseline`` is the last run that
# came to an answer before ``last_run``. ``key_id`` is the API key that asked for it, whose limits
# hold for its runs; a schedule ends with its key, also where the key's row is gone.
schedules = Table(
    "schedules",
    metadata,
    Column("id", String(32), primary_key=True),
    *_owner(),
    Column("timing", Text, nullable=False),
    Column("zone", String(64), nullable=False),
    Column("request", Text, nullable=False),
    Column("webhook", Text),
    Column("created_at", Utc, nullable=False),
    Column("next_at", Utc, nullable=False, index=True),
    Column("last_run", String(64)),
    Column("baseline", String(64)),
    Column("error", Words),
    Column("key_id", String(64)),
    Index("idx_schedules_user", "user_id", "created_at"),
)

# Recorded answers of services to an unfinished run, so that another worker can continue it.
run_answers = Table(
    "run_answers",
    metadata,
    _run(),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
)

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
    """Migrate the tables to ``revision`` within the transaction of the caller.

    Raises:
        SchemaError: when they have a version that no migration begins from.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    found = current(connection)
    if found == revision:
        return
    from alembic import command  # noqa: PLC0415 - slow to import, and seldom needed
    from alembic.util import CommandError  # noqa: PLC0415 - likewise

    try:
        command.upgrade(config(connection), revision)
    except CommandError as error:
        raise SchemaError(
            f"The tables have version {found}, which this Quaere does not know."
        ) from error


def config(connection: Connection) -> Config:
    """Return the Alembic configuration for ``connection``."""
    from alembic.config import Config  # noqa: PLC0415 - slow to import, and seldom needed

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


def owner_is(table: Table, owner: Owner | None) -> ColumnElement[bool]:
    """Return the condition that a row of ``table`` is the owner's; of no condition for None."""
    if owner is None:
        return true()
    return and_(table.c.user_id == owner.user, table.c.org_id.is_not_distinct_from(owner.org))


def owner_columns(owner: Owner) -> dict[str, object]:
    """Return the columns of a row that say whose it is."""
    return {"user_id": owner.user, "org_id": owner.org}


def owner_of(row: RowMapping) -> Owner:
    """Return whose a row is."""
    return Owner(user=row["user_id"], org=row["org_id"])


def value_of(row: RowMapping, kind: type[_Kept], **told: object) -> _Kept:
    """Return the ``kind`` of value that a row holds, field by column of the same name.

    Args:
        row: The row.
        kind: What it holds; the owner of one that has an owner is the row's.
        told: Fields that are not, or not so, in a column.

    Raises:
        ValidationError: when that is no such value.
    """
    fields = kind.model_fields
    found: dict[str, object] = {name: row[name] for name in fields if name in row}
    if "owner" in fields:
        found["owner"] = owner_of(row)
    return kind.model_validate(found | told)


def owned_row(table: Table, owner: Owner | None, row_id: str) -> ColumnElement[bool]:
    """Return the condition that a row of ``table`` is the owner's and has that id."""
    return and_(owner_is(table, owner), table.c.id == row_id) if is_run_id(row_id) else false()
