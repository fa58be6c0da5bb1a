"""Requests a minute of each key, and the headers that tell of them.

The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaere.errors import QuotaExceeded
from quaere.store.db.database import Database
from quaere.store.quotas import WINDOW_S, count_request

_SCOPE = "quaere.rate_limit"


async def count(connection: HTTPConnection, database: Database, key: str, most: int) -> None:
    """Count a request by the key of that id, which may make ``most`` a minute.

    Raises:
        QuotaExceeded: when it has made as many; with the seconds until it may again.
        StoreError: when the database cannot be used.
    """
    counted = await count_request(database, key, most)
    connection.scope[_SCOPE] = (most, counted.left, counted.reset_s)
    if not counted.allowed:
        message = f"This key allows {most} requests a minute."
        raise QuotaExceeded(message, retry_after=max(1.0, counted.reset_s))


class RateHeaders:
    """Tells clients with each answer what is left of their minute."""

    def __init__(self, inner: ASGIApp) -> None:
        """Add to the answers of ``inner``."""
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and (rate := scope.get(_SCOPE)):
                most, left, reset_s = rate
                headers = MutableHeaders(scope=message)
                headers["RateLimit-Policy"] = f'"requests";q={most};w={WINDOW_S}'
                headers["RateLimit"] = f'"requests";r={left};t={reset_s}'
            await send(message)

        await self._inner(scope, receive, told)
