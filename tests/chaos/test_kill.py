"""Workers are killed and frozen while they work: nothing is lost and nothing is done twice.

``bench/kill.py`` does the same for as long as one likes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from bench.kill_network import wrong_clock
from tests.services.missing import go_without, or_without
from tests.services.postgres import server

ROOT = Path(__file__).parents[2]
FEW = (
    *("--runs", "36", "--kills", "2", "--stalls", "2", "--workers", "2", "--pause", "0.5"),
    *("--limit", "120", "--patience", "60"),  # two cores may be busy with other tests
)
LONG = pytest.mark.skipif(
    "QUAERE_TEST_KILL" not in os.environ,
    reason="takes minutes; `make test-kill` has the harness notice five deliberate breaks",
)
OWN_NETWORK = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="it changes a network, as root"
)
ALONE = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh")
FAULTS = {
    "fence-removed": "after another worker had written",
    "kept-answers-ignored": "answered calls were made again",
    "lease-never-checked": "were taken over",
    "end-without-fence": "after another worker had written",
    "event-numbers-reused": "begins 2 times",
}
"""What the harness says of each deliberate break."""


def harassed(*options: str, within: Sequence[str] = ()) -> str:
    """Run the harness, which finds no fault, and return what it said."""
    done = harness(*options, within=within)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def harness(*options: str, within: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    """Run the harness, within another command."""
    return subprocess.run(
        [*within, sys.executable, str(ROOT / "bench" / "kill.py"), *FEW, *options],
        capture_output=True,
        text=True,
        timeout=400,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
    )


@pytest.mark.slow
def test_kills_and_stalls_lose_nothing_on_sqlite() -> None:
    assert "2 kills, 2 stalls" in harassed()


@pytest.mark.slow
def test_kills_and_stalls_lose_nothing_on_postgresql() -> None:
    with or_without(), server() as running:
        assert "2 kills, 2 stalls" in harassed("--database", running.create())


@LONG
@pytest.mark.slow
@pytest.mark.parametrize("broken", FAULTS)
def test_the_harness_notices_a_deliberate_break(broken: str) -> None:
    # One freeze in three catches a worker where it has nothing to write.
    done = harness("--runs", "60", "--stalls", "6", "--break", broken)
    assert done.returncode == 1, done.stdout + done.stderr
    assert FAULTS[broken] in done.stdout


@LONG
@pytest.mark.slow
def test_a_cluster_of_nats_loses_one_server_after_the_other() -> None:
    options = ("--carrier", "nats", "--cluster", "--outages", "1")
    assert "2 kills, 2 stalls" in harassed(*options)


@LONG
@pytest.mark.slow
@OWN_NETWORK
@pytest.mark.parametrize("carrier", ["database", "nats"])
def test_workers_are_cut_off_and_their_clocks_are_wrong(carrier: str) -> None:
    try:
        wrong_clock(1.0)
    except FileNotFoundError as reason:
        go_without(str(reason))
    options = ("--carrier", carrier, "--kills", "0", "--stalls", "0", "--cuts", "2")
    assert "2 cuts" in harassed(*options, "--skew", "3600", within=ALONE)


@LONG
@pytest.mark.slow
@OWN_NETWORK
def test_a_server_of_nats_is_cut_off_from_the_others() -> None:
    options = ("--carrier", "nats", "--cluster", "--partitions", "2")
    assert "2 kills, 2 stalls" in harassed(*options, within=ALONE)
