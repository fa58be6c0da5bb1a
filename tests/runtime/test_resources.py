"""What runs share: opened once, as the settings say, and closed with the process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.graphs.world import HOP, Shelf
from tests.look_alikes.server import Asked, LookAlikeServer, Reply
from tests.models.test_embedding import write_embedder

from quaere.domain.question import Query
from quaere.domain.source import Hit, Passage, ReadStatus
from quaere.errors import (
    ModelRejected,
    ReadError,
    SearchError,
    SearchRejected,
    SettingsError,
    UsageError,
)
from quaere.resilience.limits import RateLimit, SharedRateLimit
from quaere.runtime.resources import WEB_HITS, Resources, read_policy
from quaere.runtime.settings import Settings
from quaere.search.registry import DEFAULT_PROVIDERS
from quaere.search.results import WHOLE_CHARS
from quaere.store.cache import MemoryCache, SharedCache
from quaere.store.service_turns import ServiceTurns

pytestmark = pytest.mark.anyio


class Noting(Shelf):
    """Notes how many hits it is asked for; fails where it is to."""

    def __init__(self, name: str = "shelf", *, fails: bool = False) -> None:
        super().__init__()
        self.name = name
        self.limits: list[int] = []
        self._fails = fails

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        self.limits.append(limit)
        if self._fails:
            raise SearchRejected("It is closed.")
        return await super().search(query, limit=limit)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")


def changed(settings: Settings, **fields: object) -> Settings:
    return settings.model_copy(update=fields)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, MemoryCache),
        ({"cache_url": "redis://127.0.0.1:9/0"}, SharedCache),
        ({"cache_url": "redis://127.0.0.1:9/0", "store_pages": False}, MemoryCache),
        ({"cache_url": "redis://127.0.0.1:9/0", "store_questions": False}, MemoryCache),
    ],
)
async def test_only_what_may_be_kept_leaves_the_process(
    settings: Settings, fields: dict[str, object], kind: type[object]
) -> None:
    resources = Resources(changed(settings, **fields))
    assert type(resources.cache) is kind
    assert resources.cache is resources.cache
    await resources.aclose()
    await resources.aclose()


async def test_an_embedder_is_opened_once_for_each_name(settings: Settings, tmp_path: Path) -> None:
    resources = Resources(settings)
    name = f"local:{write_embedder(tmp_path / 'words')}"
    first = resources.embedder(name)
    assert first
    assert resources.embedder(name) is first
    assert (resources.embedder(None), resources.embedder("")) == (None, None)
    with pytest.raises(SettingsError):
        resources.embedder("nobody")
    await resources.aclose()


async def test_a_model_that_is_fetched_stays_in_the_cache_folder(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By itself fastembed keeps it where temporary files are, and fetches it again later."""
    opened_in: list[str] = []

    def out_of_reach(_name: str, *, cache_dir: str) -> None:
        opened_in.append(cache_dir)
        raise ValueError("there is no network")

    monkeypatch.setattr("fastembed.TextEmbedding", out_of_reach)
    resources = Resources(settings)
    embedder = resources.embedder("local:house/moth")
    assert embedder
    with pytest.raises(ModelRejected, match="there is no network"):
        await embedder.warm()
    assert opened_in == [str(settings.cache_folder / "models")]
    await resources.aclose()


async def test_limits_hold_for_all_that_share_a_database(settings: Settings) -> None:
    async def turns() -> ServiceTurns | None:
        return None

    assert type(Resources(settings)._pace(3)) is RateLimit
    assert type(Resources(settings, turns=turns)._pace(3)) is SharedRateLimit


# The web


async def test_a_provider_is_on_one_guard_for_all_runs_and_asked_for_few_hits(
    settings: Settings,
) -> None:
    shelf = Noting()
    web = Resources(settings, providers=[shelf]).web
    (first,), (second,) = web.providers(["shelf"]), web.providers(["shelf"])
    assert first is second is not shelf
    assert web.provider("shelf") is shelf, "without its guard"
    await first.search(Query(text=HOP), limit=50)
    await first.search(Query(text=HOP), limit=3)
    assert shelf.limits == [WEB_HITS, 3]


class Whole(Shelf):
    """Finds one page, and returns all of it as one passage."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        del query, limit
        url = "https://moths.example/"
        whole = {"url": url, "title": "Moths", "text": self.text, "start": 0, "end": len(self.text)}
        passage = Passage.model_validate({"id": "1", **whole})
        return [Hit(url=url, title="Moths", provider="shelf", rank=0, passages=(passage,))]


async def test_a_page_that_a_provider_returns_whole_is_made_into_passages(
    settings: Settings,
) -> None:
    page = "".join(f"The moth number {n} was seen at Orrin by night.\n\n" for n in range(900))
    (web,) = Resources(settings, providers=[Whole(page)]).web.providers(["shelf"])
    (hit,) = await web.search(Query(text="When was the moth number 777 seen?"), limit=3)
    assert len(hit.passages) > 1
    assert max(len(each.text) for each in hit.passages) <= WHOLE_CHARS
    assert "number 777 was seen" in hit.passages[0].text
    (short,) = Resources(settings, providers=[Whole(page[:99])]).web.providers(["shelf"])
    (hit,) = await short.search(Query(text="moth"), limit=3)
    assert [each.id for each in hit.passages] == ["1"], "as it came"


async def test_who_is_asked_where_nobody_is_named(settings: Settings) -> None:
    own = Resources(settings, providers=[Noting("mine")]).web
    assert own.wanted(()) == ("mine",)
    assert own.wanted(["arxiv"]) == ("arxiv",)
    assert tuple(Resources(settings).web.wanted(())) == tuple(DEFAULT_PROVIDERS)


async def test_one_that_fails_is_stood_in_for_by_those_that_are_not_asked_anyway(
    settings: Settings,
) -> None:
    """R0.8"""
    closed, spare = Noting("closed", fails=True), Noting("spare")
    with_spare = changed(settings, provider_fallbacks=("spare",))
    web = Resources(with_spare, providers=[closed, spare]).web
    (guarded,) = web.providers(["closed"])
    assert await guarded.search(Query(text=HOP), limit=3)
    assert len(spare.limits) == 1
    both = web.providers(["closed", "spare"])
    with pytest.raises(SearchError):
        await both[0].search(Query(text=HOP), limit=3)
    assert len(spare.limits) == 1, "it is asked for itself"


async def test_names_are_checked_without_their_keys(settings: Settings) -> None:
    web = Resources(settings, providers=[Noting("mine")]).web
    web.check_names(["mine", "tavily", "arxiv"])
    with pytest.raises(UsageError, match="nobody"):
        web.check_names(["mine", "nobody"])


@pytest.mark.parametrize(
    ("names", "fallbacks", "opens"),
    [
        (["mine"], (), False),
        (["tavily"], (), False),
        (["wikipedia"], (), True),
        (["mine", "wikipedia"], (), True),
        (["tavily"], ("wikipedia",), True),
        (["tavily"], ("mine",), False),
        ([], (), False),
    ],
)
async def test_pages_are_opened_where_a_service_brings_no_text(
    settings: Settings, names: list[str], fallbacks: tuple[str, ...], *, opens: bool
) -> None:
    with_fallbacks = changed(settings, provider_fallbacks=fallbacks)
    web = Resources(with_fallbacks, providers=[Noting("mine")]).web
    assert web.opens_pages(names) is opens


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("page", 19_000, None),
        ("page", 21_000, ReadStatus.TOO_LARGE),
        ("paper.pdf", 21_000, ReadStatus.BROKEN),
        ("paper.pdf", 199_000, ReadStatus.BROKEN),
        ("paper.pdf", 201_000, ReadStatus.TOO_LARGE),
    ],
)
async def test_a_page_may_be_as_large_as_allowed_and_a_pdf_ten_times_as_large(
    settings: Settings, path: str, size: int, status: ReadStatus | None
) -> None:
    def answer(asked: Asked) -> Reply:
        if asked.path.endswith(".pdf"):
            return Reply(b"%PDF-1.7".ljust(size), "application/pdf")
        page = b"<html><title>Mill</title><article><p>It was built.</p></article></html>"
        return Reply(page.ljust(size), "text/html")

    async with LookAlikeServer(answer) as site:
        place = urlsplit(site.base_url)
        limited = changed(
            settings,
            read_hosts=(str(place.hostname),),
            read_ports=(place.port or 80,),
            max_page_bytes=20_000,
            http_cache=False,
            obey_robots=False,
        )
        resources = Resources(limited)
        hit = Hit(url=f"{site.base_url}/{path}", title="", provider="x", rank=0)
        try:
            if status is None:
                assert "It was built." in (await resources.reader().read(hit)).text
            else:
                with pytest.raises(ReadError) as refused:
                    await resources.reader().read(hit)
                assert refused.value.status == status
            with pytest.raises(ReadError):
                await resources.reader(web=False).read(hit)
        finally:
            await resources.aclose()


def test_what_the_settings_list_may_be_read_besides_the_public_web(settings: Settings) -> None:
    policy = read_policy(changed(settings, read_hosts=("lamp.test",), read_ports=(8080,)))
    assert policy.extra_hosts == {"lamp.test"}
    assert policy.extra_ports == {8080}


def test_what_is_kept_lies_where_the_settings_say(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.cache_folder == tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert changed(settings, cache_dir=None).cache_folder.is_relative_to(tmp_path / "home")
