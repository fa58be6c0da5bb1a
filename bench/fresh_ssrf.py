"""Addresses that must not be reached, or must be, written after the development corpus.

Each row has the form of ``corpora/ssrf_urls.tsv``. The trap is in how an address is written, in
what a name resolves to, in where a redirect leads, or in what two parsers make of one URL.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

PUBLIC = "93.184.216.34"


class Trap(NamedTuple):
    """An address, what is to become of it, and what names resolve to, answer after answer."""

    url: str
    oracle: str
    names: Mapping[str, Sequence[Sequence[str]]] = {}


def _numbers() -> Iterator[Trap]:
    """Addresses in all the ways in which numbers are written, and their neighbours."""
    inside = (
        *("0.0.0.0", "0.1.2.3", "10.255.255.254", "100.64.0.1", "127.9.9.9"),  # noqa: S104
        "100.127.255.254",
        *("169.254.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.77", "192.88.99.1"),
        *("192.168.77.1", "198.18.0.5", "198.19.255.255", "203.0.113.200", "224.0.0.251"),
        *("239.255.255.250", "240.0.0.1", "255.255.255.255"),
        *("0xc0a80001", "0xa.0.0.1", "012.0.0.1", "127.1", "127.0.1", "10.1", "192.168.257"),
        *("2852039166", "0x7F.1", "0177.0.0.0x1", "3232235777", "0300.0250.1", "1.0.0.127.in-addr"),
        *("１０.0.0.1", "①②⑦.0.0.1", "127。0。0。1", "127．0．0．1", "10.0.0.1."),
        *("127.0.0.1%00", "127.0.0.1%2e", "%31%32%37.0.0.1", "0x7f.0x0.0x0.0x1", "017700000001"),
    )
    for host in inside:
        yield Trap(f"http://{host}/", "must_refuse")
    embedded = (
        *("::", "::1", "::127.0.0.1", "::ffff:192.168.1.1", "::ffff:0:10.0.0.1", "64:ff9b::a00:1"),
        *("64:ff9b:1::a9fe:a9fe", "2002:7f00:1::", "2002:c0a8:101::1", "2001:0:a00:1::1"),
        *("fc00::5", "fdff:ffff::1", "fe80::42", "fec0::7", "ff02::1", "ff05::2", "100::1"),
        *("2001:db8:9::1", "2001:10::5", "3fff::1", "5f00::1", "::ffff:0xa000001"),
    )
    for host in embedded:
        yield Trap(f"http://[{host}]/", "must_refuse")
    outside = ("11.0.0.1", "9.255.255.255", "100.63.255.255", "100.128.0.1", "126.255.255.254")
    outside += ("128.0.0.1", "169.253.255.255", "172.15.255.255", "172.32.0.1", "192.167.9.9")
    outside += ("192.169.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.1", "191.255.255.255")
    for host in outside:
        yield Trap(f"http://{host}/", "must_allow")
    yield Trap("http://[2606:4700:4700::1111]/", "must_allow")
    yield Trap("http://[2a00:1450:4001:81b::200e]/", "must_allow")


def _names() -> Iterator[Trap]:
    """Names that resolve to the inside, at once, later, in part, or by a detour."""
    inward = ("10.3.3.3", "127.0.0.53", "169.254.169.254", "0.0.0.0")  # noqa: S104 - not bound
    for number, address in enumerate(inward):
        host = f"inward{number}.crooked.test"
        yield Trap(f"http://{host}/", "must_refuse", {host: [[f"A {address}"]]})
    for number, address in enumerate(("::1", "fd00:ec2::254", "::ffff:127.0.0.1", "fe80::1")):
        host = f"inward6{number}.crooked.test"
        yield Trap(f"http://{host}/", "must_refuse", {host: [[f"AAAA {address}"]]})
    host = "swing.crooked.test"
    yield Trap(f"http://{host}/", "no_private_connect", {host: [[f"A {PUBLIC}"], ["A 10.0.0.9"]]})
    host = "both.crooked.test"
    yield Trap(f"http://{host}/", "no_private_connect", {host: [[f"A {PUBLIC}", "A 172.16.4.4"]]})
    host = "honest.crooked.test"
    yield Trap(f"http://{host}/a?b=c#d", "must_allow", {host: [[f"A {PUBLIC}"]]})
    yield Trap(f"http://{host.upper()}./x", "must_allow", {host: [[f"A {PUBLIC}"]]})
    for host in ("localhost", "LOCALHOST.", "a.localhost", "printer.local", "db", "vault.internal"):
        yield Trap(f"http://{host}/", "must_refuse", {host.lower().strip("."): [["A 127.0.0.1"]]})
    for host in ("kubernetes.default.svc", "host.docker.internal", "router.home.arpa", "nas.lan"):
        yield Trap(f"http://{host}/", "must_refuse", {host: [["A 10.0.0.2"]]})


def _shapes() -> Iterator[Trap]:
    """URLs that parsers disagree on, other schemes and other ports."""
    known = {"fair.crooked.test": [[f"A {PUBLIC}"]]}
    fair = "fair.crooked.test"
    for url in (
        *(f"http://{fair}@10.0.0.1/", f"http://10.0.0.1#@{fair}/", f"http://10.0.0.1?@{fair}/"),
        *(f"http://10.0.0.1\\@{fair}/", f"http://{fair}:80@127.0.0.1:80/", "http:///10.0.0.1/"),
        *("http:10.0.0.1/", "http:\\\\10.0.0.1/", "http:/10.0.0.1/", "\thttp://10.0.0.1/"),
        *("http://10.0.0.1\r\n/", "ht\ntp://10.0.0.1/", "http://10.0.0.1:80\t/", "//10.0.0.1/"),
        *("http://[::ffff:10.0.0.1%25eth0]/", "http://[10.0.0.1]/", "http://[::1/", "http://::1/"),
        *("http://127.0.0.1;/", "http://127.0.0.1,/", "http://127.0.0.1 /", "http://127.0.0.1%20/"),
    ):
        yield Trap(url, "no_private_connect", known)
    for scheme in ("ftp", "file", "gopher", "dict", "ldap", "jar", "ws", "unix", "data", "about"):
        yield Trap(f"{scheme}://{fair}/x", "must_refuse", known)
    for port in (0, 1, 22, 25, 110, 143, 445, 3306, 5432, 6379, 9200, 11211, 27017, 65536, 99999):
        yield Trap(f"http://{fair}:{port}/", "must_refuse", known)
    for port in ("80", "080", ""):
        yield Trap(f"http://{fair}:{port}/", "must_allow", known)
    yield Trap(f"http://user:pass@{fair}/", "refuse_or_strip", known)


def _redirects() -> Iterator[Trap]:
    """Public addresses that send inwards."""
    known = {"redir.test": [[f"A {PUBLIC}"]], "fair.crooked.test": [[f"A {PUBLIC}"]]}
    for target in (
        *("http://10.9.9.9/", "http://[::1]/", "http://0x7f000001/", "//127.0.0.1/", "file:///etc"),
        *("http://169.254.169.254/latest", "gopher://127.0.0.1:6379/_x", "http://localhost:8080/"),
        *("http://2130706433/", "http://127.0.0.1:9/", "\\\\127.0.0.1\\x", "http://[fd00::1]/"),
    ):
        for code in ("302", "307"):
            url = f"http://redir.test/r/{code}?to={quote(target, safe='')}"
            yield Trap(url, "no_private_connect", known)


def lines() -> Iterator[str]:
    """Yield the table, its head first; URLs are escaped as in JSON."""
    yield "id\turl\toracle\tdns"
    for number, trap in enumerate((*_numbers(), *_names(), *_shapes(), *_redirects())):
        names = json.dumps(trap.names, separators=(",", ":")) if trap.names else "-"
        yield f"fresh-{number:03}\t{json.dumps(trap.url)[1:-1]}\t{trap.oracle}\t{names}"
