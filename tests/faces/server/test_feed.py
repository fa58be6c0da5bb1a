"""What readers of a feed get, and what they hold while they wait."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncGenerator

import pytest
from starlette.types import Message, Receive, Scope, Send

from quaere.domain.events import Event
from quaere.domain.report import Report
from quaere.domain.team import Reply
from quaere.domain.trace import Owner
from quaere.faces.server.feed import Feed
from quaere.faces.server.guard import Guard, Hosts
from quaere.faces.server.stream import EventStream
from quaere.faces.wire.frames import PING

pytestmark = pytest.mark.anyio

PATIENCE_S = 30.0


class Silent:
    """A run that tells of no event, until it is let go."""

    id = "silent"
    owner = Owner()

    def __init__(self) -> None:
        self.over = asyncio.Event()

    async def events(self, *, after: int = 0) -> AsyncGenerator[Event]:
        del after
        await self.over.wait()
        for nothing in ():
            yield nothing

    async def so_far(self) -> tuple[Event, ...]:
        return ()

    async def report(self) -> Report:
        raise NotImplementedError

    async def cancel(self) -> None:
        raise NotImplementedError

    async def finish(self) -> None:
        raise NotImplementedError

    async def reply(self, inquiry_id: str, reply: Reply) -> None:
        raise NotImplementedError


async def test_every_reader_of_a_silent_run_pings_until_it_is_over() -> None:
    run = Silent()
    feed = Feed(run, lambda _: b"")
    feed.start(ping_s=0.02)
    pinged: list[int] = []
    often = [asyncio.Event() for _ in range(3)]

    async def read(number: int) -> None:
        async for frame in feed.follow(0, asyncio.Event()):
            assert frame == PING
            pinged.append(number)
            if pinged.count(number) == 3:
                often[number].set()

    reading = [asyncio.create_task(read(number)) for number in range(3)]
    async with asyncio.timeout(PATIENCE_S):
        for each in often:
            await each.wait()
        run.over.set()
        await asyncio.gather(*reading)
    before = len(pinged)
    await asyncio.sleep(0.1)
    assert len(pinged) == before


async def test_a_stream_that_ends_with_the_process_pings_no_more() -> None:
    run, closing = Silent(), asyncio.Event()
    feed = Feed(run, lambda _: b"")
    feed.start(ping_s=PATIENCE_S)
    reading = asyncio.create_task(anext(feed.follow(0, closing), None))
    await asyncio.sleep(0.01)
    closing.set()
    feed.wake()
    assert await reading is None
    feed.stop()


class Held:
    """What a layer has of a request."""


async def test_a_stream_holds_nothing_of_the_layers_that_have_begun_it() -> None:
    held: list[weakref.ref[Held]] = []
    first, told = asyncio.Event(), asyncio.Event()
    sent: list[Message] = []

    async def frames() -> AsyncGenerator[bytes]:
        yield b": first\n\n"
        first.set()
        await told.wait()
        yield b": last\n\n"

    async def layer(scope: Scope, receive: Receive, send: Send) -> None:
        mine = Held()
        held.append(weakref.ref(mine))
        scope["layer"] = mine
        await EventStream(frames(), {"X-Layer": "1"})(scope, receive, send)

    async def receive() -> Message:
        await asyncio.sleep(PATIENCE_S)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: Scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    served = asyncio.create_task(Guard(layer, Hosts(names=None))(scope, receive, send))
    async with asyncio.timeout(PATIENCE_S):
        await first.wait()
        gc.collect()
        assert held[0]() is None, "what a layer has is kept as long as the stream is open"
        told.set()
        await served
    assert [message["type"] for message in sent] == [
        "http.response.start",
        *["http.response.body"] * 3,
    ]
    assert b"".join(each.get("body", b"") for each in sent) == b": first\n\n: last\n\n"
    assert (b"x-layer", b"1") in sent[0]["headers"]
    assert dict(sent[0]["headers"])[b"x-content-type-options"] == b"nosniff"
