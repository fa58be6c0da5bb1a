"""R3.3, R3.4: fetching, from a server that misbehaves."""

from __future__ import annotations

import asyncio
import gc
import gzip
import ssl
import sys
import time
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from tests.misbehaving.coding import ENCODE
from tests.misbehaving.server import (
    ARTICLE,
    Behaviour,
    Request,
    Site,
    answer,
    drip,
    flood,
    in_turn,
    page,
    raw,
    redirect,
    serving,
    stall,
)

from quaere.domain.source import ReadStatus
from quaere.errors import ReadError
from quaere.read.fetch import Fetched, Fetcher, FetchLimits
from quaere.read.guard import Address, ReadPolicy
from quaere.read.transport import LookUp, Resolver

pytestmark = pytest.mark.anyio

OK = b"HTTP/1.1 200 OK\r\n"
BOMB = bytes(30_000_000)
NOISE = (bytes(range(256)) * 8)[:1_992]
LIMITS = FetchLimits()
SHORT = FetchLimits(deadline_s=0.4)


@asynccontextmanager
async def web(
    routes: Mapping[str, Behaviour], limits: FetchLimits = LIMITS, *, robots: bool = False
) -> AsyncGenerator[tuple[Site, Fetcher]]:
    """A site and a fetcher that may read it."""
    async with serving(routes) as site:
        policy = ReadPolicy(extra_hosts=frozenset({site.host}), extra_ports=frozenset({site.port}))
        fetcher = Fetcher(policy, limits, obey_robots=robots)
        try:
            yield site, fetcher
        finally:
            await fetcher.aclose()


async def fetch(behaviour: Behaviour, limits: FetchLimits = LIMITS) -> Fetched:
    async with web({"/page": behaviour}, limits) as (site, fetcher):
        return await fetcher.fetch(f"{site.url}/page")


async def status(behaviour: Behaviour, limits: FetchLimits = LIMITS) -> str:
    """How the fetching of ``behaviour`` failed."""
    with pytest.raises(ReadError) as caught:
        await fetch(behaviour, limits)
    return caught.value.status


async def test_a_page_comes_with_its_type_and_time() -> None:
    fetched = await fetch(page())
    assert fetched.body.data == ARTICLE
    assert fetched.body.content_type == "text/html; charset=utf-8"
    assert fetched.body.retrieved_at.endswith("+00:00")
    assert fetched.headers["content-length"] == str(len(ARTICLE))


async def test_a_request_is_polite_and_anonymous() -> None:
    async with web({"/a": page(ARTICLE, "Set-Cookie: id=7"), "/b": page()}) as (site, fetcher):
        await fetcher.fetch(f"{site.url}/a#part")
        await fetcher.fetch(f"{site.url}/b")
    first, second = site.requests
    assert first.path == "/a"
    assert first.headers["user-agent"].startswith("Quaere/")
    assert first.headers["host"] == f"{site.host}:{site.port}"
    assert not {"cookie", "authorization", "referer"} & {*first.headers, *second.headers}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (401, "blocked_by_site"),
        (403, "blocked_by_site"),
        (404, "not_found"),
        (410, "not_found"),
        (415, "unsupported"),
        (429, "blocked_by_site"),
        (451, "blocked_by_site"),
        (418, "broken"),
        (408, "timeout"),
        (504, "timeout"),
        (500, "broken"),
        (206, "broken"),
        (204, "empty"),
        (304, "broken"),
        (999, "broken"),
    ],
)
async def test_statuses_are_typed(code: int, expected: str) -> None:
    assert await status(raw(f"HTTP/1.1 {code} X\r\nContent-Length: 0\r\n\r\n".encode())) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "broken"),
        (b"<p>no status line</p>", "broken"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "broken"),
        (b"HTTP/1.1 abc OK\r\n\r\n", "broken"),
        (OK + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\nhello", "broken"),
        (OK + b"Content-Length: -1\r\n\r\nhello", "broken"),
        (OK + b"Content-Length: 50\r\n\r\nhello", "broken"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", "broken"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "broken"),
        (OK + b"X: a\x00b\r\nContent-Length: 0\r\n\r\n", "broken"),
        (OK + b"X: " + b"v" * 100_000 + b"\r\n\r\n", "broken"),
        (OK + b"X: v\r\n" * 5_000 + b"\r\n", "broken"),
        (OK + b"Content-Length: 0\r\n\r\n", "empty"),
        (OK + b"Content-Length: 2000000000000\r\n\r\n" + b"text " * 400, "too_large"),
        (OK + b"Content-Encoding: gzip, br\r\nContent-Length: 5\r\n\r\nhello", "unsupported"),
        (OK + b"Content-Length: 2000\r\n\r\n\x89PNG\r\n\x1a\n" + NOISE, "unsupported"),
    ],
)
async def test_lies_and_garbage_are_typed(data: bytes, expected: str) -> None:
    assert await status(raw(data)) == expected


@pytest.mark.parametrize(
    "behaviour",
    [
        stall(),
        stall(OK),
        stall(OK + b"Content-Length: 5000\r\n\r\n"),
        stall(OK + b"Content-Length: 5000\r\n\r\n" + ARTICLE),
        drip(OK, b"X-Header: v\r\n"),
        drip(OK + b"\r\n", b" "),
        drip(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    ],
)
async def test_what_never_ends_is_ended_by_the_deadline(behaviour: Behaviour) -> None:
    begun = time.monotonic()
    assert await status(behaviour, SHORT) in ("timeout", "broken")
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    "behaviour",
    [
        flood(OK + b"\r\n", b"text and more text " * 1_000),
        flood(OK + b"Content-Type: multipart/x-mixed-replace\r\n\r\n", b"--b\r\n\r\ntext" * 1_000),
        answer(gzip.compress(BOMB), "Content-Encoding: gzip"),
        answer(ENCODE["deflate"](BOMB), "Content-Encoding: deflate"),
        answer(ENCODE["br"](BOMB), "Content-Encoding: br"),
        answer(ENCODE["zstd"](BOMB), "Content-Encoding: zstd"),
        # A skippable frame: three gigabytes that decode to nothing (RFC 8878, 3.1.2).
        flood(
            OK + b"Content-Encoding: zstd\r\n\r\n\x50\x2a\x4d\x18\xff\xff\xff\xbf", bytes(60_000)
        ),
    ],
)
async def test_floods_and_bombs_are_too_large(behaviour: Behaviour) -> None:
    assert await status(behaviour) in ("too_large", "unsupported")


async def test_the_cap_counts_decoded_bytes_and_is_exact() -> None:
    limits = FetchLimits(max_bytes=5_000)
    for size, fits in ((5_000, True), (5_001, False)):
        behaviour = answer(gzip.compress(b"a" * size), "Content-Encoding: gzip")
        if fits:
            assert len((await fetch(behaviour, limits)).body.data) == size
        else:
            assert await status(behaviour, limits) == "too_large"


async def test_a_pdf_may_be_larger() -> None:
    limits = FetchLimits(max_bytes=5_000, max_pdf_bytes=20_000)
    body = b"%PDF-1.4\n".ljust(15_000, b"%")
    assert (await fetch(answer(body), limits)).body.data == body
    assert await status(answer(body * 2), limits) == "too_large"
    assert await status(answer(b"<html>".ljust(15_000, b"-")), limits) == "too_large"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
async def test_a_compressed_page_is_decoded(coding: str) -> None:
    data = ENCODE[coding](ARTICLE)
    fetched = await fetch(page(data, f"Content-Encoding: {coding}"))
    assert fetched.body.data == ARTICLE


async def test_redirects_are_followed_and_the_last_url_counts() -> None:
    routes = {f"/{n}": redirect(f"/{n + 1}", 301 + n % 2) for n in range(5)} | {"/5": page()}
    async with web(routes) as (site, fetcher):
        fetched = await fetcher.fetch(f"{site.url}/0")
        assert fetched.body.url == f"{site.url}/5"


async def test_a_sixth_redirect_is_one_too_many() -> None:
    routes = {f"/{n}": redirect(f"/{n + 1}") for n in range(6)} | {"/6": page()}
    async with web(routes) as (site, fetcher):
        with pytest.raises(ReadError, match="redirects more than 5 times"):
            await fetcher.fetch(f"{site.url}/0")


@pytest.mark.parametrize(
    "to",
    [
        "http://127.0.0.2/",
        "http://localhost/",
        "http://169.254.169.254/latest/meta-data/",
        "//[::1]/",
        "file:///etc/passwd",
        "data:text/html,x",
        "http://user:secret@127.0.0.1/",
        "http://127.0.0.1:6379/",
        "http://%",
    ],
)
async def test_a_redirect_inward_is_refused(to: str) -> None:
    assert await status(redirect(to)) == "refused"


@pytest.mark.parametrize("code", [300, 304, 305])
async def test_other_3xx_are_no_redirects(code: int) -> None:
    async with web({"/page": redirect("/other", code), "/other": page()}) as (site, fetcher):
        with pytest.raises(ReadError):
            await fetcher.fetch(f"{site.url}/page")
    assert site.paths() == ["/page"]


async def test_a_redirect_without_or_with_two_places_is_broken() -> None:
    assert await status(answer(b"", status=302)) == "broken"
    twice = answer(b"", "Location: /a", "Location: http://127.0.0.2/", status=302)
    assert await status(twice) in ("broken", "refused", "not_found")


async def test_a_busy_server_is_asked_again() -> None:
    busy = answer(b"", "Retry-After: 0", status=503)
    assert (await fetch(in_turn(busy, page()))).body.data == ARTICLE


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_a_page_that_failed_for_a_passing_reason_is_tried_again(status: int) -> None:
    assert (await fetch(in_turn(answer(b"", status=status), page()))).body.data == ARTICLE


LATE = FetchLimits(late_after_s=0.05)


async def test_a_page_that_hangs_is_asked_for_a_second_time() -> None:
    async with web({"/page": in_turn(stall(), page())}, LATE) as (site, fetcher):
        assert (await fetcher.fetch(f"{site.url}/page")).body.data == ARTICLE
    assert site.paths() == ["/page", "/page"]


async def test_a_page_that_is_only_slow_is_not_lost_to_the_second_request() -> None:
    async def slow(request: Request, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.3)
        await page()(request, writer)

    async with web({"/page": in_turn(slow, stall())}, LATE) as (site, fetcher):
        assert (await fetcher.fetch(f"{site.url}/page")).body.data == ARTICLE
    assert site.paths() == ["/page", "/page"]


async def test_a_body_that_is_on_its_way_is_not_asked_for_twice() -> None:
    async def dripping(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(OK + b"Content-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(ARTICLE))
        await asyncio.sleep(0.3)
        writer.write(ARTICLE)

    async with web({"/page": dripping}, LATE) as (site, fetcher):
        assert (await fetcher.fetch(f"{site.url}/page")).body.data == ARTICLE
    assert site.paths() == ["/page"]


@pytest.mark.parametrize("behaviour", [stall(), answer(b"", status=500)])
async def test_a_site_that_fails_altogether_is_not_asked_much_more_often(
    behaviour: Behaviour,
) -> None:
    pages, limits = 20, FetchLimits(deadline_s=0.4, late_after_s=0.05, per_host=20)
    async with web({"/page": behaviour}, limits) as (site, fetcher):
        fetched = (fetcher.fetch(f"{site.url}/page?{n}") for n in range(pages))
        assert all(
            isinstance(e, ReadError) for e in await asyncio.gather(*fetched, return_exceptions=True)
        )
    assert len(site.requests) <= 1.2 * pages + 3


@pytest.mark.parametrize("wait", ["3600", "Fri, 31 Dec 9999 23:59:59 GMT"])
async def test_a_server_that_asks_for_a_long_wait_is_left_alone(wait: str) -> None:
    async with web({"/page": answer(b"", f"Retry-After: {wait}", status=429)}) as (site, fetcher):
        with pytest.raises(ReadError) as caught:
            await fetcher.fetch(f"{site.url}/page")
    assert caught.value.status == "blocked_by_site"
    assert len(site.requests) == 1


def raising(error: Exception) -> LookUp:
    def look_up(host: str, port: int) -> Sequence[Address]:
        raise error

    return look_up


UNKNOWN = ReadError("There is no host x.example.org.", status=ReadStatus.UNKNOWN_HOST)
UNSURE = ReadError("The name could not be looked up.", status=ReadStatus.UNREACHABLE)


@pytest.mark.parametrize("robots", [True, False])
@pytest.mark.parametrize(
    ("scheme", "look_up", "expected"),
    [
        ("http", raising(UNKNOWN), "unknown_host"),
        ("http", raising(UNSURE), "unreachable"),
        ("http", None, "unreachable"),
        ("https", None, "unreachable"),
    ],
)
async def test_a_fault_before_the_first_request_is_told_as_it_is(
    scheme: str, look_up: LookUp | None, expected: str, robots: bool
) -> None:
    """R3.3: robots.txt is asked for first, and the fault is none of it."""
    async with serving({}) as site:
        port = site.port
    policy = ReadPolicy(extra_hosts=frozenset({"localhost"}), extra_ports=frozenset({port}))
    fetcher = Fetcher(policy, obey_robots=robots, names=Resolver(policy, look_up))
    with pytest.raises(ReadError) as caught:
        await fetcher.fetch(f"{scheme}://localhost:{port}/page")
    await fetcher.aclose()
    assert caught.value.status == expected
    assert "robots.txt" not in caught.value.message


@asynccontextmanager
async def accepting(context: ssl.SSLContext | None) -> AsyncGenerator[int]:
    """A server that answers whatever it hears, over TLS or not; yields its port."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(connected, "127.0.0.1", 0, ssl=context) as server:
        yield server.sockets[0].getsockname()[1]


def self_signed(folder: Path) -> ssl.SSLContext:
    """A certificate that nobody vouches for."""
    key = rsa.generate_private_key(65_537, 2_048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    begins = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, begins, begins + timedelta(days=1))
    ).sign(key, hashes.SHA256())
    file = folder / "certificate.pem"
    form = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    encoding = serialization.Encoding.PEM
    file.write_bytes(made.public_bytes(encoding) + key.private_bytes(encoding, *form))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@pytest.mark.parametrize("robots", [True, False])
@pytest.mark.parametrize(("is_tls", "told"), [(False, "failed the TLS"), (True, "certificate")])
async def test_https_without_tls_or_a_valid_certificate_is_unreachable(
    tmp_path: Path, robots: bool, is_tls: bool, told: str
) -> None:
    async with accepting(self_signed(tmp_path) if is_tls else None) as port:
        policy = ReadPolicy(extra_hosts=frozenset({"127.0.0.1"}), extra_ports=frozenset({port}))
        fetcher = Fetcher(policy, obey_robots=robots)
        with pytest.raises(ReadError, match=told) as caught:
            await fetcher.fetch(f"https://127.0.0.1:{port}/page")
        await fetcher.aclose()
    assert caught.value.status == "unreachable"


@pytest.mark.skipif(sys.platform != "linux", reason="needs all of 127.0.0.0/8 on loopback")
async def test_the_connection_goes_to_the_judged_address_whatever_the_name_says_later() -> None:
    answers = iter([["127.0.0.2"], ["127.0.0.1"], ["127.0.0.2", "127.0.0.1"]])
    asked: list[str] = []

    def rebinding(host: str, port: int) -> Sequence[Address]:
        asked.append(host)
        return [ip_address(text) for text in next(answers)]

    async with serving({"/": answer(b"text " * 9, "Connection: close")}, host="127.0.0.2") as site:
        policy = ReadPolicy(
            extra_networks=(IPv4Network("127.0.0.2/32"),), extra_ports=frozenset({site.port})
        )
        fetcher = Fetcher(policy, obey_robots=False, names=Resolver(policy, rebinding))
        url = f"http://rebind.example.org:{site.port}/"
        await fetcher.fetch(url)
        assert asked == ["rebind.example.org"]
        assert site.requests[0].headers["host"] == f"rebind.example.org:{site.port}"
        for _ in range(2):
            with pytest.raises(ReadError) as caught:
                await fetcher.fetch(url)
            assert caught.value.status == "refused"
        await fetcher.aclose()


async def test_the_proxy_of_the_environment_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving({"/": page()}) as proxy, web({"/page": page()}) as (site, fetcher):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        await fetcher.fetch(f"{site.url}/page")
        assert not proxy.connections


async def test_few_pages_of_one_host_are_fetched_at_once() -> None:
    now = most = 0

    async def slow(request: object, writer: asyncio.StreamWriter) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.02)
        now -= 1
        writer.write(OK + b"Content-Length: 4\r\n\r\ntext")

    async with web({"/page": slow}, FetchLimits(per_host=3)) as (site, fetcher):
        await asyncio.gather(*(fetcher.fetch(f"{site.url}/page") for _ in range(12)))
    assert most == 3


async def test_messages_hold_no_query() -> None:
    async with web({}) as (site, fetcher):
        with pytest.raises(ReadError) as caught:
            await fetcher.fetch(f"{site.url}/missing?token=SECRET")
    assert "SECRET" not in caught.value.message


@pytest.fixture
def few_garbage_pauses() -> Generator[None]:
    """Keep what all other tests have loaded out of the collector's way."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize(
    "data",
    [
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 300_000,
        b"HTTP/1.1 103 Early Hints\r\n\r\n" * 20_000,
        OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"") * 50_000,
    ],
    ids=["tiny chunks", "interim answers", "empty members"],
)
async def test_a_flood_of_small_things_does_not_hold_up_the_event_loop(
    data: bytes, few_garbage_pauses: None
) -> None:
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            # Time of this thread: what other processes do to a busy machine is not counted.
            begun = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - begun)

    async with web({"/page": raw(data)}) as (site, fetcher):
        watching = asyncio.create_task(watch())
        with pytest.raises(ReadError):
            await fetcher.fetch(f"{site.url}/page")
        watching.cancel()
    assert longest < 0.05
