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
