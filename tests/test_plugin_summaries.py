"""What is said of plug-ins before any of them is loaded."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from quaere.ports import plugins

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
