"""What is said of plug-ins before any of them is loaded, and what becomes of faulty ones."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from quaere.errors import SettingsError
from quaere.ports import plugins
from quaere.ports.plugins import plugin

GROUP = "quaere.commands"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "quaere_orchard"
    (folder / "picking").mkdir(parents=True)
    for each in (folder, folder / "picking"):
        (each / "__init__.py").write_text("raise RuntimeError('loaded')\n", "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return folder


def said(monkeypatch: pytest.MonkeyPatch, *modules: str) -> list[str]:
    points = [EntryPoint(f"c{i}", module, GROUP) for i, module in enumerate(modules)]
    monkeypatch.setattr(plugins, "_installed", lambda: {GROUP: points})
    return list(plugins.summaries(GROUP).values())


def test_two_commands_of_a_package_are_told_apart_and_nothing_is_loaded(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (package / "picking" / "pick.py").write_text('"""``quaere pick``: Pick apples."""\n', "utf-8")
    (package / "press.py").write_text('"""Press them.\n\nSlowly.\n"""\n', "utf-8")
    modules = ("quaere_orchard.picking.pick", "quaere_orchard.press")
    assert said(monkeypatch, *modules) == ["Pick apples.", "Press them."]
    assert not [name for name in sys.modules if name.startswith("quaere_orchard")]


@pytest.mark.parametrize(
    "content", [b"import os\n", b"\xff\xfe", b'"""' + b"x" * plugins.MAX_LINE_CHARS + b'"""', None]
)
def test_of_a_module_that_says_nothing_its_package_speaks(
    package: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    if content is not None:
        (package / "press.py").write_bytes(content)
    assert said(monkeypatch, "quaere_orchard.press") == [""]


def test_a_module_that_no_file_is_found_for_says_nothing(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (package / "bare").mkdir()  # a folder without a file of its own
    (package / "bare" / "press.py").write_text('"""Press them."""\n', "utf-8")
    modules = (
        "quaere_orchard.bare",
        "quaere_orchard.bare.press",
        "quaere_orchard.gone.deeper",
        "sys",
        "no_such_package",
    )
    assert said(monkeypatch, *modules) == [""] * 5


ORCHARD = "tests.ports.orchard"


def points(*named: str) -> list[EntryPoint]:
    """Return entry points for names in `ORCHARD`, each called like what it names."""
    return [EntryPoint(name, f"{ORCHARD}:{name}", GROUP) for name in named]


def test_what_can_be_loaded_and_is_of_the_kind_comes_by_name(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = [*points("pear", "apple", "stone", "gone"), EntryPoint("lost", "no_such_x", GROUP)]
    assert plugins.plugins(GROUP, str, found) == ("an apple", "a pear")
    faults = [record.getMessage() for record in caplog.records]
    assert len(faults) == 3
    assert "gone of quaere.commands cannot be loaded" in faults[0]
    assert "lost of quaere.commands cannot be loaded" in faults[1]
    assert faults[2] == "plug-in stone of quaere.commands is not a str"


def test_a_plug_in_that_raises_whatever_it_likes_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "quaere_worm.py").write_text('raise ValueError("no ladder")\n')
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    found = [*points("apple"), EntryPoint("worm", "quaere_worm", GROUP)]
    assert plugins.plugins(GROUP, str, found) == ("an apple",)
    assert caplog.messages == [
        "plug-in worm of quaere.commands cannot be loaded: ValueError: no ladder"
    ]


def test_faults_of_installed_plug_ins_are_told_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    group = "quaere.orchard"
    monkeypatch.setattr(plugins, "_installed", lambda: {group: points("apple", "stone")})
    for _ in range(2):
        assert plugins.plugins(group, str) == ("an apple",)
    assert len(caplog.records) == 1
    assert plugins.plugins("quaere.empty", str) == ()


def test_one_plug_in_is_loaded_by_its_name_or_its_fault_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plugins, "_installed", lambda: {GROUP: points("apple", "pear", "stone")})
    assert plugin(GROUP, "pear", str) == "a pear"
    with pytest.raises(SettingsError, match=r"stone of quaere\.commands is not a str"):
        plugin(GROUP, "stone", str)
    with pytest.raises(SettingsError, match=r"plum of quaere\.commands is not installed"):
        plugin(GROUP, "plum", str)
    with pytest.raises(SettingsError, match="not installed"):
        plugin("quaere.empty", "apple", str)
