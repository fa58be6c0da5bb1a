"""Connections to SQLite: a thread each, which takes one turn a statement.

aiosqlite has its thread make a cursor, run it, fetch its rows and close it, in a turn each, and
each turn is handed over and back by the event loop.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

import aiosqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

_SWITCH_S = 0.01
_CHUNK = 64
"""Rows a turn of what is read row by row, which nothing is."""

Statement = Callable[[sqlite3.Connection], sqlite3.Cursor]
Row = tuple[Any, ...]


class _RollingBack(sqlite3.Connection):
    """A connection that rolls back before it closes.

    A cancelled statement may leave its cursor behind. Until that is collected, SQLite keeps a
    closed connection as it was, with its transaction and the lock on the file.
    """

    def close(self) -> None:
        try:
            with suppress(sqlite3.ProgrammingError):  # closed before
                self.rollback()
        finally:
            super().close()


@dataclass(frozen=True, slots=True)
class _Made:
    """What a statement came to."""

    description: object = None
    rowcount: int = -1
    lastrowid: int | None = None
    rows: Sequence[Row] = ()


@dataclass(slots=True)
class _Cursor:
    """What SQLAlchemy uses of a cursor of aiosqlite."""

    make: Callable[[Statement], Awaitable[_Made]]
    arraysize: int = 1
    _made: _Made = field(default_factory=_Made)

    @property
    def description(self) -> object:
        """Columns of the rows; None where there are none."""
        return self._made.description

    @property
    def rowcount(self) -> int:
        """Rows that the statement has changed."""
        return self._made.rowcount

    @property
    def lastrowid(self) -> int | None:
        """Number of the row that was inserted last."""
        return self._made.lastrowid

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """Run a statement and fetch its rows."""
        self._made = await self.make(lambda connection: connection.execute(sql, parameters))

    async def executemany(self, sql: str, parameters: Sequence[Sequence[Any]]) -> None:
        """Run a statement once for each of ``parameters``."""
        self._made = await self.make(lambda connection: connection.executemany(sql, parameters))

    async def fetchall(self) -> Sequence[Row]:
        """Return all rows."""
        return self._made.rows

    async def close(self) -> None:
        """Do nothing: what was open was closed in the turn that opened it."""


class _Connection(aiosqlite.Connection):
    """A connection whose statements take one turn of its thread each."""

    def __init__(self, opening: Callable[[], sqlite3.Connection]) -> None:
        self._opened = opened = list[sqlite3.Connection]()

        def open_() -> sqlite3.Connection:
            connection = opening()
            opened.append(connection)
            return connection

        super().__init__(open_, iter_chunk_size=_CHUNK)

    def stop(self) -> asyncio.Future[Any] | None:
        """End its thread, and close what that has opened for somebody who no longer waits for it.

        aiosqlite knows only of what it was still there to take.
        """
        opened = self._opened

        def close() -> None:
            while opened:
                opened.pop().close()

        # The only way to its thread, and without types.
        self._tx.put_nowait((None, close))  # pyright: ignore[reportUnknownMemberType]
        return super().stop()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]

    # What aiosqlite returns is awaited; SQLAlchemy needs a cursor at once.
    def cursor(self) -> _Cursor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a cursor, which takes no turn."""
        return _Cursor(self._made)

    async def _made(self, statement: Statement) -> _Made:
        # The only way to its thread, and without types.
        taken = self._execute(_fetched, self._conn, statement)  # pyright: ignore[reportUnknownMemberType]
        return await taken


def _fetched(connection: sqlite3.Connection, statement: Statement) -> _Made:
    with closing(statement(connection)) as cursor:
        rows = cursor.fetchall() if cursor.description else ()
        return _Made(cursor.description, cursor.rowcount, cursor.lastrowid, rows)


def connection(
    database: str, *, timeout: float, check_same_thread: bool = True
) -> aiosqlite.Connection:
    """Return a connection for SQLAlchemy to open; the options are those of `sqlite3.connect`."""
    opening = partial(
        sqlite3.connect,
        database,
        timeout=timeout,
        check_same_thread=check_same_thread,
        factory=_RollingBack,
    )
    made = _Connection(opening)
    # As SQLAlchemy has it, so that a connection that nobody closes does not keep the process. Until
    # 0.22 it is a thread itself.
    vars(made).get("_thread", made).daemon = True
    return made


def configuring(busy_s: float) -> Callable[[DBAPIConnection, ConnectionPoolEntry], None]:
    """Return a function that configures a new connection to SQLite."""

    def configure(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        # Otherwise the driver begins transactions by its own rules, and none for reading.
        connection.isolation_level = None
        cursor = connection.cursor()
        try:
            write_ahead(cursor.execute, busy_s)
            cursor.execute("PRAGMA foreign_keys=ON")
            cursor.execute("PRAGMA secure_delete=ON")  # overwrite deleted data
        finally:
            cursor.close()

    return configure


def write_ahead(execute: Callable[[str], object], busy_s: float) -> None:
    """Switch to a write-ahead log, a setting that the file stores.

    When two connections switch a new file at once, SQLite rejects one without waiting, to avoid a
    deadlock.
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


def empty_log(path: str) -> None:
    """Write the log back into the file at ``path``, and truncate it."""
    with closing(sqlite3.connect(path, timeout=0)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
