"""What the doctor's findings say: how long something took, what was not asked, what to do."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import SecretStr
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import ModelServer
from tests.look_alikes.server import LookAlikeServer, as_json
from tests.look_alikes.shelf import Shelf
from tests.look_alikes.web_engines import brave
from tests.models.test_embedding import write_embedder
from tests.services.missing import or_without
from tests.services.nats import server as nats_server
from tests.services.redis import redis_server

from quaere.domain.model import Completion, ModelRequest
from quaere.errors import StoreError
from quaere.runtime import doctor as module
from quaere.runtime.doctor import CHECKS, Diagnosis, Finding, Health, diagnose
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.runtime.wiring_store import build_database
from quaere.store.cache import SharedCache
from quaere.store.carriers import nats as carrier_module
from quaere.store.db.database import Database
from quaere.store.db.schema import REVISION
from quaere.testing import QueueModel

pytestmark = pytest.mark.anyio

MODEL = "openai:gpt-4.1-mini"
TOOK = re.compile(r" in (\d+\.\d) s$")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer(ChatCompletions()) as running:
        yield running


async def found(
    settings: Settings, part: str, *, offline: bool = False, own: QueueModel | None = None
) -> list[Finding]:
    """Return what is found about one part."""
    resources = Resources(settings, models={own.name: own} if own else {})
    try:
        only: Diagnosis = await diagnose(resources, offline=offline, checks={part: CHECKS[part]})
    finally:
        await resources.aclose()
    return [each for each in only.findings if each.part not in {"python", "clients"}]


async def one(settings: Settings, part: str, *, offline: bool = False) -> Finding:
    (only,) = await found(settings, part, offline=offline)
    return only


def took_s(finding: Finding) -> float:
    """Return how long something took, as it was told."""
    told = TOOK.search(finding.message)
    assert told, finding.message
    return float(told[1])


async def test_settings_that_nobody_set_are_said_to_be_at_their_defaults() -> None:
    assert (await one(Settings(), "settings")).message == "all at their defaults"


# How long it took


async def test_how_long_models_took_is_told(settings: Settings, server: ModelServer) -> None:
    asked = settings.model_copy(
        update={
            "model": "compatible:moth-8b",
            "model_base_url": {"compatible": f"{server.base_url}/v1"},
        }
    )
    assert 0 <= took_s(await one(asked, "model")) < 60
    own = QueueModel("yes", name="house:small")
    (finding,) = await found(settings.model_copy(update={"model": "house:small"}), "model", own=own)
    assert 0 <= took_s(finding) < 60


async def test_how_long_an_embedder_took_is_told(settings: Settings, tmp_path: Path) -> None:
    name = f"local:{write_embedder(tmp_path / 'all-MiniLM-L6-v2')}"
    with_embedder = settings.model_copy(update={"embedder": name})
    assert 0 <= took_s(await one(with_embedder, "embedder")) < 60


async def test_how_long_a_search_service_took_is_told_and_whether_it_found_something(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with LookAlikeServer(brave(Shelf())) as engine:
        monkeypatch.setenv("BRAVE_API_KEY", "k")
        monkeypatch.setenv("BRAVE_BASE_URL", engine.base_url)
        named = settings.model_copy(update={"providers": ("brave",)})
        for count, told in ((1, "found something"), (0, "found nothing")):
            item = {"url": "https://a.test/", "title": "Water", "description": "It is wet."}
            engine.instead = as_json({"web": {"results": [item] * count}})
            finding = await one(named, "search")
            assert finding.message.startswith(f"{told} in ")
            assert 0 <= took_s(finding) < 60


async def test_how_long_a_cache_took_is_told_and_nobodys_password(
    settings: Settings, tmp_path: Path
) -> None:
    with redis_server(tmp_path) as url:
        at = settings.model_copy(update={"cache_url": url})
        finding = await one(at, "redis")
        assert (finding.health, finding.name) == (Health.OK, url)
        assert finding.message.startswith("stored and read back in ")
        assert 0 <= took_s(finding) < 60
    secret = settings.model_copy(update={"cache_url": "redis://ann:pw@127.0.0.1:9/0"})
    finding = await one(secret, "redis", offline=True)
    assert (finding.health, finding.message) == (Health.OK, "not asked")
    assert finding.name == "redis://127.0.0.1:9/0"
    lost = await one(secret, "redis")
    assert lost.message.startswith("keeps nothing (")
    assert "; start the server" in lost.message
    assert "pw" not in lost.model_dump_json()


async def test_why_a_cache_keeps_nothing_is_told(settings: Settings, tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        for wrong, told in (
            (url.replace("redis://", "redis://ann:sesame@"), "invalid username-password pair"),
            (f"{url.removesuffix('/0')}/99", "DB index is out of range"),
        ):
            lost = await one(settings.model_copy(update={"cache_url": wrong}), "redis")
            assert told in lost.message
            assert "sesame" not in lost.model_dump_json()


async def test_a_cache_that_is_slow_once_is_asked_again(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    get, asked = SharedCache.get, 0

    async def slow_at_first(cache: SharedCache, key: str) -> str | None:
        nonlocal asked
        asked += 1
        return None if asked == 1 else await get(cache, key)

    monkeypatch.setattr(SharedCache, "get", slow_at_first)
    with redis_server(tmp_path) as url:
        finding = await one(settings.model_copy(update={"cache_url": url}), "redis")
    assert finding.health is Health.OK
    assert asked == 2


async def test_nats_is_asked_whether_it_would_take_a_run(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await found(settings, "carrier") == []
    monkeypatch.setattr(carrier_module, "ANSWERS_S", 1.0)
    with or_without(), nats_server() as running:
        at = settings.model_copy(update={"carrier": SecretStr(f"{running.url}/moths")})
        there = await one(at, "carrier")
        assert (there.health, there.name) == (Health.OK, running.url)
        assert 0 <= took_s(there) < 60
        running.kill()
        lost = await one(at, "carrier")
    assert (lost.health, lost.name) == (Health.FAULT, running.url)
    assert lost.message == "Cannot use NATS: it does not answer. Start it, or fix QUAERE_CARRIER"
    asked = await one(at, "carrier", offline=True)
    assert (asked.health, asked.message) == (Health.OK, "not asked")
    wrong = settings.model_copy(update={"carrier": SecretStr("amqp://a.example")})
    assert "The URL of the carrier is not valid" in (await one(wrong, "carrier")).message


# What is waited for


class Hanging(QueueModel):
    """Never answers."""

    async def complete(self, request: ModelRequest) -> Completion:
        await asyncio.sleep(600)
        return await super().complete(request)


async def test_a_model_of_ones_own_that_hangs_is_not_waited_for_for_ever(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ASKED_S", 0.1)
    with_own = settings.model_copy(update={"model": "house:slow"})
    async with asyncio.timeout(20):
        (finding,) = await found(with_own, "model", own=Hanging(name="house:slow"))
    assert finding.health is Health.FAULT
    assert "TimeoutError" in finding.message


async def test_that_one_is_not_to_go_on_is_no_finding(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_: Settings) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(module, "build_embedder", stopped)
    with pytest.raises(asyncio.CancelledError):
        await found(settings, "embedder")


# Without a model


@pytest.mark.parametrize("offline", [False, True])
async def test_without_a_model_one_that_is_ready_on_this_machine_is_proposed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, *, offline: bool
) -> None:
    asked: list[object] = []

    def nearby(base_urls: object) -> list[str]:
        asked.append(base_urls)
        return ["ollama:moth:4b", "lmstudio:heron"]

    monkeypatch.setattr(module, "nearby_models", nearby)
    finding = await one(settings, "model", offline=offline)
    ready = "ollama:moth:4b is ready on this machine: QUAERE_MODEL=ollama:moth:4b"
    assert finding.health is Health.NOTE
    assert finding.message.endswith("; QUAERE_MODEL" if offline else f"; {ready}")
    assert asked == ([] if offline else [settings.model_base_url])


async def test_without_a_model_nearby_the_setting_is_named(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nearby(_: object) -> list[str]:
        return []

    monkeypatch.setattr(module, "nearby_models", nearby)
    assert (await one(settings, "model")).message.endswith("; QUAERE_MODEL")


@pytest.mark.parametrize(
    ("near", "installed", "advice"),
    [
        (
            ["ollama:moth"],
            True,
            "ollama:moth is ready on this machine: QUAERE_EMBEDDER=ollama:moth",
        ),
        ([], True, f"fastembed is installed: QUAERE_EMBEDDER={module.EASIEST}, "),
        ([], False, f"pip install 'quaere[embeddings]', then QUAERE_EMBEDDER={module.EASIEST}"),
    ],
)
async def test_without_an_embedder_the_one_that_is_nearest_at_hand_is_proposed(
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    near: list[str],
    installed: object,
    advice: str,
) -> None:
    def nearby(_: object) -> list[str]:
        return near

    def found_spec(_: str) -> object:
        return installed or None

    monkeypatch.setattr(module, "nearby_embedders", nearby)
    monkeypatch.setattr(module, "find_spec", found_spec)
    finding = await one(settings, "embedder")
    assert (finding.health, finding.sound) == (Health.NOTE, True)
    assert f"; {advice}" in finding.message


async def test_models_that_stand_in_for_others_are_named_as_such(settings: Settings) -> None:
    named = settings.model_copy(
        update={
            "model": "ollama:moth",
            "model_check": "ollama:owl",
            "model_fallbacks": ("ollama:owl", "ollama:heron"),
        }
    )
    told = {each.name: each.message for each in await found(named, "model", offline=True)}
    assert told == {
        "ollama:moth": "for plan, evaluate, synthesize; not asked",
        "ollama:owl": "for check, fallback; not asked",
        "ollama:heron": "for fallback; not asked",
    }


async def test_prices_of_several_models_are_counted(settings: Settings, tmp_path: Path) -> None:
    named = settings.model_copy(update={"model": MODEL, "model_check": "openai:gpt-4.1"})
    (price,) = await found(named, "price", offline=True)
    assert (price.health, price.message) == (Health.OK, "known for 2 named models")
    unknown = named.model_copy(update={"model_check": "ollama:owl"})
    assert "ollama:owl" not in {each.name for each in await found(unknown, "price", offline=True)}
    assert await found(settings, "price", offline=True) == []
    misspelt = settings.model_copy(update={"model": "gpt-4.1-mini"})
    assert await found(misspelt, "price", offline=True) == [], "the check of models tells"


# Folders and databases


async def test_without_folders_it_is_said_how_to_name_some(settings: Settings) -> None:
    finding = await one(settings, "folder")
    assert (finding.health, finding.name) == (Health.NOTE, "")
    assert finding.message == "none is set; set QUAERE_DOCS, or use --docs with a command"


@pytest.mark.parametrize("kind", ["folder", "file"])
async def test_what_may_not_be_read_is_a_fault(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A folder has to be entered, too, which a file cannot be."""
    path = tmp_path / "notes.md"
    path.mkdir() if kind == "folder" else path.write_text("# Notes\n")
    mode, entered = os.R_OK, os.X_OK if kind == "folder" else 0
    asked: list[int] = []

    def access(_: Path, wanted: int) -> bool:
        asked.append(wanted)
        return False

    monkeypatch.setattr(os, "access", access)
    finding = await one(settings.model_copy(update={"docs": (path,)}), "folder")
    assert (finding.health, finding.name) == (Health.FAULT, str(path))
    assert finding.message == "may not be read; change its permissions"
    assert asked == [mode | entered]


async def test_a_folder_that_was_not_indexed_yet_is_said_to_be_by_the_first_question(
    settings: Settings, tmp_path: Path
) -> None:
    folder, index = await found(settings.model_copy(update={"docs": (tmp_path,)}), "folder")
    assert (folder.health, folder.message) == (Health.OK, "can be read")
    assert (index.part, index.health) == ("index", Health.NOTE)
    assert index.message.startswith("not built yet")


async def test_what_version_a_database_has_and_should_have_is_told(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = SecretStr(f"sqlite:///{tmp_path / 'traces.db'}")
    at = settings.model_copy(update={"database_url": url})
    unasked = await one(at, "database", offline=True)
    assert (unasked.health, unasked.message) == (Health.OK, "not asked")
    empty = await one(at, "database")
    required = f"{REVISION} is required; run quaere db upgrade"
    assert empty.message == f"it has no tables, {required}"
    async with build_database(at) as database:
        await database.upgrade()
    ready = await one(at, "database")
    assert (ready.health, ready.message) == (Health.OK, f"version {REVISION}, up to date")

    async def old(_: Database) -> str:
        return "0002"

    monkeypatch.setattr(Database, "version", old)
    outdated = await one(at, "database")
    assert outdated.health is Health.FAULT
    assert outdated.message == f"its tables have version 0002, {required}"

    async def away(_: Database) -> str:
        raise StoreError("It does not answer.")

    monkeypatch.setattr(Database, "version", away)
    lost = await one(at, "database")
    assert lost.health is Health.FAULT
    assert lost.message == "It does not answer. Start it, or fix QUAERE_DATABASE_URL"


async def test_of_a_database_of_our_own_only_what_stands_in_its_way_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await found(settings, "database") == []
    async with build_database(settings) as database:
        await database.upgrade()
    assert await found(settings, "database") == []

    async def later(_: Database) -> str:
        return "9999"

    monkeypatch.setattr(Database, "version", later)
    refused = await one(settings, "database")
    assert refused.health is Health.FAULT
    assert refused.message == (
        f"its tables have version 9999, later than {REVISION}; install a later Quaere"
    )
