"""A server on loopback that answers as the service of one vendor of models does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol, Self, cast

from aiohttp import web

Body = Mapping[str, object]


class Ending(Enum):
    """Why the model stops writing."""

    STOP = auto()
    LENGTH = auto()
    REFUSAL = auto()


@dataclass(frozen=True)
class Answer:
    """What the model writes, and what it is said to have cost."""

    pieces: Sequence[str] = ("The lantern moth ", "feeds on ", "salt lichen.")
    ending: Ending = Ending.STOP
    thoughts: str = ""
    prompt_tokens: int = 40
    completion_tokens: int = 12
    cached_tokens: int = 16
    reasoning_tokens: int = 5
    counted: bool = True

    @property
    def text(self) -> str:
        return "".join(self.pieces)


@dataclass(frozen=True)
class Call:
    """A request as it came in."""

    path: str
    headers: Mapping[str, str]
    body: Body


@dataclass(frozen=True)
class Refusing:
    """Every request is refused."""

    status: int
    message: str = "Something went wrong."
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Trouble(Enum):
    """What else may go wrong."""

    HANGING = auto()
    """Nothing is answered."""
    DRIPPING = auto()
    """A piece comes every tenth of a second, and never the last."""
    CUT = auto()
    """The connection breaks in the middle."""
    ENDED = auto()
    """The answer ends in the middle, as if it were whole."""
    GARBLED = auto()
    """What comes is of no known form."""


class Wire(Protocol):
    """The form in which a vendor answers."""

    @property
    def content_type(self) -> str: ...

    def streams(self, call: Call) -> bool: ...

    def whole(self, answer: Answer) -> object: ...

    def events(self, answer: Answer) -> list[bytes]:
        """Return the bytes of a stream, one part for each event."""
        ...

    def refusal(self, refusing: Refusing) -> object: ...

    def schema(self, call: Call) -> object:
        """Return the JSON schema that the answer has to fit, ``None`` if there is none."""
        ...


class ModelServer:
    """Answers with ``answer``, or with ``trouble`` if there is any."""

    def __init__(self, wire: Wire, port: int = 0) -> None:
        self._wire = wire
        self._port = port
        self.answer = Answer()
        self.constrained = Answer(pieces=('{"food": ', '"salt lichen"', "}"))
        """What is answered where a schema is asked for."""
        self.answers: Callable[[Call], str] | None = None
        """What is answered instead, where that depends on what is asked."""
        self.trouble: Trouble | Refusing | None = None
        self.properties: Body | None = None
        """What it says about itself at ``/props``; nothing there if ``None``."""
        self.calls: list[Call] = []
        self.hung_up = asyncio.Event()
        """Set when a client closed its connection before it had its answer."""
        self.base_url = ""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=32 * 2**20)
        app.router.add_post("/{tail:.*}", self._handle)
        app.router.add_get("/props", self._tell)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self._port).start()
        host, port = cast("tuple[str, int]", self._runner.addresses[0])
        self.base_url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._runner.cleanup()

    async def _tell(self, request: web.Request) -> web.Response:
        self.calls.append(Call(request.path, _headers(request), {}))
        if self.properties is None:
            raise web.HTTPNotFound
        return web.json_response(self.properties)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        call = Call(request.path, _headers(request), cast("Body", await request.json()))
        self.calls.append(call)
        try:
            return await self._answer(request, call)
        except (asyncio.CancelledError, ConnectionError):
            self.hung_up.set()
            raise

    async def _answer(self, request: web.Request, call: Call) -> web.StreamResponse:
        trouble = self.trouble
        if isinstance(trouble, Refusing):
            body = self._wire.refusal(trouble)
            return web.json_response(body, status=trouble.status, headers=trouble.headers)
        if trouble is Trouble.HANGING:
            await asyncio.sleep(60)
        if trouble is Trouble.GARBLED:
            return web.Response(text="<html>Good day!</html>", content_type="text/html")
        answer = self.answer if self._wire.schema(call) is None else self.constrained
        if self.answers:
            answer = Answer(pieces=(self.answers(call),))
        if self._wire.streams(call):
            return await self._stream(request, answer)
        whole = json.dumps(self._wire.whole(answer)).encode()
        if trouble in {Trouble.CUT, Trouble.DRIPPING}:
            return await self._part(request, whole, slowly=trouble is Trouble.DRIPPING)
        return web.Response(body=whole, content_type="application/json")

    async def _stream(self, request: web.Request, answer: Answer) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": self._wire.content_type})
        await response.prepare(request)
        events = self._wire.events(answer)
        if self.trouble is not None:
            events = events[: len(events) // 2]
        for event in events:
            await response.write(event)
            await asyncio.sleep(0)
        if self.trouble is Trouble.CUT:
            await _hang_up(request)
        while self.trouble is Trouble.DRIPPING:
            await response.write(events[-1])
            await asyncio.sleep(0.1)
        return response

    async def _part(
        self, request: web.Request, whole: bytes, *, slowly: bool
    ) -> web.StreamResponse:
        response = web.StreamResponse(
            headers={"Content-Length": str(len(whole)), "Content-Type": "application/json"}
        )
        await response.prepare(request)
        await response.write(whole[: len(whole) // 2])
        for at in range(len(whole) // 2, len(whole) - 1):
            if not slowly:
                break
            await response.write(whole[at : at + 1])
            await asyncio.sleep(0.1)
        await _hang_up(request)
        return response


def _headers(request: web.Request) -> Mapping[str, str]:
    return {name.lower(): value for name, value in request.headers.items()}


async def _hang_up(request: web.Request) -> None:
    await asyncio.sleep(0.05)  # what was written arrives
    if request.transport is not None:
        request.transport.abort()


def sse(data: object, event: str = "") -> bytes:
    """Return one server-sent event."""
    name = f"event: {event}\n" if event else ""
    return f"{name}data: {json.dumps(data)}\n\n".encode()
