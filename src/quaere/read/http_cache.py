"""Keeps answers as long as their servers allow (RFC 9111), in one SQLite file.

hishel knows the rules; its state machine is driven here, because its ready-made clients are for
other HTTP libraries. Bodies are kept decoded, so that a hit costs no decoding and cannot be a bomb.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import cast

from anysqlite import Connection, connect
from hishel import (
    AnyState,
    AsyncSqliteStorage,
    CacheMiss,
    CacheOptions,
    CouldNotBeStored,
    FromCache,
    Headers,
    IdleClient,
    InvalidateEntries,
    NeedRevalidation,
    NeedToBeUpdated,
    Request,
    Response,
    StoreAndUse,
)

from quaere.read.transport import HttpRequest, HttpResponse

logger = logging.getLogger(__name__)


def _in_a_line(record: logging.LogRecord) -> bool:
    """Tell in a line, below warnings, of a file that another process has locked.

    hishel answers without its file then, and writes a traceback.
    """
    error = record.exc_info[1] if record.exc_info else None
    if not (isinstance(error, sqlite3.OperationalError) and "locked" in str(error)):
        return True
    logger.info("the cache of answers is in use elsewhere, and was passed over: %s", error)
    return False


logging.getLogger(AsyncSqliteStorage.__module__).addFilter(_in_a_line)

MAX_CACHE_BYTES = 500_000_000
_OPTIONS = CacheOptions(shared=False)
# They describe the body on its way, not the decoded one that is kept.
_ON_THE_WAY = frozenset({"content-encoding", "content-length", "transfer-encoding"})

Send = Callable[[HttpRequest], Awaitable[HttpResponse]]


class HttpCache:
    """The answers to ``GET`` requests of one user, in the file ``path``."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opening = asyncio.Lock()
        self._storage: AsyncSqliteStorage | None = None

    async def answer(self, wanted: HttpRequest, send: Send) -> HttpResponse:
        """Return the kept answer to ``wanted`` where it may be used, else what ``send`` returns.

        A stale answer is checked with its server first. Raises what ``send`` raises.
        """
        request = Request("GET", wanted.target.url, Headers(dict(wanted.headers)))
        storage = await self._opened()
        entries = await storage.get_entries(request.url)
        state: AnyState = IdleClient(options=_OPTIONS).next(request, entries)
        while True:
            if isinstance(state, StoreAndUse):
                entry = await storage.create_entry(request, state.response, request.url)
                return await _answer(entry.response)
            if isinstance(state, CouldNotBeStored):
                return await _answer(state.response)
            if isinstance(state, FromCache):
                return await _answer(state.entry.response)
            state = await _step(state, storage, wanted, send)

    async def _opened(self) -> AsyncSqliteStorage:
        """Return the open file; left to itself, hishel makes its folder on the event loop."""
        async with self._opening:
            if self._storage is None:
                connection: Connection | None
                try:
                    connection = await connect(str(self._path), isolation_level=None)
                except (sqlite3.Error, OSError):  # hishel treats such a file as empty
                    connection = None
                self._storage = AsyncSqliteStorage(
                    connection=connection, database_path=self._path, max_size=MAX_CACHE_BYTES
                )
            return self._storage

    async def aclose(self) -> None:
        """Close the file."""
        if self._storage:
            await self._storage.close()


async def _step(
    state: AnyState, storage: AsyncSqliteStorage, wanted: HttpRequest, send: Send
) -> AnyState:
    """Do what ``state`` asks for and return the state after it."""
    if isinstance(state, CacheMiss | NeedRevalidation):
        return state.next(await _sent(wanted, state.request, send))
    if isinstance(state, NeedToBeUpdated):
        for entry in state.updating_entries:
            await storage.update_headers(entry.id, entry.response.headers)
        return state.next()
    if isinstance(state, InvalidateEntries):
        for entry_id in state.entry_ids:
            await storage.remove_entry(entry_id)
        return state.next()
    raise TypeError(f"{type(state).__name__} is not an intermediate state of a request")


async def _sent(wanted: HttpRequest, conditional: Request, send: Send) -> Response:
    """Send ``wanted`` with the headers of ``conditional``, such as ``If-None-Match``."""
    answer = await send(
        HttpRequest(wanted.target, wanted.method, dict(conditional.headers.items()))
    )
    kept = {name: value for name, value in answer.headers.items() if name not in _ON_THE_WAY}
    return Response(answer.status, Headers(kept), _stream(answer.data))


async def _stream(data: bytes) -> AsyncGenerator[bytes]:
    yield data


async def _answer(response: Response) -> HttpResponse:
    """Return ``response``; reading its stream to the end is what keeps it."""
    data = bytearray()
    if response.stream is not None:
        async with aclosing(cast("AsyncGenerator[bytes]", response.stream)) as stream:
            async for chunk in stream:
                data += chunk
    headers = {name.lower(): value for name, value in response.headers.items()}
    return HttpResponse(response.status_code, headers, bytes(data))
