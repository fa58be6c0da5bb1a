"""Networks and clocks for the workers of ``bench/kill.py``: each seems to be a machine of its own.

A worker has a network namespace with one cable, which leads to a bridge. Where the cable is cut,
packets vanish in both directions and nobody is told: connections stay open, as they do between
machines. The namespace goes with its worker.

A wrong clock is libfaketime's, of the Debian package of that name. Only the time of day is wrong:
that by which processes measure how long something takes is the machine's.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from sqlalchemy import make_url

HUB = "10.77.0.1"
"""Where workers reach the servers."""
NETWORK = "10.77.0.0/16"
_BRIDGE = "hub"
_JOIN = """
until ip link show cable >/dev/null 2>&1; do sleep 0.05; done
ip link set lo up && ip addr add "$1/16" dev cable && ip link set cable up && shift && exec "$@"
"""
_LIBRARIES = ("/usr/lib", "/usr/local/lib")


@dataclass
class Network:
    """Cables from workers to one bridge, in the network that this process has to itself."""

    _addresses: dict[int, str] = field(default_factory=dict[int, str])
    _made: int = 0

    def __enter__(self) -> Self:
        _run("ip", "link", "add", _BRIDGE, "type", "bridge")
        _run("ip", "addr", "add", f"{HUB}/16", "dev", _BRIDGE)
        _run("ip", "link", "set", _BRIDGE, "up")
        return self

    def __exit__(self, *_: object) -> None:
        _run("ip", "link", "del", _BRIDGE)

    def start(self, command: Sequence[str], env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start a worker that has nothing but a cable to the bridge."""
        self._made += 1
        address = f"10.77.{1 + self._made // 250}.{1 + self._made % 250}"
        joined = ("unshare", "--net", "sh", "-c", _JOIN, "sh", address, *command)
        worker = subprocess.Popen(joined, env=env)
        self._addresses[worker.pid] = address
        cable = f"worker{self._made}"
        while _own_network(worker.pid) == _own_network(os.getpid()):  # it has not left this one yet
            assert worker.poll() is None, "a worker has no network of its own"
        _run("ip", "link", "add", cable, "type", "veth", "peer", "cable", "netns", str(worker.pid))
        _run("ip", "link", "set", cable, "master", _BRIDGE, "up")
        return worker

    @contextmanager
    def cut(self, worker: int, ports: Sequence[int]) -> Generator[None]:
        """Let nothing pass between a worker, by its process id, and ``ports`` of the servers."""
        address = self._addresses[worker]
        rules = [
            rule
            for port in map(str, ports)
            for rule in (
                ("INPUT", "-s", address, "-p", "tcp", "--dport", port),
                ("OUTPUT", "-d", address, "-p", "tcp", "--sport", port),
            )
        ]
        for rule in rules:
            _run("iptables", "-A", *rule, "-j", "DROP")
        try:
            yield
        finally:
            for rule in rules:
                _run("iptables", "-D", *rule, "-j", "DROP")


def seen_from_workers(url: str) -> str:
    """Return the address of a server as workers with cables know it."""
    return url.replace("127.0.0.1", HUB)


def port_of(url: str) -> int:
    """Return the port in the address of a server."""
    port = make_url(url).port
    assert port
    return port


def wrong_clock(ahead_s: float) -> dict[str, str]:
    """Return the environment in which a process takes it to be ``ahead_s`` seconds later.

    Raises:
        FileNotFoundError: when libfaketime is not installed.
    """
    found = (path for place in _LIBRARIES for path in Path(place).glob("**/libfaketime.so.1"))
    library = next(found, None)
    if library is None:
        raise FileNotFoundError("libfaketime is not installed")
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME": f"{ahead_s:+.0f}s",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def _own_network(process: int) -> int:
    return Path(f"/proc/{process}/ns/net").stat().st_ino


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
