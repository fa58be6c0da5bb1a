"""Requests a minute of each key, counted in this process, and the headers that tell of them.

The headers are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from __future__ import annotations

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaere.errors import QuotaExceeded

WINDOW_S = 60
_SCOPE = "quaere.rate_limit"


class Rates:
    """What is left of the minute of each key."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def take(self, connection: HTTPConnection, key: str, most: int) -> None:
        """Count a request by the key of that id, which may make ``most`` a minute.

        Raises:
            QuotaExceeded: when it has made as many; with the seconds until it may again.
        """
        item = RateLimitItemPerMinute(most)
        free = self._limiter.hit(item, key)
        window = self._limiter.get_window_stats(item, key)
        wait_s = max(0.0, window.reset_time - time.time())
        connection.scope[_SCOPE] = (most, window.remaining, math.ceil(wait_s))
        if not free:
            message = f"This key allows {most} requests a minute."
            raise QuotaExceeded(message, retry_after=max(1.0, wait_s))


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
