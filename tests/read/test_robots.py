"""What robots.txt allows."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from itertools import pairwise

import pytest
from tests.misbehaving.server import Behaviour, answer, page, raw, redirect, stall
from tests.read.test_fetch import web

from quaere.errors import ReadError
from quaere.read.fetch import FetchLimits, Robots
from quaere.read.guard import Allowed, judge
from quaere.read.transport import HttpResponse

pytestmark = pytest.mark.anyio

NOT_US = b"User-agent: *\nDisallow: /private\n\nUser-agent: Quaere\nDisallow: /drafts\n"


def target(url: str) -> Allowed:
    verdict = judge(url)
    assert isinstance(verdict, Allowed)
    return verdict


async def may_read(robots: Behaviour, path: str = "/page") -> bool:
    async with web({"/robots.txt": robots, path: page()}, robots=True) as (site, fetcher):
        with suppress(ReadError):
            await fetcher.fetch(f"{site.url}{path}")
        return path in site.paths()


@pytest.mark.parametrize(
    ("path", "allowed"), [("/page", True), ("/drafts/1", False), ("/private", True)]
)
async def test_the_group_that_names_us_is_obeyed(path: str, allowed: bool) -> None:
    assert await may_read(answer(NOT_US), path) == allowed


@pytest.mark.parametrize(
    ("robots", "expected", "told"),
    [
        (answer(b"", status=503), "broken", "status 503 for its robots.txt"),
        (raw(b"not http"), "broken", "not HTTP"),
        (raw(b""), "broken", "closed the connection"),
        (redirect("/robots.txt"), "broken", "redirects its robots.txt"),
        (answer(b"# \n" * 600_000), "too_large", "its robots.txt"),
        (answer(b"User-agent: *\nDisallow: /\n"), "blocked_by_site", "disallows this page"),
    ],
)
async def test_only_a_file_that_was_read_closes_a_page_as_its_site_wants(
    robots: Behaviour, expected: str, told: str
) -> None:
    """R3.3: any other reason why nothing may be read is told as what it is."""
    async with web({"/robots.txt": robots, "/page": page()}, robots=True) as (site, fetcher):
        with pytest.raises(ReadError, match=told) as caught:
            await fetcher.fetch(f"{site.url}/page")
    assert caught.value.status == expected


@pytest.mark.parametrize(
    ("robots", "allowed"),
    [
        (answer(b"\x89PNG\r\n\x1a\n" + bytes(2_000)), True),
        (answer(b"", status=404), True),
        (answer(b"", status=403), True),
        (answer(b"", status=500), False),
        (answer(b""), True),
        (answer(b"\xff\xfe\x00garbage\x00" * 50), True),
        (raw(b"not http"), False),
        (redirect("http://169.254.169.254/"), True),
        (redirect("/robots.txt"), False),
        (answer(b"User-agent: *\nDisallow: /\n"), False),
        (answer(b"<html>Not found</html>"), True),
    ],
)
async def test_absent_broken_and_forbidding_files(robots: Behaviour, allowed: bool) -> None:
    assert await may_read(robots) == allowed


@pytest.mark.parametrize(("redirects", "read"), [(5, True), (6, False)])
async def test_five_redirects_of_a_file_are_followed(redirects: int, *, read: bool) -> None:
    ways = ["/robots.txt", *(f"/r{n}" for n in range(1, redirects)), "/rules"]
    site_of = {one: redirect(other) for one, other in pairwise(ways)}
    site_of |= {"/rules": answer(NOT_US), "/page": page()}
    async with web(site_of, robots=True) as (site, fetcher):
        if read:
            await fetcher.fetch(f"{site.url}/page")
        else:
            with pytest.raises(ReadError, match="too many times"):
                await fetcher.fetch(f"{site.url}/page")
    assert ("/rules" in site.paths()) is read


async def test_the_file_is_asked_for_once_and_by_one() -> None:
    async with web({"/robots.txt": answer(NOT_US), "/page": page()}, robots=True) as (
        site,
        fetcher,
    ):
        await asyncio.gather(*(fetcher.fetch(f"{site.url}/page") for _ in range(5)))
    assert [seen.path for seen in site.requests].count("/robots.txt") == 1


async def test_it_need_not_be_obeyed() -> None:
    forbidding = answer(b"User-agent: *\nDisallow: /\n")
    async with web({"/robots.txt": forbidding, "/page": page()}) as (site, fetcher):
        await fetcher.fetch(f"{site.url}/page")
    assert [seen.path for seen in site.requests] == ["/page"]


async def test_a_server_that_stalls_over_it_is_a_timeout() -> None:
    limits = FetchLimits(deadline_s=0.2)
    async with web({"/robots.txt": stall(), "/page": page()}, limits, robots=True) as (
        site,
        fetcher,
    ):
        with pytest.raises(ReadError) as caught:
            await fetcher.fetch(f"{site.url}/page")
    assert caught.value.status == "timeout"


async def test_every_origin_has_rules_of_its_own() -> None:
    async def load(page: Allowed) -> HttpResponse:
        forbids = page.host == "closed.example.org"
        rules = b"User-agent: *\nDisallow: /\n" if forbids else b"User-agent: *\nAllow: /\n"
        return HttpResponse(200, {}, rules)

    robots = Robots(load)
    assert await robots.allow(target("http://open.example.org/a"))
    assert not await robots.allow(target("http://closed.example.org/a"))
    assert await robots.allow(target("https://open.example.org/a"))


async def test_a_hostile_file_takes_no_time_to_speak_of() -> None:
    agents = b"".join(b"User-agent: a%d\n" % n for n in range(20_000))
    rules = b"".join(b"Disallow: /*%d*x*y$\n" % n for n in range(20_000))

    async def load(page: Allowed) -> HttpResponse:
        return HttpResponse(200, {}, agents + rules)

    begun = time.thread_time()
    assert await Robots(load).allow(target("http://example.org/" + "xy" * 2_000))
    assert time.thread_time() - begun < 0.1
