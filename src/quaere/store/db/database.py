"""The database: one SQLite file by default, PostgreSQL by URL.

SQLite is written by one connection at a time, in WAL mode, so that readers wait for nobody. A write
that must outlive a loss of power is flushed to the disk before it is reported done (``durable``);
the others survive the death of the process, and reach the disk with the next durable one.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Self

from sqlalchemy import URL, Connection, event, inspect, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
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
from sqlalchemy.pool import ConnectionPoolEntry

from quaere.errors import (
    QuaereError,
    SchemaError,
    SettingsError,
    StoreError,
    StoreUnavailable,
    TraceConflict,
)
from quaere.store.db import schema
from quaere.store.db.tables import REVISION

BUSY_S = 30.0
"""How long a write waits for another process that is writing to the same SQLite file."""
CONNECT_S = 10.0
"""How long a server that does not answer is tried again before a connection is given up."""
_PAUSE_S = 0.2
_SWITCH_S = 0.01
_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
}
_GONE = (OperationalError, InterfaceError, PoolTimeout, OSError)
_OPTION = "quaere_write"

logger = logging.getLogger(__name__)


class Database:
    """Transactions on one database. Close it with ``aclose`` or use it with ``async with``."""

    def __init__(
        self, url: str | URL, *, busy_s: float = BUSY_S, connect_s: float = CONNECT_S
    ) -> None:
        """Take the ``url``; nothing is opened yet.

        Raises:
            SettingsError: when the URL cannot be used, or its driver is not installed.
        """
        self._url = _address(url)
        self._connect_s = connect_s
        self.sqlite = self._url.get_backend_name() == "sqlite"
        self._engine = _engine(self._url, busy_s)
        self._writing = asyncio.Lock()
        self._ready = False

    @classmethod
    def file(cls, path: Path) -> Self:
        """Return the database in a SQLite file, which is made when it is first used."""
        return cls(URL.create("sqlite", database=str(path)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections; transactions must be over."""
        await self._engine.dispose()

    @property
    def name(self) -> str:
        """The address, without its password."""
        url = self._url.set(drivername=self._url.get_backend_name())
        return url.render_as_string(hide_password=True)

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
        """Begin a transaction that writes; it is committed at the end, or nothing of it is kept.

        Raises:
            SchemaError: when the tables are of another version.
            TraceConflict: when a rule of the tables forbids the change.
            StoreError: when the database cannot be used.
        """
        await self._prepare()
        async with self._write(durable=durable) as connection:
            yield connection

    async def scrub(self) -> None:
        """Empty the log of a SQLite file, where what was deleted from the file stands still.

        As long as somebody reads from the log or writes to it, it stays as it is. PostgreSQL
        overwrites what was deleted in its own time.
        """
        if not self.sqlite:
            return
        try:
            await asyncio.to_thread(_empty_log, self._url.database or "")
        except sqlite3.Error as error:
            logger.info("the log of %s was not emptied: %s", self.name, error)

    async def version(self) -> str | None:
        """Return the version of the tables; None where there are none.

        Raises:
            StoreError: when the database cannot be used.
        """
        if self._file_is_new():
            return None
        async with self._transaction(write=None) as connection:
            return await connection.run_sync(schema.current)

    async def upgrade(self) -> None:
        """Bring the tables to the version of this Quaere; make them where there are none.

        Raises:
            SchemaError: when they are of a later version, which is not known here.
            StoreError: when the database cannot be used.
        """
        await self._refuse_later(await self.version())
        self._make_folder()
        async with self._write(durable=True) as connection:
            await connection.run_sync(schema.upgrade)
        self._ready = True

    async def _prepare(self) -> None:
        """Make sure that the tables are those of this version; make them in a new file."""
        if self._ready:
            return
        if self._file_is_new() or (self.sqlite and await self._is_empty()):
            await self.upgrade()
            return
        found = await self.version()
        await self._refuse_later(found)
        if found != REVISION:
            have = f"of version {found}" if found else "not there"
            raise SchemaError(
                f"The tables of {self.name} are {have}; this Quaere needs version {REVISION}. "
                "Run `quaere db upgrade`."
            )
        self._ready = True

    async def _refuse_later(self, found: str | None) -> None:
        if found is not None and found > REVISION:
            raise SchemaError(
                f"The tables of {self.name} are of version {found}, which is later than this "
                f"Quaere's {REVISION}. Install a later Quaere."
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
            raise StoreUnavailable(f"Cannot make {str(path)!r}: {error.strerror}.") from error

    @asynccontextmanager
    async def _write(self, *, durable: bool) -> AsyncGenerator[AsyncConnection]:
        # Tasks of one process queue here and not at the file, where the order would be luck.
        one_at_a_time = self._writing if self.sqlite else nullcontext()
        synchronous = "FULL" if durable else "NORMAL"
        async with one_at_a_time, self._transaction(write=synchronous) as connection:
            yield connection

    @asynccontextmanager
    async def _transaction(self, write: str | None) -> AsyncGenerator[AsyncConnection]:
        with _typed(self.name):
            connection = await self._connected()
            try:
                await connection.execution_options(**{_OPTION: write})
                async with connection.begin():
                    yield connection
            finally:
                await connection.close()

    async def _connected(self) -> AsyncConnection:
        """Connect; a server that is being started again is waited for."""
        deadline = asyncio.get_running_loop().time() + self._connect_s
        while True:
            connection = self._engine.connect()
            try:
                return await connection.start()
            except _GONE:
                if self.sqlite or asyncio.get_running_loop().time() >= deadline:
                    raise
            await asyncio.sleep(_PAUSE_S)


@contextmanager
def _typed(name: str) -> Generator[None]:
    """Turn what the libraries raise into errors of ours."""
    try:
        yield
    except QuaereError:
        raise
    except IntegrityError as error:
        raise TraceConflict(f"The database refuses the change: {_reason(error)}.") from error
    except _GONE as error:
        raise StoreUnavailable(f"Cannot use {name}: {_reason(error)}.") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise StoreUnavailable(f"Lost {name}: {_reason(error)}.") from error
        raise StoreError(f"Cannot use {name}: {_reason(error)}.") from error
    except SQLAlchemyError as error:
        raise StoreError(f"Cannot use {name}: {_reason(error)}.") from error


def _reason(error: Exception) -> str:
    """Return the first line of what the driver said."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    return next(iter(str(cause).strip().splitlines()), "") or type(cause).__name__


def _address(url: str | URL) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # their messages may hold the URL, and that a password
        parsed = None
    driver = _DRIVERS.get(parsed.drivername.partition("+")[0]) if parsed else None
    if parsed is None or driver is None:
        raise SettingsError(
            "The URL of the database cannot be used. Give sqlite:///PATH or "
            "postgresql://USER:PASSWORD@HOST/NAME."
        )
    return parsed.set(drivername=driver)


def _engine(url: URL, busy_s: float) -> AsyncEngine:
    try:
        if url.get_backend_name() == "sqlite":
            engine = create_async_engine(url, connect_args={"timeout": busy_s})
            event.listen(engine.sync_engine, "connect", _configuring(busy_s))
            event.listen(engine.sync_engine, "begin", _begin)
            return engine
        return create_async_engine(url, pool_pre_ping=True)
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"{error.name} is not installed, which the database needs: "
            'pip install "quaere[postgres]".'
        ) from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise SettingsError(f"The URL of the database cannot be used: {error}.") from error


def _configuring(busy_s: float) -> Callable[[DBAPIConnection, ConnectionPoolEntry], None]:
    """Return what sets up a new connection to SQLite."""

    def configure(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        # Else the driver begins transactions by rules of its own, and none for reading.
        connection.isolation_level = None
        cursor = connection.cursor()
        try:
            _write_ahead(cursor.execute, busy_s)
            cursor.execute("PRAGMA foreign_keys=ON")
            cursor.execute("PRAGMA secure_delete=ON")  # what is deleted is overwritten
        finally:
            cursor.close()

    return configure


def _write_ahead(execute: Callable[[str], object], busy_s: float) -> None:
    """Switch to a write-ahead log, which the file remembers.

    Of two that switch a new file at once SQLite turns one away without waiting, lest both wait for
    each other for ever.
    """
    began = time.monotonic()
    while True:
        try:
            execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            late = time.monotonic() - began >= busy_s
            if late or error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(_SWITCH_S)
        else:
            return


def _empty_log(path: str) -> None:
    """Put what stands in the log into the file at ``path``, and cut the log to nothing."""
    with closing(sqlite3.connect(path, timeout=0)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _begin(connection: Connection) -> None:
    """Begin a transaction; one that writes is the only one from its beginning."""
    synchronous = connection.get_execution_options().get(_OPTION)
    if synchronous is None:
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(f"PRAGMA synchronous={synchronous}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _tables(connection: Connection) -> list[str]:
    return inspect(connection).get_table_names()
