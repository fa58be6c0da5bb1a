"""What processes tell each other of services that fail.

Each process has its own circuit breakers, since a service may fail for one of them alone. One that
finds a service down tells the others, and they no longer send all their calls there: the next call
of each is a probe, as after a cool-down of their own, and decides for that process. What is told is
a hint. It expires, and may be late or lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from quaere.errors import QuaereError
from quaere.resilience.breaker import Breaker, CircuitState
from quaere.resilience.timing import REAL_TIME, Timing

LOOK_S = 5.0
"""How often a process that makes calls looks what others tell."""
WAITS_S = 1.0
"""How long a call waits for that."""
AWAY_S = 30.0
"""How long nothing is told nor looked at after the database could not be used."""

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Hints(Protocol):
    """Keeps for all processes which services are down."""

    async def tell_down(self, name: str, *, for_s: float) -> None:
        """Tell that a service is down, for so many seconds; 0 when it is well again.

        Raises:
            StoreError: when that cannot be told.
        """
        ...

    async def down(self) -> frozenset[str]:
        """Return the names of services of which that was told and has not expired.

        Raises:
            StoreError: when that cannot be known.
        """
        ...


OpenHints = Callable[[], Awaitable[Hints | None]]
"""Returns the hints that are shared; None where a process is on its own."""


class SharedBreakers:
    """The breakers of this process, as far as others should know of them, and it of others'."""

    def __init__(self, hints: OpenHints, timing: Timing = REAL_TIME) -> None:
        """Tell and hear by ``hints``."""
        self._hints = hints
        self._timing = timing
        self._down: frozenset[str] = frozenset()
        self._looking = asyncio.Lock()
        self._next_look = self._away_until = 0.0

    async def run(self, breaker: Breaker, call: Callable[[], Awaitable[T]]) -> T:
        """Return what ``breaker.run`` returns, after a look at what others know of the service.

        Raises as `Breaker.run`.
        """
        await self._look()
        if breaker.name in self._down:
            breaker.doubt("another process has found it down")
        before = breaker.state
        try:
            result = await breaker.run(call)
        except QuaereError:
            if breaker.state is CircuitState.OPEN and before is not CircuitState.OPEN:
                await self._tell(breaker.name, breaker.policy.longest_cool_down_s)
            raise
        if before is CircuitState.HALF_OPEN and breaker.state is CircuitState.CLOSED:
            self._down -= {breaker.name}
            await self._tell(breaker.name, 0.0)
        return result

    async def _look(self) -> None:
        """Hear what others tell, from time to time."""

        async def look(hints: Hints) -> None:
            self._down = await hints.down()

        async with self._looking:  # calls that come meanwhile are to know as well
            if self._timing.monotonic() >= max(self._next_look, self._away_until):
                self._next_look = self._timing.monotonic() + LOOK_S
                await self._ask(look)

    async def _tell(self, name: str, for_s: float) -> None:
        if self._timing.monotonic() >= self._away_until:
            await self._ask(lambda hints: hints.tell_down(name, for_s=for_s))

    async def _ask(self, asking: Callable[[Hints], Awaitable[None]]) -> None:
        try:
            async with asyncio.timeout(WAITS_S):
                if hints := await self._hints():
                    await asking(hints)
        except (QuaereError, TimeoutError) as error:
            logger.info("what fails is known to this process only: %s", error or "no answer")
            self._down = frozenset()
            self._away_until = self._timing.monotonic() + AWAY_S
