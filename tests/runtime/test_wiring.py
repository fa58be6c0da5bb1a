from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pydantic import ValidationError
from tests.look_alikes.server import LookAlikeServer, Reply

from quaere.audit.cited_text import cited_text
from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.report import AnswerStatus, Report
from quaere.domain.request import RunRequest, RunSpec
from quaere.errors import SettingsError, UsageError
from quaere.graphs.configuration import Configuration
from quaere.resilience.timing import SystemClock
from quaere.runtime.app import App
from quaere.runtime.check import CheckOptions
from quaere.runtime.engine import Engine
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring import assemble, replayed, settle, tapped
from quaere.search.registry import DEFAULT_PROVIDERS
from quaere.store.recording.cassette import Recorder
from quaere.store.recording.replay import Replay

pytestmark = pytest.mark.anyio


def built(settings: Settings, **fields: object) -> tuple[Engine, RunSpec]:
    """Return the engine for a run with ``fields``, and its spec."""
    resources = Resources(settings)
    fields.setdefault("question", "How many inhabitants has Hask?")
    spec = settle(resources, RunSpec(request=RunRequest.of(**fields)))
    return assemble(resources, spec), spec


async def reported(settings: Settings, **fields: object) -> Report:
    engine, spec = built(settings, **fields)
    return await engine.run(spec)


NOTE = "# Hask\n\nHask is a town of 8,200 inhabitants. Its market sells wool and lamp oil.\n"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "hask.md").write_text(NOTE)
    return folder


async def test_an_engine_answers_from_the_folders_it_is_given(notes: Path, tmp_path: Path) -> None:
    report = await reported(Settings(cache_dir=tmp_path / "cache"), docs=[notes])
    assert report.status is AnswerStatus.ANSWERED
    assert "8,200" in report.answer
    assert report.reasoner == "extractive"


async def test_folders_of_the_settings_are_searched_when_none_is_named(
    notes: Path, tmp_path: Path
) -> None:
    settings = Settings(cache_dir=tmp_path / "cache", docs=(notes,))
    assert Resources(settings).folder().roots == (notes,)
    other = tmp_path / "other"
    other.mkdir()
    assert Resources(settings).folder([other]).roots == (other,)


def test_the_index_is_kept_where_the_settings_say(notes: Path, tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "cache"
    asyncio.run(reported(Settings(cache_dir=cache), docs=[notes]))
    assert any(cache.rglob("*"))
    assert sorted(path.name for path in notes.iterdir()) == ["hask.md"]


def test_the_engine_has_the_profiles_of_the_settings_r3_1(notes: Path, tmp_path: Path) -> None:
    settings = Settings(cache_dir=tmp_path / "cache", chat_max_iters=4)
    engine, _ = built(settings, docs=[notes])
    assert engine.profiles[ProfileName.CHAT].max_iters == 4
    assert engine.profiles[ProfileName.DEEP] == PROFILES[ProfileName.DEEP]


def test_the_engine_supervises_as_the_environment_says_r1_4(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(cache_dir=tmp_path / "cache")
    assert built(settings, docs=[notes])[0].configuration == Configuration()
    monkeypatch.setenv("QUAERE_MAX_RESEARCHER_ITERATIONS", "6")
    monkeypatch.setenv("QUAERE_ENABLE_EARLY_TERMINATION", "false")
    configuration = built(settings, docs=[notes])[0].configuration
    assert configuration.max_researcher_iterations == 6
    assert configuration.enable_early_termination is False
    monkeypatch.setenv("QUAERE_MIN_NOVELTY_THRESHOLD", "15")
    with pytest.raises(SettingsError, match="min_novelty_threshold: must be at most 1"):
        built(settings, docs=[notes])


async def test_files_over_the_limit_are_warnings(notes: Path, tmp_path: Path) -> None:
    settings = Settings(cache_dir=tmp_path / "cache", max_file_bytes=20)
    report = await reported(settings, docs=[notes])
    assert report.status is AnswerStatus.NO_EVIDENCE
    large, empty = report.warnings
    assert (Path(large.subject).name, empty.kind) == ("hask.md", "empty")
    assert "its only file could not be read" in empty.message


def test_no_folder_to_index_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="--docs PATH"):
        Resources(Settings(docs=())).folder()


def test_without_a_folder_the_web_is_searched_by_what_needs_no_key(tmp_path: Path) -> None:
    engine, _ = built(Settings(cache_dir=tmp_path))
    assert {provider.name for provider in engine.providers} == set(DEFAULT_PROVIDERS)


def test_a_folder_alone_is_searched_without_the_web(tmp_path: Path) -> None:
    engine, _ = built(Settings(cache_dir=tmp_path), docs=[tmp_path])
    assert [provider.name for provider in engine.providers] == ["folder"]


def test_a_folder_and_named_services_are_searched_together(tmp_path: Path) -> None:
    engine, _ = built(Settings(cache_dir=tmp_path), docs=[tmp_path], providers=["arxiv"])
    assert [provider.name for provider in engine.providers] == ["folder", "arxiv"]


def test_pages_named_by_url_are_read_alone_whatever_the_environment_searches(
    notes: Path, tmp_path: Path
) -> None:
    settings = Settings(cache_dir=tmp_path, providers=("wikipedia",), docs=(notes,))
    pages = {"urls": ["https://a.example/mill"]}
    engine, _ = built(settings, scope=pages)
    assert [provider.name for provider in engine.providers] == ["given"]
    engine, _ = built(settings, scope=pages, providers=["openalex"])
    assert {provider.name for provider in engine.providers} == {"folder", "given", "openalex"}
    engine, _ = built(settings)
    assert {provider.name for provider in engine.providers} == {"folder", "wikipedia"}


def test_a_service_without_its_key_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="TAVILY_API_KEY"):
        built(Settings(cache_dir=tmp_path), providers=["tavily"])


def test_a_network_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match=r"10\.1\.0\.0/99 is not a network"):
        Settings(cache_dir=tmp_path, read_networks=("10.1.0.0/99",))


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no-such-folder"):
        built(Settings(cache_dir=tmp_path), docs=[tmp_path / "no-such-folder"])


def test_without_a_cache_folder_the_user_s_own_is_taken(
    notes: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    assert Resources(Settings()).folder([notes]).roots == (notes,)
    assert sorted(path.name for path in notes.iterdir()) == ["hask.md"]


async def test_pages_are_read_where_no_cache_can_be_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A file in the place of the folder, since root may write to a read-only one."""
    taken = tmp_path / "taken"
    taken.write_text("")
    page = "<html><title>Mill</title><article><p>It was built in 1788.</p></article></html>"
    async with LookAlikeServer(lambda _: Reply(page.encode(), "text/html")) as site:
        place = urlsplit(site.base_url)
        reads = Settings(
            cache_dir=taken,
            data_dir=tmp_path / "data",
            read_hosts=(str(place.hostname),),
            read_ports=(place.port or 80,),
        )
        async with App.open(reads) as app:
            _, passages = await app.fetch(f"{site.base_url}/mill")
    assert "1788" in passages[0].text
    assert "pages are not cached for other runs" in caplog.text
    assert taken.read_text() == ""


def test_who_asks_for_the_folder_alone_is_not_sent_to_the_web(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder to search"):
        built(Settings(cache_dir=tmp_path), providers=["folder"])


@pytest.mark.parametrize(
    ("providers", "warmed"),
    [(["wikipedia"], 1), (["tavily"], 0), (["tavily", "duckduckgo"], 1), (["folder"], 0)],
)
async def test_readers_are_started_early_only_where_pages_will_be_opened(
    notes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    providers: list[str],
    warmed: int,
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "a-key")
    settings = Settings(cache_dir=tmp_path / "cache")
    engine, _ = built(settings, docs=[notes], providers=providers)
    assert len(engine.warming) == warmed


@pytest.mark.parametrize(
    ("settings", "kept"),
    [({}, True), ({"store_pages": False}, False), ({"http_cache": False}, False)],
)
async def test_pages_are_kept_on_disk_unless_they_must_not_be(
    tmp_path: Path, settings: dict[str, bool], kept: bool
) -> None:
    made = Settings.model_validate({"cache_dir": tmp_path, **settings})
    built(made, providers=["wikipedia"])
    assert (tmp_path / "http").exists() is kept


async def test_the_embedder_of_the_settings_is_asked_in_runs_and_audits(
    notes: Path, tmp_path: Path
) -> None:
    settings = Settings(
        cache_dir=tmp_path / "cache",
        embedder="compatible:moth",
        embedder_same=0.8,
        model_base_url={"": "http://127.0.0.1:9/v1"},
    )
    engine, spec = built(settings, docs=[notes])
    assert engine.embedder
    assert (engine.embedder.name, engine.same_cosine) == ("compatible:moth", 0.8)
    recorder = Recorder(SystemClock())
    tapped(engine, spec, recorder)
    replay = Replay(recorder.cassette)
    again = replayed(built(Settings(embedder="none"), docs=[notes])[1], replay)
    assert again.embedder
    assert again.embedder is replay.embedder
    assert (again.embedder.name, again.same_cosine) == ("compatible:moth", 0.8)
    (notes / "report.md").write_text("The market of Hask sells wool [1].\n\n[1]: hask.md\n")
    async with App.open(settings) as app:
        audit = await app.check(
            cited_text((notes / "report.md").read_text()),
            CheckOptions(roots=(notes,), itself=notes / "report.md"),
        )
    assert [warning.message for warning in audit.warnings] == [
        "compatible:moth was not measured: no sentence was checked with it."
    ]


@pytest.mark.parametrize(
    ("asked", "environment", "iters"),
    [
        ({"profile": "standard"}, {}, 5),
        ({"profile": "standard"}, {"max_iters": 3}, 3),
        ({"profile": "standard", "limits": {"max_iters": 4}}, {"max_iters": 3}, 4),
        ({"profile": "deep"}, {}, 10),
        ({"mode": "deep_research"}, {}, 6),
        ({"profile": "deep"}, {"max_iters": 3, "deep_max_iters": 8}, 8),
        ({"profile": "deep", "limits": {"max_iters": 4}}, {"deep_agentic": False}, 1),
        ({"profile": "chat", "limits": {"max_iters": 4}}, {"chat_agentic": False}, 1),
    ],
)
def test_the_request_goes_before_the_environment_and_an_off_switch_before_all_r0_11_r3_1(
    tmp_path: Path,
    notes: Path,
    asked: dict[str, object],
    environment: dict[str, object],
    iters: int,
) -> None:
    settings = Settings.model_validate({"cache_dir": tmp_path, **environment})
    engine, spec = built(settings, docs=[notes], **asked)
    assert engine._research(spec).state["budget"].max_iters == iters
