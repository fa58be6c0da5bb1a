"""R0.8, R3.3: the client of the search providers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from tests.misbehaving.server import (
    Behaviour,
    Site,
    answer,
    drip,
    flood,
    raw,
    redirect,
    serving,
    stall,
)

from quaere.errors import (
    SearchError,
    SearchRejected,
    SearchTimeout,
    SearchUnreachable,
    SettingsError,
)
from quaere.read.api_client import ApiClient
from quaere.search.api import Api

pytestmark = pytest.mark.anyio

KEY = "gull-7-feather"
OK = b"HTTP/1.1 200 OK\r\n"


@asynccontextmanager
async def service(
    routes: Mapping[str, Behaviour], *, timeout_s: float = 5.0, max_bytes: int = 100_000
) -> AsyncGenerator[tuple[Site, ApiClient]]:
    async with serving(routes) as site:
        client = ApiClient(
            "Almanac",
            f"{site.url}/v1/",
            headers={"X-Key": KEY},
            params={"token": KEY},
            timeout_s=timeout_s,
            max_bytes=max_bytes,
        )
        try:
            yield site, client
        finally:
            await client.aclose()


async def failure(behaviour: Behaviour, *, timeout_s: float = 5.0) -> SearchError:
    """The error that ``behaviour`` leads to; it never holds a secret."""
    async with service({"/v1/find": behaviour}, timeout_s=timeout_s) as (_, client):
        with pytest.raises(SearchError) as caught:
            await client.get_json("find", {"q": "tide"})
    assert KEY not in caught.value.message
    assert caught.value.message.startswith("Almanac")
    return caught.value


async def test_a_request_goes_below_the_base_url_with_its_parameters() -> None:
    async with service({"/v1/find": answer(b'{"hits": [1]}')}) as (site, client):
        provider_side: Api = client
        found = await provider_side.get_json(
            "/find", [("q", "tides & é"), ("q", "x")], headers={"X-Page": "2"}
        )
    assert found == {"hits": [1]}
    (request,) = site.requests
    assert request.path == f"/v1/find?token={KEY}&q=tides+%26+%C3%A9&q=x"
    assert request.headers["x-key"] == KEY
    assert request.headers["x-page"] == "2"


async def test_a_payload_is_posted_as_json() -> None:
    async with service({"/v1/find": answer(b"[]")}) as (site, client):
        assert await client.post_json("find", {"query": "tide"}) == []
    (request,) = site.requests
    assert (request.method, request.body) == ("POST", b'{"query": "tide"}')
    assert request.headers["content-type"] == "application/json"


async def test_a_body_of_any_kind_comes_as_bytes() -> None:
    async with service({"/v1": answer(b"<xml/>"), "/v1/none": answer(b"", status=204)}) as (
        _,
        client,
    ):
        assert await client.get() == b"<xml/>"
        assert await client.get("none") == b""


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_what_no_retry_changes_is_not_retryable(status: int) -> None:
    error = await failure(answer(b"bad key " + KEY.encode(), status=status))
    assert isinstance(error, SearchRejected)
    assert not error.retryable


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        (401, "; check its key."),
        (403, "; check its key."),
        (404, "; check the base URL"),
        (422, ""),
    ],
)
async def test_only_what_may_be_at_fault_is_named(status: int, hint: str) -> None:
    error = await failure(answer(b"no", status=status))
    assert hint in error.message
    assert ("check" in error.message) is bool(hint)


@pytest.mark.parametrize(
    ("status", "header", "wait"),
    [
        (429, "Retry-After: 7", 7.0),
        (429, "Retry-After: NaN", None),
        (503, "Retry-After: 3", 3.0),
        (500, "X: y", None),
        (408, "X: y", None),
    ],
)
async def test_what_passes_is_retryable_and_tells_the_wait(
    status: int, header: str, wait: float | None
) -> None:
    error = await failure(answer(b"", header, status=status))
    assert error.retryable
    assert error.retry_after == wait


@pytest.mark.parametrize(
    "behaviour",
    [
        raw(b""),
        raw(b"SSH-2.0-x\r\n"),
        raw(OK + b"Content-Length: 50\r\n\r\n{}"),
        answer(b"<html>"),
        answer(b"[" * 200_000),
        answer(b""),
        flood(OK + b"\r\n", b"[1,2,3]" * 1_000),
        answer(b"{}", "Content-Encoding: gzip"),
    ],
)
async def test_garbage_is_a_search_error(behaviour: Behaviour) -> None:
    assert (await failure(behaviour)).retryable


@pytest.mark.parametrize("behaviour", [stall(), drip(OK + b"\r\n", b" ")])
async def test_what_never_ends_is_a_timeout(behaviour: Behaviour) -> None:
    assert isinstance(await failure(behaviour, timeout_s=0.3), SearchTimeout)


async def test_a_service_that_is_not_there_is_no_timeout() -> None:
    async with serving({}) as gone:
        url = gone.url
    client = ApiClient("Almanac", f"{url}/v1/", headers={}, params={}, timeout_s=5, max_bytes=99)
    with pytest.raises(SearchUnreachable, match="Almanac could not be reached") as caught:
        await client.get_json("find")
    assert caught.value.retryable, "a server that starts again is there a second later"
    await client.aclose()


async def test_a_redirect_within_the_service_is_followed() -> None:
    routes = {"/v1/find": redirect("/v2/find", 308), "/v2/find": answer(b"{}")}
    async with service(routes) as (_, client):
        assert await client.get_json("find") == {}
        assert await client.post_json("find", {}) == {}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_every_redirect_of_a_get_is_followed(status: int) -> None:
    routes = {"/v1/find": redirect("/v2/find", status), "/v2/find": answer(b"{}")}
    async with service(routes) as (_, client):
        assert await client.get_json("find") == {}


@pytest.mark.parametrize(("status", "is_followed"), [(307, True), (302, False), (303, False)])
async def test_a_post_is_only_sent_again_where_the_service_says_so(
    status: int, *, is_followed: bool
) -> None:
    routes = {"/v1/find": redirect("/v2/find", status), "/v2/find": answer(b"{}")}
    async with service(routes) as (_, client):
        if is_followed:
            assert await client.post_json("find", {}) == {}
        else:
            with pytest.raises(SearchRejected, match="redirects a POST"):
                await client.post_json("find", {})


@pytest.mark.parametrize(("count", "is_followed"), [(3, True), (4, False)])
async def test_no_more_than_three_redirects_in_a_row_are_followed(
    count: int, *, is_followed: bool
) -> None:
    places = ["/v1/find", *(f"/v{n}/find" for n in range(2, count + 2))]
    routes = {a: redirect(b) for a, b in pairwise(places)} | {places[-1]: answer(b"{}")}
    async with service(routes) as (_, client):
        if is_followed:
            assert await client.get_json("find") == {}
        else:
            with pytest.raises(SearchRejected, match="too many times"):
                await client.get_json("find")


async def test_a_key_never_follows_a_redirect_elsewhere() -> None:
    async with serving({"/": answer(b"{}")}) as elsewhere:
        assert isinstance(await failure(redirect(elsewhere.url)), SearchRejected)
        assert not elsewhere.connections
    assert isinstance(await failure(redirect("/v1/find")), SearchRejected)


async def test_the_proxy_of_the_environment_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving({}) as proxy, service({"/v1/find": answer(b"{}")}) as (_, client):
        monkeypatch.setenv("http_proxy", proxy.url)
        await client.get_json("find")
        assert not proxy.connections


async def test_a_cancelled_request_leaves_the_client_usable() -> None:
    async with service({"/v1/slow": stall(), "/v1/find": answer(b"{}")}) as (_, client):
        task = asyncio.create_task(client.get("slow"))
        await asyncio.sleep(0.05)
        task.cancel()
        assert await client.get_json("find") == {}


@pytest.mark.parametrize(
    "url", ["", "ftp://x/", "http://u:p@x/", "api.example.org", "http://x/?k=v"]
)
def test_a_base_url_that_cannot_be_used_is_a_settings_error(url: str) -> None:
    with pytest.raises(SettingsError, match="Almanac"):
        ApiClient("Almanac", url)


def test_a_server_with_an_event_loop_of_its_own_can_ask_too() -> None:
    """``langgraph dev`` and uvicorn bring uvloop, whose transports are not asyncio's."""
    uvloop = pytest.importorskip("uvloop")

    async def ask() -> object:
        async with service({"/v1/x": answer(b'{"ok": true}')}) as (_, client):
            return await client.get_json("x")

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(ask()) == {"ok": True}
