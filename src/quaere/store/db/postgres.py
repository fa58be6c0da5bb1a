"""Connections to PostgreSQL: either side notices soon that it has lost the other."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from typing import Final, cast

import psycopg
from sqlalchemy import URL, AdaptedConnection, Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

LISTENS_S = 20.0
"""Seconds of silence after which a connection that listens is tried."""
IDLE_S = 1.0
"""Seconds of disuse after which a connection is tried before it is used."""
OPENS_S = 10
"""Seconds that a server which accepts a connection may take to open it."""
LOST_S = 15
"""Seconds without an answer after which either side takes a connection for lost."""
LOCKS_S = 10
"""Seconds for which a transaction may do nothing. A process that is stopped or cut off in the midst
of one holds its locks no longer than that."""
_USED = "quaere_used"

Error: Final = psycopg.Error
"""Base of what the driver raises."""


def options(url: URL) -> dict[str, str | bool]:
    """Return what a connection to ``url`` is opened with.

    The driver would begin a transaction for what is only read, too. And a database without an
    encoding, as made without a locale, would answer in bytes.
    """
    return {"autocommit": True, "client_encoding": "utf8", **_keepalives(url)}


def watch(engine: Engine) -> None:
    """Have the pool of ``engine`` replace lost connections, and the server end those it lost."""
    event.listen(engine, "connect", _limit_waits)
    event.listen(engine, "checkout", _tried)
    event.listen(engine, "checkin", _used)


async def notices(url: URL, channel: str) -> AsyncGenerator[str]:
    """Yield what is notified on a channel; first "", when it is listened to.

    Raises:
        psycopg.Error: when the connection is lost.
        OSError: likewise.
    """
    address = url.set(drivername="postgresql").update_query_dict(_keepalives(url))
    address = address.render_as_string(hide_password=False)
    connection = await psycopg.AsyncConnection.connect(address, autocommit=True)
    async with connection:
        await connection.execute(f"LISTEN {channel}".encode())
        yield ""
        while True:
            async for notice in connection.notifies(timeout=LISTENS_S):
                yield notice.payload
            await connection.execute("SELECT 1")


def _used(connection: DBAPIConnection | None, record: ConnectionPoolEntry) -> None:
    """Note when a connection was used last."""
    del connection
    record.info[_USED] = time.monotonic()


def _tried(
    connection: DBAPIConnection, record: ConnectionPoolEntry, _: PoolProxiedConnection
) -> None:
    """Have the pool replace a connection that is lost.

    One that the server has closed is known without asking. Another is asked only if it was idle for
    a while: the pool could do that each time, which costs as much as a statement.
    """
    idle_s = time.monotonic() - record.info.get(_USED, time.monotonic())
    try:
        _take_in(connection)
        if idle_s >= IDLE_S:
            cursor = connection.cursor()
            cursor.execute("SELECT 1")
            cursor.close()
    except psycopg.Error as error:
        raise DisconnectionError(str(error)) from error


def _take_in(connection: DBAPIConnection) -> None:
    """Read what the server has sent unasked, without waiting: that it closes the connection.

    Raises:
        psycopg.Error: when it has.
    """
    driver = cast("AdaptedConnection", connection).driver_connection
    if isinstance(driver, psycopg.AsyncConnection):
        for _ in range(2):  # the reason comes first, then the end
            driver.pgconn.consume_input()


def _limit_waits(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Have the server give up a connection, and what it has locked, whose client is gone."""
    limits = {
        "idle_in_transaction_session_timeout": f"{LOCKS_S}s",
        "tcp_user_timeout": f"{LOST_S}s",
        "tcp_keepalives_idle": str(LOST_S // 3),
        "tcp_keepalives_interval": str(LOST_S // 3),
    }
    cursor = connection.cursor()
    cursor.execute("; ".join(f"SET {name} = '{value}'" for name, value in limits.items()))
    cursor.close()


def _keepalives(url: URL) -> dict[str, str]:
    """Return what makes libpq notice that the server is cut off, unless ``url`` says it."""
    limits = {
        "connect_timeout": str(OPENS_S),
        "tcp_user_timeout": str(1000 * LOST_S),
        "keepalives_idle": str(LOST_S // 3),
        "keepalives_interval": str(LOST_S // 3),
    }
    return {name: value for name, value in limits.items() if name not in url.query}
