"""What ``quaere doctor`` finds: against look-alikes of models and services, and without any."""

from __future__ import annotations

import json
import os
import re
import resource
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path

import pytest
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import ModelServer, Refusing, Trouble
from tests.look_alikes.server import LookAlikeServer, Reply
from tests.look_alikes.shelf import Shelf
from tests.look_alikes.web_engines import brave
from tests.models.test_embedding import write_embedder
from tests.models.test_entailment import write_network
from tests.services.postgres import Server
from tests.services.redis import redis_server

from quaere.errors import QuaereError, SettingsError
from quaere.models import VENDORS
from quaere.ports.model import ChatModel
from quaere.runtime.doctor import (
    CHECKS,
    REQUEST,
    Case,
    Check,
    Diagnosis,
    Finding,
    Health,
    diagnose,
    misconfigured,
)
from quaere.runtime.resources import Resources
from quaere.runtime.search import listed_providers
from quaere.runtime.settings import load_settings
from quaere.runtime.wiring_store import build_database
from quaere.search.registry import DEFAULT_PROVIDERS, SERVICES
from quaere.testing import QueueModel

pytestmark = pytest.mark.anyio

KEY = "sk-nobody-may-see-this"
MODEL = "openai:gpt-4.1-mini"
ROOT = Path(__file__).parents[2]
NOWHERE = "http://127.0.0.1:9"
"""The discard port, at which nobody listens."""

Put = Callable[..., None]


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Put:
    """Return what sets variables of an environment that has no other setting of ours."""
    ours = {vendor.key_variable for vendor in VENDORS.values()}
    ours |= {name for service in SERVICES for name in (*service.needs, *service.options)}
    for name in os.environ:
        if name in ours or name.startswith("QUAERE_") or "RESEARCH_" in name:
            monkeypatch.delenv(name)
    monkeypatch.setenv("QUAERE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("QUAERE_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "notes").mkdir()
    monkeypatch.setenv("QUAERE_DOCS", str(tmp_path / "notes"))

    def put(**variables: str) -> None:
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return put


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer(ChatCompletions()) as running:
        yield running


@pytest.fixture
async def engine() -> AsyncIterator[LookAlikeServer]:
    async with LookAlikeServer(brave(Shelf())) as running:
        yield running


async def diagnosed(
    *, offline: bool, checks: Mapping[str, Check] = CHECKS, own: ChatModel | None = None
) -> Diagnosis:
    """Return what is found with the settings of the environment, and a model of one's own."""
    resources = Resources(load_settings(), models={own.name: own} if own else {})
    try:
        return await diagnose(resources, offline=offline, checks=checks)
    finally:
        await resources.aclose()


def about(diagnosis: Diagnosis, part: str) -> list[Finding]:
    assert KEY not in diagnosis.model_dump_json()
    assert diagnosis.healthy == all(each.sound for each in diagnosis.findings)
    return [each for each in diagnosis.findings if each.part == part]


async def test_an_installation_without_anything_is_sound(put: Put) -> None:
    diagnosis = await diagnosed(offline=True)
    assert diagnosis.healthy
    healths = {each.part: each.health for each in diagnosis.findings}
    assert healths == {
        "python": Health.OK,
        "clients": Health.OK,
        "settings": Health.OK,
        "model": Health.NOTE,
        "embedder": Health.NOTE,
        "folder": Health.OK,
        "index": Health.NOTE,
        "cache": Health.OK,
        "data": Health.OK,
    }


async def test_what_the_page_shows_of_it_can_be_told_in_german(put: Put, tmp_path: Path) -> None:
    known = json.loads((ROOT / "web/src/i18n/doctor.de.json").read_text())
    phrases = [re.sub(r"\\{\w+\\}", ".+", re.escape(phrase)) for phrase in known]
    bare = await diagnosed(offline=True)
    (tmp_path / "file").touch()
    put(
        QUAERE_CACHE_DIR=str(tmp_path / "file"),
        QUAERE_DOCS="",
        QUAERE_MODEL=MODEL,
        OPENAI_API_KEY=KEY,
        QUAERE_MODL="x",
    )
    put(QUAERE_EMBEDDER=f"local:{tmp_path}", QUAERE_EMBEDDER_SAME="0.9")
    full = await diagnosed(offline=True)
    named = {each.part for each in full.findings}
    assert named >= {"embedder", "price", "cache"}
    untold = [
        said
        for each in (*bare.findings, *full.findings)
        for said in each.message.split("; ")
        if each.part != "python" and not said.startswith("QUAERE_")
        if not any(re.fullmatch(phrase, said) for phrase in phrases)
    ]
    assert untold == []


async def test_what_services_are_described_by_can_be_told_in_german(put: Put) -> None:
    told = json.loads((ROOT / "web/src/i18n/services.de.json").read_text())
    resources = Resources(load_settings())
    try:
        listed = listed_providers(resources).providers
    finally:
        await resources.aclose()
    assert {each.description for each in listed} == told.keys()


async def test_clients_that_are_missing_are_told_with_what_installs_them(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_groq(module: str) -> object:
        return module if module == VENDORS["groq"].module else None

    monkeypatch.setattr("quaere.runtime.doctor.find_spec", only_groq)
    (found,) = about(await diagnosed(offline=True), "clients")
    assert found.health is Health.NOTE
    assert found.message.startswith("of models: groq; the others come with pip install 'quaere[")
    assert "openai" in found.message

    def nothing(module: str) -> None:
        assert module

    monkeypatch.setattr("quaere.runtime.doctor.find_spec", nothing)
    (found,) = about(await diagnosed(offline=True), "clients")
    assert found.message.startswith("of models: none; ")


async def test_settings_are_named_and_not_shown(put: Put) -> None:
    put(QUAERE_MODEL_API_KEY=KEY, RESEARCH_MAX_ITERS="3")
    (found,) = about(await diagnosed(offline=True), "settings")
    ours = "QUAERE_CACHE_DIR, QUAERE_DATA_DIR, QUAERE_DOCS, QUAERE_MODEL_API_KEY"
    names = f"RESEARCH_MAX_ITERS, {ours}"
    assert sorted(found.message.split(", ")) == sorted(names.split(", "))


async def test_a_variable_that_is_no_setting_is_told_with_the_one_that_was_meant(put: Put) -> None:
    put(QUAERE_MODLE="none", QUAERE_XYZ="1", QUAERE_MAX_REACT_TOOL_CALLS="4", QUAERE_AUTH="off")
    sound, *noted = about(await diagnosed(offline=True), "settings")
    assert "QUAERE_AUTH" in sound.message
    assert [(each.health, each.name, each.message) for each in noted] == [
        (Health.NOTE, "QUAERE_MODLE", "is not a setting; did you mean QUAERE_MODEL?"),
        (Health.NOTE, "QUAERE_XYZ", "is not a setting"),
    ]


async def test_settings_that_cannot_be_read_are_a_fault(put: Put) -> None:
    put(RESEARCH_MAX_ITERS="0", QUAERE_MODEL_API_KEY=KEY)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    diagnosis = misconfigured(caught.value)
    (found,) = about(diagnosis, "settings")
    assert found.health is Health.FAULT
    assert "RESEARCH_MAX_ITERS" in found.message
    assert {each.part for each in diagnosis.findings} == {"python", "clients", "settings"}


# The entailment model


JUDGE = "compatible:judge-7b"


async def judged_by(put: Put, server: ModelServer, *, offline: bool = False) -> Finding:
    """Return what is found about the judge behind ``server``."""
    put(
        QUAERE_ENTAILMENT=JUDGE,
        QUAERE_MODEL_BASE_URL=f"{server.base_url}/v1",
        QUAERE_MODEL_TIMEOUT_S="2",
        QUAERE_MODEL_API_KEY=KEY,
    )
    diagnosis = await diagnosed(offline=offline, checks={"entailment": CHECKS["entailment"]})
    (found,) = about(diagnosis, "entailment")
    assert found.name == JUDGE
    return found


async def test_an_entailment_model_that_tells_claims_apart_is_sound(
    put: Put, server: ModelServer
) -> None:
    server.answers = lambda call: "No." if "never" in str(call.body) else "Yes."
    found = await judged_by(put, server)
    assert (found.health, len(server.calls)) == (Health.OK, 2)
    assert found.message.startswith("judged two claims in ")


async def test_an_entailment_model_is_not_asked_without_services(
    put: Put, server: ModelServer
) -> None:
    found = await judged_by(put, server, offline=True)
    assert (found.health, found.message, server.calls) == (Health.OK, "not asked", [])


@pytest.mark.parametrize(
    ("trouble", "said", "message"),
    [
        (None, "Yes.", "judges the wrong way round: it takes denials for statements"),
        (None, "Perhaps.", "does not judge: it answered neither yes nor no"),
        (Refusing(401, f"bad {KEY}"), "", "does not judge: compatible rejected the key"),
        (Trouble.HANGING, "", "does not judge: "),
        (Trouble.GARBLED, "", "does not judge: "),
    ],
)
async def test_an_entailment_model_that_does_not_judge_is_a_fault(
    put: Put, server: ModelServer, trouble: Trouble | Refusing | None, said: str, message: str
) -> None:
    server.trouble = trouble
    server.answers = lambda _: said
    found = await judged_by(put, server)
    assert found.health is Health.FAULT
    assert message in found.message


async def test_a_folder_without_a_network_is_a_fault(put: Put, tmp_path: Path) -> None:
    put(QUAERE_ENTAILMENT=f"local:{tmp_path}")
    diagnosis = await diagnosed(offline=False, checks={"entailment": CHECKS["entailment"]})
    (found,) = about(diagnosis, "entailment")
    assert (found.health, "no model.onnx" in found.message) == (Health.FAULT, True)


@pytest.mark.parametrize(
    ("weight", "health"), [(0.1, Health.OK), (-0.1, Health.FAULT)], ids=["apart", "wrong way round"]
)
async def test_a_network_of_this_machine_is_asked(
    put: Put, tmp_path: Path, weight: float, health: Health
) -> None:
    """It adds up what words weigh; the claim that is denied has one less."""
    put(QUAERE_ENTAILMENT=f"local:{write_network(tmp_path / 'nli', [[0.0], [weight]])}")
    diagnosis = await diagnosed(offline=False, checks={"entailment": CHECKS["entailment"]})
    (found,) = about(diagnosis, "entailment")
    assert found.health is health


# Models


async def test_a_model_that_answers_is_sound(put: Put, server: ModelServer) -> None:
    put(
        QUAERE_MODEL=MODEL,
        QUAERE_MODEL_CHECK="compatible:moth-8b",
        QUAERE_MODEL_BASE_URL=f"openai={server.base_url}/v1,compatible={server.base_url}/v1",
        OPENAI_API_KEY=KEY,
    )
    diagnosis = await diagnosed(offline=False)
    main, check = about(diagnosis, "model")
    assert diagnosis.healthy
    assert (main.name, check.name) == (MODEL, "compatible:moth-8b")
    assert main.message.startswith("for plan, evaluate, synthesize; answered in ")
    assert check.message.startswith("for check; answered in ")
    assert len(server.calls) == 2
    limits = {
        call.body.get("max_completion_tokens", call.body.get("max_tokens")) for call in server.calls
    }
    assert limits == {REQUEST.max_output_tokens}
    (price,) = about(diagnosis, "price")
    assert (price.health, price.name) == (Health.NOTE, "compatible:moth-8b")


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (
            Refusing(401, f"Incorrect API key provided: {KEY}"),
            "rejected the key; check OPENAI",
        ),
        (Refusing(403, f"no access for {KEY}"), "ask openai for access: "),
        (Refusing(404), "There is no model 'gpt-4.1-mini'"),
        (Refusing(500), "failed with status 500"),
        (Trouble.HANGING, "did not answer in full within 0.3 s"),
        (Trouble.GARBLED, MODEL),
    ],
)
async def test_a_model_that_does_not_answer_is_a_fault(
    put: Put, server: ModelServer, trouble: Trouble | Refusing, message: str
) -> None:
    server.trouble = trouble
    put(
        QUAERE_MODEL=MODEL,
        QUAERE_MODEL_BASE_URL=f"openai={server.base_url}/v1",
        QUAERE_MODEL_TIMEOUT_S="0.3",
        OPENAI_API_KEY=KEY,
    )
    (found,) = about(await diagnosed(offline=False), "model")
    assert (found.health, found.name) == (Health.FAULT, MODEL)
    assert message in found.message


async def test_a_model_that_cannot_be_reached_is_a_fault(put: Put) -> None:
    put(
        QUAERE_MODEL=MODEL,
        QUAERE_MODEL_BASE_URL=f"openai={NOWHERE}",
        OPENAI_API_KEY=KEY,
    )
    (found,) = about(await diagnosed(offline=False), "model")
    assert "could not be reached" in found.message


async def test_models_that_stand_in_for_none_are_looked_at(put: Put) -> None:
    put(QUAERE_MODEL_FALLBACKS="nothing, openai:gpt-4.1-mini")
    none, malformed, keyless = about(await diagnosed(offline=True), "model")
    assert (none.health, "none is named" in none.message) == (Health.NOTE, True)
    assert (malformed.health, "not a model name" in malformed.message) == (Health.FAULT, True)
    assert (keyless.health, "OPENAI_API_KEY" in keyless.message) == (Health.FAULT, True)


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"QUAERE_MODEL": "gpt-4.1-mini"}, "did you mean openai:gpt-4.1-mini?"),
        ({"QUAERE_MODEL": MODEL}, "set OPENAI_API_KEY"),
        ({"QUAERE_MODEL": "compatible:moth-8b"}, "needs the base URL"),
        ({"QUAERE_MODEL_PLAN": "ollama:moth"}, "evaluate, synthesize, check"),
        ({"QUAERE_MODEL": "ollama:moth", "QUAERE_MODEL_FALLBACKS": MODEL}, "set OPENAI_API_KEY"),
    ],
)
async def test_a_model_that_cannot_be_opened_is_one_fault(
    put: Put, variables: dict[str, str], message: str
) -> None:
    put(**variables)
    diagnosis = await diagnosed(offline=True)
    (fault,) = [each for each in diagnosis.findings if not each.sound]
    assert fault.part == "model"
    assert message in fault.message


async def test_offline_no_model_is_asked(put: Put, server: ModelServer) -> None:
    put(QUAERE_MODEL="compatible:moth-8b", QUAERE_MODEL_BASE_URL=server.base_url)
    (found,) = about(await diagnosed(offline=True), "model")
    assert found.message.endswith("; not asked")
    assert server.calls == []


async def test_a_model_that_the_caller_has_opened_is_asked_unless_offline(put: Put) -> None:
    model = QueueModel("yes", name="house:small")
    put(QUAERE_MODEL=model.name)
    (skipped,) = about(await diagnosed(offline=True, own=model), "model")
    assert (skipped.health, skipped.message.rpartition("; ")[2]) == (Health.OK, "not asked")
    assert model.requests == []
    (asked,) = about(await diagnosed(offline=False, own=model), "model")
    assert (asked.health, asked.name) == (Health.OK, "house:small")
    assert asked.message.startswith("for plan, evaluate, synthesize, check; answered in ")
    assert len(model.requests) == 1


async def test_prices_are_known_or_told_of(put: Put, tmp_path: Path) -> None:
    put(QUAERE_MODEL=MODEL, OPENAI_API_KEY=KEY)
    (known,) = about(await diagnosed(offline=True), "price")
    assert (known.health, known.message) == (Health.OK, "known for 1 named model")
    put(QUAERE_PRICES=str(tmp_path / "nowhere.json"))
    (torn,) = about(await diagnosed(offline=True), "price")
    assert torn.health is Health.FAULT
    assert "nowhere.json" in torn.message


# Search services


async def test_a_service_that_answers_is_sound(put: Put, engine: LookAlikeServer) -> None:
    put(BRAVE_API_KEY=KEY, BRAVE_BASE_URL=engine.base_url)
    (found,) = about(await diagnosed(offline=False), "search")
    assert (found.health, found.name) == (Health.OK, "brave")
    assert found.message.startswith("found ")
    assert [asked.params["count"] for asked in engine.asked] == ["1"]


async def test_a_service_that_refuses_its_key_is_a_fault(put: Put, engine: LookAlikeServer) -> None:
    put(BRAVE_API_KEY=KEY, BRAVE_BASE_URL=engine.base_url)
    engine.instead = Reply(KEY.encode(), status=401)
    (found,) = about(await diagnosed(offline=False), "search")
    assert (found.health, found.name) == (Health.FAULT, "brave")
    assert "check its key" in found.message


async def test_a_service_that_fails_is_asked_once(put: Put, engine: LookAlikeServer) -> None:
    put(BRAVE_API_KEY=KEY, BRAVE_BASE_URL=engine.base_url)
    engine.instead = Reply(b"", status=503)
    (found,) = about(await diagnosed(offline=False), "search")
    assert "503" in found.message
    assert len(engine.asked) == 1


async def test_named_services_and_those_with_a_key_are_looked_at(put: Put) -> None:
    put(
        QUAERE_PROVIDERS="serper, folder, nobody, searxng",
        QUAERE_PROVIDER_FALLBACKS="searxng, wikipeda",
        TAVILY_API_KEY=KEY,
        SEARXNG_BASE_URL="ftp://somewhere",
    )
    found = {each.name: each for each in about(await diagnosed(offline=True), "search")}
    assert list(found) == ["serper", "nobody", "searxng", "wikipeda", "tavily"]
    assert [each.health for each in found.values()] == [
        *(Health.FAULT, Health.FAULT, Health.FAULT, Health.FAULT),
        Health.OK,
    ]
    assert "Did you mean wikipedia?" in found["wikipeda"].message
    assert "SERPER_API_KEY" in found["serper"].message
    assert "Unknown search service 'nobody'" in found["nobody"].message
    assert "base URL of searxng" in found["searxng"].message
    assert found["tavily"].message == "not asked"


async def test_without_names_or_folders_the_default_services_are_looked_at(put: Put) -> None:
    put(QUAERE_DOCS="")
    found = about(await diagnosed(offline=True), "search")
    assert [each.name for each in found] == list(DEFAULT_PROVIDERS)


# Folders and the cache


async def test_an_index_is_counted(put: Put, tmp_path: Path) -> None:
    (tmp_path / "notes" / "mill.md").write_text("# Orrin\n\nThe mill is from 1788.\n")
    await Resources(load_settings()).folder().prepare(lambda _done, _total, _passages: None)
    (found,) = about(await diagnosed(offline=True), "index")
    assert (found.health, found.message) == (Health.OK, "1 file, 0 of them not readable")
    (tmp_path / "notes" / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    await Resources(load_settings()).folder().prepare(lambda _done, _total, _passages: None)
    (found,) = about(await diagnosed(offline=True), "index")
    assert (found.health, found.message) == (Health.NOTE, "2 files, 1 of them not readable")


async def test_a_folder_that_is_not_there_is_a_fault(put: Put, tmp_path: Path) -> None:
    put(QUAERE_DOCS=f"{tmp_path / 'notes'}{os.pathsep}{tmp_path / 'nowhere'}")
    diagnosis = await diagnosed(offline=True)
    assert [each.health for each in about(diagnosis, "folder")] == [Health.OK, Health.FAULT]
    assert about(diagnosis, "index") == []


async def test_a_folder_under_home_is_looked_for_there(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No shell has written it out where a file of an assistant sets the variable."""
    monkeypatch.setenv("HOME", str(tmp_path))
    put(QUAERE_DOCS="~/notes")
    (found,) = about(await diagnosed(offline=True), "folder")
    assert (found.health, found.name) == (Health.OK, str(tmp_path / "notes"))


@pytest.mark.parametrize("part", ["cache", "data"])
async def test_a_folder_that_cannot_be_written_is_a_fault(
    put: Put, tmp_path: Path, part: str
) -> None:
    (tmp_path / "file").write_text("in the way")
    setting = f"QUAERE_{part.upper()}_DIR"
    put(**{setting: str(tmp_path / "file" / part)})
    (found,) = about(await diagnosed(offline=True), part)
    assert found.health is Health.FAULT
    assert setting in found.message


async def test_a_folder_that_takes_nothing_but_empty_files_is_a_fault(
    put: Put, tmp_path: Path
) -> None:
    """As a full disk does; what this process may write is limited in its place."""
    put(QUAERE_DATA_DIR=str(tmp_path / "data"))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        diagnosis = await diagnosed(offline=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    (found,) = about(diagnosis, "data")
    assert found.health is Health.FAULT


# Checks that fail


async def test_a_check_that_crashes_is_a_finding(put: Put) -> None:
    async def torn(case: Case) -> Sequence[Finding]:
        raise KeyError(KEY)

    async def refused(case: Case) -> Sequence[Finding]:
        raise QuaereError("It is not there. Make it.")

    async def sound(case: Case) -> Sequence[Finding]:
        return [Finding(health=Health.OK, part="third", name="", message="fine")]

    put(QUAERE_MODEL_API_KEY=KEY)
    checks = {"first": torn, "second": refused, "third": sound}
    diagnosis = await diagnosed(offline=True, checks=checks)
    (first,), (second,), (third,) = (about(diagnosis, part) for part in checks)
    assert first.message == "the check itself failed: KeyError: '***'"
    assert second.message == "It is not there. Make it."
    assert [first.health, second.health, third.health] == [Health.FAULT, Health.FAULT, Health.OK]


# The embedder


async def test_an_embedder_that_is_switched_off_is_not_missed(put: Put) -> None:
    put(QUAERE_EMBEDDER="none")
    assert about(await diagnosed(offline=True), "embedder") == []


async def test_an_embedder_is_tried_out(put: Put, tmp_path: Path) -> None:
    put(QUAERE_EMBEDDER=f"local:{write_embedder(tmp_path / 'all-MiniLM-L6-v2')}")
    (found,) = about(await diagnosed(offline=False), "embedder")
    assert found.health is Health.OK
    assert found.message.startswith("for ranking, sentences and topics; answered in ")


async def test_of_one_that_was_not_measured_it_is_said_what_it_is_not_for(
    put: Put, tmp_path: Path
) -> None:
    put(QUAERE_EMBEDDER=f"local:{write_embedder(tmp_path / 'words')}")
    (found,) = about(await diagnosed(offline=False), "embedder")
    assert (found.health, found.sound) == (Health.NOTE, True)
    unmeasured = "for ranking, not measured for sentences and topics; answered in "
    assert found.message.startswith(unmeasured)
    put(QUAERE_EMBEDDER_SAME="0.8")
    (quiet,) = about(await diagnosed(offline=True), "embedder")
    assert quiet.message == "for ranking and topics, not measured for sentences; not asked"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("local:nobody/knows-me", "could not be loaded"),
        ("compatible:moth", "could not be reached"),
        ("openai:text-embedding-3-small", "set OPENAI_API_KEY"),
    ],
)
async def test_an_embedder_that_cannot_be_used_is_a_fault(put: Put, name: str, why: str) -> None:
    put(QUAERE_EMBEDDER=name, QUAERE_MODEL_BASE_URL=f"{NOWHERE}/v1")
    (found,) = about(await diagnosed(offline=False), "embedder")
    assert found.health is Health.FAULT
    assert why in found.message


# Services that runs share


async def test_a_redis_that_works_is_sound_and_one_that_does_not_is_told(
    put: Put, tmp_path: Path
) -> None:
    only = {"redis": CHECKS["redis"]}
    assert about(await diagnosed(offline=False, checks=only), "redis") == []
    with redis_server(tmp_path) as url:
        put(QUAERE_CACHE_URL=url)
        (found,) = about(await diagnosed(offline=False, checks=only), "redis")
        assert found.sound
    (lost,) = about(await diagnosed(offline=False, checks=only), "redis")
    assert not lost.sound
    assert "QUAERE_CACHE_URL" in lost.message


async def test_the_password_of_a_redis_is_not_told(put: Put) -> None:
    put(QUAERE_CACHE_URL="redis://u:hush@cache.test/0?password=hush")
    (found,) = about(await diagnosed(offline=True, checks={"redis": CHECKS["redis"]}), "redis")
    assert found.name == "redis://cache.test/0"


DATABASE = {"database": CHECKS["database"]}


async def once_upgraded() -> Finding:
    """Return what is told of a new database once it has its tables, after what is told before."""
    (empty,) = about(await diagnosed(offline=False, checks=DATABASE), "database")
    assert not empty.sound
    assert "quaere db upgrade" in empty.message
    async with build_database(load_settings()) as database:
        await database.upgrade()
    (ready,) = about(await diagnosed(offline=False, checks=DATABASE), "database")
    assert ready.sound
    return ready


async def test_a_database_is_tried_with_the_version_of_its_tables(put: Put, tmp_path: Path) -> None:
    assert about(await diagnosed(offline=False, checks=DATABASE), "database") == []
    put(QUAERE_DATABASE_URL=f"sqlite:///{tmp_path / 'traces.db'}")
    await once_upgraded()
    put(QUAERE_DATABASE_URL="postgresql://nobody@127.0.0.1:9/none")
    (lost,) = about(await diagnosed(offline=False, checks=DATABASE), "database")
    assert not lost.sound


async def test_a_postgresql_is_tried_with_and_without_its_tables(
    put: Put, postgres: Server
) -> None:
    put(QUAERE_DATABASE_URL=postgres.create())
    ready = await once_upgraded()
    assert "up to date" in ready.message
    assert ready.name.startswith("postgresql")
