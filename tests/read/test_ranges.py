"""R3.3: private, loopback, link-local and other special ranges."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.read.ranges import special_use, unwrap

SPECIAL_EDGES = """
    0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0
    127.255.255.255 168.63.129.16 169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255
    192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255 192.168.0.0
    192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.0 198.51.100.255 203.0.113.0
    203.0.113.255 224.0.0.0 239.255.255.255 240.0.0.0 255.255.255.255 :: ::1 ::2 64:ff9b:1::
    64:ff9b:1:ffff:ffff:ffff:ffff:ffff 100:: 2001:: 2001:1ff:ffff:: 2001:db8::
    2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2002:: 2002:808:808:: 2620:4f:8000::1 3fff::
    3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 4000:: 5f00::1 fc00:: fdff:ffff:: fe80::1 febf::
    fec0:: ff02::1 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
"""
PUBLIC_NEIGHBOURS = """
    1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0
    191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255
    192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255
    203.0.114.0 223.255.255.255 2000:: 2001:200:: 2001:db7:: 2001:db9:: 2003::
    2620:4f:7fff:: 3ffe:: 2606:4700:4700::1111
"""


@pytest.mark.parametrize("address", SPECIAL_EDGES.split())
def test_the_edges_of_every_special_block_are_inside(address: str) -> None:
    assert special_use(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC_NEIGHBOURS.split())
def test_the_neighbours_of_special_blocks_are_public(address: str) -> None:
    assert special_use(ip_address(address)) is None


@given(st.ip_addresses(v=4))
def test_an_address_inside_another_is_judged_as_itself(inner: IPv4Address) -> None:
    use = special_use(inner)
    for wrapped in (f"::ffff:{inner}", f"64:ff9b::{inner}"):
        assert special_use(IPv6Address(wrapped)) == use
        assert unwrap(IPv6Address(wrapped)) == inner


@given(st.ip_addresses(v=4))
def test_isatap_addresses_are_judged_by_what_they_hold(inner: IPv4Address) -> None:
    for identifier in ("0:5efe", "200:5efe"):
        wrapped = IPv6Address(f"2606:4700::{identifier}:{inner}")
        assert special_use(wrapped) == special_use(inner)


@given(st.ip_addresses(v=4))
def test_tunnels_that_were_given_up_are_refused_whatever_they_hold(inner: IPv4Address) -> None:
    six_to_four = IPv6Address((0x2002 << 112) | (int(inner) << 80) | 1)
    teredo = IPv6Address((0x2001_0000 << 96) | (int(inner) ^ 0xFFFF_FFFF))
    assert special_use(six_to_four)
    assert special_use(teredo)


@given(st.ip_addresses(v=6))
def test_nothing_outside_the_global_block_is_public(address: IPv6Address) -> None:
    translated = address in IPv6Network("::ffff:0:0/96") or address in IPv6Network("64:ff9b::/96")
    if address not in IPv6Network("2000::/3") and not translated:
        assert special_use(address)


@given(st.ip_addresses())
def test_what_the_standard_library_calls_private_is_never_public(
    address: IPv4Address | IPv6Address,
) -> None:
    inward = address.is_loopback or address.is_link_local or address.is_multicast
    if inward or (address.version == 4 and address.is_private):
        assert special_use(address)
