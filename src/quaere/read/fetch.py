"""From a URL to its bytes, or to the reason why there are none; robots.txt (RFC 9309) is heeded.

Answers are kept as long as their servers allow (RFC 9111), in one SQLite file. hishel knows the
rules; its state machine is driven here, because its ready-made clients are for other HTTP
libraries. Bodies are kept decoded, so that a hit costs no decoding and cannot be a bomb.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from types import MappingProxyType
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
from protego import Protego

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.formats import Format, sniff
from quaere.read.guard import PUBLIC_WEB, Allowed, ReadPolicy, Refused, judge
from quaere.read.transport import (
    PRODUCT,
    REDIRECTS,
    USER_AGENT,
    Hedge,
    HttpRequest,
    HttpResponse,
    HttpTransport,
    Names,
)
from quaere.resilience.limits import ConcurrencyLimit
from quaere.resilience.retry import RetryBudget, RetryPolicy, retry
from quaere.resilience.retry_after import retry_after_s
from quaere.text.clean import decode

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


MAX_REDIRECTS = 5

_STATUSES = MappingProxyType(
    {
        **dict.fromkeys((401, 402, 403, 407, 429, 451), ReadStatus.BLOCKED),
        **dict.fromkeys((404, 410), ReadStatus.NOT_FOUND),
        **dict.fromkeys((406, 415), ReadStatus.UNSUPPORTED),
        **dict.fromkeys((408, 504), ReadStatus.TIMEOUT),
        **dict.fromkeys((204, 205), ReadStatus.EMPTY),
    }
)
_ZIP = b"PK\x03\x04"  # an office document, or nothing to read: its head does not tell
_PASSING = frozenset({408, 429, 500, 502, 503, 504})
_PATIENCE_S = 1.0
"""A server that asks for a longer wait is not asked again: the page's time would be spent on it."""
_RETRIES = RetryPolicy(attempts=3, unit_s=0.5, max_wait_s=2.0, within_s=6.0)
"""Shorter waits than a search service is given: the other pages of the round wait as well."""
_HEADERS = MappingProxyType(
    {
        "User-Agent": USER_AGENT,
        "Accept": "text/html,application/pdf;q=0.9,text/plain;q=0.9,*/*;q=0.5",
    }
)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What a page may cost. The bytes count after decoding."""

    deadline_s: float = 12.0
    """For everything from the first look-up of the name to the last byte, redirects included."""
    max_bytes: int = 1_500_000
    max_pdf_bytes: int = 15_000_000
    per_host: int = 6
    """Pages of one host on their way at once; the wait for a place is not part of the deadline."""
    late_after_s: float = 2.5
    """Without an answer for so long, a page is asked for a second time, in parallel."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came; its body carries the URL that the redirects ended at."""

    body: Body
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Fetcher:
    """Fetches pages of the public web, and of what ``policy`` adds to it."""

    def __init__(
        self,
        policy: ReadPolicy = PUBLIC_WEB,
        limits: FetchLimits = FetchLimits(),
        *,
        obey_robots: bool = True,
        cache: HttpCache | None = None,
        names: Names | None = None,
    ) -> None:
        self._policy = policy
        self._limits = limits
        self._again = RetryBudget()
        hedge = Hedge(limits.late_after_s, self._again)
        self._transport = HttpTransport(policy, names, hedge=hedge)
        self._cache = cache
        self._hosts = ConcurrencyLimit(limits.per_host)
        self._robots = Robots(self._robots_file) if obey_robots else None

    async def fetch(self, url: str) -> Fetched:
        """Return what ``url`` leads to.

        Raises:
            ReadError: with the status that says why there is nothing to read.
        """
        target = self._judged(url)
        async with self._hosts.hold(target.host):
            try:
                async with asyncio.timeout(self._limits.deadline_s):
                    return await self._follow(target)
            except TimeoutError as error:
                message = f"{target.host} took more than {self._limits.deadline_s:g} s."
                raise ReadError(message, status=ReadStatus.TIMEOUT) from error

    def uncached(self) -> Fetcher:
        """Return what fetches every page anew, over the same connections and limits."""
        other = copy(self)
        other._cache = None  # noqa: SLF001 - its own
        return other

    async def aclose(self) -> None:
        """Close every connection."""
        await self._transport.aclose()
        if self._cache:
            await self._cache.aclose()

    async def _follow(self, target: Allowed) -> Fetched:
        for _ in range(MAX_REDIRECTS + 1):
            if self._robots and not await self._robots.allow(target):
                message = f"{target.host} disallows this page in its robots.txt."
                raise ReadError(message, status=ReadStatus.BLOCKED)
            answer = await self._request(target)
            if answer.status == 200:
                return self._fetched(target, answer)
            target = self._next(target, answer)
        message = f"{target.host} redirects more than {MAX_REDIRECTS} times."
        raise ReadError(message, status=ReadStatus.BROKEN)

    async def _request(self, target: Allowed) -> HttpResponse:
        """Return the answer to a request for ``target``, the second or third if necessary."""

        async def attempt() -> HttpResponse:
            answer = await self._send(HttpRequest(target, headers=_HEADERS))
            if answer.status in _PASSING and _is_patient(answer):
                raise _failure(target, answer.status, _PassingError)
            return answer

        return await retry(attempt, _RETRIES, name=target.host, budget=self._again)

    async def _robots_file(self, target: Allowed) -> HttpResponse:
        """Return the answer to a request for the robots.txt of ``target``, after redirects."""
        target = self._judged("/robots.txt", base=target)
        for _ in range(MAX_REDIRECTS + 1):  # RFC 9309, 2.3.1.2: five at least are followed
            answer = await self._send(HttpRequest(target, headers=_HEADERS))
            if answer.status not in REDIRECTS:
                return answer
            target = self._next(target, answer)
        raise ReadError(f"{target.host} redirects its robots.txt too many times.")

    async def _send(self, request: HttpRequest) -> HttpResponse:
        async def send(request: HttpRequest) -> HttpResponse:
            return await self._transport.send(request, self._cap)

        return await (self._cache.answer(request, send) if self._cache else send(request))

    def _next(self, target: Allowed, answer: HttpResponse) -> Allowed:
        """Return where ``answer`` leads to, judged like any other URL."""
        location = answer.headers.get("location", "")
        if answer.status not in REDIRECTS or not location:
            raise _failure(target, answer.status)
        return self._judged(location, base=target)

    def _judged(self, url: str, base: Allowed | None = None) -> Allowed:
        verdict = judge(url, self._policy, base=base)
        if isinstance(verdict, Refused):
            message = f"{url[:200]!r} may not be read: {verdict.reason}."
            raise ReadError(message, status=ReadStatus.REFUSED)
        return verdict

    def _cap(self, head: bytes) -> int:
        """Return the limit for a body that begins with ``head``; it is over for a film."""
        kind = sniff(head)
        if kind is Format.UNSUPPORTED and not head.startswith(_ZIP):
            message = "It is neither text nor a document that can be read."
            raise ReadError(message, status=ReadStatus.UNSUPPORTED)
        return self._limits.max_pdf_bytes if kind.is_binary else self._limits.max_bytes

    def _fetched(self, target: Allowed, answer: HttpResponse) -> Fetched:
        if not answer.data:
            raise ReadError(f"{target.host} sent an empty page.", status=ReadStatus.EMPTY)
        body = Body(
            data=answer.data,
            url=target.url,
            content_type=answer.headers.get("content-type", ""),
            retrieved_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        return Fetched(body, answer.headers)


class _PassingError(ReadError):
    """A server is busy and may answer when asked again."""

    retryable = True


def _is_patient(answer: HttpResponse) -> bool:
    wait_s = retry_after_s(answer.headers.get("retry-after", ""), datetime.now(UTC))
    return wait_s is None or wait_s <= _PATIENCE_S


def _failure(target: Allowed, status: int, kind: type[ReadError] = ReadError) -> ReadError:
    return kind(
        f"{target.host} answered with status {status}.",
        status=_STATUSES.get(status, ReadStatus.BROKEN),
    )


_TTL_S = 86_400.0  # RFC 9309, 2.4
_ORIGINS = 1_000
_MAX_WORK = 100_000
"""Agents times rules up to which a file is parsed whole: the parser's time grows with both."""
_MAX_LINES = 600

Rules = Protego | bool


@dataclass(slots=True)
class _Entry:
    rules: Rules | None = None
    expires: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Robots:
    """Remembers the rules of the origins it has asked."""

    def __init__(self, load: Callable[[Allowed], Awaitable[HttpResponse]]) -> None:
        """Load the robots.txt of an origin with ``load``, given any URL of it."""
        self._load = load
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    async def allow(self, target: Allowed) -> bool:
        """Whether the origin of ``target`` allows us to read it.

        A file that does not exist or makes no sense allows everything.

        Raises:
            ReadError: when the origin could not be asked, or fails: that closes it too (RFC 9309,
                2.3.1.4), and the status is that of the fault.
        """
        entry = self._entry(target.origin)
        async with entry.lock:
            if entry.rules is None or entry.expires < time.monotonic():
                entry.rules = await self._rules(target)
                entry.expires = time.monotonic() + _TTL_S
        if isinstance(entry.rules, bool):
            return entry.rules
        # A file may hold thousands of rules; the event loop does not wait for them.
        return await asyncio.to_thread(entry.rules.can_fetch, target.url, PRODUCT)

    def _entry(self, origin: str) -> _Entry:
        entry = self._entries.setdefault(origin, _Entry())
        self._entries.move_to_end(origin)
        if len(self._entries) > _ORIGINS:
            self._entries.popitem(last=False)
        return entry

    async def _rules(self, target: Allowed) -> Rules:
        try:
            answer = await self._load(target)
        except ReadError as error:
            # A redirect that may not be followed leads to no file, nor is a picture one.
            if error.status in {ReadStatus.REFUSED, ReadStatus.UNSUPPORTED}:
                return True
            if error.status == ReadStatus.TOO_LARGE:
                message = f"{target.host} sent too much as its robots.txt."
                raise ReadError(message, status=ReadStatus.TOO_LARGE) from error
            raise
        if answer.status >= 500:
            message = f"{target.host} answered with status {answer.status} for its robots.txt."
            raise ReadError(message, status=ReadStatus.BROKEN)
        if answer.status != 200 or not answer.data:
            return True
        content_type = answer.headers.get("content-type", "")
        return await asyncio.to_thread(_parse, answer.data, content_type)


def _parse(data: bytes, content_type: str) -> Rules:
    text = decode(data, content_type)
    lower = text.lower()
    if lower.count("user-agent") * lower.count("allow:") > _MAX_WORK:
        text = "\n".join(islice(text.splitlines(), _MAX_LINES))
    return Protego.parse(text)
