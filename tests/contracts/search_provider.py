"""What every ``SearchProvider`` does.

A provider's tests subclass `SearchProviderContract` and give it a ``provider`` that searches
`DOCUMENTS`, and an ``unavailable`` one that cannot reach anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pytest

from quaere.domain.question import Intent, Query
from quaere.domain.source import Hit, passage_id
from quaere.errors import SearchError
from quaere.ports.search import SearchProvider

DOCUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "Lantern moth": "The lantern moth of Vessel Bay glows at dusk and feeds on salt lichen.",
        "Salt lichen": "Salt lichen grows on basalt cliffs that the spray reaches twice a day.",
        "Vessel Bay": "Vessel Bay opens to the north; its harbour was built in 1871 by Ida Krell.",
        "Ida Krell": "Ida Krell, an engineer from Tarn, designed harbours and one lighthouse.",
        "Tarn": "Tarn is a market town on the river Oss, known for its paper mills.",
    }
)

ODD_TEXTS = (
    '"',
    "((((",
    "AND OR NOT",
    "title:moth^9 -lichen +bay*",
    "'; DROP TABLE pages; --",
    "\x00\x01\x07\x1b[31m",
    "؟ما هي العثة",
    "\u202emoth\u202c",
    "灯蛾とは何ですか",
    "🦋🦋🦋",
    "e\u0301\u0301\u0301",
    "%00%ff\\",
    "x" * 5_000,
    "lichen " * 150_000,  # 1 MB
    "".join(f"w{n} " for n in range(20_000)),
)


class SearchProviderContract:
    """The behaviour that callers of any provider rely on."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    async def provider(self) -> SearchProvider:
        raise NotImplementedError

    @pytest.fixture
    async def unavailable(self) -> SearchProvider:
        raise NotImplementedError

    async def test_it_has_a_name_and_kinds(self, provider: SearchProvider) -> None:
        assert provider.name
        assert provider.name == provider.name.lower()
        assert provider.kinds

    @pytest.mark.parametrize(
        ("text", "title"),
        [
            ("What does the lantern moth feed on?", "Lantern moth"),
            ("When was the harbour of Vessel Bay built?", "Vessel Bay"),
            ("paper mills on the river Oss", "Tarn"),
        ],
    )
    async def test_the_document_that_answers_comes_first(
        self, provider: SearchProvider, text: str, title: str
    ) -> None:
        hits = await provider.search(Query(text=text), limit=5)
        assert hits[0].title == title

    @pytest.mark.parametrize("limit", [1, 2, 3])
    async def test_no_more_hits_than_asked_for(self, provider: SearchProvider, limit: int) -> None:
        hits = await provider.search(Query(text="Vessel Bay salt lichen Tarn"), limit=limit)
        assert len(hits) == limit

    async def test_hits_are_well_formed(self, provider: SearchProvider) -> None:
        hits = await provider.search(Query(text="harbour Vessel Bay lichen"), limit=5)
        assert hits
        assert [hit.rank for hit in hits] == list(range(len(hits)))
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        for hit in hits:
            assert hit.url
            assert hit.title in DOCUMENTS
            assert hit.provider == provider.name
            assert hit.kind in provider.kinds
            _check_passage(hit)

    async def test_finding_nothing_is_an_empty_answer(self, provider: SearchProvider) -> None:
        assert list(await provider.search(Query(text="zyxomma quarkwood"), limit=5)) == []

    async def test_the_same_query_has_the_same_answer(self, provider: SearchProvider) -> None:
        query = Query(text="lichen on cliffs and the harbour in the bay")
        first = await provider.search(query, limit=5)
        assert list(await provider.search(query, limit=5)) == list(first)

    async def test_all_of_a_query_is_understood(self, provider: SearchProvider) -> None:
        query = Query(
            text="harbour engineer",
            intent=Intent.BRIDGE,
            focus=("Ida Krell",),
            faint=("harbour",),
            titles=("Ida Krell", "?", ""),
            parent="0123456789abcdef",
        )
        hits = await provider.search(query, limit=3)
        assert hits[0].title == "Ida Krell"

    @pytest.mark.parametrize("text", ODD_TEXTS, ids=lambda text: repr(text[:12]))
    async def test_odd_text_is_answered_or_refused(
        self, provider: SearchProvider, text: str
    ) -> None:
        query = Query(text=text, focus=(text[:50],), titles=(text[:50],))
        try:
            hits = await provider.search(query, limit=3)
        except SearchError:
            return
        assert len(hits) <= 3

    async def test_many_searches_at_once_do_not_mix(self, provider: SearchProvider) -> None:
        titles = [*DOCUMENTS] * 4
        queries = [Query(text=DOCUMENTS[title]) for title in titles]
        found = await asyncio.gather(*(provider.search(query, limit=1) for query in queries))
        assert [hits[0].title for hits in found] == titles

    async def test_a_cancelled_search_leaves_the_provider_usable(
        self, provider: SearchProvider
    ) -> None:
        task = asyncio.create_task(provider.search(Query(text="lichen " * 50_000), limit=5))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await provider.search(Query(text="lantern moth"), limit=1)

    async def test_an_outage_is_an_error_and_never_an_empty_answer(
        self, unavailable: SearchProvider
    ) -> None:
        with pytest.raises(SearchError) as caught:
            await unavailable.search(Query(text="lantern moth"), limit=5)
        assert caught.value.message


def _check_passage(hit: Hit) -> None:
    passage = hit.passage
    if passage is None:
        return
    assert passage.text
    assert (passage.url, passage.title) == (hit.url, hit.title)
    assert passage.end - passage.start == len(passage.text)
    assert passage.id == passage_id(passage.url, passage.start, passage.text)


def titles(hits: Sequence[Hit]) -> list[str]:
    """Return the titles of ``hits`` in their order."""
    return [hit.title for hit in hits]
