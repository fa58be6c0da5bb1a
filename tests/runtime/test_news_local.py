"""News within a process, and what of it is handed to the carrier: together, once, to the last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection
from pathlib import Path

import pytest
from tests.store.runs import whole_run

from quaere.errors import StoreUnavailable
from quaere.runtime import news as module
from quaere.runtime.news import QUEUE, RARELY_S, Bell, News, wishes
from quaere.store.carriers.database import DatabaseCarrier
from quaere.store.db.database import Database

pytestmark = pytest.mark.anyio

SOON_S = 20.0


class Post(DatabaseCarrier):
    """Notes what it is told, and brings what it is given."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.sent: list[set[str]] = []
        self.tried = 0
        self.failing = 0
        self.brings = asyncio.Queue[str]()
        self.listened = 0

    @property
    def wakes(self) -> bool:
        return True

    async def tell(self, subjects: Collection[str]) -> None:
        self.tried += 1
        if self.tried <= self.failing:
            raise StoreUnavailable("The carrier is away.")
        self.sent.append(set(subjects))

    async def news(self) -> AsyncGenerator[str]:
        self.listened += 1
        while subject := await self.brings.get():
            yield subject if subject != "lost" else ""
        raise StoreUnavailable("The carrier is away.")


@pytest.fixture
async def post(tmp_path: Path) -> AsyncGenerator[Post]:
    async with Database.file(tmp_path / "q.db") as database:
        yield Post(database)


@pytest.fixture
async def news(post: Post) -> AsyncGenerator[News]:
    made = News()
    made.connect(post)
    yield made
    await made.aclose()


async def until_sent(post: Post, times: int) -> None:
    async with asyncio.timeout(SOON_S):
        while post.tried < times:  # noqa: ASYNC110 - a task of the news sends them
            await asyncio.sleep(0.01)


async def test_what_is_told_at_once_is_sent_together(post: Post, news: News) -> None:
    for subject in ("a", "b", "a"):
        news.tell(subject)
    await until_sent(post, 1)
    news.tell("c")
    await until_sent(post, 2)
    assert post.sent == [{"a", "b"}, {"c"}]


async def test_what_was_not_sent_yet_is_sent_at_the_end(post: Post) -> None:
    news = News()
    news.connect(post)
    news.tell("a")
    await news.aclose()
    assert post.sent == [{"a"}]
    news.tell("b")
    await news.aclose()
    assert post.sent == [{"a"}], "it has let go of the carrier"


async def test_where_nothing_was_told_nothing_is_sent(post: Post) -> None:
    news = News()
    news.connect(post)
    await asyncio.sleep(0)
    await news.aclose()
    assert post.tried == 0


async def test_a_carrier_that_does_not_take_news_delays_them_and_stops_nothing(
    post: Post, news: News
) -> None:
    """Others look by themselves."""
    post.failing = 1
    news.tell("a")
    await until_sent(post, 1)
    news.tell("b")
    await until_sent(post, 2)
    assert post.sent == [{"b"}]


async def test_a_second_carrier_is_not_connected(post: Post, news: News) -> None:
    other = Post(post.database)
    news.connect(other)
    news.tell("a")
    await until_sent(post, 1)
    assert (post.sent, other.tried) == ([{"a"}], 0)


async def test_what_others_tell_rings_for_who_listens_for_it(post: Post, news: News) -> None:
    assert news.look_s(1.0) == 1.0, "it does not listen yet"
    with news.heard("a") as mine, news.heard("b") as other:
        post.brings.put_nowait("a")
        async with asyncio.timeout(SOON_S):
            await mine.wait(SOON_S)
            await other.wait(0.05)
        assert news.look_s(1.0) == RARELY_S
        assert news.look_s(60.0) == 60.0
        post.brings.put_nowait("lost")  # then all look
        async with asyncio.timeout(SOON_S / 2):
            await other.wait(SOON_S)
            await mine.wait(SOON_S)
    assert post.tried == 0, "it is not sent on"


async def test_who_loses_its_carrier_looks_often_and_listens_again(
    post: Post, news: News, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AGAIN_S", 0.1)
    with news.heard("a") as bell:
        post.brings.put_nowait("a")
        await bell.wait(SOON_S)
        assert news.look_s(1.0) == RARELY_S
        post.brings.put_nowait("")
        async with asyncio.timeout(SOON_S):
            while news.look_s(1.0) != 1.0:  # noqa: ASYNC110 - a task of the news listens
                await asyncio.sleep(0.01)
            while post.listened < 2:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
        post.brings.put_nowait("a")
        async with asyncio.timeout(SOON_S / 2):
            await bell.wait(SOON_S)


async def test_a_bell_brings_each_event_once_and_stops_ringing() -> None:
    news, events = News(), whole_run()
    with news.heard("a") as first, news.heard("a") as second, news.heard(QUEUE, second):
        news.tell("a", events[:2])
        news.tell("a", events[2:3])
        assert await first.wait(SOON_S) == events[:3]
        assert await first.wait(0.01) == []
        assert await second.wait(SOON_S) == events[:3]
        news.ring("nobody", QUEUE)
        async with asyncio.timeout(SOON_S / 2):
            assert await second.wait(SOON_S) == []
    news.tell("a", events)
    assert await first.wait(0.01) == [], "nobody listens any more"


async def test_a_bell_that_rang_before_is_heard_at_once() -> None:
    bell = Bell()
    bell.ring()
    async with asyncio.timeout(1.0):
        assert await bell.wait(SOON_S) == []


def test_wishes_of_each_run_are_a_subject_of_their_own() -> None:
    assert len({wishes("a"), wishes("b"), "a", QUEUE}) == 4
