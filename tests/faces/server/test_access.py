"""Users whom a proxy names, and pages of other sites that the operator lets in."""

from __future__ import annotations

from collections.abc import Generator

import httpx
import pytest
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, served

from quaere.runtime.settings import Access

HEADER = "X-Remote-User"
FRIEND = "https://app.example"


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Generator[httpx.Client]:
    """A service behind a proxy that names its users."""
    place = tmp_path_factory.mktemp("proxied")
    settings = settings_in(place, auth=Access.PROXY, proxy_user_header=HEADER)
    with served(settings, workers=0) as url, httpx.Client(base_url=url) as client:
        yield client


def named(*names: str) -> list[tuple[str, str]]:
    return [(HEADER, name) for name in names]


def test_a_proxy_names_the_user(proxied: httpx.Client) -> None:
    asked = proxied.post("/v1/runs", json={"question": QUESTION}, headers=named("ann"))
    assert asked.status_code == 202
    run = asked.json()["status_url"]
    assert proxied.get(run, headers=named("ann")).status_code == 200
    assert proxied.get(run, headers=named("bob")).status_code == 404
    assert proxied.get("/v1/me", headers=named("ann")).json()["user"] == "ann"
    assert proxied.get("/v1/admin/queue", headers=named("ann")).status_code == 403


@pytest.mark.parametrize("names", [(), ("",), ("x" * 256,), ("a\tb",), ("ann", "bob")])
def test_nobody_gets_in_whom_the_proxy_does_not_name(
    proxied: httpx.Client, names: tuple[str, ...]
) -> None:
    assert proxied.get("/v1/runs", headers=named(*names)).status_code == 401
    other = {"X-Forwarded-User": "ann", "Authorization": "Bearer ann", "X-Api-Key": "ann"}
    assert proxied.get("/v1/runs", headers=other).status_code == 401


@pytest.fixture(scope="module")
def friendly(tmp_path_factory: pytest.TempPathFactory) -> Generator[httpx.Client]:
    """A service whose operator lets pages of another site ask."""
    settings = settings_in(tmp_path_factory.mktemp("friendly"), server_origins=(FRIEND,))
    with served(settings, workers=0) as url, httpx.Client(base_url=url) as client:
        yield client


def preflight(client: httpx.Client, origin: str) -> httpx.Response:
    wanted = {"Access-Control-Request-Method": "POST"}
    wanted["Access-Control-Request-Headers"] = "authorization,content-type"
    return client.options("/v1/runs", headers={"Origin": origin, **wanted})


def test_pages_of_a_named_origin_may_ask_without_cookies(friendly: httpx.Client) -> None:
    for answer in (
        preflight(friendly, FRIEND),
        friendly.post("/v1/runs", json={"question": QUESTION}, headers={"Origin": FRIEND}),
        friendly.get("/v1/runs/none", headers={"Origin": FRIEND}),
    ):
        assert answer.headers["access-control-allow-origin"] == FRIEND
        assert "access-control-allow-credentials" not in answer.headers
        assert "Origin" in answer.headers["vary"]
    asked = friendly.post("/v1/runs", json={"question": QUESTION}, headers={"Origin": FRIEND})
    assert asked.status_code == 202
    assert "X-Quaere-Run-Id" in asked.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    "origin",
    [
        "http://app.example",
        "https://app.example.evil.example",
        "https://evil-app.example",
        "https://app.example:444",
        "https://APP.example",
        "null",
        "*",
    ],
)
def test_no_other_origin_is_let_in(friendly: httpx.Client, origin: str) -> None:
    headers = {"Origin": origin}
    assert preflight(friendly, origin).status_code == 400
    asked = friendly.post("/v1/runs", json={"question": QUESTION}, headers=headers)
    assert asked.status_code == 403
    for answer in (preflight(friendly, origin), asked, friendly.get("/v1/runs", headers=headers)):
        assert "access-control-allow-origin" not in answer.headers
