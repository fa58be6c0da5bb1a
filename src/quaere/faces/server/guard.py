"""What every request passes: its id, host, origin and size, and how much one caller may take."""

from __future__ import annotations

import asyncio
import logging
import re
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import cast
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaere.domain.trace import Owner
from quaere.errors import QuaereError, QuotaExceeded
from quaere.faces.server.errors import Refused, bug, problem, stopping
from quaere.store.db.database import Database
from quaere.store.keys import Keys
from quaere.store.usage import WINDOW_S, count_request

MAX_BODY_BYTES = 1_000_000
MAX_UPLOAD_BYTES = 50_000_000
MAX_HEAD_BYTES = 64 * 1024
"""Of all headers together; Python's http.client and h11 stop there as well."""
UPLOADS = re.compile(r"^/v1/(?:folders/[^/]+/files|checks/text)$")
PROBES = "/health/"
LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_REQUEST_ID = re.compile(r"^[A-Za-z0-9._-]{1,64}$")

Rest = Callable[[Receive, Send], Awaitable[None]]
"""Sends what is left of an answer that has begun."""
_RESTS = "quaere.rests"

POLICY = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; "
    "form-action 'self'; img-src 'self' data:"
)
"""No script, style, font or frame of another site, and none written into a page."""
SAFETY = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """Under which names the service may be asked, and from which pages."""

    names: frozenset[str] | None
    """Names without ports; None allows all."""
    origins: frozenset[str] = frozenset()
    """Other sites whose pages may ask, such as ``https://app.example.org``."""

    @classmethod
    def of(cls, host: str, names: Sequence[str], origins: Sequence[str]) -> Hosts:
        """Return those of a service that listens on ``host``.

        On loopback only loopback's names are its own, so that no page that points its own name
        there can ask it. Elsewhere all names are, unless the operator lists them.
        """
        own = {name.lower() for name in names}
        if host in LOOPBACK:
            own.update(LOOPBACK)
        return cls(names=frozenset(own) or None, origins=frozenset(origins))

    def knows(self, host: str) -> bool:
        """Return whether a ``Host`` header names this service."""
        return self.names is None or _name(host) in self.names

    def trusts(self, origin: str, host: str) -> bool:
        """Return whether a page of ``origin`` may change something here."""
        _, mark, name = origin.lower().partition("://")
        return origin in self.origins or bool(mark and name and name == host.lower())


class Guard:
    """The outermost layer of the service."""

    def __init__(self, inner: ASGIApp, hosts: Hosts) -> None:
        """Let to ``inner`` what ``hosts`` allow."""
        self._inner = inner
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._inner(scope, receive, send)
            return
        headers = Headers(scope=scope)
        given = headers.get("x-request-id", "")
        # A UUID: the log would take a row of letters and digits for a key, and leave it out.
        request_id = given if _REQUEST_ID.match(given) else str(uuid4())
        scope["quaere.request_id"] = request_id

        answer = _Answer(send, request_id)
        refused = self._refused(scope, headers)
        if refused and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refused.message[:100]})
        elif refused:
            await problem(Request(scope), refused)(scope, receive, answer)
        else:
            await self._passed(scope, receive, answer)

    async def _passed(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        """Let a request in; whatever goes wrong there, it is answered."""
        rests: list[Rest] = []
        try:
            # A scope of their own, as the server keeps this one: what they add goes with them.
            await self._inner({**scope, _RESTS: rests}, _Limited(scope, receive), answer)
        except (Exception, asyncio.CancelledError) as error:
            if answer.begun or scope["type"] == "websocket":
                raise
            await _failed(Request(scope), error)(scope, receive, answer)
            return
        for rest in rests:
            await rest(receive, answer)

    def _refused(self, scope: Scope, headers: Headers) -> Refused | None:
        return (
            _ambiguous(headers)
            or self._unknown_host(scope, headers)
            or self._foreign(scope, headers)
            or _oversized(scope, headers)
        )

    def _unknown_host(self, scope: Scope, headers: Headers) -> Refused | None:
        # Probes ask an address, whatever the service is called, and nobody learns anything by them.
        if self._hosts.knows(headers.get("host", "")) or scope.get("path", "").startswith(PROBES):
            return None
        message = "The service has another host name; QUAERE_SERVER_NAMES can add this one."
        return Refused(HTTPStatus.MISDIRECTED_REQUEST, "unknown_host", message)

    def _foreign(self, scope: Scope, headers: Headers) -> Refused | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if origin is None or not _asks(scope) or self._hosts.trusts(origin, host):
            return None
        message = "Pages of other sites may not do that."
        return Refused(HTTPStatus.FORBIDDEN, "foreign_origin", message)


def _failed(request: Request, error: Exception | asyncio.CancelledError) -> Response:
    """Return the answer to a request that ``error`` has ended."""
    if isinstance(error, Refused):
        return problem(request, error)
    # The server cancels what is still not answered some seconds after it was told to stop.
    return bug(request, error) if isinstance(error, Exception) else problem(request, stopping())


def _ambiguous(headers: Headers) -> Refused | None:
    """Refuse a request that names two hosts or two sites: what is in front may go by the other."""
    if all(len(headers.getlist(name)) <= 1 for name in ("host", "origin")):
        return None
    message = "The headers Host and Origin may come once."
    return Refused(HTTPStatus.BAD_REQUEST, "invalid_request", message)


def _oversized(scope: Scope, headers: Headers) -> Refused | None:
    if sum(len(name) + len(value) for name, value in headers.raw) > MAX_HEAD_BYTES:
        status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        message = f"The headers may have at most {MAX_HEAD_BYTES:,} bytes."
        return Refused(status, "too_large", message)
    fits = _fits(headers.get("content-length", "0"), _most(scope))
    return None if fits else too_large(_most(scope))


def leave(scope: Scope, rest: Rest) -> bool:
    """Leave ``rest`` of an answer to the guard, when all layers inside it have returned.

    A stream may last for hours. Sent from inside of all layers, each of them would hold on to what
    it has of the request for as long; that is most of what a reader of events costs.

    Returns:
        Whether there is a guard; without one the caller has to send it.
    """
    rests = cast("list[Rest] | None", scope.get(_RESTS))
    if rests is None:
        return False
    rests.append(rest)
    return True


def _asks(scope: Scope) -> bool:
    """Return whether a request may change something."""
    return scope["type"] == "websocket" or scope.get("method") not in _SAFE


def _fits(length: str, most: int) -> bool:
    """Return whether ``length`` is a number of bytes, and at ``most`` that."""
    return length.isascii() and length.isdigit() and int(length) <= most


class _Answer:
    """The answer to a request, with its id and the headers of safety."""

    def __init__(self, send: Send, request_id: str) -> None:
        self._send = send
        self._request_id = request_id
        self.begun = False

    async def __call__(self, message: Message) -> None:
        self.begun = True
        if message["type"] in {"http.response.start", "websocket.http.response.start"}:
            told = MutableHeaders(scope=message)
            for name, value in SAFETY.items():
                told.setdefault(name, value)
            told["X-Request-Id"] = self._request_id
        await self._send(message)


class _Limited:
    """The body of a request, up to its limit, whatever its headers say."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._receive = receive
        self._most = _most(scope)
        self._left = self._most

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise too_large(self._most)
        return message


def too_large(most: int) -> Refused:
    """Return the refusal of a body of more than ``most`` bytes."""
    return Refused(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "too_large",
        f"The body may have at most {most:,} bytes.",
    )


def _most(scope: Scope) -> int:
    return MAX_UPLOAD_BYTES if UPLOADS.match(scope.get("path", "")) else MAX_BODY_BYTES


def _name(host: str) -> str:
    """Return ``host`` without its port."""
    bare = host if host.endswith("]") else host.rpartition(":")[0] or host
    return bare.lower() if ":" not in bare or bare.startswith("[") else host.lower()


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

    async def dismiss(self, database: Callable[[], Awaitable[Database]]) -> None:
        """End the streams whose keys are revoked or expired, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
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
