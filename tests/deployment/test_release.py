"""What is released: the same bytes whenever it is built, and nothing that may not be passed on."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("src", "docs", "contracts", "pyproject.toml", "README.md", "LICENSE", ".gitignore")
PERMITTED = re.compile(
    r"MIT|BSD|Apache|PSF|Python Software Foundation|MPL|Mozilla|ISC|LGPL|Lesser|CNRI|Zlib"
)
"""Licences that ask nothing of who uses a library unchanged, and passes it on as it is."""


def built(folder: Path, kind: str, at: float) -> Path:
    """Build a distribution from a copy of the source whose files are all of one time."""
    copy = folder / "source"
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "node_modules")
            shutil.copytree(source, copy / part, ignore=ignored)
        else:
            copy.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy / part)
    for path in copy.rglob("*"):
        os.utime(path, (at, at))
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder / "dist")],
        cwd=copy,
        capture_output=True,
        check=True,
    )
    (made,) = (folder / "dist").iterdir()
    return made


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_two_builds_are_the_same(tmp_path: Path, kind: str) -> None:
    once, again = (built(tmp_path / str(at), kind, at) for at in (1e9, 1.7e9))
    hashes = {hashlib.sha256(made.read_bytes()).hexdigest() for made in (once, again)}
    assert len(hashes) == 1
    if kind == "wheel":
        names = zipfile.ZipFile(once).namelist()
        assert {name.partition("/")[0].partition("-")[0] for name in names} == {"quaere"}
    else:
        with tarfile.open(once) as archive:
            names = archive.getnames()
    assert any(name.endswith("quaere/py.typed") for name in names)
    assert any(name.endswith("LICENSE") for name in names)


def test_a_release_has_its_page_built_before_it() -> None:
    told = subprocess.run(["make", "-n", "release"], cwd=ROOT, capture_output=True, check=True)
    assert 0 < told.stdout.find(b" run build") < told.stdout.find(b"hatchling build")


def rows(pattern: str, path: Path) -> list[tuple[str, str]]:
    """Return the two groups of ``pattern`` in every line of a file that it matches."""
    text = path.read_text("utf-8")
    return [(each[1], each[2]) for each in re.finditer(pattern, text, re.MULTILINE)]


PIN = r"^([\w.-]+)==([^ ;\\]+)"
IMAGE = ROOT / "deploy" / "requirements.txt"
LICENCES = ROOT / "LICENCES.md"


def test_every_dependency_of_the_image_is_listed_with_its_licence() -> None:
    listed = rows(r"^\| ([\w.-]+) \| (\d\S*) \|", LICENCES)
    assert listed == rows(PIN, IMAGE), "run make lock"


def test_no_dependency_asks_more_than_that_it_is_named() -> None:
    told = rows(r"^\| ([\w.-]+) \| \d\S* \| (.*) \|$", LICENCES)
    assert len(told) > 130
    here = [each for each in told if each[1] != "not for this system"]
    assert [each for each in here if not PERMITTED.search(each[1])] == []


def test_the_image_is_pinned_to_versions_that_are_tested() -> None:
    tested = rows(PIN, ROOT / "requirements-dev.txt")
    assert [pin for pin in rows(PIN, IMAGE) if pin not in tested] == []
