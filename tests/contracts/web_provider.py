"""What every provider does that asks a service over HTTP, beside what all providers do.

Its tests run against a look-alike of the service on loopback, through the real client.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import ClassVar

import pytest
from tests.contracts.search_provider import DOCUMENTS, SearchProviderContract, titles
from tests.look_alikes.server import Answer, Fault, LookAlikeServer, Reply

from quaere.domain.question import Query
from quaere.domain.scope import Bound, Scope
from quaere.errors import SearchError, SearchTimeout
from quaere.evidence.pool import best_passages
from quaere.ports.search import Narrowing, SearchProvider
from quaere.read.api_client import ApiClient
from quaere.read.chunker import PassageChunker
from quaere.search.api import Api, Pairs
from quaere.search.registry import SERVICES, Registry, infos
from quaere.search.results import ProvidedText

KEY = "sk-not-for-anybody"
GARBAGE = (
    b"",
    b"null",
    b"[]",
    b"[1, 2",
    b'"text"',
    b"{}",
    b'{"results": 5, "resultList": 5, "message": [], "data": "x"}',
    b"<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>",
    b"\xff\xfe\x00\x01",
    b"[" * 100_000,
    b"<a>" * 100_000,
)
MOTH = Query(text="lantern moth")


class FixedClock:
    def monotonic(self) -> float:
        return 0.0

    def now(self) -> datetime:
        return datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


KEEP = ProvidedText(PassageChunker(), best_passages, FixedClock())


class Clients:
    """Makes real clients and closes them in the end."""

    def __init__(self) -> None:
        self._made: list[ApiClient] = []

    def registry(self, timeout_s: float = 5.0) -> Registry:
        """Return the registry of all services."""

        return Registry(infos(partial(self.connect, timeout_s=timeout_s), KEEP))

    def connect(
        self,
        name: str,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Pairs = (),
        timeout_s: float = 5.0,
    ) -> Api:
        """Return a client."""
        made = ApiClient(name, base_url, headers=headers, params=params, timeout_s=timeout_s)
        self._made.append(made)
        return made

    async def aclose(self) -> None:
        for client in self._made:
            await client.aclose()


class WebProviderContract(SearchProviderContract):
    """A subclass names its ``service`` and gives the ``answer`` of its look-alike."""

    service: ClassVar[str]
    dated: ClassVar[bool] = True
    """Whether the service tells when a source was published."""
    gives_text: ClassVar[bool] = False
    halved_shows: ClassVar[bool] = True
    """Whether an answer of which half is missing can be told from a whole one."""
    many: ClassVar[int] = 30
    """A limit that takes more than one page, where the service has pages."""
    most: ClassVar[int] = 200
    """Hits that are asked for at most, or that the service gives at most."""

    bad_items: ClassVar[Sequence[object]] = ()

    def answer(self, extra: Sequence[object] = ()) -> Answer:
        """Return the look-alike; ``extra`` are items that it puts before its results."""
        raise NotImplementedError

    def make(self, base_url: str, timeout_s: float = 5.0) -> SearchProvider:
        registry = self.clients.registry(timeout_s)
        info = registry.info(self.service)
        base = next(s for s in SERVICES if s.provider.name == self.service).base_url_setting
        keys = {name: KEY for name in (*info.needs, *info.options) if name.endswith("_KEY")}
        return registry.make(self.service, {**keys, base: base_url})

    @pytest.fixture(autouse=True)
    async def _closed(self) -> AsyncIterator[None]:
        self.clients = Clients()
        yield
        await self.clients.aclose()

    @pytest.fixture
    async def server(self) -> AsyncIterator[LookAlikeServer]:
        async with LookAlikeServer(self.answer()) as server:
            yield server

    @pytest.fixture
    async def provider(self, server: LookAlikeServer) -> SearchProvider:
        return self.make(server.base_url)

    @pytest.fixture
    async def unavailable(self) -> SearchProvider:
        return self.make("http://127.0.0.1:9")

    async def failure(self, provider: SearchProvider) -> SearchError:
        with pytest.raises(SearchError) as caught:
            await provider.search(MOTH, limit=5)
        error = caught.value
        assert self.service in error.message
        assert KEY not in f"{error.message} {error!r} {error.__cause__!r}"
        assert "lantern" not in error.message
        return error

    async def test_its_key_goes_with_every_request(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        info = self.clients.registry().info(self.service)
        await provider.search(MOTH, limit=2)
        sent = [str([*asked.headers.values(), *asked.params.values()]) for asked in server.asked]
        has_key = any(name.endswith("_KEY") for name in (*info.needs, *info.options))
        assert all((KEY in each) is has_key for each in sent)

    async def test_a_service_that_is_asked_too_often_says_for_how_long(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        """R4.5: the wait that the service asks for reaches who retries."""
        server.instead = Reply(b"slow down", status=429, headers={"Retry-After": "7"})
        error = await self.failure(provider)
        assert error.retryable
        assert error.retry_after == 7

    @pytest.mark.parametrize("status", [400, 401, 403])
    async def test_a_bad_key_is_not_tried_again_and_not_told(
        self, provider: SearchProvider, server: LookAlikeServer, status: int
    ) -> None:
        body = f'{{"error": "API key {KEY} invalid"}}'.encode()
        server.instead = Reply(body, status=status)
        assert not (await self.failure(provider)).retryable

    @pytest.mark.parametrize("status", [500, 502, 503])
    async def test_a_failing_service_may_be_asked_again(
        self, provider: SearchProvider, server: LookAlikeServer, status: int
    ) -> None:
        """R2.4: an HTTP error is an error and never an empty answer."""
        server.instead = Reply(b"<h1>oops</h1>", status=status)
        assert (await self.failure(provider)).retryable

    @pytest.mark.parametrize("body", GARBAGE, ids=lambda body: repr(body[:16]))
    async def test_garbage_is_an_error(
        self, provider: SearchProvider, server: LookAlikeServer, body: bytes
    ) -> None:
        server.instead = Reply(body)
        await self.failure(provider)

    async def test_a_silent_service_times_out(self, server: LookAlikeServer) -> None:
        """R2.4: a timeout is an error and never an empty answer."""
        server.instead = Fault.STALLED
        error = await self.failure(self.make(server.base_url, timeout_s=0.2))
        assert isinstance(error, SearchTimeout)

    async def test_a_broken_connection_is_an_error(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        server.instead = Fault.CUT
        await self.failure(provider)

    async def test_half_an_answer_is_an_error(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        server.instead = Fault.HALVED
        if self.halved_shows:
            await self.failure(provider)

    async def test_one_bad_item_does_not_lose_the_others(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        good = await provider.search(MOTH, limit=20)
        async with LookAlikeServer(self.answer(self.bad_items)) as spoiled:
            found = await self.make(spoiled.base_url).search(MOTH, limit=20)
        assert titles(found) == titles(good)
        assert [hit.rank for hit in found] == list(range(len(good)))

    async def test_nothing_but_bad_items_is_an_error(self) -> None:
        nothing = Query(text="zyxomma quarkwood")
        async with LookAlikeServer(self.answer(self.bad_items)) as spoiled:
            with pytest.raises(SearchError, match=self.service):
                await self.make(spoiled.base_url).search(nothing, limit=5)

    @pytest.mark.parametrize(
        ("bound", "inside", "outside"),
        [
            (Bound.SITES, {"only": ["library.example"]}, {"only": ["other.example"]}),
            (Bound.SITES, {"exclude": ["other.example"]}, {"exclude": ["library.example"]}),
            (Bound.DATES, {"published_after": "2019-06-01"}, {"published_after": "2020-01-01"}),
            (Bound.DATES, {"published_before": "2020-01-01"}, {"published_before": "2018-12-31"}),
            (Bound.LANGUAGES, {"languages": ["de", "en"]}, {"languages": ["de"]}),
        ],
    )
    async def test_the_service_itself_keeps_to_what_it_guarantees(
        self,
        provider: SearchProvider,
        bound: Bound,
        inside: dict[str, object],
        outside: dict[str, object],
    ) -> None:
        """The parameters arrive: the look-alike finds no turtles of 2019 elsewhere."""
        guaranteed = provider.narrows if isinstance(provider, Narrowing) else frozenset[Bound]()
        for fields, found in ((inside, True), (outside, False)):
            scope = {"sites": fields} if bound is Bound.SITES else fields
            query = Query(text="basking turtles", scope=Scope.model_validate(scope))
            hits = await provider.search(query, limit=5)
            assert bool(hits) is found or bound not in guaranteed

    async def test_pages_are_put_together(self, provider: SearchProvider) -> None:
        hits = await provider.search(Query(text="basking turtles"), limit=self.many)
        assert len(hits) == self.many
        assert len({hit.url for hit in hits}) == self.many
        assert [hit.rank for hit in hits] == list(range(self.many))

    async def test_a_limit_beyond_the_services_own_is_cut_to_it(
        self, provider: SearchProvider
    ) -> None:
        hits = await provider.search(Query(text="basking turtles"), limit=100_000)
        assert len(hits) == self.most

    async def test_text_stays_inside_its_parameter(
        self, provider: SearchProvider, server: LookAlikeServer
    ) -> None:
        await provider.search(MOTH, limit=2)
        plain = [(asked.path, sorted(asked.params)) for asked in server.asked]
        server.asked.clear()
        odd = 'lantern&limit=9#"?q=moth\r\nX-Evil: 1;[]{}()|\\'
        await provider.search(Query(text=odd), limit=2)
        assert {(a.path, tuple(sorted(a.params))) for a in server.asked} <= {
            (path, tuple(params)) for path, params in plain
        }
        assert all("x-evil" not in asked.headers for asked in server.asked)

    @pytest.mark.parametrize("text", ["\x07\u200b", "\u202e"], ids=repr)
    async def test_what_cannot_be_seen_is_not_asked(
        self, provider: SearchProvider, server: LookAlikeServer, text: str
    ) -> None:
        assert list(await provider.search(Query(text=text), limit=5)) == []
        assert not server.asked

    async def test_dates_are_iso(self, provider: SearchProvider) -> None:
        hits = await provider.search(MOTH, limit=1)
        assert hits[0].published == ("2021-05-03" if self.dated else "")

    async def test_text_that_comes_with_a_hit_is_kept(self, provider: SearchProvider) -> None:
        """Issue 3: the provider's text is the page, marked as such, and not fetched again."""
        (hit,) = await provider.search(MOTH, limit=1)
        if not self.gives_text:
            assert hit.passage is None
            return
        assert hit.passage is not None
        assert DOCUMENTS["Lantern moth"] in hit.passage.text
        assert hit.passage.provided
        assert hit.passage.retrieved_at == "2026-03-04T05:06:07+00:00"
        assert hit.passage.published == hit.published
        assert len(hit.passage.content_hash) == 64

    async def test_snippets_are_plain_text(self, provider: SearchProvider) -> None:
        for hit in await provider.search(Query(text="harbour Vessel Bay lichen"), limit=5):
            assert not set("<>\n") & set(hit.title + hit.snippet)
            assert "&amp;" not in hit.title + hit.snippet
