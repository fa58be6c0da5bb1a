"""Pages that are begun before they are asked for."""

from __future__ import annotations

import asyncio

import pytest

from quaere.domain.source import Hit, Page
from quaere.errors import ReadError
from quaere.read.ahead import ReadAhead

pytestmark = pytest.mark.anyio


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
    ahead = ReadAhead(slow)
    ahead.begin([hit("a"), hit("b"), hit("a")])
    await asyncio.sleep(0)
    assert slow.asked == [hit("a").url, hit("b").url]
    slow.gate.set()
    assert (await ahead.read(hit("a"))).url == hit("a").url
    assert (await ahead.read(hit("c"))).url == hit("c").url
    assert len(slow.asked) == 3
    assert ahead.begun == {hit("b").url}
    await ahead.aclose()


async def test_what_fails_fails_for_whoever_asks() -> None:
    slow = Slow()
    slow.gate.set()
    ahead = ReadAhead(slow)
    ahead.begin([hit("broken")])
    with pytest.raises(ReadError, match="broken"):
        await ahead.read(hit("broken"))


async def test_nothing_is_left_behind() -> None:
    slow = Slow()
    ahead = ReadAhead(slow)
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
