"""A provider under all policies at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import sleep
from typing import cast

import pytest
from tests.contracts.forwarding import ForwardingProviderContract
from tests.resilience.fake_time import FakeTime

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import (
    QuaereError,
    SearchError,
    SearchTimeout,
    SearchUnreachable,
    ServiceAway,
    UsageError,
)
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.search import SearchProvider
from quaere.resilience.breaker import BreakerPolicy, CircuitOpen
from quaere.resilience.limits import ConcurrencyLimit, RateLimit
from quaere.resilience.provider import FallbackProvider, Resilience, ResilientProvider
from quaere.resilience.retry import FallbackDetails, RetryPolicy, fall_back
from quaere.resilience.thread import computed, in_slices
from quaere.resilience.timing import others_time, own_work

pytestmark = pytest.mark.anyio

QUERY = Query(text="lichen on sandstone")
DEFAULTS = Resilience()
HIT = Hit(url="https://moss.test/1", title="Lichen", provider="plain", rank=0)


class Plain:
    """Raises what is in ``errors``, one a call, then answers."""

    name = "plain"
    kinds = frozenset({SourceKind.WEB})

    def __init__(self, errors: Sequence[Exception] = ()) -> None:
        self.errors = list(errors)
        self.limits: list[int] = []

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        assert query == QUERY
        self.limits.append(limit)
        if self.errors:
            raise self.errors.pop(0)
        return [HIT]


class Hanging(Plain):
    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.limits.append(limit)
        await asyncio.Event().wait()
        raise AssertionError


def wrapped(
    inner: SearchProvider, resilience: Resilience = DEFAULTS, time: FakeTime | None = None
) -> ResilientProvider:
    return ResilientProvider(inner, resilience, timing=(time or FakeTime()).timing)


async def test_r014_search_api_500_is_retried_with_backoff() -> None:
    time, inner = FakeTime(jitter=0.5), Plain([SearchError("HTTP 500"), SearchError("HTTP 500")])
    assert await wrapped(inner, time=time).search(QUERY, limit=7) == [HIT]
    assert inner.limits == [7, 7, 7]
    assert time.waits == [1.5, 2.5]


async def test_name_and_kinds_are_those_of_the_inner_provider() -> None:
    provider: SearchProvider = wrapped(Plain())
    assert provider.name == "plain"
    assert provider.kinds == {SourceKind.WEB}


class TestForwarding(ForwardingProviderContract):
    def around(self, inner: SearchProvider) -> ForwardingProvider:
        return ResilientProvider(inner)


async def test_an_attempt_that_hangs_times_out_and_counts() -> None:
    inner = Hanging()
    provider = wrapped(inner, Resilience(attempt_timeout_s=0.01))
    with pytest.raises(SearchTimeout, match=r"plain ran out of time \(0\.01 s\)"):
        await provider.search(QUERY, limit=5)
    with pytest.raises(CircuitOpen, match="ran out of time"):
        await provider.search(QUERY, limit=5)
    assert len(inner.limits) == 3


async def test_an_open_circuit_ends_the_retries_of_all_searches() -> None:
    inner = Plain([SearchError("HTTP 500")] * 99)
    provider = wrapped(inner)
    results = await asyncio.gather(
        *(provider.search(QUERY, limit=5) for _ in range(4)), return_exceptions=True
    )
    assert all(isinstance(result, SearchError) for result in results)
    assert len(inner.limits) <= 4  # one attempt each was on its way before the circuit opened


async def test_what_could_not_be_reached_is_left_alone_as_not_there() -> None:
    gone = SearchUnreachable("connection refused")
    time = FakeTime()
    inner = Plain([*[gone] * 3, SearchError("HTTP 500")])
    provider = wrapped(inner, time=time)
    with pytest.raises(SearchUnreachable):
        await provider.search(QUERY, limit=5)
    with pytest.raises(ServiceAway, match="connection refused"):
        await provider.search(QUERY, limit=5)
    time.now += 60
    with pytest.raises(CircuitOpen) as caught:  # its probe reached it, the retry was refused
        await provider.search(QUERY, limit=5)
    assert not isinstance(caught.value, ServiceAway), "it is there, and may be well soon"


async def test_it_recovers_after_the_cool_down_with_a_single_call() -> None:
    time, inner = FakeTime(), Plain([SearchError("HTTP 500")] * 4)
    provider = wrapped(inner, Resilience(breaker=BreakerPolicy(cool_down_s=30)), time)
    with pytest.raises(SearchError, match="500"):
        await provider.search(QUERY, limit=5)
    time.now += 30
    with pytest.raises(CircuitOpen):
        await provider.search(QUERY, limit=5)  # its one probe failed, the retry was refused
    assert len(inner.limits) == 4
    time.now += 30
    assert await provider.search(QUERY, limit=5) == [HIT]


@pytest.mark.parametrize("error", [UsageError("bad"), KeyError("bug")])
async def test_other_errors_pass_through_at_once(error: Exception) -> None:
    inner = Plain([error])
    with pytest.raises(type(error)):
        await wrapped(inner).search(QUERY, limit=5)
    assert len(inner.limits) == 1


async def test_r45_attempts_keep_to_the_rate() -> None:
    time, inner = FakeTime(), Plain()
    provider = wrapped(inner, Resilience(rate=RateLimit(3, timing=time.timing)), time)
    await asyncio.gather(*(provider.search(QUERY, limit=5) for _ in range(7)))
    assert time.now == 1002.0


async def test_no_place_is_held_during_the_wait_for_a_retry() -> None:
    held: list[int] = []
    inside = 0

    class Watched(Plain):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            nonlocal inside
            inside += 1
            held.append(inside)
            try:
                await asyncio.sleep(0)
                return await super().search(query, limit=limit)
            finally:
                inside -= 1

    time = FakeTime()
    inner = Watched([SearchError("HTTP 500")])
    resilience = Resilience(retry=RetryPolicy(), concurrency=ConcurrencyLimit(1))
    provider = wrapped(inner, resilience, time)
    order: list[str] = []

    async def search(name: str) -> None:
        await provider.search(QUERY, limit=5)
        order.append(name)

    await asyncio.gather(search("failed once"), search("came later"))
    assert order == ["came later", "failed once"]
    assert max(held) == 1


async def test_a_cancelled_search_is_no_failure_of_the_provider() -> None:
    inner = Hanging()
    provider = wrapped(inner)
    for _ in range(5):
        task = asyncio.create_task(provider.search(QUERY, limit=5))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert len(inner.limits) == 5


@pytest.mark.parametrize(("limit", "asked"), [(50, 10), (3, 3)])
async def test_a_service_is_asked_for_no_more_hits_than_its_policy_allows(
    limit: int, asked: int
) -> None:
    inner = Plain()
    await ResilientProvider(inner, Resilience(max_hits=10)).search(QUERY, limit=limit)
    assert inner.limits == [asked]


class Busy(Plain):
    """Answers at once; what it says is looked at for a while, or it hangs after that."""

    def __init__(self, work_s: float, *, hangs: bool = False) -> None:
        super().__init__()
        self.work_s, self.hangs = work_s, hangs

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        await asyncio.gather(computed(self._work), in_slices(map(self._step, range(3))))
        if self.hangs:
            await asyncio.Event().wait()
        return await super().search(query, limit=limit)

    def _work(self) -> None:
        sleep(self.work_s)

    def _step(self, place: int) -> int:
        sleep(self.work_s / 3)
        return place


IMPATIENT = Resilience(retry=RetryPolicy(attempts=1), attempt_timeout_s=0.2)


async def test_own_work_does_not_count_as_time_of_the_service() -> None:
    assert await wrapped(Busy(0.4), IMPATIENT).search(QUERY, limit=5) == [HIT]


async def test_a_service_that_hangs_after_own_work_runs_out_of_its_time() -> None:
    with pytest.raises(SearchTimeout):
        await wrapped(Busy(0.1, hangs=True), IMPATIENT).search(QUERY, limit=5)


async def test_own_work_outside_and_after_a_wait_changes_nothing() -> None:
    with own_work(), pytest.raises(TimeoutError):
        async with others_time(0.01):
            await asyncio.Event().wait()
    with pytest.raises(TimeoutError):
        async with others_time(0.01), others_time(30):
            await asyncio.Event().wait()
    async with others_time(30):
        late = asyncio.create_task(_later())
    await late


async def _later() -> None:
    await asyncio.sleep(0.01)
    with own_work():
        await asyncio.sleep(0.01)


Call = tuple[str, Callable[[], Awaitable[str]]]


def failing(name: str, error: Exception) -> Call:
    async def call() -> str:
        raise error

    return name, call


def answering(name: str) -> Call:
    async def call() -> str:
        return name

    return name, call


async def test_r08_the_next_one_is_asked_when_one_fails() -> None:
    seen: list[FallbackDetails] = []
    down = SearchError("HTTP 503")
    calls = [failing("brave", down), answering("bing"), answering("tavily")]
    assert await fall_back(calls, passed_over=seen) == "bing"
    assert seen == [FallbackDetails("brave", "bing", down)]


async def test_nobody_else_is_asked_when_the_first_answers() -> None:
    assert await fall_back([answering("brave"), failing("bing", KeyError())]) == "brave"


async def test_all_causes_are_reported_when_all_fail() -> None:
    errors: list[QuaereError] = [SearchError("HTTP 503"), SearchTimeout("no answer within 8 s")]
    with pytest.raises(SearchError) as raised:
        await fall_back([failing("brave", errors[0]), failing("bing", errors[1])])
    assert raised.value.message == "all failed: brave: HTTP 503; bing: no answer within 8 s"
    assert isinstance(raised.value.__cause__, ExceptionGroup)
    cause = cast("ExceptionGroup[QuaereError]", raised.value.__cause__)
    assert list(cause.exceptions) == errors


async def test_nobody_to_ask_is_an_error_and_not_an_empty_result() -> None:
    with pytest.raises(SearchError, match="no search service is configured"):
        await fall_back(list[Call]())


@pytest.mark.parametrize("error", [UsageError("bad query"), KeyError("bug")])
async def test_errors_of_this_side_end_it(error: Exception) -> None:
    with pytest.raises(type(error)):
        await fall_back([failing("brave", error), answering("bing")])


async def test_each_step_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    await fall_back([failing("brave", SearchError("HTTP 503")), answering("bing")])
    assert caplog.messages == ["brave failed, asking bing: HTTP 503"]


class Provider:
    def __init__(self, name: str, kind: SourceKind, hits: Sequence[Hit] | None) -> None:
        self.name = name
        self.kinds = frozenset({kind})
        self._hits = hits
        self.asked: list[tuple[Query, int]] = []

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.asked.append((query, limit))
        if self._hits is None:
            raise SearchError(f"{self.name} is down")
        return self._hits


async def test_a_provider_answers_with_the_first_that_can_r0_8() -> None:
    query = Query(text="lichen")
    down = Provider("brave", SourceKind.WEB, None)
    empty = Provider("bing", SourceKind.NEWS, [])
    unasked = Provider("tavily", SourceKind.WEB, None)
    provider = FallbackProvider(down, [empty, unasked])
    assert (provider.name, provider.kinds) == ("brave", {SourceKind.WEB})
    assert await provider.search(query, limit=7) == []
    assert down.asked == empty.asked == [(query, 7)]
    assert unasked.asked == []


async def test_what_was_asked_of_another_says_so_r0_8_r0_12() -> None:
    hit = Hit(url="https://a.example/", title="Lichen", provider="bing", rank=0)
    down, spare = (
        Provider("brave", SourceKind.WEB, None),
        Provider("bing", SourceKind.WEB, [hit]),
    )
    (found,) = await FallbackProvider(down, [spare]).search(Query(text="lichen"), limit=7)
    assert found.incomplete == "bing was asked instead: brave is down."
    (plain,) = await FallbackProvider(spare, [down]).search(Query(text="lichen"), limit=7)
    assert plain == hit, "nobody has failed"


class TestForwardingWithOthers(ForwardingProviderContract):
    def around(self, inner: SearchProvider) -> ForwardingProvider:
        return FallbackProvider(inner, [])
