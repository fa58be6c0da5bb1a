"""The table of services."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest
from tests.contracts.web_provider import KEEP, Clients

from quaere.domain.question import SourceKind
from quaere.errors import SettingsError
from quaere.search.api import Api, Pairs
from quaere.search.registry import Registry
from quaere.search.services import DEFAULT_PROVIDERS, SERVICES, infos

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
        "import sys, quaere.search.services;"
        "print([m for m in ('lxml', 'aiohttp', 'tantivy', 'langgraph') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
