"""Tells webhooks of runs that have ended, signed as the Standard Webhooks specification says.

Any process of a database tells what is due, each webhook one of them at a time. An address is
judged like that of a page: it leads to the public web, or to what the operator has listed.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import logging
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Self

from pydantic import JsonValue

from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.errors import (
    QuaereError,
    ReadError,
    SettingsError,
    StoreError,
    TraceNotFound,
    UsageError,
)
from quaere.read.guard import Refused, judge
from quaere.read.transport import USER_AGENT, HttpRequest, HttpTransport
from quaere.runtime.logs import run_logged
from quaere.runtime.news import ENDED, RARELY_S, News
from quaere.runtime.resources import read_policy
from quaere.runtime.settings import Settings
from quaere.store.db.database import Database
from quaere.store.traces.traces import Traces
from quaere.store.webhooks import AT_ONCE, Webhook, Webhooks
from quaere.view.story import Comparison, compare, side

TIMEOUT_S = 15.0
"""What an address has to answer."""
SLOW_S = 2.0
"""A server that took longer the last time is slow."""
SLOW_AT_ONCE = AT_ONCE // 2
"""Messages on their way to slow servers."""
MOST_SLOW = 100
"""Slow servers that are remembered."""
GONE = 410
"""Status of an address that wants to be told nothing more."""

WAITING = "webhooks wait for the database: %s"

logger = logging.getLogger(__name__)


def checked(settings: Settings, url: str) -> str:
    """Return ``url`` as it is asked for, if it may be, as far as is known without asking for it.

    Raises:
        SettingsError: when there is no key to sign with.
        UsageError: when the address may not be asked for.
    """
    _key(settings)
    if isinstance(target := judge(url, read_policy(settings)), Refused):
        raise UsageError(f"The address of the webhook cannot be used: {target.reason}.")
    return target.url


def operators(settings: Settings) -> tuple[str, ...]:
    """Return the operator's address, as it is written and as it is asked for; none without one."""
    if settings.listener is None:
        return ()
    target = judge(settings.listener.url, read_policy(settings))
    return settings.listener.url, *([] if isinstance(target, Refused) else [target.url])


def signed(key: bytes, message_id: str, body: bytes, at: int) -> Mapping[str, str]:
    """Return the headers of a message that is sent ``at`` a time, in seconds since 1970."""
    content = b".".join((message_id.encode(), str(at).encode(), body))
    signature = base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{signature}",
    }


@dataclass(frozen=True, slots=True)
class Courier:
    """Tells what is due."""

    webhooks: Webhooks
    traces: Traces
    transport: HttpTransport
    settings: Settings
    key: bytes
    news: News
    telling: dict[asyncio.Task[None], str] = field(default_factory=dict["asyncio.Task[None]", str])
    """What is being told, and to which address."""
    slow: dict[str, None] = field(default_factory=dict[str, None])
    """What the addresses of slow servers begin with, the latest last."""

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: Settings, database: Database, news: News) -> AsyncGenerator[Self]:
        """Yield a courier for ``database``.

        Raises:
            SettingsError: when there is no key to sign with.
        """
        transport = HttpTransport(read_policy(settings))
        try:
            webhooks, traces = Webhooks(database), Traces(database)
            yield cls(webhooks, traces, transport, settings, _key(settings), news)
        finally:
            await transport.aclose()

    async def run(self) -> None:
        """Tell what is due, until cancelled; an address that takes its time holds up no other."""
        with self.news.heard(ENDED) as bell:
            async with asyncio.TaskGroup() as group:
                while True:
                    begun = 0
                    try:
                        begun = await self.begin_due(group)
                    except StoreError as error:
                        logger.warning(WAITING, error.message)
                    if not begun:
                        await bell.wait(RARELY_S)

    async def begin_due(self, group: asyncio.TaskGroup) -> int:
        """Begin to tell in ``group`` what is due now, as soon as there is room; return how much.

        Servers that are slow to answer have half of the room at most, and after the others.

        Raises:
            StoreError: when the database cannot be used.
        """
        if len(self.telling) == AT_ONCE:
            await asyncio.wait(self.telling, return_when=asyncio.FIRST_COMPLETED)
        places = AT_ONCE - len(self.telling)
        taken = await self.webhooks.take(places, but=self.slow)
        waiting = sum(_server(url) in self.slow for url in self.telling.values())
        places = min(places - len(taken), SLOW_AT_ONCE - waiting)
        try:
            if self.slow and places > 0:
                taken += await self.webhooks.take(places, to=self.slow)
        finally:  # what was taken nobody else tells for a while
            for each in taken:
                task = group.create_task(self._tell(each))
                self.telling[task] = each.url
                task.add_done_callback(self.telling.pop)
        return len(taken)

    async def _tell(self, webhook: Webhook) -> None:
        try:
            await self._attempt(webhook)
        except StoreError as error:  # it is told again when it is due again
            logger.warning(WAITING, error.message)

    async def _attempt(self, webhook: Webhook) -> None:
        """Try to tell one, and keep how that went.

        Raises:
            StoreError: when the database cannot be used.
        """
        try:
            message = await self._message(webhook)
            if message is not None:
                await self._send(webhook, message)
        except _Final as error:
            await self._failed(webhook, error, final=True)
        except StoreError:
            raise
        except QuaereError as error:
            await self._failed(webhook, error)
        else:
            await self.webhooks.mark_told(webhook)

    async def _failed(self, webhook: Webhook, error: QuaereError, *, final: bool = False) -> None:
        with run_logged(webhook.run_id):  # an id of a webhook looks like a key, which no line has
            logger.info("webhook of run %s: %s", webhook.run_id, error.message)
        await self.webhooks.failed(webhook, error.message, final=final)

    async def _send(self, webhook: Webhook, message: Mapping[str, JsonValue]) -> None:
        """Send a message.

        Raises:
            ReadError: when it was not taken.
        """
        target = judge(webhook.url, read_policy(self.settings))
        if isinstance(target, Refused):
            raise _Final(f"The address may not be requested: {target.reason}.")
        body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        headers = {"Content-Type": "application/json", "User-Agent": USER_AGENT}
        headers |= signed(self.key, webhook.id, body, int(time.time()))
        request = HttpRequest(target, "POST", headers, body)
        begun = time.monotonic()
        try:
            async with asyncio.timeout(TIMEOUT_S):
                answer = await self.transport.send(request)
        except TimeoutError as error:
            raise ReadError(f"{target.host} did not answer within {TIMEOUT_S:g} s.") from error
        finally:
            self._learn(_server(webhook.url), time.monotonic() - begun)
        if answer.status == GONE:
            raise _Final(f"{target.host} answered with status {GONE} (gone).")
        if not 200 <= answer.status < 300:
            raise ReadError(f"{target.host} answered with status {answer.status}.")

    def _learn(self, server: str, took_s: float) -> None:
        self.slow.pop(server, None)
        if took_s > SLOW_S:
            self.slow[server] = None
        if len(self.slow) > MOST_SLOW:
            del self.slow[next(iter(self.slow))]

    async def _message(self, webhook: Webhook) -> Mapping[str, JsonValue] | None:
        """Return what is told; None when the run was deleted, or has found the same as before."""
        try:
            trace = await self.traces.get_trace(webhook.owner, webhook.run_id)
            data: dict[str, JsonValue] = {
                "run_id": trace.id,
                "status": str(trace.status),
                "error": trace.error_message,
            }
            if webhook.compared_to is None or trace.status is not TraceStatus.COMPLETED:
                return _told("run.ended", trace, data)
            found = await self._compared(webhook.owner, webhook.compared_to, trace)
        except TraceNotFound:
            return None
        if found is None:
            return _told("run.ended", trace, data)
        if not changed(found):
            return None
        return _told("run.changed", trace, data | _changes(found))

    async def _compared(self, owner: Owner, earlier: str, trace: Trace) -> Comparison | None:
        """Return how a run differs from an earlier one; None when that is deleted."""
        try:
            before = await self.traces.get_trace(owner, earlier)
        except TraceNotFound:
            return None
        sides = [side(each, await self.traces.events(owner, each.id)) for each in (before, trace)]
        return compare(*sides)


class _Final(ReadError):
    """It is of no use to try again."""


def _server(url: str) -> str:
    """Return what all addresses of a server begin with: each run may be told at one of its own."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/"


def changed(comparison: Comparison) -> bool:
    """Return whether the second run says something else than the first, or cites something else."""
    sources = comparison.sources
    first, second = (" ".join(answer.split()) for answer in comparison.answers)
    return first != second or bool(sources.first or sources.second)


def _changes(comparison: Comparison) -> dict[str, JsonValue]:
    before, now = comparison.answers
    return {
        "compared_to": comparison.traces[0],
        "answer": now,
        "answer_before": before,
        "sources_new": list(comparison.sources.second),
        "sources_gone": list(comparison.sources.first),
    }


def _told(kind: str, trace: Trace, data: dict[str, JsonValue]) -> dict[str, JsonValue]:
    ended = trace.completed_at or trace.created_at
    return {"type": kind, "timestamp": ended.isoformat(), "data": data}


def _key(settings: Settings) -> bytes:
    if settings.webhook_key is None:
        raise SettingsError("Webhooks are signed: set QUAERE_WEBHOOK_SECRET.")
    return settings.webhook_key
