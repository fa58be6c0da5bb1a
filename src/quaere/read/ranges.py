"""Addresses that are no place on the public internet, and addresses hidden inside others.

The tables hold every block of IANA's two special-purpose address registries, whatever the registry
says of its reachability: no page worth citing lives in one. The standard library's ``is_private``
and ``is_global`` are not asked, because they differ between patch releases of Python.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

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

_SPECIAL_IPV4 = tuple((IPv4Network(block), use) for block, use in _IPV4)
_SPECIAL_IPV6 = tuple((IPv6Network(block), use) for block, use in (*_IPV6, *_BELOW_GLOBAL))

_MAPPED = IPv6Network("::ffff:0:0/96")  # RFC 4291, 2.5.5.2
_NAT64 = IPv6Network("64:ff9b::/96")  # RFC 6052, 2.1
_ISATAP = 0x0000_5EFE  # RFC 5214, 6.1: upper half of the interface identifier, "u" bit ignored


def special_use(address: Address) -> str | None:
    """Return what ``address`` is set aside for; ``None`` for an address of the public internet.

    An IPv4 address inside an IPv6 one is judged in its place: IPv4-mapped, behind the well-known
    prefix of NAT64, and in the interface identifier of ISATAP. 6to4 and Teredo are refused whole.
    """
    if isinstance(address, IPv4Address):
        return next((use for block, use in _SPECIAL_IPV4 if address in block), None)
    if address in _MAPPED or address in _NAT64:
        return special_use(unwrap(address))
    use = next((use for block, use in _SPECIAL_IPV6 if address in block), None)
    if use is None and address not in _GLOBAL_IPV6:
        use = "outside the global unicast block"
    return use or _isatap_use(address)


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
