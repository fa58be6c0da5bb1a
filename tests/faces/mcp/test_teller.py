"""How the client of a call is told that a run goes on."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.faces.mcp.runs import Teller

pytestmark = pytest.mark.anyio


class Client:
    def __init__(self) -> None:
        self.told: list[tuple[float, str]] = []
        self._news: asyncio.Queue[None] = asyncio.Queue()

    async def send(self, progress: float, message: str) -> None:
        self.told.append((progress, message))
        self._news.put_nowait(None)

    async def next(self, count: int = 1) -> None:
        """Wait for ``count`` notifications."""
        for _ in range(count):
            await self._news.get()


@given(st.lists(st.integers(0, 100), max_size=20))
async def test_the_value_rises_with_every_notification_as_the_protocol_asks(
    percent: list[int],
) -> None:
    client = Client()
    teller = Teller(client.send)
    shares = [each / 100 for each in percent]
    for share in shares:
        await teller.tell(share, "reading")
    values = [value for value, _ in client.told]
    assert len(values) == len(shares)
    assert all(after - before > 0 or after == 1 for before, after in pairwise([0.0, *values]))
    highest = 0.0
    for share, value in zip(shares, values, strict=True):
        highest = max(highest, share)
        assert value >= highest
        assert value <= highest + (1 - highest) * len(shares) / 1000 + 1e-9


async def test_nothing_that_a_page_wrote_commands_the_terminal_of_a_client() -> None:
    client = Client()
    await Teller(client.send).tell(0.5, "Read \x1b[2J\u202e")
    assert "\x1b" not in client.told[0][1]
    assert "\u202e" not in client.told[0][1]


async def test_without_news_the_last_message_is_repeated_with_the_time_once() -> None:
    client = Client()
    teller = Teller(client.send)
    await teller.tell(0.25, "Reading")
    beating = asyncio.create_task(teller.beat(0.01))
    await client.next(4)
    beating.cancel()
    _, *beats = client.told
    assert {message for _, message in beats} == {"Reading (0 s)"}
    assert all(0.25 < value < 0.3 for value, _ in beats)


async def test_before_anything_was_told_it_is_said_to_start() -> None:
    client = Client()
    beating = asyncio.create_task(Teller(client.send).beat(0.01))
    await client.next()
    beating.cancel()
    assert client.told[0][1] == "Starting (0 s)"


async def test_news_put_a_repetition_off() -> None:
    client = Client()
    teller = Teller(client.send)
    beating = asyncio.create_task(teller.beat(60))
    await asyncio.sleep(0.01)
    await teller.tell(0.5, "Reading")
    await asyncio.sleep(0.01)
    beating.cancel()
    assert [message for _, message in client.told] == ["Reading"]
