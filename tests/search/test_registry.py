"""The services that can be asked for by name."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.contracts.web_provider import KEEP, Clients

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import SettingsError, UsageError
from quaere.search.api import Api, Pairs
from quaere.search.registry import (
    DEFAULT_PROVIDERS,
    GROUP,
    SERVICES,
    ProviderInfo,
    Registry,
    beside,
    infos,
    plugins,
)


class Herbarium:
    name = "herbarium"
    kinds = frozenset({SourceKind.SCHOLARLY})

    def __init__(self, settings: Mapping[str, str]) -> None:
        self.settings = settings

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        return []


HERBARIUM = ProviderInfo(
    name="herbarium",
    kinds=Herbarium.kinds,
    needs=("herbarium_key",),
    description="Dried plants",
    factory=Herbarium,
)
FOLDER = ProviderInfo(
    name="folder",
    kinds=frozenset({SourceKind.FOLDER}),
    needs=(),
    description="Documents in a folder",
    factory=Herbarium,
)


def test_providers_are_listed_by_name() -> None:
    registry = Registry([HERBARIUM, FOLDER])
    assert [info.name for info in registry.infos] == ["folder", "herbarium"]
    assert registry.info("folder").kinds == {SourceKind.FOLDER}
    assert registry.info("folder").needs == ()


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"'brav'\. Available: folder, herbarium\."):
        Registry([HERBARIUM, FOLDER]).info("brav")
    with pytest.raises(UsageError, match=r"'Herbarum'\. Did you mean herbarium\?"):
        Registry([HERBARIUM, FOLDER]).info("Herbarum")
    with pytest.raises(UsageError, match="Available: none"):
        Registry([]).make("brav", {})


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match="'folder'"):
        Registry([FOLDER, FOLDER])


def test_a_provider_sees_the_settings_it_needs_and_no_others() -> None:
    settings = {"herbarium_key": "k", "brave_key": "other"}
    provider = Registry([HERBARIUM]).make("herbarium", settings)
    assert isinstance(provider, Herbarium)
    assert provider.settings == {"herbarium_key": "k"}


@pytest.mark.parametrize("set_", ["", "http://127.0.0.1:8080"])
def test_an_option_has_its_default_until_it_is_set(set_: str) -> None:
    info = replace(HERBARIUM, options={"herbarium_url": "https://plants.example"})
    provider = Registry([info]).make("herbarium", {"herbarium_key": "k", "herbarium_url": set_})
    assert isinstance(provider, Herbarium)
    assert provider.settings["herbarium_url"] == (set_ or "https://plants.example")


@pytest.mark.parametrize("settings", [{}, {"herbarium_key": ""}])
def test_a_missing_setting_is_named(settings: Mapping[str, str]) -> None:
    assert HERBARIUM.missing(settings) == ("herbarium_key",)
    with pytest.raises(SettingsError, match="herbarium needs herbarium_key"):
        Registry([HERBARIUM]).make("herbarium", settings)


def entry_point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def test_broken_plugins_are_left_out_with_a_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = [
        entry_point("absent", "no_such_module_anywhere:INFO"),
        entry_point("nameless", "quaere.search.registry:NO_SUCH_NAME"),
        entry_point("wrong", "quaere.search.registry:GROUP"),
    ]
    with caplog.at_level(logging.WARNING):
        assert plugins(found) == ()
    assert [message.split()[1] for message in caplog.messages] == ["absent", "nameless", "wrong"]


def test_no_plugin_takes_the_place_of_another_service(caplog: pytest.LogCaptureFixture) -> None:
    twin, other = replace(HERBARIUM, description="Not it"), replace(HERBARIUM, name="seeds")
    again = replace(other, description="Not it either")
    with caplog.at_level(logging.WARNING):
        assert beside([HERBARIUM], [twin, other, again]) == (HERBARIUM, other)
    assert [message.split()[-2] for message in caplog.messages] == ["herbarium", "seeds"]


PLUGIN = """
from quaere.domain.question import SourceKind
from quaere.search.registry import ProviderInfo

INFO = ProviderInfo("herbarium", frozenset({SourceKind.WEB}), (), "Dried plants", dict)
"""


def test_an_installed_plugin_is_found_through_its_entry_point(tmp_path: Path) -> None:
    (tmp_path / "herbarium_plugin.py").write_text(PLUGIN)
    metadata = tmp_path / "herbarium-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: herbarium\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\nherbarium = herbarium_plugin:INFO\n")
    code = "from quaere.search.registry import plugins; print([p.name for p in plugins()])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "['herbarium']"


REGISTRY = Clients().registry()
NAMES = [info.name for info in REGISTRY.infos]


class Spy:
    """Remembers what a client was asked for, and makes a real one."""

    def __init__(self) -> None:
        self.told: dict[str, object] = {}

    def __call__(
        self, name: str, base_url: str, *, headers: Mapping[str, str], params: Pairs
    ) -> Api:
        self.told = {"base_url": base_url, "headers": dict(headers), "params": dict(params)}
        return Clients().connect(name, base_url, headers=headers, params=params)


def test_every_service_of_the_issue_is_there() -> None:
    assert NAMES == [
        "arxiv",
        "bing",
        "brave",
        "crossref",
        "duckduckgo",
        "europe_pmc",
        "openalex",
        "pubmed",
        "searxng",
        "semantic_scholar",
        "serper",
        "tavily",
        "wikipedia",
    ]


@pytest.mark.parametrize("name", DEFAULT_PROVIDERS)
def test_the_defaults_work_without_any_setting(name: str) -> None:
    """R2.2: without a key, what works without one is searched."""
    assert REGISTRY.info(name).needs == ()
    assert REGISTRY.make(name, {}).name == name


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("brave", ("BRAVE_API_KEY",)),
        ("bing", ("BING_API_KEY",)),
        ("tavily", ("TAVILY_API_KEY",)),
        ("serper", ("SERPER_API_KEY",)),
        ("searxng", ("SEARXNG_BASE_URL",)),
    ],
)
def test_what_is_needed_is_named(name: str, needs: tuple[str, ...]) -> None:
    assert REGISTRY.info(name).needs == needs
    with pytest.raises(SettingsError, match=needs[0]):
        REGISTRY.make(name, {})


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.provider.name)
def test_every_base_url_can_be_set(service: object) -> None:
    name = next(s.provider.name for s in SERVICES if s is service)
    spy = Spy()
    info = Registry(infos(spy, KEEP)).info(name)
    setting = f"{name.upper()}_BASE_URL"
    keys = dict.fromkeys(info.needs, "k")
    Registry([info]).make(name, {**keys, setting: "http://127.0.0.1:8123/base"})
    assert spy.told["base_url"] == "http://127.0.0.1:8123/base"


@pytest.mark.parametrize(
    ("name", "settings", "headers", "params"),
    [
        ("tavily", {"TAVILY_API_KEY": "k"}, {"Authorization": "Bearer k"}, {}),
        ("pubmed", {}, {}, {"tool": "quaere"}),
        (
            "pubmed",
            {"NCBI_API_KEY": "k", "NCBI_EMAIL": "me@a.example", "BRAVE_API_KEY": "other"},
            {},
            {"tool": "quaere", "api_key": "k", "email": "me@a.example"},
        ),
        ("semantic_scholar", {}, {}, {}),
    ],
)
def test_settings_go_where_the_service_expects_them(
    name: str, settings: dict[str, str], headers: dict[str, str], params: dict[str, str]
) -> None:
    spy = Spy()
    Registry(infos(spy, KEEP)).make(name, settings)
    assert (spy.told["headers"], spy.told["params"]) == (headers, params)


def test_every_kind_of_source_has_a_provider() -> None:
    served = {kind for info in REGISTRY.infos for kind in info.kinds}
    assert served == set(SourceKind) - {SourceKind.FOLDER}


def test_the_table_is_light() -> None:
    code = (
        "import sys, quaere.search.registry;"
        "print([m for m in ('lxml', 'aiohttp', 'tantivy', 'langgraph') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
