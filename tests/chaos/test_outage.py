"""What a run rests on goes away while runs are made: all that was accepted is finished.

``bench/outage.py`` does the same for as long as one likes.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import HOP, Shelf
from tests.services.missing import or_without
from tests.services.postgres import programs
from tests.services.redis import redis_server

from quaere.domain.question import Query
from quaere.domain.request import RunSpec
from quaere.domain.source import Hit
from quaere.store.cache import Keeper, SharedCache
from quaere.testing import ScriptedModel

ROOT = Path(__file__).parents[2]


def survived(*options: str) -> str:
    """Run the harness and return what it said."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "outage.py"), *options],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_postgresql_may_be_restarted_while_runs_are_made() -> None:
    with or_without():
        programs()
    told = survived("restart", "--runs", "6", "--times", "2", "--every", "1.5", "--seconds", "1")
    assert "0 answered calls made again" in told


@pytest.mark.slow
def test_an_outsider_may_lock_the_file_for_longer_than_a_lease() -> None:
    told = survived("locked", "--runs", "6", "--every", "1.5", "--seconds", "5")
    assert "0 answered calls made again" in told


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk")
def test_a_full_disk_refuses_new_runs_and_loses_none() -> None:
    told = survived("full", "--runs", "6", "--every", "1.5", "--seconds", "3")
    assert "full" in told
    assert "refused: " in told
    assert "0 answered calls made again" in told


class Loud(Shelf):
    """Says when it is asked, so that something can happen just then."""

    def __init__(self, port: int, command: bytes) -> None:
        super().__init__()
        self._port, self._command = port, command

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        if not self.asked:
            with socket.create_connection(("127.0.0.1", self._port), 2.0) as redis:
                redis.sendall(self._command + b"\r\n")
                redis.recv(100)
        return await super().search(query, limit=limit)


@pytest.mark.anyio
@pytest.mark.parametrize("command", [b"SHUTDOWN NOSAVE", b"CLIENT PAUSE 60000 ALL"])
async def test_redis_that_goes_or_hangs_in_the_middle_costs_a_run_nothing(
    tmp_path: Path, command: bytes
) -> None:
    whole = await thinking(ScriptedModel(Mind()), Shelf()).run(RunSpec.of(HOP))
    with redis_server(tmp_path) as url:
        cache = SharedCache(url)
        shelf = Loud(urlsplit(url).port or 0, command)
        engine = thinking(ScriptedModel(Mind()), Keeper(cache).provider(shelf))
        report = await asyncio.wait_for(engine.run(RunSpec.of(HOP)), 20)
        await cache.aclose()
    assert shelf.asked
    assert report.answer == whole.answer
