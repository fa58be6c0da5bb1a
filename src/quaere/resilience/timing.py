"""Sources of time and randomness: the system clock, and what the policies are given."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic


@dataclass(frozen=True, slots=True)
class Timing:
    """Time and chance as the policies see them; a test hands in its own."""

    monotonic: Callable[[], float] = time.monotonic
    """Seconds on a clock that never goes back."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Waits for that many seconds."""
    jitter: Callable[[], float] = random.random
    """Draws from U(0, 1), so that callers who failed together do not come back together."""


REAL_TIME = Timing()


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Return seconds on a clock that never goes back."""
        return monotonic()

    def now(self) -> datetime:
        """Return the time of day, in UTC."""
        return datetime.now(UTC)


SYSTEM_CLOCK = SystemClock()
