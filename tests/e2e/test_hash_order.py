"""Whole runs tell the same whatever order sets of words happen to have in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.e2e.islands import write

ROOT = Path(__file__).parents[2]


def told_with(seed: int, documents: Path, cache: Path) -> list[str]:
    """Return what whole runs tell, a line each, in a process whose hashes begin at ``seed``."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.e2e.whole_runs", str(documents), str(cache)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_order_of_hashes_changes_nothing_that_a_run_tells(tmp_path: Path) -> None:
    documents = write(tmp_path / "islands")
    one, other = (told_with(seed, documents, tmp_path / f"cache-{seed}") for seed in (1, 2))
    assert len(one) == len(other) == 13
    for first, second in zip(one, other, strict=True):
        assert first == second
