"""The page in the browser: what its lock names, and that the wheel carries it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
import zipfile
from dataclasses import asdict
from pathlib import Path

import pytest

from quaere import research
from quaere.domain.report import AnswerStatus
from quaere.text.languages.de import LANGUAGE
from quaere.text.languages.language import ENGLISH_FRAME, Frame
from quaere.text.languages.phrases import ENGLISH_REASONS

ROOT = Path(__file__).parents[1]
BUILT = ROOT / "src/quaere/faces/server/static/index.html"


def test_the_lock_pins_every_package_and_names_no_host() -> None:
    text = (ROOT / "web/package-lock.json").read_text("utf-8")
    assert "://" not in text
    lock = json.loads(text)
    packages = {name: each for name, each in lock["packages"].items() if name}
    assert len(packages) > 100
    assert not [name for name, each in packages.items() if "resolved" in each]
    assert not [name for name, each in packages.items() if not each.get("integrity")]


def _endings(said: Frame) -> dict[str, str]:
    return {"differs": said.differs, "alternatively": said.account.alternatively}


def _reasons() -> dict[str, str]:
    english = asdict(ENGLISH_REASONS) | _endings(ENGLISH_FRAME)
    german = asdict(LANGUAGE.frame.reasons) | _endings(LANGUAGE.frame)
    return {english[name]: german[name] for name in english}


def _places() -> dict[str, str]:
    return {
        f"{noun}{plural}": str(getattr(LANGUAGE.frame.account, f"{noun}{plural}"))
        for noun in ("page", "slide", "cell", "line", "row", "record", "item", "message")
        for plural in ("", "s")
    }


@pytest.mark.parametrize(("name", "told"), [("reasons", _reasons()), ("places", _places())])
def test_the_page_tells_reasons_and_places_in_german_as_exports_do(
    name: str, told: dict[str, str]
) -> None:
    """The files are written anew with ``QUAERE_WRITE_CONTRACTS=1 pytest tests/test_web.py``."""
    path = ROOT / f"web/src/i18n/{name}.de.json"
    written = json.dumps(told, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("QUAERE_WRITE_CONTRACTS"):
        path.write_text(written, "utf-8")
    assert path.read_text("utf-8") == written


def test_the_warnings_that_the_page_tells_in_german_are_told_here() -> None:
    told = json.loads((ROOT / "web/src/i18n/warnings.de.json").read_text("utf-8"))
    package = "\n".join(path.read_text("utf-8") for path in (ROOT / "src/quaere").rglob("*.py"))
    holes = re.compile(r"\{\w+\}")
    untold = [
        phrase
        for phrase, german in told.items()
        if max(holes.split(phrase), key=len).strip(": .") not in package
        or sorted(holes.findall(phrase)) != sorted(holes.findall(german))
    ]
    assert untold == []


@pytest.mark.slow
def test_the_examples_of_the_page_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUAERE_CACHE_DIR", str(tmp_path))
    told = (ROOT / "web/src/i18n/en.ts").read_text("utf-8")
    listed = told.partition("exampleQuestions: [")[2].partition("]")[0]
    examples = re.findall(r'"(.+)"', listed)
    assert len(examples) == 3
    answered = [research(each, docs=[ROOT / "docs"]).status for each in examples]
    assert answered == [AnswerStatus.ANSWERED] * 3


def test_the_page_asks_no_other_site() -> None:
    sources = [*(ROOT / "web/src").rglob("*.ts*"), *(ROOT / "web/src").rglob("*.css")]
    pages = [*sources, ROOT / "web/index.html"]
    own = [path for path in pages if ".test." not in path.name and "contracts" not in path.parts]
    named = [
        (path.name, line.strip())
        for path in own
        for line in path.read_text("utf-8").splitlines()
        if "https://" in line or "http://" in line
    ]
    assert named == []


@pytest.mark.slow
@pytest.mark.skipif(not BUILT.exists(), reason="the page is not built: make web")
def test_the_wheel_serves_the_page_without_node(tmp_path: Path) -> None:
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    environment = {
        "PYTHONPATH": str(installed),
        "PATH": str(tmp_path),
        "HOME": str(tmp_path),
        "QUAERE_DATA_DIR": str(tmp_path / "data"),
    }
    code = (
        f"import quaere; assert quaere.__file__.startswith({str(installed)!r}), quaere.__file__; "
        "from quaere.faces.cli.main import main; main()"
    )
    command = [sys.executable, "-c", code]
    log = tmp_path / "log"
    with log.open("w") as written:
        server = subprocess.Popen(
            [*command, "serve", "--port", "0"],
            env=environment | {"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")},
            stdout=written,
            stderr=written,
        )
    try:
        page = _get(_address(log, server))
    finally:
        server.terminate()
        server.wait(15)
    assert b'<div id="root">' in page


def _address(log: Path, server: subprocess.Popen[bytes]) -> str:
    for _ in range(300):
        if "http://" in (told := log.read_text("utf-8")):
            return "http://" + told.partition("http://")[2].split()[0]
        assert server.poll() is None, told
        time.sleep(0.1)
    raise TimeoutError(log.read_text("utf-8"))


def _get(address: str) -> bytes:
    for _ in range(100):
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310
                return answer.read()
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(address)
