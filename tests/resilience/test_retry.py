"""Retry: R0.8, tier 1."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.resilience.fake_time import FakeTime

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import ReadError, SearchError, SearchTimeout
from quaere.resilience.breaker import BreakerPolicy
from quaere.resilience.provider import Resilience, ResilientProvider
from quaere.resilience.retry import (
    Begun,
    RetryBudget,
    RetryPolicy,
    count_retries,
    hedged,
    retry,
)

pytestmark = pytest.mark.anyio


class Flaky:
    """Fails with each of ``errors`` in turn, then answers."""

    def __init__(self, errors: Sequence[BaseException]) -> None:
        self.errors = list(errors)
        self.calls = 0

    async def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "answer"


async def test_r08_three_attempts_with_exponential_waits_and_jitter() -> None:
    time, call = FakeTime(jitter=0.25), Flaky([SearchError("500"), SearchTimeout("slow")])
    assert await retry(call, RetryPolicy(), name="x", timing=time.timing) == "answer"
    assert call.calls == 3
    assert time.waits == [1.25, 2.25]


async def test_r08_the_last_error_is_raised_when_the_attempts_are_used_up() -> None:
    time, last = FakeTime(), SearchError("third")
    call = Flaky([SearchError("first"), SearchError("second"), last])
    with pytest.raises(SearchError) as raised:
        await retry(call, RetryPolicy(), name="x", timing=time.timing)
    assert raised.value is last
    assert call.calls == 3
    assert len(time.waits) == 2


@pytest.mark.parametrize(
    "error", [ReadError("gone"), KeyError("bug"), ValueError("bug"), asyncio.CancelledError()]
)
async def test_r08_only_errors_that_say_so_are_retried(error: BaseException) -> None:
    time, call = FakeTime(), Flaky([error])
    with pytest.raises(type(error)):
        await retry(call, RetryPolicy(), name="x", timing=time.timing)
    assert call.calls == 1
    assert time.waits == []


@pytest.mark.parametrize(
    ("retry_after", "wait"),
    [
        (4, 4.5),
        (0.0, 0.5),
        (-3, 0.5),
        (3600, 20.0),
        (None, 1.5),
        (float("nan"), 1.5),
        (float("inf"), 1.5),
    ],
)
async def test_the_wait_that_a_server_asks_for_is_honoured_up_to_a_limit(
    retry_after: float | None, wait: float
) -> None:
    time, policy = FakeTime(jitter=0.5), RetryPolicy(max_retry_after_s=20, within_s=60)
    throttled = SearchError("429", retry_after=retry_after)
    await retry(Flaky([throttled]), policy, name="x", timing=time.timing)
    assert time.waits == [wait]


async def test_no_attempt_begins_after_the_deadline() -> None:
    time, policy = FakeTime(jitter=0.0), RetryPolicy(attempts=9, within_s=3.0)
    call = Flaky([SearchError(str(n)) for n in range(9)])
    with pytest.raises(SearchError, match="2"):
        await retry(call, policy, name="x", timing=time.timing)
    assert time.waits == [1.0, 2.0]  # the third attempt is on the deadline, a fourth is past it
    assert call.calls == 3


async def test_slow_attempts_use_up_the_time_as_well() -> None:
    time = FakeTime()

    async def slow() -> None:
        time.now += 10
        raise SearchTimeout("slow")

    with pytest.raises(SearchTimeout):
        await retry(slow, RetryPolicy(within_s=10), name="x", timing=time.timing)
    assert time.waits == []


async def test_r08_every_retry_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    failing = Flaky([SearchError("500"), SearchError("503")])
    with caplog.at_level(logging.WARNING):
        await retry(failing, RetryPolicy(), name="x", timing=FakeTime().timing)
    assert caplog.messages == [
        "x failed (attempt 1 of 3), again in 1.5 s: 500",
        "x failed (attempt 2 of 3), again in 2.5 s: 503",
    ]


async def test_attempts_that_are_repeated_are_counted_however_deep_and_those_before_are_not() -> (
    None
):
    async def call(failures: int) -> None:
        errors = [SearchError(str(n)) for n in range(failures)]
        await retry(Flaky(errors), RetryPolicy(), name="x", timing=FakeTime().timing)

    await call(1)
    with count_retries() as counted:
        await asyncio.gather(call(2), call(1), call(0))
        with count_retries() as inner:
            await call(1)
        with pytest.raises(SearchError):
            await call(9)
    await call(1)
    assert (counted.count, inner.count) == (3 + 2, 1)


@given(
    failed=st.integers(1, 60),
    jitter=st.floats(0, 1),
    cap=st.floats(0, 100),
    retry_after=st.none() | st.floats(0, 1e9),
)
def test_waits_never_exceed_their_caps(
    failed: int, jitter: float, cap: float, retry_after: float | None
) -> None:
    policy = RetryPolicy(max_wait_s=cap, max_retry_after_s=cap)
    assert 0 <= policy.wait_s(failed, jitter, retry_after) <= cap
    assert policy.wait_s(failed, jitter) <= policy.wait_s(failed + 1, jitter)


POLICY = RetryPolicy()
NEVER = BreakerPolicy(consecutive=1_000, at_least=1_000, window=1_000)


class Faulty:
    """Raises an error at each call, and counts them."""

    name = "faulty"
    kinds = frozenset({SourceKind.WEB})

    def __init__(self) -> None:
        self.calls = 0

    async def __call__(self) -> None:
        self.calls += 1
        raise SearchError("HTTP 500")

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        await self()
        return []


async def attempts(budget: RetryBudget | None) -> int:
    """Return how many attempts a call makes that always fails."""
    faulty = Faulty()
    with pytest.raises(SearchError, match="HTTP 500"):
        await retry(faulty, POLICY, name="faulty", timing=FakeTime().timing, budget=budget)
    return faulty.calls


async def test_r08_the_first_call_has_all_its_attempts() -> None:
    assert await attempts(RetryBudget()) == await attempts(None) == 3


async def test_when_it_is_used_up_calls_fail_at_once() -> None:
    budget = RetryBudget(0.5, at_start=2)
    assert [await attempts(budget) for _ in range(6)] == [3, 2, 1, 2, 1, 2]


async def test_calls_that_succeed_earn_retries_up_to_a_limit() -> None:
    budget = RetryBudget(0.5, at_start=0, most=3)

    async def succeed() -> int:
        return 7

    for _ in range(100):
        assert await retry(succeed, POLICY, name="fine", budget=budget) == 7
    assert [await attempts(budget) for _ in range(4)] == [3, 2, 2, 1]


async def test_ten_calls_of_a_tenth_each_earn_one_retry() -> None:
    """Ten times 0.1 is a little less than 1 in floating point."""
    budget = RetryBudget(0.1, at_start=0)
    assert [await attempts(budget) for _ in range(10)] == [1] * 9 + [2]


async def test_where_all_fails_retries_add_less_than_a_third_to_thirty_calls() -> None:
    budget = RetryBudget()
    assert sum([await attempts(budget) for _ in range(30)]) in range(36, 40)


async def test_a_quiet_day_pays_for_ten_retries_and_no_more() -> None:
    budget = RetryBudget()
    for _ in range(1000):
        budget.earn()
    assert sum(budget.spend() for _ in range(1000)) == 10


async def test_providers_share_what_they_are_given_together() -> None:
    resilience = Resilience(breaker=NEVER, budget=RetryBudget(0, at_start=3))
    first, second = Faulty(), Faulty()
    for inner in (first, second):
        provider = ResilientProvider(inner, resilience, timing=FakeTime().timing)
        with pytest.raises(SearchError):
            await provider.search(Query(text="moss"), limit=5)
    assert (first.calls, second.calls) == (3, 2)


@given(
    st.floats(0, 1),
    st.integers(0, 5),
    st.integers(0, 20),
    st.lists(st.sampled_from(["call", "retry"])),
)
def test_retries_never_exceed_the_share(
    share: float, at_start: int, most: int, events: list[str]
) -> None:
    budget = RetryBudget(share, at_start=at_start, most=most)
    calls = retries = 0
    for event in events:
        if event == "call":
            budget.earn()
            calls += 1
        else:
            retries += budget.spend()
        assert retries <= at_start + share * calls + 1e-6


SOON, LATE_S = 0.0, 0.01


Way = Callable[[Begun], Awaitable[str]]


class Calls:
    """Does one thing a call, and counts."""

    def __init__(self, *ways: Way) -> None:
        self.ways = list(ways)
        self.begun = 0
        self.cancelled = 0

    async def __call__(self, begun: Begun) -> str:
        self.begun += 1
        try:
            return await self.ways.pop(0)(begun)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    async def made(self, *, at_start: float = 1.0, after_s: float = LATE_S) -> str:
        budget = RetryBudget(0.0, at_start=at_start)
        return await hedged(self, after_s=after_s, budget=budget)


def says(text: str, after_s: float = SOON) -> Way:
    async def way(begun: Begun) -> str:
        await asyncio.sleep(after_s)
        return text

    return way


def fails(after_s: float = SOON) -> Way:
    async def way(begun: Begun) -> str:
        await asyncio.sleep(after_s)
        raise ReadError("gone")

    return way


async def hangs(begun: Begun) -> str:
    await asyncio.Event().wait()
    raise AssertionError


async def test_a_call_that_answers_is_made_once() -> None:
    calls = Calls(says("first"))
    assert await calls.made(after_s=30.0) == "first"
    assert calls.begun == 1


async def test_a_call_that_fails_in_time_is_not_made_again_here() -> None:
    calls = Calls(fails())
    with pytest.raises(ReadError):
        await calls.made(after_s=30.0)
    assert calls.begun == 1


async def test_the_second_is_taken_where_the_first_hangs_which_is_cancelled() -> None:
    calls = Calls(hangs, says("second"))
    assert await calls.made() == "second"
    assert (calls.begun, calls.cancelled) == (2, 1)


async def test_the_first_is_taken_where_it_answers_before_the_second() -> None:
    calls = Calls(says("first", 0.05), hangs)
    assert await calls.made() == "first"
    assert calls.cancelled == 1


async def test_a_second_that_fails_does_not_end_the_first() -> None:
    calls = Calls(says("first", 0.05), fails())
    assert await calls.made() == "first"


async def test_what_the_last_one_raises_is_raised() -> None:
    with pytest.raises(ReadError):
        await Calls(fails(0.03), fails(0.05)).made()


async def test_nothing_is_asked_twice_beyond_the_budget() -> None:
    calls = Calls(says("first", 0.05))
    assert await calls.made(at_start=0.0) == "first"
    assert calls.begun == 1


async def test_what_is_on_its_way_is_not_asked_for_twice() -> None:
    async def long(begun: Begun) -> str:
        begun()
        await asyncio.sleep(0.05)
        return "first"

    calls = Calls(long)
    assert await calls.made() == "first"
    assert calls.begun == 1


async def test_the_one_that_is_answered_first_is_waited_for() -> None:
    async def long(begun: Begun) -> str:
        await asyncio.sleep(0.02)
        begun()
        await asyncio.sleep(0.05)
        return "first"

    calls = Calls(long, hangs)
    assert await calls.made() == "first"
    assert calls.cancelled == 1


async def test_cancelling_ends_both() -> None:
    second = asyncio.Event()

    async def seen(begun: Begun) -> str:
        second.set()
        return await hangs(begun)

    calls = Calls(hangs, seen)
    made = asyncio.create_task(calls.made())
    await second.wait()
    made.cancel()
    with pytest.raises(asyncio.CancelledError):
        await made
    assert calls.cancelled == 2
