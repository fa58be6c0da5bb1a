"""R3.3: which URLs may be read."""

from __future__ import annotations

from ipaddress import IPv4Network, ip_address

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
)
from quaere.read.ranges import special_use

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
def test_refuses(url: str) -> None:
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
def test_origin(url: str, origin: str) -> None:
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
