"""A server on loopback that does what it is told: drops, stalls, lies, drips, redirects, bombs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

ARTICLE = (
    b"<html><head><title>Tides of Vessel Bay</title></head><body><article><h1>Tides</h1>"
    b"<p>The tide at Vessel Bay rises by four metres in spring, and the harbour gate is closed for"
    b" three hours around high water, so that no boat leaves before the bell is rung.</p>"
    b"</article></body></html>"
)


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


Behaviour = Callable[[Request, asyncio.StreamWriter], Awaitable[None]]


@dataclass(slots=True)
class Site:
    """A running server; a path without a behaviour is not found."""

    host: str
    port: int
    routes: dict[str, Behaviour]
    requests: list[Request] = field(default_factory=list[Request])
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def paths(self) -> list[str]:
        """The paths asked for, robots.txt left out."""
        return [seen.path for seen in self.requests if seen.path != "/robots.txt"]


@asynccontextmanager
async def serving(
    routes: Mapping[str, Behaviour], *, host: str = "127.0.0.1"
) -> AsyncGenerator[Site]:
    """Serve ``routes`` on a free port."""
    site = Site(host, 0, dict(routes))
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        tasks.add(task)
        site.connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while not writer.is_closing():
                await _answer(site, reader, writer)
        writer.close()
        tasks.discard(task)

    server = await asyncio.start_server(connected, host, 0)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.sleep(0.01)


async def _answer(site: Site, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ")
    headers = {
        name.lower(): value.strip()
        for name, _, value in (line.partition(":") for line in head[1:] if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    request = Request(method, path, headers, body)
    site.requests.append(request)
    behave = site.routes.get(path.partition("?")[0], answer(b"", status=404))
    await behave(request, writer)
    await writer.drain()


def answer(body: bytes, *headers: str, status: int = 200) -> Behaviour:
    """An honest answer with ``headers``."""
    lines = [f"HTTP/1.1 {status} Status", *headers, f"Content-Length: {len(body)}", "", ""]
    return raw("\r\n".join(lines).encode() + body, close=False)


def page(body: bytes = ARTICLE, *headers: str) -> Behaviour:
    """An honest page."""
    return answer(body, "Content-Type: text/html; charset=utf-8", *headers)


def redirect(to: str, status: int = 302) -> Behaviour:
    return answer(b"", f"Location: {to}", status=status)


def raw(data: bytes, *, close: bool = True) -> Behaviour:
    """Send exactly ``data``."""

    async def behave(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        if close:
            writer.close()

    return behave


def stall(data: bytes = b"") -> Behaviour:
    """Send ``data`` and then nothing more."""

    async def behave(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await asyncio.sleep(60)

    return behave


def drip(head: bytes, drop: bytes, every_s: float = 0.02) -> Behaviour:
    """Send ``head`` and then ``drop`` after ``drop``, for ever."""

    async def behave(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(drop)
            await writer.drain()
            await asyncio.sleep(every_s)

    return behave


def flood(head: bytes, block: bytes) -> Behaviour:
    """Send ``head`` and then ``block`` after ``block``, as fast as it is taken."""

    async def behave(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(block)
            await writer.drain()

    return behave


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Do one thing a request; the last one sticks."""
    left = list(behaviours)

    async def behave(request: Request, writer: asyncio.StreamWriter) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(request, writer)

    return behave
