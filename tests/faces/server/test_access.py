"""Who a caller is, and what browsers keep signed."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from tests.faces.server.conftest import settings_in
from tests.faces.server.served import QUESTION, served

from quaere.errors import StoreUnavailable
from quaere.faces.server.signing import SESSION_S, SIGNED_IN_S, WAY_S, Signer, Way, signer
from quaere.runtime.settings import Access, Settings

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


KINDS: dict[str, tuple[Callable[[Signer, str], str], Callable[[Signer, str], str | None]]] = {
    "session": (Signer.session, Signer.key_of),
    "user": (Signer.signed_in, Signer.user_of),
    "way": (Signer.login_cookie, Signer.way_of),
    "link": (Signer.link, Signer.nonce_of),
}
LASTING = {"session": SESSION_S, "user": SIGNED_IN_S, "way": WAY_S}


@given(st.sampled_from(sorted(KINDS)), st.sampled_from(sorted(KINDS)), st.text(max_size=20))
def test_what_was_signed_for_one_purpose_is_good_for_no_other(
    made: str, asked: str, text: str
) -> None:
    mine = Signer("secret")
    signed = KINDS[made][0](mine, text)
    assert KINDS[asked][1](mine, signed) == (text if made == asked else None)
    assert KINDS[made][1](Signer("another"), signed) is None
    assert KINDS[made][1](mine, f"{signed}x") is None


@pytest.mark.parametrize("kind", LASTING)
def test_what_a_browser_keeps_ends(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sign, read = KINDS[kind]
    mine = Signer("secret")
    now = time.time()
    signed = sign(mine, "ann")
    for later, held in ((LASTING[kind] - 5, "ann"), (LASTING[kind] + 5, None)):
        monkeypatch.setattr(time, "time", lambda later=later: now + later)
        assert read(mine, signed) == held
    assert Signer("secret").nonce_of(mine.link("n")) == "n", "a link has no end of its own"


def test_signed_garbage_is_not_valid() -> None:
    mine = Signer("secret")
    for cookie in ("", ".", "a.b.c", mine._sessions.dumps(["ann"])):
        assert mine.key_of(cookie) is None


def test_no_two_ways_to_the_issuer_are_alike() -> None:
    ways = [Way() for _ in range(3)]
    for name in ("state", "nonce", "verifier"):
        assert len({str(getattr(way, name)) for way in ways}) == 3
    assert all(43 <= len(way.verifier) <= 128 for way in ways), "as RFC 7636 has it"


def test_the_secret_is_kept_for_its_owner_alone_and_the_same_ever_after(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    signed = signer(settings).session("ann")
    assert signer(settings).key_of(signed) == "ann"
    (kept,) = (tmp_path / "data").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert len(kept.read_text()) == 64
    other = signer(Settings(data_dir=tmp_path / "other"))
    assert other.key_of(signed) is None


def test_the_secret_of_the_settings_comes_first_and_writes_nothing(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", secret_key=SecretStr("secret" * 8))
    assert Signer("secret" * 8).key_of(signer(settings).session("ann")) == "ann"
    assert not (tmp_path / "data").exists()


def test_a_secret_that_cannot_be_kept_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StoreUnavailable, match=r"Cannot keep the secret.*QUAERE_DATA_DIR"):
        signer(Settings(data_dir=tmp_path / "data"))
