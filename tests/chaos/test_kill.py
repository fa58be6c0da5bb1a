"""Workers are killed and frozen while they work: nothing is lost and nothing is done twice.

``bench/kill.py`` does the same for as long as one likes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.services.missing import go_without
from tests.services.postgres import Missing, server

ROOT = Path(__file__).parents[2]
FEW = ("--runs", "6", "--kills", "2", "--stalls", "1", "--workers", "2", "--pause", "3")


def harassed(*options: str) -> str:
    """Run the harness and return what it said."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "kill.py"), *FEW, *options],
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_kills_and_stalls_lose_nothing_on_sqlite() -> None:
    assert "2 kills, 1 stalls" in harassed()


@pytest.mark.slow
def test_kills_and_stalls_lose_nothing_on_postgresql() -> None:
    try:
        with server() as running:
            assert "2 kills, 1 stalls" in harassed("--database", running.create())
    except Missing as reason:
        go_without(str(reason))
