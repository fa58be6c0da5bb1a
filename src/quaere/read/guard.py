"""Which URLs and addresses may be read.

A URL is parsed once, as browsers do it (WHATWG URL Standard), and everything after works on what
came out of that parse: a second parser with other ideas of where the host ends never decides. Then
every address that the host has is judged, and the connection goes to a judged address, not to the
name (see ``resolve``). The functions are pure.

An odd spelling of a public address (``http://0x08080808/``) is allowed: once parsed, it is that
address. Any port but 80 and 443 is refused unless an operator lists it.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Annotated

import ada_url
from pydantic import AfterValidator, Field

from quaere.domain.value import Value
from quaere.read.ranges import Address, special_use, unwrap

MAX_URL_CHARACTERS = 8_000
"""RFC 9110, 4.1, recommends that everybody support 8,000."""

_DEFAULT_PORTS = {"http:": 80, "https:": 443}

# Names that the public DNS does not hold, or that RFCs 6761, 6762, 7686, 8375, 9476 and ICANN set
# aside, with those that routers and clusters hand out. Names without a dot are local as well.
_LOCAL_SUFFIXES = frozenset(
    (
        *("alt", "arpa", "corp", "home", "internal", "intranet", "invalid", "lan", "local"),
        *("localdomain", "localhost", "onion", "private", "svc"),
    )
)


def _canonical_hosts(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.lower().strip("[].") for name in names) - {""}


class ReadPolicy(Value):
    """What an operator allows beyond the public web on ports 80 and 443."""

    extra_hosts: Annotated[frozenset[str], AfterValidator(_canonical_hosts)] = frozenset()
    """Host names or addresses that may be read whatever they resolve to, on allowed ports."""
    extra_ports: frozenset[Annotated[int, Field(gt=0, lt=65_536)]] = frozenset()
    extra_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    """Networks whose addresses may be read, under any name."""

    def lists(self, host: str) -> bool:
        """Whether ``host`` is one of ``extra_hosts``."""
        return host.rstrip(".") in self.extra_hosts


PUBLIC_WEB = ReadPolicy()


@dataclass(frozen=True, slots=True)
class Allowed:
    """A URL that may be asked for, as rebuilt from its one parse."""

    url: str
    """Without fragment and credentials."""
    scheme: str
    host: str
    """In ASCII, lower case; an IPv6 address without its brackets."""
    port: int
    address: Address | None = None
    """Where the host is an address."""

    @property
    def origin(self) -> str:
        """Scheme, host and port: what cookies, credentials and robots.txt belong to."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a URL or an address may not be asked for."""

    reason: str


def judge(
    url: str, policy: ReadPolicy = PUBLIC_WEB, *, base: Allowed | None = None
) -> Allowed | Refused:
    """Return ``url`` as it may be asked for, or why it may not; relative to ``base`` if given."""
    parsed = _parse(url, base)
    if isinstance(parsed, Refused):
        return parsed
    host, port = parsed.hostname.strip("[]"), _port(parsed)
    if port not in (80, 443) and port not in policy.extra_ports:
        return Refused(f"port {port} is not allowed")
    address = _address(host)
    refusal = judge_address(address, policy, host) if address else _judge_name(host, policy)
    return refusal or Allowed(parsed.href, parsed.protocol[:-1], host, port, address)


def policy_for(url: str) -> ReadPolicy | Refused:
    """Return the policy that lists the host and the port of ``url``, which an operator has set."""
    parsed = _parse(url, None)
    if isinstance(parsed, Refused):
        return parsed
    host = parsed.hostname.strip("[]")
    return ReadPolicy(extra_hosts=frozenset({host}), extra_ports=frozenset({_port(parsed)}))


def judge_address(
    address: Address, policy: ReadPolicy = PUBLIC_WEB, host: str = ""
) -> Refused | None:
    """Return why ``address``, to which ``host`` has led, may not be connected to, if so."""
    if policy.lists(host):
        return None
    inner = unwrap(address)
    if any(inner in network for network in policy.extra_networks):
        return None
    use = special_use(address)
    return Refused(f"{host or address} leads to {address} ({use})") if use else None


def _parse(url: str, base: Allowed | None) -> ada_url.URL | Refused:
    if len(url) > MAX_URL_CHARACTERS:
        return Refused(f"it is longer than {MAX_URL_CHARACTERS:,} characters")
    try:
        parsed = ada_url.URL(url, base=base.url if base else None)
    except ValueError:
        return Refused("it is not a valid URL")
    if parsed.protocol not in _DEFAULT_PORTS:
        return Refused("only http and https are read")
    if parsed.username or parsed.password:
        return Refused("it carries credentials")
    parsed.hash = ""
    return parsed


def _port(parsed: ada_url.URL) -> int:
    return int(parsed.port) if parsed.port else _DEFAULT_PORTS[parsed.protocol]


def _judge_name(host: str, policy: ReadPolicy) -> Refused | None:
    name = host.removesuffix(".")
    # RFC 1035, 2.3.4
    if len(name) > 253 or not all(0 < len(label) <= 63 for label in name.split(".")):
        return Refused("its host is no valid name")
    # Where whole networks are listed, names inside them are local by nature: the address decides.
    if policy.lists(host) or policy.extra_networks:
        return None
    if "." not in name or name.rpartition(".")[2] in _LOCAL_SUFFIXES:
        return Refused(f"{name} is the name of a local host")
    return None


def _address(host: str) -> Address | None:
    try:
        return IPv6Address(host) if ":" in host else IPv4Address(host)
    except AddressValueError:
        return None
