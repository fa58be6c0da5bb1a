"""The command that goes on with a run that was stopped."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.faces.cli.conftest import Run

QUESTION = "Who built the mill at Orrin?"
FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])  # containers often set it
def test_a_report_that_could_not_be_written_is_had_again(
    quaere: Run, environment: dict[str, str], docs: Path, tmp_path: Path, unbuffered: str
) -> None:
    own = {"QUAERE_DATA_DIR": str(tmp_path), "PYTHONUNBUFFERED": unbuffered}
    with FULL.open("wb") as full:
        refused = subprocess.run(
            [sys.executable, "-m", "quaere", "ask", QUESTION, "-d", docs, "-q", "--no-trace"],
            env={**environment, **own},
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )
    assert refused.returncode == 1
    said = refused.stderr.decode()
    assert "Cannot write to standard output: No space left" in said
    _, _, run = said.partition("To get the report again, run: quaere resume ")
    assert re.search(r"  \d+ results? kept  ", quaere("resume", env=own).stdout)
    (told,) = json.loads(quaere("resume", "-f", "json", env=own).stdout)["runs"]
    assert (told["run_id"], told["question"]) == (run.split()[0], QUESTION)
    for option in (("-f", "html"), ("-o", tmp_path / "list.txt")):
        assert quaere("resume", *option, env=own).returncode == 2, "only a report has it"
    again = quaere("resume", run.split()[0][:8], "-q", env=own)  # as `trace list` shows ids
    assert again.returncode == 0
    assert "Tamsin Wray" in again.stdout
    assert quaere("resume", env=own).stdout == "There are no stopped runs.\n"


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("setting", ["QUAERE_STORE_PAGES", "QUAERE_STORE_QUESTIONS"])
def test_nothing_private_is_kept_to_resume_a_run(
    quaere: Run, docs: Path, tmp_path: Path, setting: str
) -> None:
    """Issue 7: whether the run comes to its end or breaks off."""
    env = {"QUAERE_DATA_DIR": str(tmp_path), setting: "false"}
    secret = {
        "QUAERE_STORE_PAGES": b"ground barley for the whole valley",
        "QUAERE_STORE_QUESTIONS": QUESTION.encode(),
    }
    for broken, *options in ((False,), (True, "--events", FULL), (False, "--quiet")):
        done = quaere("ask", QUESTION, "-d", docs, *options, env=env)
        assert (done.returncode != 0) is broken
        said = f"cannot be resumed, because {setting}=false" in done.stderr
        assert said is ("--quiet" not in options)
        assert "quaere resume" not in done.stderr
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files, "the traces are kept"
    assert [file for file in files if secret[setting] in file.read_bytes()] == []


@pytest.fixture
def crammed(tmp_path: Path) -> Generator[Path]:
    """A disk with room for the beginning of a run and no more."""
    folder = tmp_path / "crammed"
    folder.mkdir()
    mount = shutil.which("mount")
    options = ("-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder))
    if not mount or subprocess.run([mount, *options], capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_fills_up_costs_no_answer(quaere: Run, docs: Path, crammed: Path) -> None:
    """Issue 7: disk full."""
    (crammed / "ballast").write_bytes(b"x" * 40_000)
    own = {"QUAERE_DATA_DIR": str(crammed)}
    done = quaere("ask", QUESTION, "-d", docs, "--no-trace", env=own)
    assert done.returncode == 0
    assert "Tamsin Wray" in done.stdout
    assert done.stderr.count("database or disk is full") == 1
    assert "QUAERE_RESUMABLE=off" in done.stderr
    assert "internal error" not in done.stderr


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A folder that takes no files, whoever asks: root heeds no permissions."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    if os.geteuid() == 0:
        folder = Path("/proc/self")
    return folder


def test_a_folder_that_cannot_be_written_costs_no_answer(
    quaere: Run, docs: Path, closed: Path
) -> None:
    done = quaere("ask", QUESTION, "-d", docs, "-q", env={"QUAERE_DATA_DIR": str(closed)})
    assert done.returncode == 0
    assert "Tamsin Wray" in done.stdout
    warned = done.stderr.splitlines()
    assert ["no trace of this run is recorded" in line for line in warned] == [False, True]
    assert ["this run cannot be resumed" in line for line in warned] == [True, False]
    assert "QUAERE_RESUMABLE=off" in warned[0]
    own = {"QUAERE_DATA_DIR": str(closed), "QUAERE_RESUMABLE": "off", "QUAERE_TRACE": "off"}
    assert quaere("ask", QUESTION, "-d", docs, "-q", env=own).stderr == ""
