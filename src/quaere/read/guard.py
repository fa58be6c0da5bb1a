"""Which URLs and addresses may be read.

A URL is parsed once, as browsers do it (WHATWG URL Standard), and everything after works on what
came out of that parse: a second parser with other ideas of where the host ends never decides. Then
every address that the host has is judged, and the connection goes to a judged address, not to the
name (see ``resolver``). The functions are pure.

The tables below hold every block of IANA's two special-purpose address registries, whatever the
registry says about its reachability: no page worth citing lives in one. The standard library's
``is_private`` and ``is_global`` are not used, because they differ between patch releases of Python.

An odd spelling of a public address (``http://0x08080808/``) is allowed: once parsed, it is that
address. Any port but 80 and 443 is refused unless an operator lists it.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import (
    AddressValueError,
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_network,
)
from typing import Annotated

import ada_url
from pydantic import AfterValidator, Field

from quaere.domain.value import Value

Address = IPv4Address | IPv6Address

_IPV4 = (
    ("0.0.0.0/8", "this network"),  # RFC 791, 3.2
    ("10.0.0.0/8", "private use"),  # RFC 1918
    ("100.64.0.0/10", "shared by carriers"),  # RFC 6598
    ("127.0.0.0/8", "loopback"),  # RFC 1122, 3.2.1.3
    ("168.63.129.16/32", "the host of an Azure machine"),  # public by number, local by routing
    ("169.254.0.0/16", "link-local"),  # RFC 3927; cloud metadata lives here
    ("172.16.0.0/12", "private use"),  # RFC 1918
    ("192.0.0.0/24", "protocol assignments"),  # RFC 6890
    ("192.0.2.0/24", "documentation"),  # RFC 5737
    ("192.31.196.0/24", "AS112 sink"),  # RFC 7535
    ("192.52.193.0/24", "multicast tunnelling"),  # RFC 7450
    ("192.88.99.0/24", "6to4 relays"),  # RFC 7526
    ("192.168.0.0/16", "private use"),  # RFC 1918
    ("192.175.48.0/24", "AS112 sink"),  # RFC 7534
    ("198.18.0.0/15", "benchmarking"),  # RFC 2544
    ("198.51.100.0/24", "documentation"),  # RFC 5737
    ("203.0.113.0/24", "documentation"),  # RFC 5737
    ("224.0.0.0/4", "multicast"),  # RFC 5771
    ("240.0.0.0/4", "reserved"),  # RFC 1112, 4; holds the limited broadcast of RFC 919
)

_GLOBAL_IPV6 = IPv6Network("2000::/3")  # RFC 4291, 2.4: the only block handed out so far

_IPV6 = (
    ("2001::/23", "protocol assignments"),  # RFC 2928; Teredo (RFC 4380), ORCHID (RFC 7343) ...
    ("2001:db8::/32", "documentation"),  # RFC 3849
    ("2002::/16", "6to4"),  # RFC 3056, given up by RFC 7526
    ("2620:4f:8000::/48", "AS112 sink"),  # RFC 7534
    ("3fff::/20", "documentation"),  # RFC 9637
)

_BELOW_GLOBAL = (
    ("::/128", "unspecified"),  # RFC 4291
    ("::1/128", "loopback"),  # RFC 4291
    ("64:ff9b:1::/48", "local translation"),  # RFC 8215
    ("100::/63", "discard"),  # RFC 6666, RFC 9780
    ("5f00::/16", "segment routing"),  # RFC 9602
    ("fc00::/7", "unique local"),  # RFC 4193
    ("fe80::/10", "link-local"),  # RFC 4291
    ("fec0::/10", "site-local"),  # RFC 3879
    ("ff00::/8", "multicast"),  # RFC 4291
)

_SPECIAL = tuple((ip_network(block), use) for block, use in (*_IPV4, *_IPV6, *_BELOW_GLOBAL))

_MAPPED = IPv6Network("::ffff:0:0/96")  # RFC 4291, 2.5.5.2
_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052, 2.1
_ISATAP = 0x0000_5EFE  # RFC 5214, 6.1: upper half of the interface identifier, "u" bit ignored


def special_use(address: Address) -> str | None:
    """Return what ``address`` is set aside for; ``None`` for an address of the public internet.

    An IPv4 address inside an IPv6 one is judged in its place: IPv4-mapped, after the well-known
    prefix of NAT64, and in the interface identifier of ISATAP. 6to4 and Teredo are refused whole.
    """
    judged = unwrap(address)
    use = next((use for block, use in _SPECIAL if judged in block), None)
    if use or isinstance(judged, IPv4Address):
        return use
    if judged not in _GLOBAL_IPV6:
        return "outside the global unicast block"
    return _isatap_use(judged)


def unwrap(address: Address) -> Address:
    """Return the IPv4 address that a packet to ``address`` ends up at, else ``address`` itself."""
    if isinstance(address, IPv6Address) and (address in _MAPPED or address in _NAT64):
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _isatap_use(address: IPv6Address) -> str | None:
    identifier = int(address) & 0xFFFF_FFFF_FFFF_FFFF
    if (identifier >> 32) & ~0x0200_0000 != _ISATAP:
        return None
    return special_use(IPv4Address(identifier & 0xFFFF_FFFF))


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
        return Refused("its host is not a valid name")
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
