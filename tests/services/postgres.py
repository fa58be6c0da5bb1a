"""A PostgreSQL server of one's own: on a free port of this machine, in a folder that goes again.

    with server() as url: ...

The programs are those of the system (Debian keeps them out of the PATH). PostgreSQL refuses to be
run by root, so that root becomes ``postgres`` or ``nobody`` for it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import quote

from tests.services.missing import Missing

HOST = "127.0.0.1"
USER = "quaere"
START_S = 60.0
_NAMES = count(1)


def programs() -> Path:
    """Return the folder of ``initdb`` and ``postgres``, of the newest version there is.

    Raises:
        Missing: when there are none.
    """
    found = [*Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    found.sort(key=lambda path: float(path.parts[-3]), reverse=True)
    if on_path := shutil.which("initdb"):
        found.append(Path(on_path))
    for initdb in found:
        if (initdb.parent / "postgres").exists():
            return initdb.parent
    raise Missing("PostgreSQL is not installed; `make services` installs it on Debian")


@dataclass
class Server:
    """A running server; it can be stopped and started again with what is in it."""

    folder: Path
    port: int
    network: str = ""
    """Whose addresses it lets in besides this machine's, as "10.0.0.0/8"."""
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    """Variables of its environment besides this process's."""
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        """The address of the database that is always there."""
        return self.url_of("postgres")

    def url_of(self, name: str) -> str:
        """Return the address of the database called ``name``."""
        return f"postgresql://{USER}@{HOST}:{self.port}/{quote(name)}"

    def create(self, options: str = "") -> str:
        """Make an empty database with ``options`` and return its address."""
        name = f"test_{os.getpid()}_{next(_NAMES)}"
        self.run_sql(f"CREATE DATABASE {name} {options}")
        return self.url_of(name)

    def run_sql(self, sql: str) -> str:
        """Run ``sql`` as a command of ``psql`` and return what it writes."""
        psql = [programs() / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", self.url, "-c", sql]
        done = subprocess.run(psql, check=True, capture_output=True, timeout=60)
        return done.stdout.decode()

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = {
            "listen_addresses": "*" if self.network else HOST,
            "port": str(self.port),
            "unix_socket_directories": "",
            "max_connections": "200",
            "shared_buffers": "32MB",
            "fsync": "off",  # a crash of the machine ends the tests as well
        }
        command = [str(programs() / "postgres"), "-D", str(self.folder / "data")]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        log = (self.folder / "log").open("ab")
        with log:
            user, group = _somebody()
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                user=user,
                group=group,
                env={**os.environ, **self.env},
            )
        deadline = time.monotonic() + START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise Missing(f"PostgreSQL does not start: {self._log()}")
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: by SIGINT at once and in order, by SIGQUIT as in a crash."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait(START_S)
            self._process = None

    def _answers(self) -> bool:
        ready = [programs() / "pg_isready", "-q", "-h", HOST, "-p", str(self.port)]
        return subprocess.run(ready, check=False).returncode == 0

    def _log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")[-500:]


@contextmanager
def server(network: str = "", env: Mapping[str, str] | None = None) -> Generator[Server]:
    """Start a server, and stop it at the end.

    Args:
        network: Whose addresses it lets in besides this machine's.
        env: Variables of its environment besides this process's.

    Raises:
        Missing: when it cannot be run here.
    """
    with tempfile.TemporaryDirectory(prefix="quaere-postgres-") as name:
        folder = Path(name)
        user, group = _somebody()
        if user is not None and group is not None:
            os.chown(folder, user, group)
        initdb = [programs() / "initdb", "-D", folder / "data", "-U", USER, "-A", "trust"]
        made = subprocess.run(
            [*initdb, "-E", "UTF8", "--locale=C", "--no-sync"],
            cwd=folder,
            capture_output=True,
            check=False,
            user=user,
            group=group,
        )
        if made.returncode:
            raise Missing(f"PostgreSQL cannot be set up: {made.stderr.decode()[-500:]}")
        if network:
            with (folder / "data" / "pg_hba.conf").open("a") as access:
                access.write(f"host all all {network} trust\n")
        running = Server(folder, _free_port(), network, env or {})
        running.start()
        try:
            yield running
        finally:
            running.stop()


def _somebody() -> tuple[int | None, int | None]:
    """Return the user and group that are to run the server, not root's; None for one's own."""
    if os.geteuid() != 0:
        return None, None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise Missing("PostgreSQL refuses to be run by root, and there is nobody else")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
