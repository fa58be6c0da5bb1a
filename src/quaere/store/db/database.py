"""The database: one SQLite file by default, PostgreSQL by URL.

SQLite is written by one connection at a time, in WAL mode, so that readers never wait. A durable
write is flushed to the disk before it returns and survives a power failure; other writes survive
the death of the process and reach the disk with the next durable one.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
import logging
import sqlite3
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, Self

from sqlalchemy import (
    URL,
    ColumnElement,
    Connection,
    Executable,
    RowMapping,
    Table,
    event,
    func,
    inspect,
    literal,
    make_url,
    select,
    type_coerce,
)
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from quaere.errors import (
    QuaereError,
    SchemaError,
    SettingsError,
    StoreError,
    StoreUnavailable,
    TraceConflict,
    cause_of,
)
from quaere.store.db import schema, sqlite
from quaere.store.db.schema import REVISION, Utc

BUSY_S = 30.0
"""Seconds that a write waits for another process writing to the same SQLite file."""
CONNECT_S = 10.0
"""Seconds for which connecting to a server that does not answer is retried."""
UPGRADE_S = 600
"""Seconds for which the transaction may do nothing that upgrades the tables of a server."""
_PAUSE_S = 0.2
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
}
_GONE = (OperationalError, InterfaceError, PoolTimeout, OSError)
_UNWRITTEN = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
"""What SQLite calls an error of the disk, and mostly is that there is no room on it."""
_OPTION = "quaere_write"
_NOT_VALID: Final = (
    "The database URL is not valid. Use sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME."
)

logger = logging.getLogger(__name__)


class Database:
    """Transactions on one database. Close it with ``aclose`` or use it with ``async with``."""

    def __init__(
        self, url: str | URL, *, busy_s: float = BUSY_S, connect_s: float = CONNECT_S
    ) -> None:
        """Use the database at ``url``; nothing is opened yet.

        Raises:
            SettingsError: when the URL is not valid, or its driver is not installed.
        """
        self._url = _address(url)
        self._connect_s = connect_s
        self.sqlite = self._url.get_backend_name() == "sqlite"
        self._engine = _engine(self._url, busy_s)
        self._writing = asyncio.Lock()
        self._ready = False

    @classmethod
    def file(cls, path: Path) -> Self:
        """Return the database in a SQLite file, which is created on first use."""
        return cls(URL.create("sqlite", database=str(path)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections; no transaction may be open."""
        await self._engine.dispose()

    @property
    def name(self) -> str:
        """The address without its password, and of its parameters only where the server is."""
        shown = {key: said for key, said in self._url.query.items() if key in {"host", "port"}}
        url = self._url.set(drivername=self._url.get_backend_name(), query=shown)
        return url.render_as_string(hide_password=True)

    def without_waiting(self) -> Self:
        """Return this database for a caller that asks whether the server is there now.

        It fails at once where connecting would be retried. It shares all connections with this one,
        and needs no closing of its own.
        """
        impatient = copy.copy(self)
        impatient._connect_s = 0.0  # noqa: SLF001 - of the same class
        return impatient

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncConnection]:
        """Begin a transaction that only reads.

        Raises:
            SchemaError: when the tables are of another version.
            StoreError: when the database cannot be used.
        """
        await self._prepare()
        async with self._transaction(write=None) as connection:
            yield connection

    @asynccontextmanager
    async def write(self, *, durable: bool = True) -> AsyncGenerator[AsyncConnection]:
        """Begin a transaction that writes; it is committed at the end, or rolled back on an error.

        Raises:
            SchemaError: when the tables are of another version.
            TraceConflict: when a constraint of the tables forbids the change.
            StoreError: when the database cannot be used.
        """
        await self._prepare()
        async with self._write(durable=durable) as connection:
            yield connection

    async def rows(self, wanted: Executable) -> Sequence[RowMapping]:
        """Return the rows that ``wanted`` selects; raises as `read`."""
        async with self.read() as connection:
            return (await connection.execute(wanted)).mappings().all()

    async def row(self, wanted: Executable) -> RowMapping | None:
        """Return the only row that ``wanted`` selects; raises as `read`."""
        async with self.read() as connection:
            return (await connection.execute(wanted)).mappings().one_or_none()

    async def listen(self, channel: str) -> AsyncGenerator[str]:
        """Yield what is notified on a channel of PostgreSQL; first "", when it listens.

        It has a connection of its own, which `aclose` of this generator closes.

        Raises:
            StoreUnavailable: when the connection is lost.
        """
        from quaere.store.db import postgres

        try:
            async with aclosing(postgres.notices(self._url, channel)) as notices:
                async for notice in notices:
                    yield notice
        except (postgres.Error, OSError) as error:
            raise StoreUnavailable(f"Cannot listen at {self.name}: {_reason(error)}.") from error

    async def scrub(self) -> None:
        """Empty the write-ahead log of a SQLite file, which may still contain deleted data.

        Does nothing while the log is in use. PostgreSQL overwrites deleted data on its own.
        """
        if not self.sqlite:
            return
        try:
            await asyncio.to_thread(sqlite.empty_log, self._url.database or "")
        except sqlite3.Error as error:
            logger.info("cannot empty the write-ahead log of %s: %s", self.name, error)

    async def version(self) -> str | None:
        """Return the version of the tables; None when there are none.

        Raises:
            StoreError: when the database cannot be used.
        """
        if self._file_is_new():
            return None
        async with self._transaction(write=None) as connection:
            return await connection.run_sync(schema.current)

    async def upgrade(self) -> None:
        """Create the tables, or upgrade them to the version that this Quaere requires.

        Raises:
            SchemaError: when they have a later version, or another that this Quaere does not know.
            StoreError: when the database cannot be used; the tables are as they were.
        """
        await self._refuse_later(await self.version())
        self._make_folder()
        async with self._write(durable=True) as connection:
            await connection.run_sync(self._upgrade)
        self._ready = True

    def _upgrade(self, connection: Connection) -> None:
        if not self.sqlite:  # to begin anew would take no less time
            limit = f"SET LOCAL idle_in_transaction_session_timeout = '{UPGRADE_S}s'"
            connection.exec_driver_sql(limit)
        schema.upgrade(connection)

    async def _prepare(self) -> None:
        """Check the version of the tables; create or upgrade those of a SQLite file.

        A file belongs to who opens it, while servers and workers of several versions may share
        PostgreSQL, so that it is for its operators to say when its tables change.
        """
        if self._ready:
            return
        if self._file_is_new() or (self.sqlite and await self._is_empty()):
            await self.upgrade()
            return
        found = await self.version()
        await self._refuse_later(found)
        if found != REVISION:
            await self._catch_up(found)
        self._ready = True

    async def _catch_up(self, found: str | None) -> None:
        """Upgrade tables of an earlier version, where that is not for an operator to say."""
        if not (found and self.sqlite):
            have = f"have version {found}" if found else "do not exist"
            raise SchemaError(
                f"The tables of {self.name} {have}; this Quaere requires version {REVISION}. "
                "Run `quaere db upgrade`."
            )
        await self.upgrade()
        logger.info("%s is upgraded from version %s to %s", self.name, found, REVISION)

    async def _refuse_later(self, found: str | None) -> None:
        if found is not None and found > REVISION:
            raise SchemaError(
                f"The tables of {self.name} have version {found}, which is later than this "
                f"Quaere's {REVISION}. Install a later version of Quaere."
            )

    async def _is_empty(self) -> bool:
        async with self._transaction(write=None) as connection:
            return not await connection.run_sync(_tables)

    def _file_is_new(self) -> bool:
        path = self._url.database
        return self.sqlite and bool(path) and path != ":memory:" and not Path(path or "").exists()

    def _make_folder(self) -> None:
        if not self._file_is_new():
            return
        path = Path(self._url.database or "")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(mode=0o600)
        except OSError as error:
            raise StoreUnavailable(
                f"Cannot create {str(path)!r}: {cause_of(error)}. "
                "To keep it elsewhere, set QUAERE_DATA_DIR or QUAERE_DATABASE_URL."
            ) from error

    @asynccontextmanager
    async def _write(self, *, durable: bool) -> AsyncGenerator[AsyncConnection]:
        # Tasks of one process queue here, in order; at the file the order would be random.
        one_at_a_time = self._writing if self.sqlite else nullcontext()
        synchronous = "FULL" if durable else "NORMAL"
        async with one_at_a_time, self._transaction(write=synchronous) as connection:
            yield connection

    @asynccontextmanager
    async def _transaction(self, write: str | None) -> AsyncGenerator[AsyncConnection]:
        with _typed(self.name):
            connection = await self._begun(write)
            try:
                yield connection
                await connection.commit()
            finally:
                # Cancelled again, it would leave a transaction open, and with it a file locked.
                await asyncio.shield(connection.close())

    async def _begun(self, write: str | None) -> AsyncConnection:
        """Begin a transaction, and retry while a server restarts: nothing was done in it yet."""
        deadline = asyncio.get_running_loop().time() + self._connect_s
        while True:
            try:
                return await self._begin(write)
            except _GONE:
                if self.sqlite or asyncio.get_running_loop().time() >= deadline:
                    raise
            await asyncio.sleep(_PAUSE_S)

    async def _begin(self, write: str | None) -> AsyncConnection:
        connection = await self._engine.connect().start()
        async with AsyncExitStack() as failing:
            failing.push_async_callback(lambda: asyncio.shield(connection.close()))
            await connection.execution_options(**{_OPTION: write})
            await connection.begin()
            failing.pop_all()
        return connection


async def insert_new(
    connection: AsyncConnection, table: Table, rows: Sequence[Mapping[str, object]]
) -> None:
    """Insert ``rows``, except those whose key exists."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":  # each takes long to import, and one is enough
        from sqlalchemy.dialects.sqlite import insert as insert_or_not
    else:
        from sqlalchemy.dialects.postgresql import insert as insert_or_not
    await connection.execute(insert_or_not(table).on_conflict_do_nothing(), rows)


async def database_time(connection: AsyncConnection) -> datetime:
    """Return the time of the database; for SQLite, of this machine."""
    if connection.dialect.name == "sqlite":
        return datetime.now(UTC)
    now = await connection.execute(select(func.clock_timestamp(type_=Utc())))
    return now.scalar_one()


def now_of(connection: AsyncConnection, *, before_s: float = 0.0) -> ColumnElement[datetime]:
    """Return the time of the database, or so many seconds before, as part of a statement.

    For SQLite it is the time of this machine. A statement has one time, however long it takes.
    """
    earlier = timedelta(seconds=before_s)
    if connection.dialect.name == "sqlite":
        return literal(datetime.now(UTC) - earlier, Utc())
    return type_coerce(func.statement_timestamp() - earlier, Utc())


async def take_turn(connection: AsyncConnection, *name: str | None) -> None:
    """Let transactions that give the same ``name`` follow one another from here to their ends.

    For a count that must still hold when what was counted is added to. Transactions that write to
    SQLite follow one another anyway.
    """
    if connection.dialect.name == "postgresql":
        digest = hashlib.sha256(repr(name).encode()).digest()
        key = int.from_bytes(digest[:8], signed=True)
        await connection.execute(select(func.pg_advisory_xact_lock(key)))


@contextmanager
def _typed(name: str) -> Generator[None]:
    """Raise errors of the libraries as errors of this package."""
    try:
        yield
    except QuaereError:
        raise
    except IntegrityError as error:
        raise TraceConflict(f"The database rejected the change: {_reason(error)}.") from error
    except _GONE as error:
        raise StoreUnavailable(f"Cannot use {name}: {_reason(error)}.") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise StoreUnavailable(f"Lost the connection to {name}: {_reason(error)}.") from error
        raise StoreError(f"Cannot use {name}: {_reason(error)}.") from error
    except SQLAlchemyError as error:
        raise StoreError(f"Cannot use {name}: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    """Return the first line of the error message of the driver."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    told = next(iter(str(cause).strip().splitlines()), "") or type(cause).__name__
    if isinstance(cause, sqlite3.Error) and cause.sqlite_errorcode in _UNWRITTEN:
        return f"{told}; the disk may be full"
    return told


def _address(url: str | URL) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # their messages may hold the URL, and that a password
        parsed = None
    driver = _DRIVERS.get(parsed.drivername.partition("+")[0]) if parsed else None
    if parsed is None or driver is None:
        raise SettingsError(_NOT_VALID)
    return parsed.set(drivername=driver)


def _engine(url: URL, busy_s: float) -> AsyncEngine:
    try:
        if url.get_backend_name() == "sqlite":
            options = {"timeout": busy_s, "async_creator_fn": sqlite.connection}
            engine = create_async_engine(url, connect_args=options)
            event.listen(engine.sync_engine, "connect", sqlite.configuring(busy_s))
            event.listen(engine.sync_engine, "begin", _begin)
            return engine
        from quaere.store.db import postgres

        engine = create_async_engine(url, connect_args=postgres.options(url))
        postgres.watch(engine.sync_engine)
        event.listen(engine.sync_engine, "begin", _begin_at_server)
        return engine
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"The database needs {error.name}, which is not installed: "
            'pip install "quaere[postgres]".'
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise SettingsError(_NOT_VALID) from error


def _begin_at_server(connection: Connection) -> None:
    """Begin a transaction that writes; what is only read needs none, as each statement is one."""
    if connection.get_execution_options().get(_OPTION) is not None:
        connection.exec_driver_sql("BEGIN")


def _begin(connection: Connection) -> None:
    """Begin a transaction; one that writes takes the write lock at once."""
    synchronous = connection.get_execution_options().get(_OPTION)
    if synchronous is None:
        connection.exec_driver_sql("BEGIN")
        return
    if connection.info.get(_OPTION) != synchronous:
        connection.exec_driver_sql(f"PRAGMA synchronous={synchronous}")
        connection.info[_OPTION] = synchronous
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _tables(connection: Connection) -> list[str]:
    return inspect(connection).get_table_names()


async def patiently(
    write: Callable[[], Awaitable[None]], waits_s: Iterable[float], told: Callable[[str], None]
) -> None:
    """Await ``write``, once more after each of ``waits_s`` while the database is not available.

    What ``write`` raises otherwise, or the last time, is raised; ``told`` hears why it waits.
    """
    for wait_s in waits_s:
        try:
            await write()
        except StoreUnavailable as error:
            told(error.message)
            await asyncio.sleep(wait_s)
        else:
            return
    await write()
