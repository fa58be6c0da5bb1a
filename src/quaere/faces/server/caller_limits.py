"""What one caller may take of a server: streams at a time, and requests a minute.

Streams are counted in one process, and end when the key that they were opened with does. Requests
are counted over all; the headers that tell of them are those of
draft-ietf-httpapi-ratelimit-headers-10.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaere.domain.trace import Owner
from quaere.errors import QuaereError, QuotaExceeded
from quaere.faces.server.refused import Refused
from quaere.store.db.database import Database
from quaere.store.keys import Keys
from quaere.store.usage import WINDOW_S, count_request

MOST_STREAMS = 200
"""Of one user. A page has one or two, a program one a run; a process holds some thousands."""
LOOK_S = 5.0
"""Seconds after which the keys of open streams are looked at again."""
CHAIR = "quaere.chair"
"""Of a scope: the `Chair` of the caller."""

logger = logging.getLogger(__name__)

_SCOPE = "quaere.rate_limit"


@dataclass(frozen=True, slots=True)
class Crowd:
    """The open streams of a process."""

    most: int = MOST_STREAMS
    """Of one user."""
    taken: set[Chair] = field(default_factory=set["Chair"])
    streams: Counter[Owner] = field(default_factory=Counter[Owner])

    async def dismiss(
        self, database: Callable[[], Awaitable[Database]], *, every_s: float = LOOK_S
    ) -> None:
        """End the streams whose keys are revoked or expired, until cancelled."""
        while True:
            await asyncio.sleep(every_s)
            shown = frozenset(chair.key for chair in self.taken if chair.key)
            if not shown:
                continue
            try:
                invalid = shown - await Keys(await database()).valid(shown)
            except QuaereError as error:
                logger.info("the keys of open streams cannot be looked at: %s", error.message)
            else:
                self._dismiss(invalid)

    def _dismiss(self, keys: frozenset[str]) -> None:
        for chair in [each for each in self.taken if each.key in keys]:
            chair.dismiss()


@dataclass(slots=True, eq=False)
class Chair:
    """The right of one caller to one more stream."""

    crowd: Crowd
    owner: Owner
    key: str = ""
    """Id of the key that the caller has shown; empty without one."""
    _end: Callable[[], None] | None = None

    def check(self) -> None:
        """Raise Refused with 429 where the user has as many streams as one may have."""
        if self.crowd.streams[self.owner] >= self.crowd.most:
            message = f"You have {self.crowd.most} streams open; close one of them first."
            status = HTTPStatus.TOO_MANY_REQUESTS
            headers = {"Retry-After": "5"}
            raise Refused(status, "too_many_streams", message, retryable=True, headers=headers)

    def take(self, end: Callable[[], None]) -> None:
        """Count a stream that begins, and that ``end`` ends when its key is not valid any more."""
        self._end = end
        self.crowd.taken.add(self)
        self.crowd.streams[self.owner] += 1

    def leave(self) -> None:
        """Count a stream that has ended no longer."""
        self._end = None
        self.crowd.taken.discard(self)
        self.crowd.streams[self.owner] -= 1
        if not self.crowd.streams[self.owner]:
            del self.crowd.streams[self.owner]

    def dismiss(self) -> None:
        """End the stream."""
        if self._end:
            self._end()


def free() -> Chair:
    """Return the chair of a caller who does not say who it is, and has as many as it likes."""
    return Chair(Crowd(most=sys.maxsize), Owner())


def chair_of(scope: Scope) -> Chair:
    """Return the right of the caller to one more stream."""
    return cast("Chair | None", scope.get(CHAIR)) or free()


async def count_request_of(
    connection: HTTPConnection, database: Database, key: str, most: int
) -> None:
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
