"""Users whom an issuer of OpenID Connect signs in, by token and in a browser."""

from __future__ import annotations

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from pydantic import SecretStr
from tests.faces.server.issuer import CLIENT, SECRET, Issuer, issuing, new_key
from tests.faces.server.issuing import issued
from tests.faces.server.served import served

from quaere.errors import SettingsError
from quaere.faces.server import oidc
from quaere.faces.server.service import make_service
from quaere.runtime.settings import Access, Settings

ROOT = "root-of-all"


@pytest.fixture
def issuer() -> Generator[Issuer]:
    with issuing() as made:
        yield made


@pytest.fixture
def settings(tmp_path: Path, issuer: Issuer) -> Settings:
    return Settings(
        data_dir=tmp_path / "data",
        cache_dir=tmp_path / "cache",
        auth=Access.OIDC,
        oidc_issuer=issuer.url,
        oidc_client_id=CLIENT,
        oidc_client_secret=SecretStr(SECRET),
        oidc_admins=(ROOT,),
    )


@pytest.fixture
def url(settings: Settings) -> Generator[str]:
    with served(settings, workers=0) as address:
        yield address


def asked(url: str, token: str) -> httpx.Response:
    return httpx.get(f"{url}/v1/me", headers={"Authorization": f"Bearer {token}"})


def test_a_valid_token_names_its_user(url: str, issuer: Issuer) -> None:
    me = asked(url, issuer.token()).json()
    assert (me["user"], "admin" in me["rights"]) == ("u-77", False)
    assert "admin" in asked(url, issuer.token(sub=ROOT)).json()["rights"]
    assert asked(url, issuer.token(aud=["other", CLIENT])).status_code == 200
    assert issuer.asked == ["discovery", "keys"]  # and not for each request


def unsigned(issuer: Issuer) -> str:
    head, body, _ = issuer.token().split(".")
    none = packed(b'{"alg":"none"}')
    assert head != none
    return f"{none}.{body}."


def signed_with_what_is_public(issuer: Issuer) -> str:
    """The key that everybody knows, taken for a shared secret."""
    said = {"iss": issuer.url, "aud": CLIENT, "sub": ROOT, "exp": int(time.time()) + 300}
    parts = [{"alg": "HS256", "kid": issuer.key.kid}, said]
    text = ".".join(packed(json.dumps(part).encode()) for part in parts)
    public = issuer.key.as_pem(private=False)
    return f"{text}.{packed(hmac.digest(public, text.encode(), 'sha256'))}"


def packed(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def signed_by_another(issuer: Issuer) -> str:
    other = Issuer(issuer.url, key=new_key("one"))
    return other.token(sub=ROOT)


FORGED: Mapping[str, Callable[[Issuer], str]] = {
    "for another service": lambda issuer: issuer.token(aud="another-service"),
    "for nobody": lambda issuer: issuer.token(aud=None),
    "of another issuer": lambda issuer: issuer.token(iss="https://evil.example"),
    "expired": lambda issuer: issuer.token(exp=int(time.time()) - 3_600),
    "without an end": lambda issuer: issuer.token(exp=None),
    "not valid yet": lambda issuer: issuer.token(nbf=int(time.time()) + 3_600),
    "of no user": lambda issuer: issuer.token(sub=None),
    "of an empty user": lambda issuer: issuer.token(sub=""),
    "of too long a user": lambda issuer: issuer.token(sub="x" * 300),
    "changed": lambda issuer: issuer.token()[:-8] + "AAAAAAAA",
    "no token": lambda _: "no.token.at-all",
    "long": lambda _: "x" * 5_000,
    "headed by a list": lambda _: f"{packed(b'[0]')}.{packed(b'{}')}.AAAA",
    "unsigned": unsigned,
    "signed with what is public": signed_with_what_is_public,
    "signed by another": signed_by_another,
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_nobody_gets_in_with_a_token_that_is_not_valid(
    url: str, issuer: Issuer, forged: Callable[[Issuer], str]
) -> None:
    refused = asked(url, forged(issuer))
    assert refused.status_code == 401
    assert 'error="invalid_token"' in refused.headers["WWW-Authenticate"]
    assert httpx.get(f"{url}/v1/me").status_code == 401


def test_a_key_that_the_issuer_has_changed_is_asked_for(
    url: str, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(url, issuer.token()).status_code == 200
    issuer.key = new_key("two")
    assert asked(url, issuer.token()).status_code == 401  # not more often than every so often
    monkeypatch.setattr(oidc, "RENEWED_S", 0.0)
    assert asked(url, issuer.token()).status_code == 200


def test_keys_that_the_issuer_keeps_elsewhere_are_found_there(
    url: str, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(url, issuer.token()).status_code == 200
    issuer.key, issuer.gone = new_key("two"), True
    with issuing() as elsewhere:
        elsewhere.key = issuer.key
        issuer.document["jwks_uri"] = f"{elsewhere.url}/keys"
        monkeypatch.setattr(oidc, "RENEWED_S", 0.0)
        assert asked(url, issuer.token()).status_code == 200


def test_addresses_of_an_issuer_may_have_queries(url: str, issuer: Issuer) -> None:
    """As those of Azure AD B2C have, which name a policy in theirs."""
    for name, path in (("jwks_uri", "keys"), ("token_endpoint", "token")):
        issuer.document[name] = f"{issuer.url}/{path}?p=b2c_1_sign_in"
    assert asked(url, issuer.token()).status_code == 200
    with httpx.Client(base_url=url, follow_redirects=True) as browser:
        arrived = browser.get("/v1/session/login", params={"back": "/v1/me"})
        assert arrived.json()["user"] == "u-77"
    assert issuer.queries == {"p=b2c_1_sign_in"}


@pytest.mark.parametrize("name", ["jwks_uri", "token_endpoint", "authorization_endpoint"])
@pytest.mark.parametrize("address", ["", "ftp://127.0.0.1/keys", "javascript:alert(1)", "keys"])
def test_what_an_issuer_calls_an_address_and_is_none_is_its_fault(
    url: str, issuer: Issuer, name: str, address: str
) -> None:
    issuer.document[name] = address
    refused = asked(url, issuer.token())
    assert refused.status_code == 503
    assert refused.json()["error"]["type"] == "issuer_unavailable"


def test_an_address_of_an_issuer_that_leads_nowhere_is_its_fault(url: str, issuer: Issuer) -> None:
    issuer.document["jwks_uri"] = "http://[nowhere/keys"
    assert asked(url, issuer.token()).status_code == 503


BESIDE: Mapping[str, dict[str, str]] = {
    "of a kind to come": {"kty": "AKP", "alg": "ML-DSA-65", "kid": "two", "pub": "AAAA"},
    "on an unknown curve": {"kty": "EC", "crv": "P-999", "kid": "two", "x": "AAAA", "y": "AAAA"},
    "broken": {"kty": "RSA", "kid": "two"},
    "of an unknown use": {"kty": "RSA", "kid": "two", "n": "AAAA", "e": "AQAB", "use": "wrap"},
    "a secret": {"kty": "oct", "kid": "two", "k": "AAAA"},
}


@pytest.mark.parametrize("beside", BESIDE.values(), ids=BESIDE)
def test_a_key_that_cannot_be_used_hides_no_other(
    url: str, issuer: Issuer, beside: dict[str, str]
) -> None:
    issuer.beside = [beside]
    assert asked(url, issuer.token()).status_code == 200
    assert asked(url, signed_with_what_is_public(issuer)).status_code == 401


def test_keys_none_of_which_can_be_used_are_told(url: str, issuer: Issuer) -> None:
    token = issuer.token()
    issuer.key = new_key("one", "enc")
    assert asked(url, token).status_code == 503


def test_a_strangers_token_makes_nobody_wait_for_a_slow_issuer(
    url: str, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(url, issuer.token()).status_code == 200
    monkeypatch.setattr(oidc, "RENEWED_S", 0.0)
    issuer.tells.clear()
    with ThreadPoolExecutor() as strangers:
        try:
            kept_waiting = strangers.submit(asked, url, "no.token.at-all")
            while issuer.asked.count("keys") < 2:
                time.sleep(0.01)
            assert asked(url, issuer.token()).status_code == 200
            assert not kept_waiting.done()
        finally:
            issuer.tells.set()
        assert kept_waiting.result().status_code == 401


def test_keys_are_good_while_the_issuer_is_away_but_not_for_ever(
    url: str, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(url, issuer.token()).status_code == 200
    monkeypatch.setattr(oidc, "KEYS_S", 0.0)
    issuer.gone = True
    assert asked(url, issuer.token()).status_code == 200
    assert asked(url, "no.token.at-all").status_code == 401
    assert issuer.asked.count("keys") == 2  # and not for each request
    monkeypatch.setattr(oidc, "KEPT_S", 0.0)
    assert asked(url, issuer.token()).status_code == 503
    issuer.gone = False
    assert asked(url, issuer.token()).status_code == 200


def test_an_issuer_that_is_away_is_told_and_tried_again(tmp_path: Path) -> None:
    with issuing() as gone:
        settings = Settings(
            data_dir=tmp_path, auth=Access.OIDC, oidc_issuer=gone.url, oidc_client_id=CLIENT
        )
        token = gone.token()
    with served(settings, workers=0) as url:
        refused = asked(url, token)
        assert refused.status_code == 503
        assert refused.headers["Retry-After"]
        assert refused.json()["error"]["type"] == "issuer_unavailable"


def test_a_browser_signs_in_and_out(url: str) -> None:
    with httpx.Client(base_url=url, follow_redirects=True) as browser:
        assert not browser.get("/v1/session").json()["signed_in"]
        arrived = browser.get("/v1/session/login", params={"back": "/v1/me?from=issuer"})
        assert arrived.url == f"{url}/v1/me?from=issuer"
        assert arrived.json()["user"] == "u-77"
        assert browser.get("/v1/session").json()["signed_in"]
        assert "quaere_sign_in" not in browser.cookies
        browser.delete("/v1/session", headers={"Origin": url})
        assert browser.get("/v1/me").status_code == 401


@pytest.mark.parametrize(
    "ways", [["client_secret_post"], ["client_secret_post", "client_secret_basic"]]
)
def test_the_service_proves_itself_in_a_way_that_the_issuer_takes(
    url: str, issuer: Issuer, ways: list[str]
) -> None:
    issuer.document["token_endpoint_auth_methods_supported"] = ways
    with httpx.Client(base_url=url, follow_redirects=True) as browser:
        arrived = browser.get("/v1/session/login", params={"back": "/v1/me"})
        assert arrived.json()["user"] == "u-77"


@pytest.mark.parametrize("back", ["//evil.example", "/\\evil.example", "https://evil.example", "x"])
def test_signing_in_leads_nowhere_else(url: str, back: str) -> None:
    with httpx.Client(base_url=url) as browser:
        there = browser.get("/v1/session/login", params={"back": back})
        code = browser.get(there.headers["Location"])
        home = browser.get(code.headers["Location"])
        assert home.headers["Location"] == "/"


def test_a_sign_in_that_another_browser_began_is_refused(url: str, issuer: Issuer) -> None:
    with httpx.Client(base_url=url) as browser, httpx.Client(base_url=url) as victim:
        there = browser.get("/v1/session/login").headers["Location"]
        assert parse_qs(urlsplit(there).query)["code_challenge_method"] == ["S256"]
        back = httpx.get(there).headers["Location"]
        assert victim.get(back).status_code == 401
        victim.get("/v1/session/login")
        assert victim.get(back).status_code == 401
        assert browser.get(back.replace("code=", "code=x")).status_code == 401
        issuer.nonce = "of another sign-in"
        again = httpx.get(browser.get("/v1/session/login").headers["Location"])
        assert browser.get(again.headers["Location"]).status_code == 401


PAGE = {"Accept": "text/html,application/xhtml+xml"}


def test_a_browser_that_is_not_signed_in_is_led_back_and_told_why(url: str) -> None:
    with httpx.Client(base_url=url, headers=PAGE) as browser:
        there = browser.get("/v1/session/login", params={"back": "/runs?q=mill#top"})
        state = parse_qs(urlsplit(there.headers["Location"]).query)["state"][0]
        said = {"error": "access_denied", "state": state}
        back = browser.get("/v1/session/callback", params=said)
        assert back.headers["Location"] == "/runs?q=mill&sign_in=access_denied"
        lost = browser.get("/v1/session/callback", params={**said, "state": "another"})
        assert lost.headers["Location"] == "/?sign_in=unauthorized"
        told = browser.get("/v1/session/callback", params=said, headers={"Accept": "*/*"})
        assert (told.status_code, told.json()["error"]["type"]) == (401, "access_denied")
        assert browser.get("/v1/me").status_code == 401


def test_a_browser_is_led_back_when_the_issuer_is_away(tmp_path: Path) -> None:
    with issuing() as gone:
        settings = Settings(
            data_dir=tmp_path, auth=Access.OIDC, oidc_issuer=gone.url, oidc_client_id=CLIENT
        )
    with served(settings, workers=0) as url:
        back = httpx.get(f"{url}/v1/session/login", headers=PAGE)
        assert back.headers["Location"] == "/?sign_in=issuer_unavailable"


def test_programs_may_have_api_keys_too(url: str, settings: Settings) -> None:
    key = issued(settings, "ann")
    assert asked(url, key).json()["user"] == "ann"
    assert asked(url, key[:-1] + "x").status_code == 401


def test_a_service_without_an_issuer_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="QUAERE_OIDC_ISSUER"):
        oidc.Issuer(Settings(data_dir=tmp_path, auth=Access.OIDC))


def test_where_no_issuer_is_named_nobody_is_sent_to_one(tmp_path: Path) -> None:
    with served(Settings(data_dir=tmp_path), workers=0) as url:
        assert httpx.get(f"{url}/v1/session/login").status_code == 404
    assert make_service(Settings(data_dir=tmp_path))
