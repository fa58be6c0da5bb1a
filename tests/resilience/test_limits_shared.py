"""A limit that several processes keep together."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.resilience.fake_time import FakeTime

from quaere.errors import StoreUnavailable
from quaere.resilience.limits import AWAY_S, LATE_S, TOGETHER, SharedRateLimit, Turn, Turns
from quaere.resilience.timing import Timing

pytestmark = pytest.mark.anyio


@dataclass
class Row:
    """The row of a service, in a database whose questions and answers take their time."""

    time: FakeTime
    ways: list[float] = field(default_factory=list[float])
    away: bool = False
    free_at: float = 0.0
    ahead: float = 500.0
    """Seconds by which its clock is ahead of the one of the processes."""
    asked: int = 0

    async def take(self, name: str, *, from_s: float, ahead_s: float, for_s: float) -> Turn:
        assert name == "pubmed"
        self.asked += 1
        if self.away:
            raise StoreUnavailable("away")
        self.time.now += self._way()
        now = self.time.now + self.ahead
        at = max(self.free_at, now + from_s)
        if taken := at <= now + ahead_s:
            self.free_at = at + for_s
        self.time.now += self._way()
        return Turn(at, now, taken)

    async def turns(self) -> Turns:
        return self

    def _way(self) -> float:
        return self.ways.pop() if self.ways else 0.0


@dataclass
class Sleepy:
    """A machine that wakes late."""

    time: FakeTime
    late: list[float]

    @property
    def timing(self) -> Timing:
        return Timing(monotonic=lambda: self.time.now, sleep=self.sleep, jitter=lambda: 0.5)

    async def sleep(self, seconds: float) -> None:
        await self.time.sleep(seconds + (self.late.pop() if self.late else 0.0))


async def begin(
    limits: Sequence[SharedRateLimit], time: FakeTime, pauses: Sequence[float]
) -> list[float]:
    """Return when calls begin that processes make in turns."""
    begun: list[float] = []
    for number, pause in enumerate(pauses):
        time.now += pause
        await limits[number % len(limits)].wait("pubmed")
        begun.append(time.now)
    return begun


def few(begun: Sequence[float], calls: int, per_s: float) -> bool:
    pairs = zip(begun, begun[calls:], strict=False)
    return all(beyond - first >= per_s - 1e-6 for first, beyond in pairs)


@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.4, 0.9, 2.0]), max_size=24),
    st.integers(1, 5),
    st.sampled_from([0.5, 1.0, 3.0]),
    st.lists(st.sampled_from([0.0, 0.02, 0.09, 0.3, 0.8]), max_size=24),
    st.lists(st.sampled_from([0.0, 0.03, 0.09]), max_size=24),
)
def test_no_window_holds_more_calls_of_all_processes_than_allowed(
    pauses: list[float], calls: int, per_s: float, ways: list[float], late: list[float]
) -> None:
    time = FakeTime()
    row = Row(time, ways)
    machine = Sleepy(time, late)
    limits = [SharedRateLimit(calls, per_s, row.turns, machine.timing) for _ in range(3)]
    assert few(asyncio.run(begin(limits, time, pauses)), calls, per_s)


async def test_who_wakes_too_late_lets_its_turn_pass_but_not_for_ever() -> None:
    time = FakeTime()
    row = Row(time)
    machine = Sleepy(time, [2 * LATE_S])
    limit = SharedRateLimit(1, 1.0, row.turns, machine.timing)
    await begin([limit], time, [0.0, 0.0])
    assert row.asked == 3, "the second call has missed a turn"
    machine.late = [2 * LATE_S] * 100
    await asyncio.wait_for(limit.wait("pubmed"), 5)


async def test_processes_share_nearly_all_of_what_is_allowed() -> None:
    time = FakeTime()
    row = Row(time)
    limits = [SharedRateLimit(3, 1.0, row.turns, time.timing) for _ in range(4)]
    begun = await begin(limits, time, [0.0] * 41)
    assert 40 / (begun[-1] - begun[0]) >= 2.4, "of 3 a second"


async def test_a_turn_that_is_far_away_is_not_taken_yet() -> None:
    time = FakeTime()
    row = Row(time, free_at=time.now + 500 + 40)
    await SharedRateLimit(3, 1.0, row.turns, time.timing).wait("pubmed")
    assert time.now >= 1040
    assert row.asked == 2


async def test_quick_services_are_asked_for_many_turns_at_once() -> None:
    time = FakeTime()
    row = Row(time)
    limit = SharedRateLimit(100, 1.0, row.turns, time.timing)
    begun = await begin([limit], time, [0.0] * 5 * TOGETHER)
    assert row.asked == 5
    assert few(begun, 100, 1.0)


async def test_without_the_database_a_process_keeps_to_the_limit_alone_r0_8() -> None:
    time = FakeTime()
    row = Row(time, away=True)
    limit = SharedRateLimit(3, 1.0, row.turns, time.timing)
    begun = await begin([limit], time, [0.0] * 7)
    assert begun == [1000.0] * 3 + [1001.0] * 3 + [1002.0]
    assert row.asked == 1, "it is left alone for a while"
    row.away = False
    await begin([limit], time, [AWAY_S])
    assert row.asked == 2


async def test_a_process_without_a_shared_database_is_on_its_own() -> None:
    async def alone() -> None:
        return None

    time = FakeTime()
    begun = await begin([SharedRateLimit(3, 1.0, alone, time.timing)], time, [0.0] * 4)
    assert begun == [1000.0] * 3 + [1001.0]
