"""What services answered is kept for other runs, in memory or in a real Redis (R2.5)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import pytest
from tests.contracts.forwarding import ForwardingModelContract, ForwardingProviderContract
from tests.graphs.world import Desk, Shelf, url_of
from tests.services.redis import free_port, redis_server

from quaere.domain.model import Completion, Message, ModelRequest, Role
from quaere.domain.question import Query, SourceKind
from quaere.domain.request import Cached
from quaere.domain.source import Hit
from quaere.errors import ReadError, SearchError
from quaere.ports.forwarding import ForwardingModel, ForwardingProvider
from quaere.ports.model import ChatModel, released
from quaere.ports.search import SearchProvider
from quaere.store.cache import (
    NOTHING_KEPT_S,
    Cache,
    CachedModel,
    CachedProvider,
    Keeper,
    MemoryCache,
    SharedCache,
    cache_key,
    kept_s,
)
from quaere.testing import QueueModel

pytestmark = pytest.mark.anyio

QUERY = Query(text="Hask", purpose="to know", places=3)


class TestForwardingProvider(ForwardingProviderContract):
    def around(self, inner: SearchProvider) -> ForwardingProvider:
        return CachedProvider(inner, Keeper(MemoryCache()))


class TestForwardingModel(ForwardingModelContract):
    def around(self, inner: ChatModel) -> ForwardingModel:
        return CachedModel(inner, Keeper(MemoryCache()))


@pytest.fixture(params=["memory", "redis"])
async def cache(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Cache]:
    if request.param == "memory":
        yield MemoryCache()
        return
    with redis_server(tmp_path) as url:
        shared = SharedCache(url)
        yield shared
        await shared.aclose()


class Noting(Shelf):
    """A shelf that may fail or hold nothing."""

    def __init__(self, *, error: SearchError | None = None, empty: bool = False) -> None:
        super().__init__()
        self.error, self.empty = error, empty

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        found = await super().search(query, limit=limit)
        if self.error:
            raise self.error
        return [] if self.empty else found


class Watched:
    """A cache in memory that remembers for how long things were to be kept."""

    def __init__(self) -> None:
        self.trouble = ""
        self.texts: dict[str, str] = {}
        self.seconds: list[float] = []

    async def get(self, key: str) -> str | None:
        return self.texts.get(key)

    async def set(self, key: str, text: str, seconds: float) -> None:
        self.texts[key] = text
        self.seconds.append(seconds)

    async def aclose(self) -> None:
        pass


async def test_a_query_is_asked_once_whatever_it_serves(cache: Cache) -> None:
    shelf = Noting()
    provider = Keeper(cache).provider(shelf)
    first = await provider.search(QUERY, limit=5)
    other = QUERY.model_copy(update={"purpose": "for something else", "places": 0})
    assert tuple(await provider.search(other, limit=5)) == tuple(first)
    assert len(shelf.asked) == 1
    await provider.search(QUERY, limit=4)
    await provider.search(Query(text="Dunmere"), limit=5)
    assert len(shelf.asked) == 3


async def test_a_page_is_read_once_and_a_file_every_time(cache: Cache) -> None:
    desk = Desk()
    reader = Keeper(cache).reader(desk)
    hit = Hit(url=url_of("Hask"), title="Hask", provider="p", rank=0)
    assert await reader.read(hit) == await reader.read(hit)
    assert len(desk.opened) == 1
    local = hit.model_copy(update={"url": "file:///notes/hask.md"})
    for _ in range(2):
        with pytest.raises(ReadError):
            await reader.read(local)
    assert len(desk.opened) == 3


def asked(text: str) -> ModelRequest:
    message = Message(role=Role.USER, content=text)
    return ModelRequest(step="plan", messages=(message,), max_output_tokens=50)


async def test_a_model_is_asked_once_whatever_marks_its_data(cache: Cache) -> None:
    queue = QueueModel("one", "two", "three")
    model = Keeper(cache).model(queue)
    first = await model.complete(asked('<data-0a1b2c3d id="1">x</data-0a1b2c3d>'))
    again = await model.complete(asked('<data-ffffffff id="1">x</data-ffffffff>'))
    assert first.text == again.text == "one"
    assert (await model.complete(asked("<data-0a1b2c3d>y"))).text == "two"
    pieces = [piece async for piece in model.stream(asked("z"))]
    kept = [piece async for piece in model.stream(asked("z"))]
    assert isinstance(kept[-1], Completion)
    assert kept[0] == "three"
    assert kept[-1] == pieces[-1]
    assert queue.left == 0


class Open(QueueModel):
    """Knows whether its stream was left open."""

    closed = False

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
        """Stream, and note the end."""
        try:
            async for piece in super().stream(request):
                yield piece
        finally:
            self.closed = True


async def test_a_stream_that_is_left_early_is_closed_and_not_kept(cache: Cache) -> None:
    model = Open("One two three four five six.", "Seven.", piece_chars=4)
    async with released(Keeper(cache).model(model).stream(asked("z"))) as pieces:
        assert await anext(pieces) == "One "
    assert model.closed
    assert (await Keeper(cache).model(model).complete(asked("z"))).text == "Seven."


async def test_refreshing_asks_anew_and_keeps_what_is_answered(cache: Cache) -> None:
    shelf = Noting()
    await Keeper(cache).provider(shelf).search(QUERY, limit=5)
    await Keeper(cache, Cached.REFRESH).provider(shelf).search(QUERY, limit=5)
    await Keeper(cache, Cached.OFF).provider(shelf).search(QUERY, limit=5)
    assert len(shelf.asked) == 3
    await Keeper(cache).provider(shelf).search(QUERY, limit=5)
    assert len(shelf.asked) == 3


async def test_errors_are_never_kept(cache: Cache) -> None:
    failing = Noting(error=SearchError("down"))
    for _ in range(2):
        with pytest.raises(SearchError):
            await Keeper(cache).provider(failing).search(QUERY, limit=5)
    assert len(failing.asked) == 2


async def test_a_list_that_lacks_results_is_never_kept(cache: Cache) -> None:
    class Lacking(Noting):
        async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
            found = await super().search(query, limit=limit)
            return [hit.model_copy(update={"incomplete": "page 2 is missing"}) for hit in found]

    provider = Lacking()
    cached = CachedProvider(provider, Keeper(cache))
    for times in (1, 2):
        assert await cached.search(QUERY, limit=5)
        assert len(provider.asked) == times


async def test_what_is_kept_in_another_form_is_asked_for_again(cache: Cache) -> None:
    shelf = Noting()
    plain = QUERY.model_copy(update={"purpose": "", "places": 0})
    await cache.set(cache_key("search", "shelf", "5", plain.model_dump_json()), "[{]", 60)
    assert await Keeper(cache).provider(shelf).search(QUERY, limit=5)
    assert len(shelf.asked) == 1


async def test_how_long_depends_on_the_kind_of_source_and_on_what_was_found() -> None:
    watched = Watched()
    await Keeper(watched).provider(Noting()).search(QUERY, limit=5)
    await Keeper(watched).provider(Noting(empty=True)).search(Query(text="x"), limit=5)
    assert watched.seconds == [kept_s(frozenset({SourceKind.WEB})), NOTHING_KEPT_S]
    news = kept_s(frozenset({SourceKind.NEWS, SourceKind.WEB}))
    assert news < kept_s(frozenset({SourceKind.WEB})) < kept_s(frozenset({SourceKind.PUBMED}))


@pytest.mark.parametrize(
    ("kinds", "hours"),
    [
        ({SourceKind.NEWS}, 0.5),
        ({SourceKind.WEB}, 12),
        ({SourceKind.DOCS}, 24),
        ({SourceKind.GOV}, 24),
        ({SourceKind.STANDARDS}, 7 * 24),
        ({SourceKind.PUBMED}, 7 * 24),
        ({SourceKind.SCHOLARLY}, 7 * 24),
        ({SourceKind.SCHOLARLY, SourceKind.PUBMED}, 7 * 24),
        ({SourceKind.SCHOLARLY, SourceKind.WEB}, 12),
        ({SourceKind.FOLDER}, 1),
        (set[SourceKind](), 1),
    ],
)
def test_results_are_kept_the_longer_the_slower_their_sources_change(
    kinds: set[SourceKind], hours: float
) -> None:
    assert kept_s(frozenset(kinds)) == hours * 3_600


async def test_pages_are_kept_for_half_a_day_and_models_answers_for_a_month() -> None:
    watched = Watched()
    await (
        Keeper(watched)
        .reader(Desk())
        .read(Hit(url=url_of("Hask"), title="Hask", provider="p", rank=0))
    )
    await (
        Keeper(watched)
        .model(QueueModel("yes"))
        .complete(
            ModelRequest(
                step="plan",
                messages=(Message(role=Role.USER, content="Plan."),),
                max_output_tokens=9,
            )
        )
    )
    assert watched.seconds == [12 * 3_600, 30 * 24 * 3_600]


def test_folders_are_searched_every_time() -> None:
    shelf = Noting()
    shelf.kinds = frozenset({SourceKind.FOLDER})
    assert Keeper(Watched()).provider(shelf) is shelf


async def test_a_redis_that_is_gone_costs_nothing_but_its_use(tmp_path: Path) -> None:
    port, shelf = free_port(), Noting()
    with redis_server(tmp_path, port=port) as url:
        cache = SharedCache(url)
        provider = Keeper(cache).provider(shelf)
        await provider.search(QUERY, limit=5)
        await provider.search(QUERY, limit=5)
        assert len(shelf.asked) == 1
    assert await provider.search(QUERY, limit=5)
    assert len(shelf.asked) == 2
    await cache.aclose()


async def test_what_is_over_is_gone() -> None:
    now = [100.0]
    cache = MemoryCache(now=lambda: now[0])
    await cache.set("a", "one", 10.0)
    now[0] = 109.9
    assert await cache.get("a") == "one"
    now[0] = 110.0
    assert await cache.get("a") is None
    await cache.set("a", "two", 10.0)
    assert await cache.get("a") == "two"


async def test_what_was_used_least_recently_makes_room() -> None:
    cache = MemoryCache(2)
    await cache.set("a", "one", 60.0)
    await cache.set("b", "two", 60.0)
    assert await cache.get("a") == "one"
    await cache.set("c", "three", 60.0)
    assert [await cache.get(key) for key in "abc"] == ["one", None, "three"]
    await cache.set("a", "four", 60.0)
    await cache.set("d", "five", 60.0)
    assert [await cache.get(key) for key in "acd"] == ["four", None, "five"]


async def test_closing_forgets_all() -> None:
    cache = MemoryCache()
    await cache.set("a", "one", 60.0)
    await cache.aclose()
    assert await cache.get("a") is None
