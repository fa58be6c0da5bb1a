"""What a run does not use, it does not import."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

LIBRARIES = (
    "aiohttp|httpx2|langchain_core|langgraph|lxml|sqlalchemy|structlog"
    r"|brotli|charset_normalizer|rapidfuzz|yarl|http\.client|tld|urllib\.request"
)
"""For the web, models and the database, each a tenth of a second or more of a cold command; and for
what few files and questions need, each a hundredth."""
PARTS = r"plan\.forecast|synthesize\.brief|view\.export\.markdown"
"""Of our own, for other commands and other formats of a report."""
HEAVY = re.compile(rf"^import time:.*\| +((?:{LIBRARIES}|quaere\.(?:{PARTS}))\b.*)$", re.MULTILINE)


@pytest.mark.parametrize("strategy", ["loop", "supervisor"])
def test_an_answer_from_a_folder_imports_no_library_that_it_does_not_use(
    strategy: str, tmp_path: Path
) -> None:
    (tmp_path / "hask.md").write_text("Hask has 8,200 inhabitants. It was founded in 1412.\n")
    question = "How many inhabitants has Hask? When was Hask founded?"
    done = subprocess.run(
        [
            *(sys.executable, "-X", "importtime", "-m", "quaere", "ask", question),
            *("--docs", str(tmp_path / "hask.md"), "--strategy", strategy),
        ],
        env={**os.environ, "QUAERE_CACHE_DIR": str(tmp_path), "QUAERE_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,  # an answer in part is an answer
    )
    assert "8,200 inhabitants" in done.stdout
    assert "quaere.graphs.loop\n" in done.stderr, "what is imported is told"
    assert ("quaere.graphs.supervisor\n" in done.stderr) == (strategy == "supervisor")
    assert HEAVY.findall(done.stderr) == []
