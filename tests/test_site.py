"""The documentation as a website: every page can be found, and what it names is there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.deployment.settings_reference import sections

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))
CLI = (ROOT / "docs" / "cli.md").read_text("utf-8")
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
NOT_SETTINGS = re.compile(
    r"QUAERE_(TEST_\w+|WRITE_CONTRACTS|EVAL_DATA|WEB_\w+|IMAGE|PORT|FLEET_PORTS|NO_WEB|URL)$"
)


def blocks(page: Path) -> list[str]:
    return BLOCK.findall(page.read_text("utf-8"))


def test_every_page_is_in_the_navigation() -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]
    named = re.findall(r"'([\w-]+\.md)'", str(site["nav"]))
    assert sorted(named) == [page.name for page in PAGES]


def test_every_setting_that_a_page_names_is_one() -> None:
    known = {entry.variable for found in sections().values() for entry in found}
    named = {
        (page.name, name)
        for page in PAGES
        for name in re.findall(r"\bQUAERE_[A-Z][A-Z_]*[A-Z]\b", page.read_text("utf-8"))
    }
    assert len(named) > 40
    assert [
        each for each in named if each[1] not in known and not NOT_SETTINGS.match(each[1])
    ] == []


def plugins() -> dict[str, str]:
    """Return the help of the commands that the evaluations add, by their names."""
    titles = [
        "bench",
        *(f"eval {name}" for name in ("multihop", "answers", "pages", "attribution")),
    ]
    titles += ["eval duplicates", "eval writing"]
    return {
        f"quaere {title}": subprocess.run(
            [sys.executable, "-m", "quaere", *title.split(), "--help"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for title in titles
    }


def test_every_command_that_a_page_shows_is_one() -> None:
    found = re.findall(r"^## (quaere.*?)\n(.*?)(?=^## |\Z)", CLI, re.MULTILINE | re.DOTALL)
    helped: dict[str, str] = dict(found) | plugins()
    lines = [
        line.partition("  #")[0]
        for page in PAGES
        for block in blocks(page)
        for line in block.splitlines()
        if re.match(r"quaere [a-z]", line)
    ]
    assert len(lines) > 20
    wrong: list[str] = []
    for line in lines:
        words = re.split(r"\s+", line)
        title = " ".join(words[:3]) if " ".join(words[:3]) in helped else " ".join(words[:2])
        options = re.findall(r"(?<=\s)--[a-z-]+", line)
        if title not in helped or any(option not in helped[title] for option in options):
            wrong.append(line)
    assert wrong == []


def test_every_path_that_the_api_page_shows_is_served() -> None:
    paths = json.loads((ROOT / "contracts" / "openapi.json").read_text("utf-8"))["paths"]
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    shown = re.findall(r"`(GET|POST) (/[^`?]*)", page)
    assert len(shown) > 8
    for method, path in shown:
        pattern = re.sub(r"\{\w+\}", r"{[^}]+}", path)
        served = [each for each in paths if re.fullmatch(pattern, each)]
        assert any(method.lower() in paths[each] for each in served), path


@pytest.mark.slow
def test_the_quick_start_works_in_an_empty_folder(tmp_path: Path) -> None:
    install, *lines, _web = blocks(ROOT / "docs" / "index.md")[0].splitlines()
    assert shlex.split(install) == ["pip", "install", "quaere"]
    done = subprocess.run(
        ["sh", "-ec", "\n".join(lines)],
        cwd=tmp_path,
        env={
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
            "QUAERE_DATA_DIR": str(tmp_path / "data"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Mara Ilves" in done.stdout
    assert "notes/bridge.md" in done.stdout
