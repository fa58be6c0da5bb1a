"""What is kept of a run grows with its length, and holds each page once (R0.7).

``bench/scaling.py`` measures longer ones, and how fast runs are made.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE_KB = 20.0


def grown(*loops: int) -> list[list[float]]:
    """Return a row of kB for each run: answers, events, trace row, pages, answers at the end."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "scaling.py"), "growth", "--loops", *map(str, loops)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=True,
    )
    rows = [line.replace("kB", "").split() for line in done.stdout.splitlines()[1:]]
    assert [int(row[0]) for row in rows] == list(loops)
    return [[float(figure) for figure in row[1:]] for row in rows]


@pytest.mark.slow
def test_page_text_is_kept_once_for_each_reading_and_not_at_all_when_a_run_is_over() -> None:
    (few, _, _, _, few_left), (many, events, _, _, many_left) = grown(2, 6)
    assert 2 * PAGE_KB < few < 2 * 1.3 * PAGE_KB
    assert 6 * PAGE_KB < many < 6 * 1.3 * PAGE_KB
    assert events < many, "events quote, and hold no pages"
    assert few_left == many_left == 0
