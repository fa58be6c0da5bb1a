"""Engines that search the whole web."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.search_provider import DOCUMENTS, titles
from tests.contracts.web_provider import KEY, MOTH, WebProviderContract
from tests.look_alikes import web_engines
from tests.look_alikes.server import Answer, Asked, LookAlikeServer, Reply, as_json
from tests.look_alikes.shelf import WORKS, Shelf
from tests.look_alikes.web_engines import BAD_HTML, BAD_JSON, Extra

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Scope, Sites
from quaere.errors import SearchError
from quaere.ports.search import SearchProvider
from quaere.search.api import Api, Fields
from quaere.search.fanout import fan_out, summarize
from quaere.search.results import Found, with_sites
from quaere.search.web_engines import Listing, WebEngine, kind_wanted

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


NEWS = Query(text="harbour of Vessel Bay", source_kinds=(SourceKind.NEWS,))
LONG = Query(text="lichen " * 1_000)
ODD_ENGINES: Sequence[list[object]] = (
    [[]],
    [7],
    [["a"]],
    [[None, {}]],
    [["x" * 900, "\x1b[31m"]],
)


class TestBrave(WebProviderContract):
    service = "brave"
    bad_items = BAD_JSON

    def answer(self, extra: Extra = ()) -> Answer:
        return web_engines.brave(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        """R2.2"""
        await provider.search(LONG, limit=7)
        (asked,) = server.asked
        assert asked.params == {"q": ("lichen " * 50).strip(), "count": "7", "offset": "0"}
        assert asked.headers["x-subscription-token"] == KEY

    async def test_news_have_an_index_of_their_own(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        hits = await provider.search(NEWS, limit=3)
        assert server.asked[0].path == "news/search"
        assert {hit.kind for hit in hits} == {SourceKind.NEWS}

    async def test_extra_snippets_are_added(self, provider: SearchProvider) -> None:
        (hit,) = await provider.search(MOTH, limit=1)
        assert hit.snippet == DOCUMENTS["Lantern moth"] + " A second snippet & a third."


class TestBing(WebProviderContract):
    service = "bing"
    many = 70
    bad_items = BAD_JSON

    def answer(self, extra: Extra = ()) -> Answer:
        return web_engines.bing(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        """R2.2: Bing by key."""
        await provider.search(MOTH, limit=3)
        (asked,) = server.asked
        wanted = {"q": "lantern moth", "count": "3", "offset": "0", "textFormat": "Raw"}
        assert (asked.path, asked.params) == ("search", wanted)
        assert asked.headers["ocp-apim-subscription-key"] == KEY

    async def test_news_are_asked_for_at_their_own_address(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        hits = await provider.search(NEWS, limit=3)
        assert server.asked[0].path == "news/search"
        assert hits[0].kind is SourceKind.NEWS
        assert hits[0].snippet == DOCUMENTS["Vessel Bay"]


class TestTavily(WebProviderContract):
    service = "tavily"
    most = 20
    gives_text = True
    many = 20
    bad_items = BAD_JSON

    def answer(self, extra: Extra = ()) -> Answer:
        return web_engines.tavily(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(replace_text(NEWS, "Vessel"), limit=500)
        (asked,) = server.asked
        assert asked.body == {
            "query": "Vessel",
            "max_results": 20,
            "topic": "news",
            "search_depth": "basic",
            "include_raw_content": True,
        }
        assert asked.headers["authorization"] == f"Bearer {KEY}"

    async def test_of_a_long_page_the_passage_that_answers_is_kept(self) -> None:
        filler = "The ferry to Tarn leaves at noon. It is painted blue. " * 60
        text = f"{filler}\n\nThe lantern moth lives for nine days.\n\n{filler}"
        shelf = Shelf([replace(WORKS[0], text=text)])
        async with LookAlikeServer(web_engines.tavily(shelf)) as server:
            provider = self.make(server.base_url)
            (hit,) = await provider.search(Query(text="How long does the moth live?"), limit=1)
        assert hit.passage is not None
        assert "nine days" in hit.passage.text
        assert len(hit.passage.text) < 1_500
        page = f"# Lantern moth\n\nHome | About\n\n{text}\n"
        assert page[hit.passage.start : hit.passage.end] == hit.passage.text

    async def test_a_hit_without_text_is_left_to_be_read(self, server: LookAlikeServer) -> None:
        result = {"url": "https://a.example/", "title": "A", "raw_content": None, "score": 1}
        server.instead = as_json({"results": [result]})
        (hit,) = await self.make(server.base_url).search(MOTH, limit=1)
        assert hit.passage is None


class TestSearXng(WebProviderContract):
    service = "searxng"
    most = 100
    bad_items = BAD_JSON

    def answer(self, extra: Extra = ()) -> Answer:
        return web_engines.searxng(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(NEWS, limit=12)
        assert [asked.params for asked in server.asked] == [
            {"q": NEWS.text, "format": "json", "categories": "news", "pageno": page}
            for page in ("1", "2")
        ]

    @pytest.mark.parametrize("sizes", [(3, 9, 1, 4, 8), (25, 2), (30,)])
    async def test_pages_of_any_size_are_put_together(self, sizes: Sequence[int]) -> None:
        """Its pages hold what the engines return, and a short one is not the last."""
        async with LookAlikeServer(web_engines.searxng(Shelf(), sizes=sizes)) as server:
            turtles = Query(text="basking turtles")
            hits = await self.make(server.base_url).search(turtles, limit=24)
        assert len({hit.url for hit in hits}) == 24
        assert len(server.asked) <= len(sizes)

    async def test_a_later_page_that_fails_costs_none_of_the_others(
        self, server: LookAlikeServer
    ) -> None:
        healthy = server.answer

        def answer(asked: Asked) -> Reply:
            return web_engines.LIMITED if asked.number("pageno", 1) > 1 else healthy(asked)

        server.answer = answer
        turtles = Query(text="basking turtles")
        hits = await self.make(server.base_url).search(turtles, limit=24)
        assert len(hits) == 10
        assert "page 2 of its results is missing" in hits[0].incomplete

    async def test_nothing_found_ends_the_pages(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        assert list(await provider.search(Query(text="zyxomma quarkwood"), limit=24)) == []
        assert len(server.asked) == 1

    async def test_engines_that_do_not_respond_are_an_outage_r2_4(self) -> None:
        """An instance answers with 200 and no results when all its engines are blocked."""
        silent = [("google", "Suspended: CAPTCHA"), ("brave", "timeout")]
        alone = web_engines.searxng(Shelf(()), unresponsive=silent)
        async with LookAlikeServer(alone) as server:
            error = await self.failure(self.make(server.base_url))
        assert error.retryable
        assert "google (Suspended: CAPTCHA), brave (timeout)" in error.message

    async def test_results_of_the_other_engines_come_with_a_warning(self) -> None:
        silent = [(f"engine {number}", "timeout") for number in range(7)]
        answer = web_engines.searxng(Shelf(), unresponsive=silent)
        async with LookAlikeServer(answer) as server:
            provider = self.make(server.base_url)
            outcomes = await fan_out([MOTH], [provider], limit=3, timeout_s=9.0)
        (query,), (warning,) = summarize([MOTH], outcomes, known=(), iteration=0)
        assert query.hits == 1
        assert query.error == ""
        assert warning.message.startswith(
            "searxng: some engines did not respond: engine 0 (timeout)"
        )
        assert warning.message.endswith("engine 4 (timeout), and 2 more")

    @pytest.mark.parametrize("engines", ODD_ENGINES, ids=repr)
    async def test_what_is_said_of_engines_may_be_anything(
        self, provider: SearchProvider, server: LookAlikeServer, engines: list[object]
    ) -> None:
        server.instead = as_json({"results": [], "unresponsive_engines": engines})
        error = await self.failure(provider)
        assert len(error.message) < 200
        assert error.message.isprintable()

    async def test_an_instance_that_forbids_json_is_told_what_to_allow(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        server.instead = web_engines.FORBIDDEN
        error = await self.failure(provider)
        assert "allow json in search.formats" in error.message
        assert not error.retryable

    async def test_its_own_limiter_is_named(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        server.instead = web_engines.LIMITED
        error = await self.failure(provider)
        assert "its own limiter (server.limiter" in error.message
        assert error.retryable

    async def test_an_instance_without_json_is_told_of(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        server.instead = Reply(b"<!DOCTYPE html><html>", "text/html")
        with pytest.raises(SearchError, match="searxng answered with something that is not JSON"):
            await provider.search(MOTH, limit=3)


class TestSerper(WebProviderContract):
    service = "serper"
    most = 100
    bad_items = BAD_JSON

    def answer(self, extra: Extra = ()) -> Answer:
        return web_engines.serper(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(NEWS, limit=3)
        (asked,) = server.asked
        assert (asked.path, asked.params) == ("news", {"q": NEWS.text, "num": "10", "page": "1"})
        assert asked.headers["x-api-key"] == KEY


class TestWikipedia(WebProviderContract):
    service = "wikipedia"
    most = 50
    dated = False
    bad_items = BAD_JSON

    def answer(self, extra: Extra = ()) -> Answer:
        return web_engines.wikipedia(Shelf(), extra)

    async def test_all_words_come_before_any(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        query = Query(text="Is there salt lichen in Vessel Bay?")
        hits = await provider.search(query, limit=2)
        searched = [asked.params["srsearch"] for asked in server.asked]
        assert searched == ["salt lichen Vessel Bay", "salt OR lichen OR Vessel OR Bay"]
        assert titles(hits)[0] == "Lantern moth"

    async def test_what_is_found_is_not_looked_for_again(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        await provider.search(Query(text="lantern moth"), limit=1)
        assert len(server.asked) == 1

    async def test_an_error_in_the_body_is_an_error(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        server.instead = as_json({"error": {"code": "ratelimited", "info": "..."}})
        assert "ratelimited" in (await self.failure(provider)).message


class TestDuckDuckGo(WebProviderContract):
    service = "duckduckgo"
    most = 50
    dated = False
    halved_shows = False
    bad_items = BAD_HTML

    def answer(self, extra: Extra = ()) -> Answer:
        return web_engines.duckduckgo(Shelf(), extra)

    async def test_what_it_asks(self, provider: SearchProvider, server: LookAlikeServer) -> None:
        await provider.search(Query(text="basking turtles"), limit=15)
        first, second = (asked.params for asked in server.asked)
        assert first == {"q": "basking turtles", "kl": "wt-wt"}
        assert second == {**first, "s": "10", "dc": "11"}

    async def test_links_lead_past_its_redirect_and_its_advertisements(
        self, provider: SearchProvider
    ) -> None:
        hits = await provider.search(MOTH, limit=3)
        assert hits[0].url == WORKS[0].url
        assert "Buy moths" not in titles(hits)

    @pytest.mark.parametrize("status", [200, 202])
    async def test_being_taken_for_a_machine_is_an_error(
        self, provider: SearchProvider, server: LookAlikeServer, status: int
    ) -> None:
        page = b'<html><div class="anomaly-modal__title">Unfortunately, bots use us too.</div>'
        server.instead = Reply(page, "text/html", status=status)
        assert (await self.failure(provider)).retryable


def replace_text(query: Query, text: str) -> Query:
    return query.model_copy(update={"text": text})
