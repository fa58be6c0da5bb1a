"""Resolves host names to checked addresses, once per connection.

The HTTP client connects to what this returns and resolves nothing itself: an answer that changes
between the check and the connection (DNS rebinding) has no effect. One bad answer refuses the name,
even beside good ones: no honest site mixes public addresses with private ones.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.read.guard import Address, ReadPolicy, judge_address, unwrap

_THREADS = 16
"""Look-ups at once. The system's resolver blocks, and one that hangs holds its thread."""

LookUp = Callable[[str, int], Sequence[Address]]
"""Returns all addresses of a host, blocking; raises ``ReadError`` when there are none."""


class Resolver:
    """Looks names up with the system's resolver and judges every answer."""

    def __init__(self, policy: ReadPolicy, look_up: LookUp | None = None) -> None:
        self._policy = policy
        self._look_up = look_up or _look_up
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="quaere-dns")

    async def addresses(self, host: str, port: int) -> tuple[Address, ...]:
        """Return the addresses of ``host``, all of them judged, in the resolver's order.

        Raises:
            ReadError: ``not_found`` when there is no such name, ``refused`` when one of its
                addresses may not be connected to.
        """
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, self._look_up, host, port)
        for address in found:
            if refusal := judge_address(address, self._policy, host):
                raise ReadError(f"{refusal.reason}.", status=ReadStatus.REFUSED)
        return tuple(dict.fromkeys(unwrap_mapped(address) for address in found))

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def unwrap_mapped(address: Address) -> Address:
    """Return the IPv4 address of an IPv4-mapped one, else ``address``: NAT64 needs its prefix."""
    mapped = address.version == 6 and address.packed.startswith(b"\0" * 10 + b"\xff\xff")
    return unwrap(address) if mapped else address


def _look_up(host: str, port: int) -> list[Address]:
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        message = f"Unknown host {host:.100}."
        raise ReadError(message, status=ReadStatus.NOT_FOUND) from error
    # A zone (fe80::1%eth0) belongs to the machine, not to the address.
    return [ip_address(str(answer[4][0]).partition("%")[0]) for answer in answers]
