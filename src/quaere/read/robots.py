"""What robots.txt allows (RFC 9309)."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import islice

from protego import Protego

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.read.charset import decode
from quaere.read.guard import Allowed
from quaere.read.transport import PRODUCT, HttpResponse

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
