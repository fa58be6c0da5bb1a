"""R3.3: the corpora of hostile URLs and pages, where they are there. They are not part of this
repository; the folder beside it is looked at, or the one that ``QUAERE_CORPORA`` names.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORPORA = Path(os.environ.get("QUAERE_CORPORA", ROOT.parent / "shared" / "corpora"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CORPORA.is_dir(), reason=f"there are no corpora in {CORPORA}"),
]


def run(*command: str, **environment: str) -> str:
    """Return what ``command`` prints; it must end well."""
    variables = {**os.environ, **environment}
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=240, env=variables
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_hostile_page_meets_its_expected_outcome_time_and_memory() -> None:
    bench = str(ROOT / "bench" / "hostile.py")
    # Pages that never end are given up sooner here, to spare the test's time. Tests that run
    # beside this one take the processor's caches, and with them twice the processor time.
    options = ("--deadline", "5.5", "--held", "0.12")
    assert "as expected" in run(sys.executable, bench, str(CORPORA), *options)


@pytest.mark.skipif(sys.platform != "linux", reason="the lab is a Linux network namespace")
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="the lab of the corpus needs root"
)
@pytest.mark.skipif(not shutil.which("ip"), reason="the lab of the corpus needs iproute2")
def test_no_hostile_url_reaches_an_address_that_is_not_public(tmp_path: Path) -> None:
    lab, urls = CORPORA / "tools" / "ssrf_lab.py", CORPORA / "ssrf_urls.tsv"
    bench = str(ROOT / "bench" / "ssrf.py")
    log = str(tmp_path / "lab.jsonl")
    run(
        *(sys.executable, str(lab), "run", "--dns", str(urls), "--"),
        *(sys.executable, bench, str(urls)),
        SSRF_LAB_LOG=log,
    )
