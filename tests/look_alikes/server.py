"""A server on loopback that plays a service, and its bad days."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Self, cast

from aiohttp import web


@dataclass(frozen=True)
class Asked:
    """A request as it came in."""

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    body: Mapping[str, object] = field(default_factory=dict[str, object])

    def number(self, name: str, default: int) -> int:
        return int(self.params.get(name, default))


@dataclass(frozen=True)
class Reply:
    """What is answered."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Fault(Enum):
    """What a connection may do instead of carrying the answer."""

    STALLED = auto()
    CUT = auto()
    HALVED = auto()


Answer = Callable[[Asked], Reply]


def as_json(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status=status)


class LookAlikeServer:
    """Serves ``answer``; ``instead`` is what is served in its place, if anything."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.instead: Reply | Fault | None = None
        self.asked: list[Asked] = []
        self.base_url = ""

    async def __aenter__(self) -> Self:
        app = web.Application(handler_args={"max_line_size": 65_536})
        app.router.add_route("*", "/{tail:.*}", self._handle)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = cast("tuple[str, int]", self._runner.addresses[0])
        self.base_url = f"http://{host}:{port}/base"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = cast("dict[str, object]", await request.json()) if request.can_read_body else {}
        path = request.path.removeprefix("/base/")
        headers = {name.lower(): value for name, value in request.headers.items()}
        assert len(request.query) == len(set(request.query)), "a parameter was given twice"
        asked = Asked(request.method, path, dict(request.query), headers, body)
        self.asked.append(asked)
        if isinstance(self.instead, Reply):
            return _response(self.instead)
        if self.instead is Fault.STALLED:
            await asyncio.sleep(60)
        reply = self.answer(asked)
        if self.instead is Fault.HALVED:
            half = reply.body[: len(reply.body) // 2]
            return _response(Reply(half, reply.content_type))
        if self.instead is Fault.CUT:
            return await _cut(request, reply)
        return _response(reply)


def _response(reply: Reply) -> web.Response:
    return web.Response(
        body=reply.body,
        status=reply.status,
        headers={**reply.headers, "Content-Type": reply.content_type},
    )


async def _cut(request: web.Request, reply: Reply) -> web.StreamResponse:
    """Promise the whole body, send half of it and hang up."""
    response = web.StreamResponse(headers={"Content-Length": str(len(reply.body))})
    await response.prepare(request)
    await response.write(reply.body[: len(reply.body) // 2])
    assert request.transport is not None
    request.transport.abort()
    return response
