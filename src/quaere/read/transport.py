"""One HTTP exchange with a judged address: the project's only way out.

aiohttp rather than httpx2: its parser is written in C, so that a hostile answer in a million chunks
blocks no other request, and a page costs it a quarter of the processor time (``bench/fetch.py``).
None of its conveniences is used that could widen what the guard allowed: no redirects, no cookies,
no proxies or credentials of the environment, no cache of names, no decoding without a limit.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Protocol

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import Connection
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.tracing import Trace
from yarl import URL

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.read.content_encoding import ACCEPT_ENCODING, decoder
from quaere.read.guard import PUBLIC_WEB, Address, Allowed, ReadPolicy, judge_address, unwrap
from quaere.resilience.retry import Begun, RetryBudget, hedged
from quaere.version import __version__

_THREADS = 16
"""Look-ups at once. The system's resolver blocks, and one that hangs holds its thread."""

_NO_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
"""Errors of the resolver that say that there is no such name, or that it has no address."""

LookUp = Callable[[str, int], Sequence[Address]]
"""Returns all addresses of a host, blocking; raises ``ReadError`` when there are none."""


class Resolver:
    """Looks names up with the system's resolver and judges every answer."""

    def __init__(self, policy: ReadPolicy, look_up: LookUp | None = None) -> None:
        self._policy = policy
        self._look_up = look_up or _look_up
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="quaere-dns")

    async def addresses(self, host: str, port: int) -> tuple[Address, ...]:
        """Return the addresses of ``host``, all of them judged, in the resolver's order.

        Raises:
            ReadError: ``unknown_host`` when there is no such name, ``unreachable`` when nobody
                could tell, ``refused`` when one of its addresses may not be connected to.
        """
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, self._look_up, host, port)
        for address in found:
            if refusal := judge_address(address, self._policy, host):
                raise ReadError(f"{refusal.reason}.", status=ReadStatus.REFUSED)
        return tuple(dict.fromkeys(unwrap_mapped(address) for address in found))

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def unwrap_mapped(address: Address) -> Address:
    """Return the IPv4 address of an IPv4-mapped one, else ``address``: NAT64 needs its prefix."""
    mapped = address.version == 6 and address.packed.startswith(b"\0" * 10 + b"\xff\xff")
    return unwrap(address) if mapped else address


def _look_up(host: str, port: int) -> list[Address]:
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a label that is empty or too long
        raise _unknown(host) from error
    except OSError as error:
        if error.errno in _NO_NAME:
            raise _unknown(host) from error
        message = f"The name of {host:.100} could not be looked up: {error.strerror}."
        raise ReadError(message, status=ReadStatus.UNREACHABLE) from error
    # A zone (fe80::1%eth0) belongs to the machine, not to the address.
    return [ip_address(str(answer[4][0]).partition("%")[0]) for answer in answers]


def _unknown(host: str) -> ReadError:
    return ReadError(f"There is no host {host:.100}.", status=ReadStatus.UNKNOWN_HOST)


CONNECT_S = 6.0
"""Time for a connection, TLS included; a host that takes longer will not be quick either."""
_MAX_HEADERS = 200
_MAX_HEADER_BYTES = 16_384
_CONNECTIONS = 100
_READ_SIZE, _READ_BYTES = "max_size", 65_536
_HEAD_BYTES = 1024  # where readers look for the header of a PDF
_HEADLESS_BYTES = 1_000_000
"""Compressed bytes that may come before the first ``_HEAD_BYTES`` decoded ones."""

Cap = Callable[[bytes], int]
"""Takes the first bytes of a body and returns how many it may have; raises for one not wanted."""


class Names(Protocol):
    """Turns names into judged addresses; see ``Resolver``."""

    async def addresses(self, host: str, port: int) -> tuple[Address, ...]:
        """Return the addresses of ``host``."""
        ...

    def close(self) -> None:
        """Release its resources."""
        ...


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request to a URL that the guard has allowed."""

    target: Allowed
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """The response, with its body decoded."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case; the values of one that came several times, joined by commas."""
    data: bytes = b""
    """Decoded; empty where the status is not 200, or where none was asked for."""


@dataclass(frozen=True, slots=True)
class Hedge:
    """When a request without a sign of an answer is made a second time, in parallel."""

    after_s: float
    budget: RetryBudget


class HttpTransport:
    """Sends requests over connections of its own, for one event loop; ``aclose`` ends them."""

    def __init__(
        self,
        policy: ReadPolicy = PUBLIC_WEB,
        names: Names | None = None,
        *,
        hedge: Hedge | None = None,
    ) -> None:
        """Connect to what ``policy`` allows.

        Args:
            policy: Which addresses may be connected to.
            names: Looks up names; the system's resolver unless given.
            hedge: When a request is made a second time; never unless given.
        """
        self._names = names or Resolver(policy)
        self._hedge = hedge
        self._open: aiohttp.ClientSession | None = None

    async def send(self, request: HttpRequest, cap: Cap | None = None) -> HttpResponse:
        """Return the answer to ``request``. It takes as long as the server likes: set a deadline.

        Without a ``cap`` no body is read: the status and the headers are the answer.

        Raises:
            ReadError: ``refused`` (an address that may not be connected to), ``unknown_host``,
                ``unreachable`` (no connection, no valid certificate), ``timeout`` (no connection
                in time), ``too_large`` (a body over ``cap``), ``unsupported`` (a content coding)
                or ``broken`` (anything else that is not HTTP).
        """
        hedge = self._hedge
        with _typed(request.target):
            if hedge is None:
                return await self._exchanged(request, cap)
            return await hedged(
                lambda begun: self._exchanged(request, cap, begun),
                after_s=hedge.after_s,
                budget=hedge.budget,
            )

    async def _exchanged(
        self, request: HttpRequest, cap: Cap | None, begun: Begun = lambda: None
    ) -> HttpResponse:
        url = _same_place(request.target)
        headers = {"Accept-Encoding": ACCEPT_ENCODING, **request.headers}
        async with self._session.request(
            request.method, url, headers=headers, data=request.data, allow_redirects=False
        ) as response:
            begun()
            found = _joined(response)
            if cap is None or response.status != 200:
                return HttpResponse(response.status, found)
            return HttpResponse(200, found, await _body(response, cap))

    async def aclose(self) -> None:
        """Close every connection."""
        if self._open is not None:
            await self._open.close()
            self._open = None
        self._names.close()

    @property
    def _session(self) -> aiohttp.ClientSession:
        if self._open is None:
            self._open = aiohttp.ClientSession(
                connector=_Connector(
                    resolver=_JudgedNames(self._names), use_dns_cache=False, limit=_CONNECTIONS
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S),
                auto_decompress=False,
                trust_env=False,
                max_line_size=_MAX_HEADER_BYTES,
                max_field_size=_MAX_HEADER_BYTES,
                max_headers=_MAX_HEADERS,
            )
        return self._open


class _Connector(aiohttp.TCPConnector):
    """Reads little at a time, so that the event loop is never held up for long.

    asyncio reads up to 256 kB at once, and what they hold is parsed without a pause: 9,000 interim
    answers, or 40,000 chunks of one byte. The attribute is asyncio's own, though not documented;
    where a transport has no such thing (TLS), setting it does nothing.
    """

    async def connect(
        self,
        req: aiohttp.ClientRequest,
        traces: list[Trace],
        timeout: aiohttp.ClientTimeout,  # noqa: ASYNC109 - a parameter of aiohttp's
    ) -> Connection:
        """Return a connection; see ``TCPConnector``."""
        connection = await super().connect(req, traces, timeout)
        if hasattr(connection.transport, _READ_SIZE):  # uvloop's have none
            setattr(connection.transport, _READ_SIZE, _READ_BYTES)
        return connection


class _JudgedNames(AbstractResolver):
    """What aiohttp asks for addresses. Where a host is an address, ``judge`` has judged it."""

    def __init__(self, names: Names) -> None:
        self._names = names

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the judged addresses of ``host``, of either family; raise what ``Names`` does."""
        del family  # both families are returned
        return [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=socket.AF_INET6 if address.version == 6 else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in await self._names.addresses(host, port)
        ]

    async def close(self) -> None:
        """Do nothing: the names belong to the exchange."""


def _same_place(target: Allowed) -> URL:
    """Return the URL as aiohttp takes it, once both parsers agree where it leads."""
    url = URL(target.url, encoded=True)
    if (url.raw_host, url.port, url.scheme) != (target.host, target.port, target.scheme):
        message = f"{target.url:.200} is refused: its host is ambiguous."
        raise ReadError(message, status=ReadStatus.REFUSED)
    return url


def _joined(response: aiohttp.ClientResponse) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in response.headers.items():
        key = name.lower()
        joined[key] = f"{joined[key]}, {value}" if key in joined else value
    return joined


async def _body(response: aiohttp.ClientResponse, cap: Cap) -> bytes:
    """Return the decoded body; stops at the first byte beyond ``cap``, compressed or not."""
    undo = decoder(", ".join(response.headers.getall("Content-Encoding", ())))
    body = _Body(cap, response.content_length or 0)
    async for chunk in response.content.iter_any():
        body.receive(len(chunk))
        for piece in undo.feed(chunk) if undo else (chunk,):
            body.add(piece)
            await asyncio.sleep(0)  # what is already here would be decoded without a pause
    if undo:
        undo.finish()
    return bytes(body.data)


@dataclass(slots=True)
class _Body:
    """Collects a body up to its cap, which is known once its head is there."""

    cap: Cap
    declared: int
    data: bytearray = field(default_factory=bytearray)
    most: int = _HEADLESS_BYTES
    received: int = 0

    def receive(self, count: int) -> None:
        """Count bytes as they came; compressed ones may decode to nothing for ever."""
        self.received += count
        self._check(self.received)

    def add(self, piece: bytes) -> None:
        """Take the next decoded bytes."""
        had = len(self.data)
        self.data += piece
        if had < _HEAD_BYTES <= len(self.data):
            self.most = self.cap(bytes(self.data[:_HEAD_BYTES]))
            self._check(self.declared)
        self._check(len(self.data))

    def _check(self, size: int) -> None:
        if size > self.most:
            message = f"The body holds more than the {self.most / 1e6:,.1f} MB allowed."
            raise ReadError(message, status=ReadStatus.TOO_LARGE)


@contextmanager
def _typed(target: Allowed) -> Generator[None]:
    """Turn what aiohttp raises into ``ReadError``; no message holds the query, which may be secret.

    ``OSError`` and ``ValueError`` are among it: it lets some of those through that the network and
    its own parsers raise.
    """
    try:
        yield
    except aiohttp.ServerTimeoutError as error:
        raise _failed(target, f"did not connect in {CONNECT_S:g} s", ReadStatus.TIMEOUT) from error
    except aiohttp.ClientConnectorCertificateError as error:
        what = "shows a certificate that is not valid for it"
        raise _failed(target, what, ReadStatus.UNREACHABLE) from error
    except aiohttp.ClientSSLError as error:
        raise _failed(target, "failed the TLS handshake", ReadStatus.UNREACHABLE) from error
    except aiohttp.ClientConnectorError as error:
        late = error.errno == errno.ETIMEDOUT
        status = ReadStatus.TIMEOUT if late else ReadStatus.UNREACHABLE
        raise _failed(target, "cannot be reached", status) from error
    except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError) as error:
        raise _failed(target, "closed the connection without an answer") from error
    except aiohttp.ClientPayloadError as error:
        raise _failed(target, "ended its answer half-way") from error
    except (aiohttp.ClientError, HttpProcessingError, OSError, ValueError) as error:
        raise _failed(target, "answered with something that is not HTTP") from error


def _failed(target: Allowed, what: str, status: ReadStatus = ReadStatus.BROKEN) -> ReadError:
    return ReadError(f"{target.host} {what}.", status=status)


PRODUCT = "Quaere"
"""The product token, by which robots.txt addresses it (RFC 9309, 2.2.1)."""

USER_AGENT = f"{PRODUCT}/{__version__} (research assistant; acts for one person's question)"

REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""Statuses of answers that are somewhere else."""
