"""Fallback: R0.8, tier 4."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import cast

import pytest
from tests.contracts.forwarding import ForwardingProviderContract

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import QuaereError, SearchError, SearchTimeout, UsageError
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.search import SearchProvider
from quaere.resilience.fallback import FallbackDetails, FallbackProvider, fall_back

pytestmark = pytest.mark.anyio

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


class TestForwarding(ForwardingProviderContract):
    def around(self, inner: SearchProvider) -> ForwardingProvider:
        return FallbackProvider(inner, [])
