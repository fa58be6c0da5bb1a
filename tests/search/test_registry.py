"""Providers by name, and plug-ins."""

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

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import SettingsError, UsageError
from quaere.search.registry import GROUP, ProviderInfo, Registry, plugins


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
