"""Queries that several researchers of one run ask (R1.9)."""

from __future__ import annotations

import asyncio

import pytest
from tests.contracts.forwarding import ForwardingProviderContract
from tests.contracts.search_provider import DOCUMENTS, SearchProviderContract
from tests.graphs.misbehaving import OddProvider, refuse_search
from tests.graphs.world import Shelf

from quaere.domain.question import Intent, Query, SourceKind
from quaere.errors import SearchError
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.search import SearchProvider
from quaere.resilience.once import SharedSearch, asked_as

pytestmark = pytest.mark.anyio


class TestForwarding(ForwardingProviderContract):
    def around(self, inner: SearchProvider) -> ForwardingProvider:
        return SharedSearch(inner)


class TestSharedSearch(SearchProviderContract):
    """It is a provider like any other."""

    @pytest.fixture
    async def provider(self) -> SearchProvider:
        return SharedSearch(Shelf(DOCUMENTS))

    @pytest.fixture
    async def unavailable(self) -> SearchProvider:
        return SharedSearch(OddProvider(refuse_search))


async def test_the_same_query_is_asked_once_whoever_asks_it_and_why() -> None:
    shelf = Shelf()
    shared = SharedSearch(shelf)
    query = Query(text="Hask market")
    asking = [shared.search(q, limit=5) for q in (query, Query(text=" hask  MARKET"))]
    first, second = await asyncio.gather(*asking)
    why = query.model_copy(update={"intent": Intent.GAP, "purpose": "to know", "item": "item-2"})
    assert first == second == await shared.search(why, limit=5)
    assert len(shelf.asked) == 1


async def test_another_limit_is_another_question() -> None:
    shelf = Shelf()
    shared = SharedSearch(shelf)
    assert len(await shared.search(Query(text="Hask"), limit=1)) == 1
    assert len(await shared.search(Query(text="Hask"), limit=3)) == 3


@pytest.mark.parametrize(
    "other",
    [
        Query(text="market Hask"),
        Query(text='"Hask market"'),
        Query(text="Hask market", focus=("Hask",)),
        Query(text="Hask market", titles=("Hask",)),
        Query(text="Hask market", source_kinds=(SourceKind.NEWS,)),
    ],
    ids=["order", "quotes", "focus", "titles", "kinds"],
)
def test_what_a_provider_may_heed_makes_another_query(other: Query) -> None:
    assert asked_as(other) != asked_as(Query(text="Hask market"))


async def test_a_failure_is_not_kept() -> None:
    shared = SharedSearch(OddProvider(refuse_search))
    for _ in range(2):
        with pytest.raises(SearchError, match="503"):
            await shared.search(Query(text="Hask"), limit=1)
