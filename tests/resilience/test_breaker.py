"""The breaker: R0.8, tier 3."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.resilience.fake_time import FakeTime

from quaere.errors import SearchError, UsageError
from quaere.resilience.breaker import Breaker, BreakerPolicy, Circuit, CircuitOpen, CircuitState

pytestmark = pytest.mark.anyio

POLICY = BreakerPolicy(cool_down_s=30)
OUTCOMES = st.lists(st.booleans(), max_size=40)


def after(outcomes: list[bool], policy: BreakerPolicy = POLICY) -> Circuit:
    """Return the circuit after ``outcomes`` at second 0, until it opens."""
    circuit = Circuit(policy)
    for answered in outcomes:
        admitted = circuit.admit(0)
        if admitted is None:
            break
        circuit = admitted.settle(admitted.generation, answered, 0)
    return circuit


def probing(circuit: Circuit, now: float) -> Circuit:
    admitted = circuit.admit(now)
    assert admitted is not None
    return admitted


def test_r08_opens_after_three_failures_in_a_row() -> None:
    assert after([True] * 9 + [False, False]).state(0) is CircuitState.CLOSED
    assert after([True] * 9 + [False, False, False]).state(0) is CircuitState.OPEN
    assert after([False, False, True, False]).state(0) is CircuitState.CLOSED


def test_r08_opens_when_half_of_at_least_five_fail() -> None:
    assert after([False, True, False, True]).state(0) is CircuitState.CLOSED
    assert after([False, True, False, True, True]).state(0) is CircuitState.CLOSED
    assert after([False, True, False, True, False]).state(0) is CircuitState.OPEN
    assert after([True, True, True, False, True, False, False]).state(0) is CircuitState.CLOSED
    assert after([True, True, True, False, False, True, False, False]).state(0) is CircuitState.OPEN


def test_outcomes_that_slid_out_of_the_window_do_not_count() -> None:
    policy = BreakerPolicy(window=6)
    steady = [True] * 10 + [False, True, False, True, False]
    assert after(steady, BreakerPolicy(window=20)).state(0) is CircuitState.CLOSED
    assert after(steady, policy).state(0) is CircuitState.OPEN


def test_refuses_until_the_cool_down_is_over() -> None:
    opened = after([False] * 3)
    assert opened.admit(29.9) is None
    assert opened.state(29.9) is CircuitState.OPEN
    assert opened.state(30.0) is CircuitState.HALF_OPEN
    assert opened.admit(30.0) is not None


def test_half_open_lets_one_probe_through() -> None:
    probe = probing(after([False] * 3), 30)
    assert probe.state(31) is CircuitState.HALF_OPEN
    assert probe.admit(31) is None
    assert probe.admit(1e9) is None


def test_the_probe_decides() -> None:
    probe = probing(after([False] * 3), 30)
    healed = probe.settle(probe.generation, True, 31)
    assert healed.state(31) is CircuitState.CLOSED
    assert healed.outcomes == ()
    broken = probe.settle(probe.generation, False, 31)
    assert broken.state(60.9) is CircuitState.OPEN
    assert broken.state(61) is CircuitState.HALF_OPEN


def test_each_failed_probe_doubles_the_cool_down_until_one_is_answered() -> None:
    policy = BreakerPolicy(cool_down_s=2, longest_cool_down_s=30)
    circuit, now = after([False] * 3, policy), 0.0
    for cooling_s in (2, 4, 8, 16, 30, 30):
        assert circuit.state(now + cooling_s - 0.1) is CircuitState.OPEN
        now += cooling_s
        probe = probing(circuit, now)
        circuit = probe.settle(probe.generation, False, now)
    probe = probing(circuit, now + 30)
    healed = probe.settle(probe.generation, True, now + 30)
    for _ in range(3):
        healed = healed.settle(healed.generation, False, now + 31)
    assert healed.state(now + 32.9) is CircuitState.OPEN
    assert healed.state(now + 33) is CircuitState.HALF_OPEN, "it begins anew"


def test_a_cool_down_that_was_doubled_for_days_still_has_its_longest() -> None:
    assert BreakerPolicy().cooling_s(100_000) == BreakerPolicy().longest_cool_down_s
    assert BreakerPolicy(cool_down_s=60).cooling_s(5) == 60, "what is set longer stays so"


def test_a_probe_that_says_nothing_makes_room_for_another() -> None:
    probe = probing(after([False] * 3), 30)
    withdrawn = probe.settle(probe.generation, None, 31)
    assert withdrawn.state(31) is CircuitState.HALF_OPEN
    assert withdrawn.admit(31) is not None


def test_what_was_admitted_before_a_change_decides_nothing_after_it() -> None:
    early = Circuit(POLICY)
    opened = after([False] * 3)
    assert opened.settle(early.generation, True, 1) == opened
    probe = probing(opened, 30)
    assert probe.settle(early.generation, True, 31) == probe
    assert probe.settle(early.generation, None, 31) == probe


@given(OUTCOMES)
def test_a_closed_circuit_has_not_reached_its_thresholds(outcomes: list[bool]) -> None:
    circuit = after(outcomes)
    if circuit.state(0) is CircuitState.CLOSED:
        kept = outcomes[-POLICY.window :]
        assert circuit.outcomes == tuple(kept)
        assert kept[-3:] != [False] * 3
        assert len(kept) < 5 or kept.count(False) * 2 < len(kept)


@given(OUTCOMES, st.floats(0, 100))
def test_a_circuit_admits_exactly_when_it_is_not_open(outcomes: list[bool], now: float) -> None:
    circuit = after(outcomes)
    assert (circuit.admit(now) is None) == (circuit.state(now) is CircuitState.OPEN)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["start", "start", "answer", "fail", "fail", "cancel"]),
        st.floats(0, 20),
        st.integers(0, 9),
    ),
    max_size=60,
)


@given(STEPS)
def test_at_most_one_call_is_on_its_way_while_not_closed(
    steps: list[tuple[str, float, int]],
) -> None:
    circuit, now = Circuit(POLICY), 0.0
    flying: list[int] = []
    for action, seconds, which in steps:
        now += seconds
        before = circuit
        if action == "start":
            admitted = circuit.admit(now)
            if admitted is not None:
                circuit = admitted
                flying.append(admitted.generation)
        elif flying:
            generation = flying.pop(which % len(flying))
            answered = {"answer": True, "fail": False, "cancel": None}[action]
            circuit = circuit.settle(generation, answered, now)
        assert circuit.generation - before.generation in {0, 1}
        if circuit.state(now) is not CircuitState.CLOSED:
            assert flying.count(circuit.generation) == int(circuit.probing)


class Thing:
    """Raises what it is told to raise, or answers."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.calls = 0

    async def __call__(self) -> str:
        self.calls += 1
        if self.error is not None:
            raise self.error
        return "answer"


async def fail(breaker: Breaker, thing: Thing, error: Exception, times: int) -> None:
    thing.error = error
    for _ in range(times):
        with pytest.raises(type(error)):
            await breaker.run(thing)
    thing.error = None


async def test_an_open_breaker_does_not_call_and_says_why() -> None:
    time, thing = FakeTime(), Thing()
    breaker = Breaker("brave", POLICY, time.timing.monotonic)
    await fail(breaker, thing, SearchError("HTTP 503"), 3)
    with pytest.raises(CircuitOpen, match=r"brave.*HTTP 503") as raised:
        await breaker.run(thing)
    assert thing.calls == 3
    assert not raised.value.retryable
    assert raised.value.type == "circuit_open"


async def test_a_breaker_heals_after_a_good_probe() -> None:
    time, thing = FakeTime(), Thing()
    breaker = Breaker("brave", POLICY, time.timing.monotonic)
    await fail(breaker, thing, SearchError("HTTP 503"), 3)
    time.now += 30
    assert breaker.state is CircuitState.HALF_OPEN
    assert await breaker.run(thing) == "answer"
    assert breaker.state is CircuitState.CLOSED


async def test_exactly_one_of_many_concurrent_calls_is_the_probe() -> None:
    time, thing, gate = FakeTime(), Thing(), asyncio.Event()
    breaker = Breaker("brave", POLICY, time.timing.monotonic)
    await fail(breaker, thing, SearchError("HTTP 503"), 3)
    time.now += 30

    async def probe() -> str:
        await gate.wait()
        return await thing()

    calls = [asyncio.create_task(breaker.run(probe)) for _ in range(5)]
    await asyncio.sleep(0)
    gate.set()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert results.count("answer") == 1
    assert sum(isinstance(result, CircuitOpen) for result in results) == 4
    assert breaker.state is CircuitState.CLOSED


async def test_a_cancelled_probe_does_not_block_the_next() -> None:
    time, thing = FakeTime(), Thing()
    breaker = Breaker("brave", POLICY, time.timing.monotonic)
    await fail(breaker, thing, SearchError("HTTP 503"), 3)
    time.now += 30
    probe = asyncio.create_task(breaker.run(asyncio.Event().wait))
    await asyncio.sleep(0)
    with pytest.raises(CircuitOpen):
        await breaker.run(thing)
    probe.cancel()
    with pytest.raises(asyncio.CancelledError):
        await probe
    assert await breaker.run(thing) == "answer"


@pytest.mark.parametrize("make", [lambda: UsageError("bad query"), lambda: KeyError("bug")])
async def test_errors_of_this_side_do_not_open_it(make: Callable[[], Exception]) -> None:
    breaker, thing = Breaker("brave", POLICY, FakeTime().timing.monotonic), Thing()
    await fail(breaker, thing, make(), 9)
    assert breaker.state is CircuitState.CLOSED


async def test_changes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    time, thing = FakeTime(), Thing()
    breaker = Breaker("brave", POLICY, time.timing.monotonic)
    await fail(breaker, thing, SearchError("HTTP 503"), 3)
    time.now += 30
    await breaker.run(thing)
    assert caplog.messages == ["circuit of brave is now open", "circuit of brave is now closed"]
