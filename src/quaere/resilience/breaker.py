"""Leaves alone for a while what keeps failing, then tries it with a single call.

Each process has its own circuit breakers, since a service may fail for one of them alone. One that
finds a service down tells the others, and they no longer send all their calls there: the next call
of each is a probe, as after a cool-down of their own, and decides for that process. What is told is
a hint. It expires, and may be late or lost.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, TypeVar

from quaere.errors import CircuitOpen, QuaereError, UsageError
from quaere.resilience.timing import REAL_TIME, Timing

logger = logging.getLogger(__name__)

T = TypeVar("T")

MOST_DOUBLINGS = 30
"""Enough for any cool-down to come to its longest; more would overflow."""

PAUSED = "is paused after repeated failures: "
"""What a refusal says of a service, between its name and its last failure."""

LOOK_S = 5.0
"""How often a process that makes calls looks what others tell."""
WAITS_S = 1.0
"""How long a call waits for that."""
AWAY_S = 30.0
"""How long nothing is told nor looked at after the database could not be used."""


@dataclass(frozen=True, slots=True)
class BreakerPolicy:
    """When a circuit opens and for how long.

    It opens after ``consecutive`` failures in a row, or once ``share`` of at least ``at_least``
    outcomes are failures (R0.8: 3, and 50 %). Only the last ``window`` outcomes count; it must
    not be smaller than the two numbers.

    It stays open for ``cool_down_s``, and after each probe that fails for twice as long as before,
    up to ``longest_cool_down_s``. So few outcomes may be bad luck with a service that is well,
    which a run should not lose most of its time to; one that is down is soon left alone for longer.
    The first is the least wait before the third attempt of a call (`quaere.resilience.retry`).
    """

    consecutive: int = 3
    share: float = 0.5
    at_least: int = 5
    window: int = 20
    cool_down_s: float = 2.0
    longest_cool_down_s: float = 30.0

    def cooling_s(self, failed_probes: int) -> float:
        """Return the seconds for which a circuit is open after so many failed probes in a row."""
        doublings = min(failed_probes, MOST_DOUBLINGS)
        return min(self.cool_down_s * 2**doublings, max(self.cool_down_s, self.longest_cool_down_s))

    def trips(self, outcomes: tuple[bool, ...]) -> bool:
        """Tell whether ``outcomes`` (``True`` for an answer, newest last) open a circuit."""
        last = outcomes[-self.consecutive :]
        in_a_row = len(last) == self.consecutive and not any(last)
        failures = outcomes.count(False)
        return in_a_row or (
            len(outcomes) >= self.at_least and failures >= self.share * len(outcomes)
        )


class CircuitState(StrEnum):
    """Whether a circuit lets calls through."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"
    """The cool-down is over: one call, the probe, may go through and decides."""


@dataclass(frozen=True, slots=True)
class Circuit:
    """The state of a breaker as a value: ``admit`` and ``settle`` return the next one.

    An admitted caller notes the ``generation`` of the circuit he got and settles with it.
    The generation rises at every change, so what comes back late from a call made before a change
    decides nothing.
    """

    policy: BreakerPolicy = BreakerPolicy()
    outcomes: tuple[bool, ...] = ()
    """Since the circuit was closed last, newest last; ``True`` for an answer."""
    opened_at: float | None = None
    """Seconds on the caller's clock; ``None`` while closed."""
    probing: bool = False
    failed_probes: int = 0
    """In a row, since it was closed last."""
    generation: int = 0

    def state(self, now: float) -> CircuitState:
        """Return the state at ``now``."""
        if self.opened_at is None:
            return CircuitState.CLOSED
        if self.probing or now >= self.opened_at + self._cooling_s:
            return CircuitState.HALF_OPEN
        return CircuitState.OPEN

    def admit(self, now: float) -> Circuit | None:
        """Return the circuit with one more call on its way, ``None`` when it may not go."""
        state = self.state(now)
        if state is CircuitState.CLOSED:
            return self
        if state is CircuitState.OPEN or self.probing:
            return None
        return replace(self, probing=True, generation=self.generation + 1)

    def doubted(self, now: float) -> Circuit:
        """Return the circuit whose next call is a probe; as it is unless it is closed."""
        if self.state(now) is not CircuitState.CLOSED:
            return self
        opened_at = now - self._cooling_s
        return Circuit(self.policy, opened_at=opened_at, generation=self.generation + 1)

    def settle(self, generation: int, answered: bool | None, now: float) -> Circuit:
        """Return the circuit after a call admitted at ``generation``.

        ``answered`` is ``None`` for a call that says nothing about the other side, such as one that
        was cancelled; a probe like that makes room for another.
        """
        if generation != self.generation:
            return self
        if answered is None:
            return replace(self, probing=False)
        if self.probing:
            return self._closed() if answered else self._opened(now, self.failed_probes + 1)
        outcomes = (*self.outcomes, answered)[-self.policy.window :]
        return (
            self._opened(now) if self.policy.trips(outcomes) else replace(self, outcomes=outcomes)
        )

    @property
    def _cooling_s(self) -> float:
        return self.policy.cooling_s(self.failed_probes)

    def _opened(self, now: float, failed_probes: int = 0) -> Circuit:
        return Circuit(
            self.policy,
            opened_at=now,
            failed_probes=failed_probes,
            generation=self.generation + 1,
        )

    def _closed(self) -> Circuit:
        return Circuit(self.policy, generation=self.generation + 1)


class Breaker:
    """One circuit round all calls to one thing."""

    def __init__(
        self,
        name: str,
        policy: BreakerPolicy = BreakerPolicy(),
        monotonic: Callable[[], float] = time.monotonic,
        *,
        refusal: Callable[[str], QuaereError] = CircuitOpen,
        ignored: tuple[type[QuaereError], ...] = (UsageError,),
    ) -> None:
        """Begin closed.

        Args:
            name: Of what is called.
            policy: When it opens and for how long.
            monotonic: Seconds on a clock that never goes back.
            refusal: Makes the error that is raised instead of calling.
            ignored: Errors that say nothing about the other side's health.
        """
        self.name = name
        self._refusal = refusal
        self._ignored = ignored
        self._circuit = Circuit(policy)
        self._monotonic = monotonic
        self._last_error = ""

    @property
    def policy(self) -> BreakerPolicy:
        """When it opens and for how long."""
        return self._circuit.policy

    def doubt(self, reason: str) -> None:
        """Make a probe of the next call, for a ``reason`` that others gave."""
        doubted = self._circuit.doubted(self._monotonic())
        if doubted is not self._circuit:
            self._circuit, self._last_error = doubted, reason

    @property
    def state(self) -> CircuitState:
        """The state of the circuit now."""
        return self._circuit.state(self._monotonic())

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """Return what ``call`` returns and count how it ended.

        A ``QuaereError`` is a failure. What is ``ignored``, such as a ``UsageError``, is the
        caller's own, cancellation nobody's, and an untyped error a bug on this side: none counts.

        Raises:
            CircuitOpen: or another ``refusal``, instead of calling, while the circuit is open or a
                probe is on its way.
        """
        admitted = self._circuit.admit(self._monotonic())
        if admitted is None:
            raise self._refusal(f"{self.name} {PAUSED}{self._last_error}")
        self._circuit = admitted
        answered: bool | None = None
        try:
            result = await call()
            answered = True
        except self._ignored:
            raise
        except QuaereError as error:
            answered = False
            self._last_error = error.message
            raise
        finally:
            self._settle(admitted.generation, answered)
        return result

    def _settle(self, generation: int, answered: bool | None) -> None:
        before, now = self._circuit, self._monotonic()
        self._circuit = after = before.settle(generation, answered, now)
        if after.generation != before.generation:
            logger.warning("circuit of %s is now %s", self.name, after.state(now))


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
