"""However much fails, retries stay a share of the calls."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.resilience.fake_time import FakeTime

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import SearchError
from quaere.resilience.breaker import BreakerPolicy
from quaere.resilience.budget import RetryBudget
from quaere.resilience.provider import Resilience, ResilientProvider
from quaere.resilience.retry import RetryPolicy, retry

pytestmark = pytest.mark.anyio

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
