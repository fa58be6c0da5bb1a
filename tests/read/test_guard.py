"""R3.3: which URLs may be read."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quaere.read.guard import (
    MAX_URL_CHARACTERS,
    PUBLIC_WEB,
    Allowed,
    ReadPolicy,
    Refused,
    judge,
    judge_address,
    policy_for,
    special_use,
    unwrap,
)

LOOPBACK = (
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "http:127.0.0.1",
    "ht\ntp://127.0.0.1/",
    "  http://127.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost/",
    "http://loc%61lhost/",
)
SCHEMES = (
    "file:///etc/passwd",
    "ftp://example.org/",
    "gopher://example.org/",
    "data:text/html,x",
    "javascript:alert(1)",
    "ws://example.org/",
    "httpx://example.org/",
    "view-source:http://example.org/",
)
INVALID = (
    "",
    "   ",
    "http://",
    "//example.org/",
    "example.org",
    "http://[::1",
    "http://example.org:99999/",
    "http://exa mple.org/",
    "http://256.1.1.1/",
    "http://example.org\r\nHost: x/",
    "http://\ud800.org/",
    "http://" + "a" * 64 + ".org/",
    "http://" + ".".join(["a" * 60] * 5) + ".org/",
    "http://a..org/",
    "http://example.org/" + "a" * MAX_URL_CHARACTERS,
)


@pytest.mark.parametrize("url", [*LOOPBACK, *SCHEMES, *INVALID])
def test_places_of_this_machine_and_broken_addresses_are_refused(url: str) -> None:
    assert isinstance(judge(url), Refused)


@pytest.mark.parametrize(
    ("url", "rebuilt"),
    [
        ("HTTP://Example.ORG", "http://example.org/"),
        ("https://example.org:443/a b#part", "https://example.org/a%20b"),
        ("http://example.org?x={y}", "http://example.org/?x={y}"),
        ("http://example.org/?u=http://127.0.0.1/", "http://example.org/?u=http://127.0.0.1/"),
        ("http://faß.example.org/", "http://xn--fa-hia.example.org/"),
        ("http://0x08080808/", "http://8.8.8.8/"),
        ("http://[2606:4700:4700:0:0::1111]/", "http://[2606:4700:4700::1111]/"),
        ("http:\\\\example.org\\a\\..\\b", "http://example.org/b"),
    ],
)
def test_rebuilds_a_url_from_its_parse(url: str, rebuilt: str) -> None:
    verdict = judge(url)
    assert isinstance(verdict, Allowed)
    assert verdict.url == rebuilt
    assert judge(rebuilt) == verdict


@pytest.mark.parametrize("url", ["http://u@example.org/", "http://:p@example.org/"])
def test_refuses_credentials(url: str) -> None:
    assert judge(url) == Refused("it carries credentials")


@pytest.mark.parametrize("port", [1, 22, 25, 53, 8000, 8080, 8443, 65_535])
def test_refuses_ports_unless_they_are_listed(port: int) -> None:
    url = f"http://example.org:{port}/"
    assert isinstance(judge(url), Refused)
    assert isinstance(judge(url, ReadPolicy(extra_ports=frozenset({port}))), Allowed)


@pytest.mark.parametrize("name", ["db", "wiki.corp", "nas.lan", "printer.local", "x.internal"])
def test_refuses_local_names_unless_they_are_listed(name: str) -> None:
    listed = ReadPolicy(extra_hosts=frozenset({name.upper()}))
    assert isinstance(judge(f"http://{name}/"), Refused)
    assert isinstance(judge(f"http://{name}./", listed), Allowed)


def test_a_listed_host_opens_no_other_host_and_no_port() -> None:
    policy = ReadPolicy(extra_hosts=frozenset({"127.0.0.1"}))
    assert isinstance(judge("http://127.0.0.1/", policy), Allowed)
    assert isinstance(judge("http://127.0.0.2/", policy), Refused)
    assert isinstance(judge("http://localhost/", policy), Refused)
    assert isinstance(judge("http://127.0.0.1:6379/", policy), Refused)


def test_a_listed_network_opens_its_addresses_under_any_name_and_spelling() -> None:
    policy = ReadPolicy(extra_networks=(IPv4Network("10.1.0.0/16"),))
    assert isinstance(judge("http://10.1.2.3/", policy), Allowed)
    assert isinstance(judge("http://[::ffff:10.1.2.3]/", policy), Allowed)
    assert isinstance(judge("http://wiki.corp/", policy), Allowed)
    assert judge_address(ip_address("10.1.2.3"), policy, "wiki.corp") is None
    assert judge_address(ip_address("10.2.0.0"), policy, "wiki.corp")
    assert isinstance(judge("http://10.2.0.0/", policy), Refused)


def test_a_redirect_is_resolved_against_the_page_it_comes_from() -> None:
    base = judge("https://example.org/a/b?c")
    assert isinstance(base, Allowed)
    for location, url in (
        ("d", "https://example.org/a/d"),
        ("//example.com", "https://example.com/"),
    ):
        verdict = judge(location, base=base)
        assert isinstance(verdict, Allowed)
        assert verdict.url == url
    assert isinstance(judge("//127.0.0.1/", base=base), Refused)
    assert isinstance(judge("file:///etc/passwd", base=base), Refused)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("http://example.org/a", "http://example.org:80"),
        ("https://example.org/a", "https://example.org:443"),
        ("http://[2606:4700::1]/", "http://[2606:4700::1]:80"),
    ],
)
def test_an_origin_names_its_port(url: str, origin: str) -> None:
    verdict = judge(url)
    assert isinstance(verdict, Allowed)
    assert verdict.origin == origin


def test_policy_for_lists_exactly_one_place() -> None:
    policy = policy_for("http://[::1]:8080/search")
    assert policy == ReadPolicy(extra_hosts=frozenset({"::1"}), extra_ports=frozenset({8080}))
    assert isinstance(policy_for("http://u:p@localhost/"), Refused)
    assert isinstance(policy_for("file:///x"), Refused)


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_a_policy_takes_no_impossible_port(port: int) -> None:
    with pytest.raises(ValidationError):
        ReadPolicy(extra_ports=frozenset({port}))


def test_an_empty_host_in_a_policy_opens_nothing() -> None:
    policy = ReadPolicy(extra_hosts=frozenset({"", "."}))
    assert judge_address(ip_address("127.0.0.1"), policy)


@given(st.text(max_size=60) | st.builds("http://{}/".format, st.text(max_size=30)))
def test_never_raises_and_what_it_allows_is_stable_and_public(url: str) -> None:
    verdict = judge(url)
    if isinstance(verdict, Allowed):
        assert judge(verdict.url) == verdict
        assert verdict.port in (80, 443)
        assert verdict.address is None or special_use(verdict.address) is None


@given(st.ip_addresses())
def test_an_address_is_allowed_exactly_when_it_is_public(address: object) -> None:
    parsed = ip_address(str(address))
    host = f"[{parsed}]" if parsed.version == 6 else str(parsed)
    allowed = isinstance(judge(f"http://{host}/"), Allowed)
    assert allowed == (special_use(parsed) is None)
    assert allowed == (judge_address(parsed, PUBLIC_WEB) is None)


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


LABEL = "a" * 61


@pytest.mark.parametrize(
    ("host", "is_read"),
    [
        (f"{'a' * 63}.test.org", True),
        (f"{'a' * 64}.test.org", False),
        (f"{LABEL}.{LABEL}.{LABEL}.{LABEL}.abcde", True),
        (f"{LABEL}.{LABEL}.{LABEL}.{LABEL}.abcdef", False),
    ],
)
def test_a_name_is_as_long_as_the_rules_of_names_have_it(host: str, *, is_read: bool) -> None:
    assert isinstance(judge(f"https://{host}/"), Allowed) is is_read


@pytest.mark.parametrize(("length", "is_read"), [(8000, True), (8001, False)])
def test_an_address_has_at_most_eight_thousand_characters(length: int, *, is_read: bool) -> None:
    start = "https://example.org/"
    assert isinstance(judge(start + "a" * (length - len(start))), Allowed) is is_read


def test_what_is_refused_is_named_by_its_host_or_else_its_address() -> None:
    address = ip_address("127.0.0.1")
    named = judge_address(address, PUBLIC_WEB, host="tide.test")
    alone = judge_address(address, PUBLIC_WEB)
    assert named is not None
    assert alone is not None
    assert named.reason.startswith("tide.test leads to 127.0.0.1 (")
    assert alone.reason.startswith("127.0.0.1 leads to 127.0.0.1 (")
