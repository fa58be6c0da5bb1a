"""The client that search providers speak to their services with.

An operator has set its base URL, so that one host and port may be anywhere, also on loopback;
everything else about it is as guarded as reading a page. A key travels in a header or a parameter
that is given once; neither it nor any other parameter gets into a message or a log.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import cast
from urllib.parse import urlencode

from quaere.domain.source import ReadStatus
from quaere.errors import (
    ReadError,
    SearchError,
    SearchRejected,
    SearchTimeout,
    SearchUnreachable,
    SettingsError,
)
from quaere.read.guard import Allowed, ReadPolicy, Refused, judge, policy_for
from quaere.read.transport import (
    REDIRECTS,
    USER_AGENT,
    HttpRequest,
    HttpResponse,
    HttpTransport,
)
from quaere.resilience.retry_after import retry_after_s
from quaere.resilience.thread import computed

MAX_ANSWER_BYTES = 5_000_000
"""Ten times what the richest service sends for fifty results with their texts."""
_MAX_REDIRECTS = 3

Pairs = Mapping[str, str] | Sequence[tuple[str, str]]


class ApiClient:
    """Requests to one service."""

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Pairs = (),
        timeout_s: float = 8.0,
        max_bytes: int = MAX_ANSWER_BYTES,
    ) -> None:
        """Call the service ``name``; every request carries ``headers`` and ``params``.

        Raises:
            SettingsError: when ``base_url`` is not an http or https URL.
        """
        self.name = name
        self._policy, self._base = _base(name, base_url)
        self._headers = {"User-Agent": USER_AGENT, "Accept": "application/json", **(headers or {})}
        self._params = _pairs(params)
        self._timeout_s = timeout_s
        self._max_bytes = max_bytes
        self._transport = HttpTransport(self._policy)

    async def get(
        self, path: str = "", params: Pairs = (), *, headers: Mapping[str, str] | None = None
    ) -> bytes:
        """Return the body of ``path`` below the base URL; an empty one for 204.

        Raises:
            SearchTimeout: when it did not come in time.
            SearchRejected: for 4xx statuses, which no retry changes.
            SearchError: for 429 and 5xx, with the wait that was asked for, and for whatever else
                went wrong on the way.
        """
        return await self._send("GET", path, params, headers or {}, None)

    async def get_json(
        self, path: str = "", params: Pairs = (), *, headers: Mapping[str, str] | None = None
    ) -> object:
        """Return the parsed body; see ``get``."""
        data = await self.get(path, params, headers=headers)
        return await computed(lambda: self._parsed(data))

    async def post_json(self, path: str, payload: object) -> object:
        """Send ``payload`` as JSON and return the parsed answer; see ``get``."""
        data = json.dumps(payload).encode()
        answer = await self._send("POST", path, (), {"Content-Type": "application/json"}, data)
        return await computed(lambda: self._parsed(answer))

    async def post_form(
        self, fields: Mapping[str, str], *, headers: Mapping[str, str] | None = None
    ) -> object:
        """Send ``fields`` to the base URL as a form and return the parsed answer; see ``get``."""
        sent = {"Content-Type": "application/x-www-form-urlencoded", **(headers or {})}
        answer = await self._send("POST", "", (), sent, urlencode(fields).encode())
        return await computed(lambda: self._parsed(answer))

    async def aclose(self) -> None:
        """Close every connection."""
        await self._transport.aclose()

    async def _send(
        self, method: str, path: str, params: Pairs, headers: Mapping[str, str], data: bytes | None
    ) -> bytes:
        request = HttpRequest(
            self._target(path, params), method, {**self._headers, **headers}, data
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                answer = await self._follow(request)
        except TimeoutError as error:
            raise SearchTimeout(f"{self.name} timed out after {self._timeout_s:g} s.") from error
        except ReadError as error:
            raise self._unreached(error) from error
        return self._checked(answer)

    def _unreached(self, error: ReadError) -> SearchError:
        message = f"{self.name} could not be reached: {error.message}"
        if error.status in (ReadStatus.UNREACHABLE, ReadStatus.UNKNOWN_HOST):
            return SearchUnreachable(message)
        return (SearchTimeout if error.status == ReadStatus.TIMEOUT else SearchError)(message)

    async def _follow(self, request: HttpRequest) -> HttpResponse:
        """Return the answer to ``request``, after redirects that stay where they began."""
        for _ in range(_MAX_REDIRECTS + 1):
            answer = await self._transport.send(request, lambda _: self._max_bytes)
            if answer.status not in REDIRECTS or "location" not in answer.headers:
                return answer
            request = self._redirected(request, answer)
        raise SearchRejected(f"{self.name} redirects too many times.")

    def _redirected(self, request: HttpRequest, answer: HttpResponse) -> HttpRequest:
        """Return ``request`` as ``answer`` asks for it, at the same service."""
        target = judge(answer.headers["location"], self._policy, base=request.target)
        if isinstance(target, Refused) or target.origin != request.target.origin:
            raise SearchRejected(f"{self.name} redirects elsewhere; correct its base URL.")
        if request.method != "GET" and answer.status not in (307, 308):
            raise SearchRejected(f"{self.name} redirects a POST; correct its base URL.")
        return HttpRequest(target, request.method, request.headers, request.data)

    def _target(self, path: str, params: Pairs) -> Allowed:
        address = self._base.url.rstrip("/") + ("/" + path.lstrip("/") if path else "")
        query = urlencode([*self._params, *_pairs(params)], errors="replace")
        target = judge(f"{address}?{query}" if query else address, self._policy)
        if isinstance(target, Refused):
            raise SearchRejected(f"The request to {self.name} is not a valid URL: {target.reason}.")
        return target

    def _checked(self, answer: HttpResponse) -> bytes:
        status = answer.status
        if status in (200, 204):
            return answer.data
        wait_s = retry_after_s(answer.headers.get("retry-after", ""), datetime.now(UTC))
        if status == 429:
            message = f"{self.name} received too many requests."
            raise SearchError(message, retry_after=wait_s, status=status)
        if status in (401, 403):
            message = f"{self.name} refuses the request ({status}); check its key."
            raise SearchRejected(message, status=status)
        if 400 <= status < 500 and status != 408:
            hint = "; check the base URL if you have set one" if status == 404 else ""
            raise SearchRejected(
                f"{self.name} rejects the request ({status}){hint}.", status=status
            )
        message = f"{self.name} failed with status {status}."
        raise SearchError(message, retry_after=wait_s, status=status)

    def _parsed(self, data: bytes) -> object:
        try:
            return cast("object", json.loads(data))
        except (ValueError, RecursionError) as error:
            raise SearchError(f"{self.name} answered with something that is not JSON.") from error


def _base(name: str, base_url: str) -> tuple[ReadPolicy, Allowed]:
    """Return the policy that allows ``base_url`` and nothing else beyond the public web."""
    policy = policy_for(base_url)
    base = policy if isinstance(policy, Refused) else judge(base_url, policy)
    if isinstance(base, Refused) or isinstance(policy, Refused):
        reason = base.reason if isinstance(base, Refused) else ""
        raise SettingsError(f"The base URL of {name} cannot be used: {reason}.")
    if "?" in base.url:
        raise SettingsError(f"The base URL of {name} cannot be used: it has a query.")
    return policy, base


def _pairs(params: Pairs) -> list[tuple[str, str]]:
    return list(params.items() if isinstance(params, Mapping) else params)
