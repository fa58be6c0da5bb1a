"""Limits on how often and how many at once, each by key: in one process, or over all of them.

Our own rather than a library's: those at hand count against the event loop's clock alone, let a
burst exceed the limit, and have no keys. Both limits serve in the order of arrival, and a call
cancelled while waiting does not count. A limit belongs to one event loop.

Where processes share a database, a service has a row there, which says when its next call may
begin. A caller moves that time on by one step, and calls when the time that it found has come.
Steps are a little longer than the limit needs, because a process that is busy wakes late, and the
longer, the later it woke before. One that wakes later than its step allows lets the turn pass and
asks for another.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from quaere.errors import QuaereError
from quaere.resilience.timing import REAL_TIME, Timing

LATE_S = 0.1
"""How late a call may begin after its turn."""
WAY_S = 0.1
"""By how much the way to the service may differ from call to call."""
AHEAD_S = 1.0
"""How far ahead a turn may be that is taken: turns of those who stop waiting are lost."""
TRIES = 5
"""Turns that one call may miss. It uses the next one even if late: else a machine that is always
late would never call."""
QUICK = 50.0
"""Calls a second above which `TOGETHER` turns are taken at a time."""
TOGETHER = 10
AWAY_S = 30.0
"""How long the limit of the process alone counts after the database could not be used."""
COMPARED = 20
"""Answers of the database by which its clock is compared with the one of the process."""
logger = logging.getLogger(__name__)


class Pace(Protocol):
    """A limit on how often calls begin."""

    async def wait(self, key: str) -> None:
        """Return when the next call under ``key`` may begin."""
        ...


Pacing = Callable[[int, float], Pace]
"""Makes a limit of so many calls in so many seconds."""


class RateLimit:
    """At most ``calls`` begin in any ``per_s`` seconds, for each key."""

    def __init__(self, calls: int, per_s: float = 1.0, timing: Timing = REAL_TIME) -> None:
        self._calls = calls
        self._per_s = per_s
        self._timing = timing
        self._lanes: dict[str, _Lane] = {}

    async def wait(self, key: str) -> None:
        """Return when the next call under ``key`` may begin."""
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = _Lane(deque(maxlen=self._calls))
        # asyncio's lock is first come, first served; the turn counts only once the wait is over.
        async with lane.turn:
            if len(lane.begun) == self._calls:
                wait_s = lane.begun[0] + self._per_s - self._timing.monotonic()
                if wait_s > 0:
                    await self._timing.sleep(wait_s)
            lane.begun.append(self._timing.monotonic())


@dataclass(frozen=True, slots=True)
class _Lane:
    begun: deque[float]
    """When the latest calls began."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class ConcurrencyLimit:
    """At most ``calls`` are on their way at once, for each key."""

    def __init__(self, calls: int) -> None:
        self._calls = calls
        self._rooms: dict[str, _Room] = {}

    @asynccontextmanager
    async def hold(self, key: str) -> AsyncGenerator[None]:
        """Wait for a place under ``key`` and hold it."""
        room = self._rooms.setdefault(key, _Room(asyncio.Semaphore(self._calls)))
        room.users += 1
        try:
            async with room.places:
                yield
        finally:
            room.users -= 1
            if not room.users:
                del self._rooms[key]


@dataclass(slots=True)
class _Room:
    places: asyncio.Semaphore
    users: int = 0
    """Those inside and those waiting."""


@dataclass(frozen=True, slots=True)
class Turn:
    """When a call may begin; times are seconds by the clock of those who give out turns."""

    at: float
    now: float
    """When it was given out."""
    taken: bool
    """Whether it is the caller's; else it is too far ahead to be taken yet."""


class Turns(Protocol):
    """Gives out turns to all processes, one after the other."""

    async def take(self, name: str, *, from_s: float, ahead_s: float, for_s: float) -> Turn:
        """Take the next turn of a service.

        Args:
            name: Of the service.
            from_s: Seconds from now before which it must not come: the answer takes its time.
            ahead_s: Seconds from now after which it must not come: else it is not taken.
            for_s: Seconds from it to the turn of the next caller.

        Raises:
            StoreError: when that cannot be known.
        """
        ...


OpenTurns = Callable[[], Awaitable[Turns | None]]
"""Returns the turns that are shared; None where a process is on its own."""


@dataclass(slots=True)
class _Clock:
    """How far the clock of this process is from the one by which turns are given out.

    That one was read between question and answer, which bounds the difference from both sides. The
    quickest answers bound it best.
    """

    bounds: deque[tuple[float, float]] = field(
        default_factory=lambda: deque[tuple[float, float]](maxlen=COMPARED)
    )

    def compare(self, now: float, asked: float, answered: float) -> None:
        self.bounds.append((asked - now, answered - now))
        if self.least > self.most:  # one of the clocks was set
            self.bounds = deque(list(self.bounds)[-1:], maxlen=COMPARED)

    @property
    def least(self) -> float:
        return max(low for low, _ in self.bounds)

    @property
    def most(self) -> float:
        return min(high for _, high in self.bounds)


@dataclass(slots=True)
class _SharedLane:
    """The calls of this process to one service."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    clock: _Clock = field(default_factory=_Clock)
    taken: deque[tuple[float, float]] = field(default_factory=deque[tuple[float, float]])
    """Turns of this process that have not come yet, and how late they may be used besides."""
    way_s: float = 0.0
    """How long the last answer took."""
    woke_late_s: deque[float] = field(default_factory=lambda: deque([0.0], maxlen=COMPARED))
    """By how much this process woke late the last times."""

    @property
    def spare_s(self) -> float:
        """What this process needs besides `LATE_S`, as it is busy."""
        return min(AHEAD_S, max(0.0, max(self.woke_late_s) - LATE_S / 2))


class SharedRateLimit:
    """At most ``calls`` begin in any ``per_s`` seconds under a key, in all processes together.

    While turns cannot be had, each process keeps to the limit by itself.
    """

    def __init__(
        self, calls: int, per_s: float, turns: OpenTurns, timing: Timing = REAL_TIME
    ) -> None:
        """Keep to the limit over all processes that share ``turns``."""
        self._own = RateLimit(calls, per_s, timing)
        self._step_s = (per_s + LATE_S + WAY_S) / calls
        self._together = TOGETHER if calls / per_s > QUICK else 1
        self._turns = turns
        self._timing = timing
        self._lanes: dict[str, _SharedLane] = {}
        self._away_until = 0.0

    async def wait(self, key: str) -> None:
        """Return when the next call under ``key`` may begin."""
        lane = self._lanes.setdefault(key, _SharedLane())
        async with lane.lock:
            try:
                if self._timing.monotonic() >= self._away_until and (turns := await self._turns()):
                    await self._come(lane, key, turns)
            except QuaereError as error:  # of the database, or of the settings that name it
                logger.warning("the limit of %s holds in this process only: %s", key, error.message)
                self._away_until = self._timing.monotonic() + AWAY_S
            await self._own.wait(key)

    async def _come(self, lane: _SharedLane, key: str, turns: Turns) -> None:
        """Return when a turn of this process has come."""
        for _ in range(TRIES):
            if not lane.taken:
                await self._take(lane, key, turns)
            at, spare_s = lane.taken.popleft()
            if (left_s := at + lane.clock.most - self._timing.monotonic()) > 0:
                await self._timing.sleep(left_s)
                lane.woke_late_s.append(self._timing.monotonic() - (at + lane.clock.most))
            if self._timing.monotonic() - (at + lane.clock.least) <= LATE_S + spare_s:
                return
        logger.info("calls to %s begin late: this machine is busy", key)

    async def _take(self, lane: _SharedLane, key: str, turns: Turns) -> None:
        """Take the next turns."""
        spare_s = lane.spare_s
        step_s = self._step_s + 2 * spare_s  # a busy process is late to wake and late to send
        for_s = self._together * step_s
        while True:
            asked = self._timing.monotonic()
            from_s = min(lane.way_s, AHEAD_S)
            turn = await turns.take(key, from_s=from_s, ahead_s=AHEAD_S, for_s=for_s)
            answered = self._timing.monotonic()
            lane.clock.compare(turn.now, asked, answered)
            lane.way_s = answered - asked
            if turn.taken:
                lane.taken.extend((turn.at + n * step_s, spare_s) for n in range(self._together))
                return
            await self._timing.sleep(turn.at - turn.now - self._timing.jitter() * AHEAD_S)
