"""Documents to ask about, and the command as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.misbehaving.server import Site
from typer.testing import CliRunner, Result

from quaere.faces.cli.main import application

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Command = Callable[..., Result]

MILL = """\
# The mill at Orrin

Orrin is a village on the river Sket. The mill at Orrin was built by Tamsin Wray in 1788.
It ground barley for the whole valley.

Tamsin Wray was born in Lower Sket and learned her trade in Pell.
"""

BARGES = """\
barge,launched,tonnage
Kittiwake,1811,40
Plover,1824,65
"""


@pytest.fixture(scope="session")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a note, a table and a file that is not what its name says."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "mill.md").write_text(MILL)
    (folder / "barges.csv").write_text(BARGES)
    (folder / "torn.pdf").write_bytes(b"%PDF-1.7 and no more")
    return folder


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment that no setting of the machine reaches; one index cache for all tests."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    folders = {
        "QUAERE_CACHE_DIR": str(tmp_path_factory.mktemp("cache")),
        "QUAERE_DATA_DIR": str(tmp_path_factory.mktemp("data")),
    }
    return {**kept, **folders, "TERM": "xterm-256color"}


@pytest.fixture(scope="session")
def quaere(environment: dict[str, str]) -> Run:
    """Run ``python -m quaere`` with the arguments, and return how it ended and what it wrote."""

    def run(
        *arguments: str | bytes | Path,
        stdin: str | bytes = "",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "quaere", *arguments],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            env={**environment, **(env or {})},
            cwd=cwd,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Run ``quaere`` within this process, over a data folder of the test's own."""

    def run(*arguments: str, **settings: str) -> Result:
        return CliRunner(env={"QUAERE_DATA_DIR": str(tmp_path), **settings}).invoke(
            application(arguments), list(arguments), prog_name="quaere"
        )

    return run


@pytest.fixture
def allowed(site: Site) -> Mapping[str, str]:
    """The settings of an operator who lists the server ``site``."""
    return {"QUAERE_READ_HOSTS": site.host, "QUAERE_READ_PORTS": str(site.port)}


def ended_by_a_defect(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``quaere`` with a standard input that no shell could give it."""
    program = "import sys; sys.stdin = 0; from quaere.faces.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    return done
