"""Runs aimock, a server that others wrote to speak as the vendors of models do."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

HOME = Path(__file__).parent
COMMAND = HOME / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"


def absent() -> str:
    """Return why aimock cannot be run; empty when it can."""
    if shutil.which("node") is None:
        return "node is not there"
    return "" if COMMAND.exists() else "aimock is not installed: make test does that, given npm"


@dataclass(frozen=True)
class Aimock:
    """A running server."""

    url: str

    def disturb(self, **rates: float) -> None:
        """Have requests go wrong at these rates."""
        httpx2.post(f"{self.url}/__aimock/chaos", json=rates, timeout=5).raise_for_status()

    def calm(self) -> None:
        """Have none go wrong, and forget all requests."""
        httpx2.delete(f"{self.url}/__aimock/chaos", timeout=5).raise_for_status()
        httpx2.delete(f"{self.url}/__aimock/journal", timeout=5)

    def asked(self) -> int:
        """Return how many requests for an answer there have been."""
        journal = httpx2.get(f"{self.url}/__aimock/journal", timeout=5)
        return int(journal.headers["x-total-count"])


@contextmanager
def running() -> Generator[Aimock]:
    """Run aimock on a free port of loopback."""
    node = shutil.which("node")
    assert node is not None
    command = [node, str(COMMAND), "-p", "0", "-f", str(HOME / "fixtures.json")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        said: list[str] = []
        for line in process.stdout:
            said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                yield Aimock(found[0])
                return
        raise AssertionError("aimock did not start:\n" + "".join(said))
    finally:
        process.terminate()
        process.wait(timeout=5)
        process.stdout.close()
