"""A real server on loopback: in a thread, or as the process that users start."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import httpx
from fastapi import FastAPI

from quaere.faces.server.service import make_service
from quaere.faces.server.serving import Server, config, listen
from quaere.runtime.settings import Access, Settings

STARTS_S = 30.0
DOCS = {
    "tides.md": (
        "# Tides\n\nThe tide mill at Carrow was built in 1781 by Ada Finch. It grinds barley.\n\n"
        "The mill stopped working in 1934, when its sluice broke.\n"
    ),
    "storks.md": (
        "# Storks\n\nWhite storks return to Carrow in March. They nest on the tide mill.\n"
    ),
}
QUESTION = "Who built the tide mill at Carrow?"


def write_docs(folder: Path) -> Path:
    """Write a few documents into ``folder`` and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in DOCS.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@contextmanager
def served(
    settings: Settings, *, workers: int = 2, access: Access | None = None, host: str = "127.0.0.1"
) -> Generator[str]:
    """Yield the address of a server in a thread of this process."""
    with serving(make_service(settings, host=host, workers=workers, access=access)) as url:
        yield url


@contextmanager
def serving(service: FastAPI) -> Generator[str]:
    """Yield the address at which ``service`` answers, from a thread of this process."""
    with listen("127.0.0.1", 0) as opened:
        server = Server(config(service), service.state.stop)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]}, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{opened.getsockname()[1]}"
        _await(url)
        try:
            yield url
        finally:
            service.state.stop()
            server.should_exit = True
            thread.join(STARTS_S)
            assert not thread.is_alive(), "the server did not stop"


@dataclass
class Process:
    """``quaere serve`` as users start it."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    port: int = 0
    url: str = ""
    said: list[str] = field(default_factory=list[str])
    """What it has written to standard error since it began to serve, line by line."""
    _running: subprocess.Popen[str] | None = None
    _listening: threading.Thread | None = None

    def start(self) -> None:
        """Start it and wait until it can serve."""
        command = [sys.executable, "-m", "quaere", "serve", "--port", str(self.port)]
        self._running = subprocess.Popen(
            [*command, *self.arguments],
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **self.environment},
        )
        assert self._running.stderr
        # Where it logs, what it logs of its start comes before its address.
        for line in self._running.stderr:
            if found := re.search(r"\bQuaere answers on (http://[\w.\[\]:]+)", line):
                break
            self.said.append(line.rstrip())
        else:
            self._running.communicate(timeout=STARTS_S)
            raise AssertionError("\n".join(self.said))
        self.url = found[1]
        self.port = int(self.url.rpartition(":")[2])
        # Where nobody reads, a process that logs much would wait.
        reading = (self._running.stderr,)
        self._listening = threading.Thread(target=self._listen, args=reading, daemon=True)
        self._listening.start()
        _await(self.url)

    def _listen(self, lines: IO[str]) -> None:
        with lines:
            self.said.extend(line.rstrip() for line in lines)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> float:
        """Stop it and return the seconds that it took."""
        assert self._running
        begun = time.monotonic()
        self._running.send_signal(how)
        self._running.wait(timeout=30)
        if self._listening:
            self._listening.join(STARTS_S)
        return time.monotonic() - begun

    @property
    def pid(self) -> int:
        """Its number."""
        assert self._running
        return self._running.pid

    @property
    def code(self) -> int | None:
        """Its exit code, once it has ended."""
        return self._running.poll() if self._running else None

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._running is not None and self._running.poll() is None


def _await(url: str) -> None:
    until = time.monotonic() + STARTS_S
    while time.monotonic() < until:
        try:
            if httpx.get(f"{url}/health/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise TimeoutError(f"{url} is not ready")


@dataclass(frozen=True)
class Frame:
    """One server-sent event."""

    event: str
    data: str
    id: int | None


def frames_of(text: str) -> list[Frame]:
    """Return the events in ``text``; comments are left out."""
    found: list[Frame] = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line[1:])
        if "event" in fields:
            number = int(fields["id"]) if "id" in fields else None
            found.append(Frame(fields["event"], fields["data"], number))
    return found
