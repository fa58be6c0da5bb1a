"""A web of made-up pages on loopback, each under its own name, and what finds and reads them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TypedDict, cast
from urllib.parse import urlsplit

from aiohttp import web

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit, Page
from quaere.read.extractor import SafeExtractor
from quaere.read.fetch import Fetcher
from quaere.read.guard import Address, ReadPolicy
from quaere.read.reader import WebReader


class Row(TypedDict):
    """What is used of a line of the corpus."""

    id: str
    kind: str
    url: str
    content_type: str
    question: str
    benign_fact: str
    technique: str
    carrier: str
    goal: str
    canary: str
    secret: str
    obedient_output: str
    body: str


@dataclass
class Loopback:
    """Every name leads to this machine; remembers which were asked for."""

    asked: list[str] = field(default_factory=list[str])

    async def addresses(self, host: str, port: int) -> tuple[Address, ...]:
        """Return loopback."""
        self.asked.append(f"http://{host}:{port}/")
        return (ip_address("127.0.0.1"),)

    def close(self) -> None:
        """Hold nothing."""


class OnePage:
    """Finds one page, whatever is asked."""

    name, kinds = "one", frozenset({SourceKind.WEB})

    def __init__(self, hit: Hit) -> None:
        self._hit = hit
        self.asked: list[str] = []

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the page."""
        self.asked.append(query.text)
        return [self._hit][:limit]


class Watched:
    """A reader that remembers what it was told to read."""

    def __init__(self, reader: WebReader) -> None:
        self._reader = reader
        self.asked: list[str] = []

    async def read(self, hit: Hit) -> Page:
        """Read."""
        self.asked.append(hit.url)
        return await self._reader.read(hit)


@dataclass(frozen=True)
class Site:
    """All pages on loopback, under their own names, and what reads them."""

    port: int
    reader: WebReader
    names: Loopback
    requests: list[str]

    def url(self, row: Row) -> str:
        """Return where the page of ``row`` is."""
        parts = urlsplit(row["url"])
        return parts._replace(netloc=f"{parts.hostname}:{self.port}").geturl()


@asynccontextmanager
async def served(rows: Iterable[Row]) -> AsyncGenerator[Site]:
    """Serve the pages of ``rows``."""
    pages = {host(row["url"]): row for row in rows}
    requests: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        requests.append(str(request.url))
        row = pages.get(request.url.host or "")
        if row is None or request.path == "/robots.txt":
            return web.Response(status=404)
        return web.Response(
            body=row["body"].encode("utf-8", "replace"),
            headers={"Content-Type": row["content_type"]},
        )

    app = web.Application()
    app.router.add_get("/{tail:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = cast("tuple[str, int]", runner.addresses[0])[1]
    names = Loopback()
    policy = ReadPolicy(extra_hosts=frozenset(pages), extra_ports=frozenset({port}))
    reader = WebReader(Fetcher(policy, names=names), SafeExtractor())
    try:
        yield Site(port, reader, names, requests)
    finally:
        await reader.aclose()
        await runner.cleanup()


def host(url: str) -> str:
    """Return the host of ``url``."""
    return urlsplit(url).hostname or ""
