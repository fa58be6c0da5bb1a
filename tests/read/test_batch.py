"""Reading many hits at once, with readers that do not all behave."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import pytest
from tests.graphs.misbehaving import Fault, deafness, give_nothing, give_up, hang, stumble
from tests.graphs.world import DOCUMENTS, Desk, url_of

from quaere.domain.source import Hit, Page, Passage, ReadStatus
from quaere.errors import ReadError
from quaere.read.batch import PrefetchingReader, read_all
from quaere.read.chunker import PassageChunker

pytestmark = pytest.mark.anyio

CUT = PassageChunker()
HITS = [Hit(url=url_of(t), title=t, provider="shelf", rank=n) for n, t in enumerate(DOCUMENTS)]


class Choosy(Desk):
    """Reads every document, but meets a fault on some."""

    def __init__(self, faults: Mapping[str, Fault]) -> None:
        super().__init__()
        self._faults = faults
        self.at_once = self.most_at_once = 0

    async def read(self, hit: Hit) -> Page:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0.001)
        self.at_once -= 1
        if hit.title in self._faults:
            return cast("Page", await self._faults[hit.title]())
        return await super().read(hit)


async def refuse(status: str) -> Page:
    raise ReadError("no", status=status)


async def test_all_are_read_at_the_same_time_and_told_in_their_order() -> None:
    reader = Choosy({})
    readings = await read_all(HITS, reader, CUT, timeout_s=5)
    assert [reading.hit for reading in readings] == HITS
    assert {reading.status for reading in readings} == {ReadStatus.OK}
    assert [r.passages[0].text for r in readings] == list(DOCUMENTS.values())
    assert reader.most_at_once == len(HITS)


async def test_nothing_to_read_is_read_at_once() -> None:
    assert await read_all([], Desk(), CUT, timeout_s=0) == ()


@pytest.mark.parametrize("status", ReadStatus)
async def test_a_source_that_cannot_be_read_keeps_its_reason(status: ReadStatus) -> None:
    reader = Choosy({"Hask": lambda: refuse(status)})
    readings = {r.hit.title: r for r in await read_all(HITS, reader, CUT, timeout_s=5)}
    assert (readings["Hask"].status, readings["Hask"].reason) == (status, "no")
    assert readings["Hask"].passages == ()
    assert readings["Dunmere"].status is ReadStatus.OK


async def test_a_status_that_nobody_knows_is_broken() -> None:
    reader = Choosy({"Hask": lambda: refuse("soggy")})
    readings = {r.hit.title: r for r in await read_all(HITS, reader, CUT, timeout_s=5)}
    assert readings["Hask"].status is ReadStatus.BROKEN


@pytest.mark.parametrize("fault", [stumble, give_nothing, give_up])
async def test_a_bug_costs_the_one_source(fault: Fault) -> None:
    readings = await read_all(HITS, Choosy({"Hask": fault}), CUT, timeout_s=5)
    failed = [r.hit.title for r in readings if r.status is not ReadStatus.OK]
    assert failed == ["Hask"]
    assert all("not a key" not in r.reason for r in readings)


async def test_a_chunker_with_a_bug_costs_the_one_source() -> None:
    class Flawed(PassageChunker):
        def in_steps(self, page: Page) -> Iterator[Sequence[Passage]]:
            if page.title == "Hask":
                raise ValueError("too short")
            yield from super().in_steps(page)

    readings = await read_all(HITS, Desk(), Flawed(), timeout_s=5)
    assert [r.hit.title for r in readings if r.status is ReadStatus.BROKEN] == ["Hask"]


async def test_a_page_that_takes_too_long_to_divide_holds_nobody_up() -> None:
    class Endless(PassageChunker):
        def in_steps(self, page: Page) -> Iterator[Sequence[Passage]]:
            while page.title == "Hask":
                sum(range(20_000))
                yield []
            yield from super().in_steps(page)

    began, turns = time.monotonic(), 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0.001)
            turns += 1

    counting = asyncio.create_task(count())
    readings = {r.hit.title: r for r in await read_all(HITS, Desk(), Endless(), timeout_s=0.5)}
    counting.cancel()
    assert readings["Hask"].status is ReadStatus.TIMEOUT
    assert readings["Dunmere"].status is ReadStatus.OK
    assert time.monotonic() - began < 5
    assert turns > 10, "the event loop has its turns meanwhile"


async def test_a_source_that_hangs_holds_nobody_up() -> None:
    async with deafness() as deaf:
        started = time.monotonic()
        readings = await read_all(HITS, Choosy({"Hask": hang, "Flax": deaf}), CUT, timeout_s=0.1)
        assert time.monotonic() - started < 1
    late = {r.hit.title: r.reason for r in readings if r.status is ReadStatus.TIMEOUT}
    assert set(late) == {"Hask", "Flax"}
    assert all(late.values())


async def test_cancelling_stops_all_reading() -> None:
    stopped: list[str] = []

    async def note() -> object:
        try:
            return await hang()
        finally:
            stopped.append("Hask")

    task = asyncio.create_task(read_all(HITS, Choosy({"Hask": note}), CUT, timeout_s=30))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stopped == ["Hask"]


class Slow:
    """Reads when it is let, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.gone: list[str] = []
        self.gate = asyncio.Event()

    async def read(self, hit: Hit) -> Page:
        self.asked.append(hit.url)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.gone.append(hit.url)
            raise
        if "broken" in hit.url:
            raise ReadError("it is broken")
        return Page(url=hit.url, title="", text="text")


def hit(name: str) -> Hit:
    return Hit(url=f"https://towns.example/{name}", title=name, provider="p", rank=0)


async def test_what_was_begun_is_read_once() -> None:
    slow = Slow()
    ahead = PrefetchingReader(slow)
    ahead.begin([hit("a"), hit("b"), hit("a")])
    await asyncio.sleep(0)
    assert slow.asked == [hit("a").url, hit("b").url]
    assert ahead.ready == frozenset()
    slow.gate.set()
    assert (await ahead.read(hit("a"))).url == hit("a").url
    assert ahead.ready == {hit("b").url}
    assert (await ahead.read(hit("c"))).url == hit("c").url
    assert len(slow.asked) == 3
    assert ahead.begun == {hit("b").url}
    await ahead.aclose()


async def test_what_fails_fails_for_whoever_asks() -> None:
    slow = Slow()
    slow.gate.set()
    ahead = PrefetchingReader(slow)
    ahead.begin([hit("broken")])
    with pytest.raises(ReadError, match="broken"):
        await ahead.read(hit("broken"))


async def test_nothing_is_left_behind() -> None:
    slow = Slow()
    ahead = PrefetchingReader(slow)
    ahead.begin([hit("a"), hit("b")])
    await asyncio.sleep(0)
    reading = asyncio.create_task(ahead.read(hit("a")))
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await ahead.aclose()
    assert sorted(slow.gone) == [hit("a").url, hit("b").url]
    assert not ahead.begun
