"""The command that goes on with a run that was stopped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Run

QUESTION = "Who built the mill at Orrin?"
FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no device that is always full")
def test_a_report_that_could_not_be_written_is_had_again(
    quaere: Run, environment: dict[str, str], docs: Path, tmp_path: Path
) -> None:
    own = {"QUAERE_DATA_DIR": str(tmp_path)}
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
    assert "No space left" in said
    _, _, run = said.partition("Have the report again: quaere resume ")
    again = quaere("resume", run.split()[0], "-q", env=own)
    assert again.returncode == 0
    assert "Tamsin Wray" in again.stdout
    assert quaere("resume", env=own).stdout == "No run was stopped.\n"


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
        said = f"cannot be resumed: {setting}=false" in done.stderr
        assert said is ("--quiet" not in options)
        assert "quaere resume" not in done.stderr
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files, "the traces are kept"
    assert [file for file in files if secret[setting] in file.read_bytes()] == []
