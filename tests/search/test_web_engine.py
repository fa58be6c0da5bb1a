"""What all engines that search the web page by page have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Scope, Sites
from quaere.errors import SearchError
from quaere.search.api import Api, Fields
from quaere.search.results import Found
from quaere.search.web_engine import Listing, WebEngine, kind_wanted, with_sites

pytestmark = pytest.mark.anyio

HOSTS = st.lists(st.from_regex(r"[a-z]{1,12}\.example", fullmatch=True), max_size=6, unique=True)


class Engine(WebEngine):
    """Has ``results``, of which each page lists three."""

    name = "engine"
    max_chars = 60
    page_size = 3
    most = 7

    def __init__(self, results: Sequence[Mapping[str, object]]) -> None:
        super().__init__(cast("Api", None))
        self.requests: list[tuple[str, SourceKind, int, int]] = []
        self._results = results

    async def _listing(
        self, query: Mapping[str, str], kind: SourceKind, page: int, count: int
    ) -> Listing:
        self.requests.append((query["q"], kind, page, count))
        listed = self._results[page * 3 : page * 3 + 3]
        return Listing(tuple(map(Fields, listed)), "one index is down" if page else "")

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return Found(url=item.text("url"), title=item.text("title"), kind=kind)


def listed(count: int) -> list[Mapping[str, object]]:
    return [{"url": f"https://a.org/{n}", "title": f"Moth {n}"} for n in range(count)]


@pytest.mark.parametrize(
    ("kinds", "wanted"),
    [
        ((), SourceKind.WEB),
        ((SourceKind.NEWS,), SourceKind.NEWS),
        ((SourceKind.NEWS, SourceKind.GOV), SourceKind.WEB),
        ((SourceKind.GOV,), SourceKind.WEB),
    ],
)
async def test_only_who_asks_for_news_alone_is_given_news(
    kinds: tuple[SourceKind, ...], wanted: SourceKind
) -> None:
    query = Query(text="moths", source_kinds=kinds)
    assert kind_wanted(query) is wanted
    engine = Engine(listed(1))
    (found,) = await engine.search(query, limit=1)
    assert (engine.requests[0][1], found.kind) == (wanted, wanted)


async def test_pages_are_asked_for_until_there_is_enough() -> None:
    engine = Engine(listed(9))
    found = await engine.search(Query(text="moths"), limit=5)
    assert [(hit.rank, hit.title) for hit in found] == [(n, f"Moth {n}") for n in range(5)]
    assert [(page, count) for _, _, page, count in engine.requests] == [(0, 3), (1, 3)]
    few = Engine(listed(9))
    assert len(await few.search(Query(text="moths"), limit=2)) == 2
    assert [(page, count) for _, _, page, count in few.requests] == [(0, 2)]


async def test_no_more_than_the_service_has_for_one_query_is_asked_for() -> None:
    engine = Engine(listed(12))
    assert len(await engine.search(Query(text="moths"), limit=50)) == 7
    assert [page for _, _, page, _ in engine.requests] == [0, 1, 2]


async def test_why_a_page_may_lack_results_is_told_with_its_own() -> None:
    found = await Engine(listed(4)).search(Query(text="moths"), limit=4)
    assert [hit.incomplete for hit in found] == ["", "", "", "one index is down"]


async def test_a_query_without_a_word_is_not_sent() -> None:
    engine = Engine(listed(4))
    assert await engine.search(Query(text=" \u200b\x07 "), limit=4) == ()
    assert engine.requests == []


async def test_results_without_an_address_are_no_results() -> None:
    odd = [{"title": "no address"}, {"url": "ftp://a.org/x", "title": "x"}]
    (found,) = await Engine([*odd, *listed(1)]).search(Query(text="moths"), limit=3)
    assert found.title == "Moth 0"
    with pytest.raises(SearchError, match="engine returned an answer in an undocumented form"):
        await Engine(odd).search(Query(text="moths"), limit=3)


@given(
    text=st.text(st.sampled_from("ab \u200b"), max_size=80),
    only=HOSTS,
    exclude=HOSTS,
    max_chars=st.integers(20, 120),
    max_words=st.none() | st.integers(4, 12),
)
def test_what_is_sent_is_within_the_limits_of_the_engine_and_loses_no_only_site(
    text: str, only: list[str], exclude: list[str], max_chars: int, max_words: int | None
) -> None:
    scope = Scope(sites=Sites(only=tuple(only), exclude=tuple(set(exclude) - set(only))))
    sent = with_sites(text, scope, max_chars=max_chars, max_words=max_words)
    assert len(sent) <= max_chars
    assert max_words is None or len(sent.split()) <= max_words
    assert {host in sent for host in only if f"site:{host}" in sent} <= {True}
    asked = [host for host in only if f"site:{host}" in sent.replace("-site:", "-")]
    assert asked in ([], only)
    assert (sent == "") is not any(char in "ab" for char in text)


def test_half_of_the_room_is_for_the_words() -> None:
    scope = Scope(sites=Sites(only=("a.example",)))
    operator = "site:a.example"
    room = 2 * (len(operator) + 1)
    assert with_sites("moths", scope, max_chars=room) == f"moths {operator}"
    assert with_sites("moths", scope, max_chars=room - 2) == "moths"
    assert with_sites("one two three", scope, max_chars=99, max_words=2) == f"one {operator}"
    assert with_sites("one two three", scope, max_chars=99, max_words=1) == "one"
    several = Scope(sites=Sites(only=("a.example", "b.example")))
    operators = "(site:a.example OR site:b.example)"
    assert with_sites("a b c d", several, max_chars=99, max_words=6) == f"a b c {operators}"
    assert with_sites("a b c d", several, max_chars=99, max_words=5) == "a b c d"


def test_of_excluded_sites_as_many_are_sent_as_fit() -> None:
    excluded = Sites(exclude=("long-name.example", "b.example", "c.example"))
    sent = with_sites("moths", Scope(sites=excluded), max_chars=2 * len("-site:long-name.example "))
    assert sent == "moths -site:long-name.example"
    without = with_sites("moths", Scope(sites=excluded), max_chars=2 * len("-site:b.example "))
    assert without == "moths"


def test_excluded_sites_are_sent_where_the_only_ones_do_not_fit() -> None:
    sites = Sites(only=("a-rather-long-name.example", "b.example"), exclude=("c.example",))
    sent = with_sites("moths", Scope(sites=sites), max_chars=2 * len("-site:c.example "))
    assert sent == "moths -site:c.example"
