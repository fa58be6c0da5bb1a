"""Limits by key: fair, and safe to cancel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.resilience.fake_time import FakeTime

from quaere.resilience.limits import ConcurrencyLimit, RateLimit

pytestmark = pytest.mark.anyio


async def ticks(count: int = 10) -> None:
    """Let every task run as far as it can."""
    for _ in range(count):
        await asyncio.sleep(0)


async def begin_all(limit: RateLimit, time: FakeTime, pauses: list[float]) -> list[float]:
    begun: list[float] = []
    for pause in pauses:
        time.now += pause
        await limit.wait("pubmed")
        begun.append(time.now)
    return begun


async def test_as_many_as_allowed_begin_at_once_and_the_next_waits() -> None:
    time = FakeTime()
    begun = await begin_all(RateLimit(3, timing=time.timing), time, [0.0] * 7)
    assert begun == [1000.0] * 3 + [1001.0] * 3 + [1002.0]


@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.4, 0.9, 2.0]), max_size=30),
    st.integers(1, 5),
    st.sampled_from([0.5, 1.0, 3.0]),
)
def test_no_window_holds_more_calls_than_allowed(
    pauses: list[float], calls: int, per_s: float
) -> None:
    time = FakeTime()
    begun = asyncio.run(begin_all(RateLimit(calls, per_s, time.timing), time, pauses))
    for first, beyond in zip(begun, begun[calls:], strict=False):
        assert beyond - first >= per_s - 1e-6
    assert time.now - 1000 <= sum(pauses) + per_s * (len(pauses) // calls + 1)


async def test_keys_do_not_wait_for_each_other() -> None:
    time = FakeTime()
    limit = RateLimit(1, timing=time.timing)
    for key in ("pubmed", "arxiv", "pubmed"):
        await limit.wait(key)
    assert time.waits == [1.0]


async def test_the_rate_is_served_in_the_order_of_arrival() -> None:
    time, order = FakeTime(), list[int]()
    limit = RateLimit(1, timing=time.timing)

    async def call(number: int) -> None:
        await limit.wait("pubmed")
        order.append(number)

    await asyncio.gather(*(call(number) for number in range(6)))
    assert order == list(range(6))


async def test_who_is_cancelled_while_waiting_takes_nobodys_turn() -> None:
    time, gate = FakeTime(), asyncio.Event()

    async def sleep(seconds: float) -> None:
        await gate.wait()
        await time.sleep(seconds)

    limit = RateLimit(1, timing=replace(time.timing, sleep=sleep))
    await limit.wait("pubmed")
    sleeping, queued, last = (asyncio.create_task(limit.wait("pubmed")) for _ in range(3))
    await ticks()
    sleeping.cancel()
    queued.cancel()
    gate.set()
    await last
    assert time.now == 1001.0
    assert sleeping.cancelled()
    assert queued.cancelled()


class Crowd:
    """Counts who is inside a limit."""

    def __init__(self, limit: ConcurrencyLimit) -> None:
        self.limit = limit
        self.inside = 0
        self.most = 0
        self.order: list[int] = []

    @asynccontextmanager
    async def enter(self, number: int, key: str = "host") -> AsyncGenerator[None]:
        async with self.limit.hold(key):
            self.order.append(number)
            self.inside += 1
            self.most = max(self.most, self.inside)
            try:
                yield
            finally:
                self.inside -= 1

    async def visit(self, number: int, leave: Callable[[], bool] | None = None) -> None:
        async with self.enter(number):
            await ticks(3)
            if leave is not None and leave():
                raise ValueError(number)


async def test_no_more_than_allowed_are_inside_and_all_get_in_by_order() -> None:
    crowd = Crowd(ConcurrencyLimit(3))
    await asyncio.gather(*(crowd.visit(number) for number in range(10)))
    assert crowd.most == 3
    assert crowd.order == list(range(10))


async def test_an_error_inside_gives_the_place_back() -> None:
    crowd = Crowd(ConcurrencyLimit(1))
    for number in range(3):
        with pytest.raises(ValueError, match=str(number)):
            await crowd.visit(number, leave=lambda: True)
    assert crowd.inside == 0


async def test_cancelled_in_the_queue_or_inside_leaves_no_trace() -> None:
    crowd = Crowd(ConcurrencyLimit(1))

    async def stay(number: int) -> None:
        async with crowd.enter(number):
            await asyncio.Event().wait()

    inside, queued = asyncio.create_task(stay(0)), asyncio.create_task(stay(1))
    last = asyncio.create_task(crowd.visit(2))
    await ticks()
    assert crowd.order == [0]
    queued.cancel()
    await ticks()
    inside.cancel()
    await last
    assert crowd.order == [0, 2]
    assert not crowd.limit._rooms
    await asyncio.gather(*(crowd.visit(number) for number in (3, 4)))
    assert crowd.most == 1


async def test_places_are_counted_by_key() -> None:
    crowd = Crowd(ConcurrencyLimit(1))
    async with crowd.enter(0, "one.test"), crowd.enter(1, "two.test"):
        assert crowd.inside == 2
