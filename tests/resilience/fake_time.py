"""A clock that moves only when somebody sleeps on it."""

from __future__ import annotations

import asyncio

from quaere.resilience.timing import Timing


class FakeTime:
    """Stands still until ``sleep`` moves it; remembers every wait."""

    def __init__(self, jitter: float = 0.5) -> None:
        self.now = 1000.0
        self.waits: list[float] = []
        self.timing = Timing(monotonic=lambda: self.now, sleep=self.sleep, jitter=lambda: jitter)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)
