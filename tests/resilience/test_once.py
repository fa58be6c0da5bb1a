"""One call for all who ask the same."""

from __future__ import annotations

import asyncio

import pytest

from quaere.resilience.once import Once

pytestmark = pytest.mark.anyio


class Well:
    """Gives a number, after it was let."""

    def __init__(self) -> None:
        self.made, self.cancelled = 0, 0
        self.open = asyncio.Event()

    async def draw(self) -> int:
        """Return how often it was asked."""
        self.made += 1
        made = self.made
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if made == 1 and self.open.is_set() and self.fails:
            raise ValueError("dry")
        return made

    fails = False


async def test_those_who_ask_while_a_call_is_on_its_way_wait_for_it() -> None:
    well, once = Well(), Once[str, int]()
    asking = [asyncio.create_task(once.get("a", well.draw)) for _ in range(3)]
    await asyncio.sleep(0)
    well.open.set()
    assert await asyncio.gather(*asking) == [1, 1, 1]
    assert await once.get("a", well.draw) == 1, "and those who come later get it as well"
    assert await once.get("b", well.draw) == 2


async def test_a_call_goes_on_as_long_as_somebody_waits() -> None:
    well, once = Well(), Once[str, int]()
    first, second = (asyncio.create_task(once.get("a", well.draw)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.wait([first])
    well.open.set()
    assert await second == 1
    assert not well.cancelled


async def test_a_call_that_nobody_waits_for_is_cancelled_and_made_anew() -> None:
    well, once = Well(), Once[str, int]()
    asking = asyncio.create_task(once.get("a", well.draw))
    await asyncio.sleep(0.01)
    asking.cancel()
    await asyncio.wait([asking])
    assert well.cancelled == 1
    well.open.set()
    assert await once.get("a", well.draw) == 2


async def test_a_failure_is_told_to_all_and_tried_again_by_the_next() -> None:
    well, once = Well(), Once[str, int]()
    well.fails = True
    asking = [asyncio.create_task(once.get("a", well.draw)) for _ in range(2)]
    await asyncio.sleep(0)
    well.open.set()
    failed = await asyncio.gather(*asking, return_exceptions=True)
    assert [type(each) for each in failed] == [ValueError, ValueError]
    assert await once.get("a", well.draw) == 2
