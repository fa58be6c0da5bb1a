"""One query, without research: what can be asked, what is found, and who could not answer."""

from __future__ import annotations

import threading
from contextlib import aclosing
from pathlib import Path

import pytest

from quaere.domain.events import Event, IndexProgress
from quaere.domain.question import MAX_QUESTION_CHARS
from quaere.domain.request import RunRequest
from quaere.domain.source import Page, Passage
from quaere.errors import QuestionError, ReadError, UsageError
from quaere.read.chunker import PassageChunker
from quaere.runtime import search
from quaere.runtime.resources import Resources
from quaere.runtime.search import (
    SNIPPET_CHARS,
    Listed,
    SearchResult,
    fetch,
    listed_providers,
    look_up,
    read_page,
)
from quaere.runtime.settings import Settings
from quaere.search.registry import DEFAULT_PROVIDERS

pytestmark = pytest.mark.anyio

MILL = "The mill at Orrin was built by Tamsin Wray in 1788. "


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "mill.md").write_text(f"# The mill\n\n{MILL * 8}\n", "utf-8")
    (folder / "dam.md").write_text("# The dam\n\nThe dam of the mill held until 1890.\n", "utf-8")
    return folder


async def looked_up(
    docs: Path, question: str, *, limit: int = 5, told: list[Event] | None = None
) -> SearchResult:
    settings = Settings(data_dir=docs.parent / "data", cache_dir=docs.parent / "cache")
    async with aclosing(Resources(settings)) as resources:
        request = RunRequest.of(question=question, docs=[docs])
        return await look_up(resources, request, limit, told.append if told is not None else None)


async def test_what_is_found_is_ranked_from_one_and_says_by_whom(docs: Path) -> None:
    told: list[Event] = []
    result = await looked_up(docs, "mill of Tamsin Wray", told=told)
    assert (result.query, result.asked, result.failures) == ("mill of Tamsin Wray", 1, ())
    assert not result.all_failed
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    first = result.hits[0]
    assert (first.provider, first.kind) == ("folder", "folder")
    assert first.url.startswith((docs / "mill.md").as_uri())
    assert [(seen.provider, seen.rank) for seen in first.seen] == [("folder", 1)]
    assert MILL.strip() in first.snippet
    assert len(first.snippet) <= SNIPPET_CHARS
    assert any(isinstance(event, IndexProgress) for event in told)


async def test_no_more_is_told_than_was_asked_for(docs: Path) -> None:
    assert len((await looked_up(docs, "mill", limit=1)).hits) == 1
    assert (await looked_up(docs, "zebra")).hits == ()


async def test_a_query_has_words_and_is_not_endless(docs: Path) -> None:
    with pytest.raises(QuestionError, match="empty"):
        await looked_up(docs, "  ")
    assert not (await looked_up(docs, "z" * MAX_QUESTION_CHARS)).all_failed
    with pytest.raises(UsageError, match="limit must be at least 1, not -4"):
        await looked_up(docs, "mill", limit=-4)
    with pytest.raises(QuestionError, match="the limit is"):
        await looked_up(docs, "z" * (MAX_QUESTION_CHARS + 1))


async def test_a_file_is_read_where_it_may_be(docs: Path) -> None:
    url = (docs / "dam.md").as_uri()
    settings = Settings(data_dir=docs.parent / "data", cache_dir=docs.parent / "cache")
    async with aclosing(Resources(settings)) as resources:
        page, passages = await fetch(resources, url, [docs])
        assert page.url == url
        assert "1890" in passages[0].text
        with pytest.raises(ReadError):
            await fetch(resources, url, [docs.parent / "data"])


def listed(settings: Settings) -> dict[str, Listed]:
    found = listed_providers(Resources(settings)).providers
    assert [each.name for each in found] == sorted(each.name for each in found)
    return {each.name: each for each in found}


def defaults(settings: Settings) -> set[str]:
    return {name for name, each in listed(settings).items() if each.default}


def test_without_settings_what_needs_no_key_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    found = listed(Settings())
    assert defaults(Settings()) == set(DEFAULT_PROVIDERS)
    assert all(found[name].ready for name in DEFAULT_PROVIDERS)
    brave = found["brave"]
    assert (brave.ready, brave.missing) == (False, ("BRAVE_API_KEY",))
    assert brave.host == "api.search.brave.com"
    folder = found["folder"]
    assert (folder.ready, folder.missing) == (False, ("QUAERE_DOCS",))


def test_a_folder_is_searched_in_place_of_the_web_unless_services_are_named(
    tmp_path: Path,
) -> None:
    docs = Settings(docs=(tmp_path,))
    assert defaults(docs) == {"folder"}
    assert listed(docs)["folder"].ready
    assert listed(docs)["folder"].missing == ()
    assert defaults(Settings(docs=(tmp_path,), providers=("arxiv",))) == {"folder", "arxiv"}
    assert defaults(Settings(providers=("arxiv",))) == {"arxiv"}


def test_a_service_is_ready_once_its_key_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "secret-key")
    brave = listed(Settings())["brave"]
    assert (brave.ready, brave.missing, brave.needs) == (True, (), ("BRAVE_API_KEY",))
    assert "secret-key" not in brave.model_dump_json()


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://ann:secret@sx.example:8080/search", "sx.example"),
        ("https://[sx", ""),
        ("sx.example", ""),
    ],
)
def test_of_a_base_url_only_its_host_is_shown(
    url: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARXNG_BASE_URL", url)
    assert listed(Settings())["searxng"].host == host


async def test_passages_are_made_beside_the_event_loop_and_only_where_they_are_asked_for(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    class Noting(PassageChunker):
        def __call__(self, page: Page) -> list[Passage]:
            threads.append(threading.current_thread())
            return super().__call__(page)

    monkeypatch.setattr(search, "PassageChunker", Noting)
    url = (docs / "mill.md").as_uri()
    settings = Settings(data_dir=docs.parent / "data", cache_dir=docs.parent / "cache")
    async with aclosing(Resources(settings)) as resources:
        page = await read_page(resources, url, [docs])
        assert threads == []
        assert (await fetch(resources, url, [docs]))[0].text == page.text
    assert threads
    assert threading.main_thread() not in threads
