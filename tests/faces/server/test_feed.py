"""What readers of a feed get and hold while they wait, and when an answer nobody reads is ended."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import pytest
from starlette.types import Message, Receive, Scope, Send

from quaere.domain.events import Event, RunEvent, SentenceDrafted
from quaere.domain.report import Report
from quaere.domain.team import Reply
from quaere.domain.trace import Owner, Trace
from quaere.errors import QuaereError
from quaere.faces.server import feed as feed_module
from quaere.faces.server.feed import ChatReaders, Feed, Feeds, headers
from quaere.faces.server.guard import Guard, Hosts
from quaere.faces.server.stream import EventStream
from quaere.faces.wire.parts import PING

pytestmark = pytest.mark.anyio

PATIENCE_S = 30.0

LOG = tuple(SentenceDrafted(run_id="telling", seq=seq, text="", evidence=()) for seq in range(1, 6))
WAIT_S = 0.05


class Silent:
    """A run that tells of no event, until it is let go."""

    id: str = "silent"
    owner = Owner()

    def __init__(self) -> None:
        self.over = asyncio.Event()

    async def events(self, *, after: int = 0) -> AsyncGenerator[RunEvent]:
        del after
        await self.over.wait()
        for nothing in ():
            yield nothing

    async def so_far(self) -> tuple[RunEvent, ...]:
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


class Telling(Silent):
    """A run whose log can be read on as long as a test adds to it."""

    def __init__(self, count: int = 0, run_id: str = "telling") -> None:
        super().__init__()
        self.id = run_id
        self.count = count
        self.error: QuaereError | None = None
        self.begun = 0
        self.told = asyncio.Event()

    async def events(self, *, after: int = 0) -> AsyncGenerator[RunEvent]:
        self.begun += 1
        place = after
        while True:
            while place < self.count:
                place += 1
                yield LOG[place - 1]
            if self.over.is_set():
                break
            self.told.clear()
            await self.told.wait()
        if self.error:
            raise self.error

    def tell(self, count: int) -> None:
        self.count = count
        self.told.set()

    def end(self, error: QuaereError | None = None) -> None:
        self.error = error
        self.over.set()
        self.told.set()


def framed(event: Event) -> bytes:
    return f"{event.seq};".encode()


async def told(feed: Feed, after: int = 0) -> bytes:
    """Return all that a reader gets."""
    return b"".join([frame async for frame in feed.follow(after, asyncio.Event())])


@pytest.mark.parametrize(
    ("after", "frames"),
    [(-3, b"1;2;3;"), (0, b"1;2;3;"), (1, b"2;3;"), (3, b""), (9, b"")],
)
async def test_a_reader_goes_on_after_the_number_that_it_had(after: int, frames: bytes) -> None:
    run = Telling(3)
    run.end()
    feed = Feed(run, framed)
    feed.start()
    async with asyncio.timeout(PATIENCE_S):
        assert await told(feed, after) == frames
    assert feed.over


async def test_what_is_there_comes_at_once_and_news_when_they_are_told() -> None:
    run = Telling(2)
    feed = Feed(run, framed)
    feed.start(ping_s=PATIENCE_S)
    await asyncio.sleep(0.01)
    reader = feed.follow(0, asyncio.Event())
    async with asyncio.timeout(PATIENCE_S):
        assert await anext(reader) == b"1;2;"
        run.tell(3)
        assert await anext(reader) == b"3;"
        run.end()
        assert await anext(reader, None) is None


async def test_news_that_come_with_a_ping_stand_for_it() -> None:
    run = Telling()
    feed = Feed(run, framed)
    feed.start(ping_s=0.02)
    reader = feed.follow(0, asyncio.Event())
    async with asyncio.timeout(PATIENCE_S):
        assert await anext(reader) == PING
        run.tell(1)
        frames = [await anext(reader) for _ in range(2)]
    assert b"1;" in frames
    feed.stop()


async def test_a_log_that_cannot_be_read_is_told_after_what_was_read() -> None:
    run = Telling(2)
    run.end(QuaereError("The log is lost."))
    feed = Feed(run, framed)
    feed.start()
    reader = feed.follow(0, asyncio.Event())
    async with asyncio.timeout(PATIENCE_S):
        assert await anext(reader) == b"1;2;"
        with pytest.raises(QuaereError, match="The log is lost"):
            await anext(reader)


async def test_a_feed_that_is_stopped_gives_what_is_there_and_ends() -> None:
    run = Telling(1)
    feed = Feed(run, framed)
    feed.start()
    await asyncio.sleep(0.01)
    feed.stop()
    async with asyncio.timeout(PATIENCE_S):
        assert await told(feed) == b"1;"
    run.tell(2)
    await asyncio.sleep(0.01)
    assert feed.frames == [b"1;"]


async def test_readers_of_a_run_share_one_feed_and_are_counted() -> None:
    feeds, run, other = Feeds(framed), Telling(1), Telling(1, "other")
    assert feeds.readers == 0
    async with feeds.reading(run) as first, feeds.reading(run) as second:
        assert first is second
        assert feeds.readers == 2
        await asyncio.sleep(0.01)
        async with feeds.reading(other) as third:
            assert third is not first
            assert feeds.readers == 3
        assert feeds.reads(run.id)
        assert not feeds.reads(other.id), "its last reader has left"
        assert not feeds.reads("nobody's")
    assert feeds.readers == 0
    assert run.begun == 1
    for each in (run, other):
        feeds.forget(each.id)


async def test_the_feed_of_a_reader_who_comes_back_soon_is_kept() -> None:
    feeds, run = Feeds(framed), Telling(1)
    async with feeds.reading(run) as first:
        pass
    await asyncio.sleep(0.01)
    async with feeds.reading(run) as second:
        assert second is first
    feeds.forget(run.id)


async def test_a_feed_that_nobody_comes_back_to_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_module, "KEPT_S", 0.05)
    feeds, run = Feeds(framed), Telling(1)
    async with feeds.reading(run) as first:
        pass
    async with feeds.reading(run) as second:
        await asyncio.sleep(0.15)
        assert second is first
        assert not first.over, "it is read again"
    await asyncio.sleep(0.15)
    assert first.over
    async with feeds.reading(run) as third:
        assert third is not first
    feeds.forget(run.id)


async def test_a_log_that_could_not_be_read_is_tried_again_and_one_that_ended_is_not() -> None:
    feeds, run = Feeds(framed), Telling(1)
    run.end(QuaereError("The log is lost."))
    async with asyncio.timeout(PATIENCE_S):
        async with feeds.reading(run) as failed:
            with pytest.raises(QuaereError):
                await told(failed)
        run.error = None
        async with feeds.reading(run) as again:
            assert again is not failed
            assert await told(again) == b"1;"
        async with feeds.reading(run) as ended:
            assert ended is again
    assert run.begun == 2


async def test_a_run_that_is_resumed_is_read_anew() -> None:
    feeds, run = Feeds(framed), Telling(1)
    async with feeds.reading(run) as before:
        await asyncio.sleep(0.01)
        feeds.forget(run.id)
        assert before.over
        async with feeds.reading(run) as after:
            assert after is not before
            assert not after.over
    feeds.forget(run.id)
    feeds.forget("nobody's")


async def test_all_streams_end_when_the_process_closes() -> None:
    feeds, runs = Feeds(framed), [Telling(0, name) for name in ("a", "b")]
    async with asyncio.timeout(PATIENCE_S):
        async with feeds.reading(runs[0]) as first, feeds.reading(runs[1]) as second:
            reading = [
                asyncio.create_task(anext(each.follow(0, feeds.closing), None))
                for each in (first, second)
            ]
            await asyncio.sleep(0.01)
            feeds.close()
            assert await asyncio.gather(*reading) == [None, None]
    for run in runs:
        feeds.forget(run.id)


async def test_the_outcome_is_looked_for_once_and_by_a_reader_who_leaves_for_all() -> None:
    feed = Feed(Silent(), framed)
    looks: list[int] = []
    found = asyncio.Event()
    outcome = Trace(id="silent", user_id="me", tool_name="research", created_at=datetime.now(UTC))

    async def look() -> Trace:
        looks.append(1)
        await found.wait()
        return outcome

    leaving, staying = (asyncio.create_task(feed.outcome(look)) for _ in range(2))
    await asyncio.sleep(0.01)
    leaving.cancel()
    found.set()
    async with asyncio.timeout(PATIENCE_S):
        assert await staying is outcome
        assert await feed.outcome(look) is outcome
    assert len(looks) == 1


def test_a_stream_is_neither_kept_nor_held_back_and_names_its_run() -> None:
    unnamed = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    assert headers() == unnamed
    assert headers("r1") == {**unnamed, "X-Quaere-Run-Id": "r1"}


class Asked(Silent):
    """A run that tells of no event, and counts how often it is to end."""

    def __init__(self, run_id: str = "asked", *, is_over: bool = False) -> None:
        super().__init__()
        self.id = run_id
        self.ended = 0
        self._is_over = is_over

    async def cancel(self) -> None:
        self.ended += 1
        if self._is_over:
            raise QuaereError("It is over.")


@pytest.fixture
def feeds() -> Feeds:
    return Feeds(lambda _: b"")


async def test_a_run_is_ended_a_while_after_its_last_reader_has_left(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    with readers.reading(run, feeds, abandons=True):
        with readers.reading(run, feeds, abandons=True):
            pass
        await asyncio.sleep(3 * WAIT_S)
        assert run.ended == 0, "one still reads"
    await asyncio.sleep(WAIT_S / 5)
    assert run.ended == 0, "it may come back"
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 1


async def test_a_reader_who_comes_back_in_time_keeps_it(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    with readers.reading(run, feeds, abandons=True):
        pass
    with readers.reading(run, feeds, abandons=False):
        await asyncio.sleep(3 * WAIT_S)
        assert run.ended == 0
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 0, "who left last does not abandon it"


async def test_readers_of_another_run_keep_none(feeds: Feeds) -> None:
    run, other, readers = Asked("a"), Asked("b"), ChatReaders(WAIT_S)
    with readers.reading(other, feeds, abandons=True):
        with readers.reading(run, feeds, abandons=True):
            pass
        await asyncio.sleep(3 * WAIT_S)
        assert (run.ended, other.ended) == (1, 0)


async def test_a_reader_of_its_feed_keeps_it(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    async with feeds.reading(run):
        with readers.reading(run, feeds, abandons=True):
            pass
        await asyncio.sleep(3 * WAIT_S)
        assert run.ended == 0
    feeds.forget(run.id)


async def test_a_process_that_closes_ends_no_run(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    with readers.reading(run, feeds, abandons=True):
        pass
    feeds.close()
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 0


async def test_a_reader_that_fails_has_left_as_well(feeds: Feeds) -> None:
    run, readers = Asked(), ChatReaders(WAIT_S)
    with (
        pytest.raises(ConnectionError),
        readers.reading(run, feeds, abandons=True),
    ):
        raise ConnectionError
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 1


async def test_a_run_that_is_over_by_then_troubles_nobody(feeds: Feeds) -> None:
    run, readers = Asked(is_over=True), ChatReaders(WAIT_S)
    troubles: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: troubles.append(told))
    with readers.reading(run, feeds, abandons=True):
        pass
    await asyncio.sleep(3 * WAIT_S)
    assert run.ended == 1
    assert troubles == []
