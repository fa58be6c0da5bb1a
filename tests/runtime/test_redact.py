"""No secret is written."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from pydantic import SecretStr

from quaere.runtime.redact import KeyRedactor, Places
from quaere.runtime.settings import Settings

KEY = "sk-nobody-may-see-this"


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "BRAVE_API_KEY", "NCBI_API_KEY"])
def test_keys_of_vendors_and_services_are_taken_out(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, KEY)
    assert KeyRedactor(Settings())(f"{KEY} was refused: {KEY}") == "*** was refused: ***"


def test_the_key_for_servers_of_ones_own_is_taken_out() -> None:
    redact = KeyRedactor(Settings(model_api_key=SecretStr(KEY)))
    assert redact(f"Bearer {KEY}.") == "Bearer ***."


def test_of_a_url_the_user_and_the_password_are_taken_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SEARXNG_BASE_URL", f"http://somebody:{KEY}@127.0.0.1/search")
    models = {"": "https://another-user:another:word@models.test/v1"}
    redact = KeyRedactor(Settings(model_base_url=models))
    told = redact(f"http://somebody:{KEY}@127.0.0.1/search, {models['']}, {KEY} and another:word")
    assert told == "http://***@127.0.0.1/search, https://***@models.test/v1, *** and ***"


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://db.test/runs?user=quaere&password={KEY}&sslmode=verify-full",
        f"postgresql://db.test/runs?sslmode=verify-full&sslpassword={KEY}",
        f"host=db.test password={KEY} dbname=runs",
        f"host=db.test password = '{KEY}'",
    ],
)
def test_of_a_database_every_password_is_taken_out(address: str) -> None:
    redact = KeyRedactor(Settings(database_url=SecretStr(address)))
    assert KEY not in redact(f"{address} and {KEY}")
    assert redact("it uses verify-full at db.test") == "it uses verify-full at db.test"


def test_the_usual_user_of_a_database_leaves_no_hole_in_its_address() -> None:
    address = "postgresql://postgres:%s@db.test/runs"
    redact = KeyRedactor(Settings(database_url=SecretStr(address % KEY)))
    assert redact(f"Cannot use {address % KEY}.") == "Cannot use postgresql://***@db.test/runs."
    assert redact(f"Cannot use {address % '***'}.") == f"Cannot use {address % '***'}."


@pytest.mark.parametrize(
    "settings",
    [
        Settings(cache_url=f"redis://:{KEY}@cache.test/0"),
        Settings(cache_url=f"redis://cache.test/0?password={KEY}"),
        Settings(webhook_url=SecretStr(f"https://hooks.test/x?token={KEY}")),
        Settings(otlp_endpoint=f"https://u:{KEY}@traces.test"),
        Settings(database_url=SecretStr(f"postgresql://u:{KEY}@[::1/runs")),
        Settings(carrier=SecretStr(f"nats://u:{KEY}@[::1")),
    ],
)
def test_of_every_address_passwords_are_taken_out_even_if_it_is_none(settings: Settings) -> None:
    assert KeyRedactor(settings)(f"refused: {KEY}") == "refused: ***"


def test_a_password_with_a_quote_is_taken_out_as_it_is_meant() -> None:
    redact = KeyRedactor(Settings(database_url=SecretStr(r"host=db.test password='long\'sesame'")))
    assert redact("refused: long'sesame") == "refused: ***"


def test_a_password_is_taken_out_as_it_is_read_from_its_address() -> None:
    settings = Settings(database_url=SecretStr("postgresql://quaere:moth%40lamp+99@db.test/runs"))
    assert KeyRedactor(settings)('no "moth@lamp+99", moth%40lamp+99') == 'no "***", ***'


def test_a_key_in_the_address_of_a_model_is_taken_out() -> None:
    models = {"openai": f"https://models.test/v1?api-version=2024-10-21&api-key={KEY}"}
    told = KeyRedactor(Settings(model_base_url=models))(f"GET {models['openai']} has failed")
    assert told == "GET https://models.test/v1?api-version=2024-10-21&api-key=*** has failed"


def test_a_key_within_another_leaves_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("GROQ_API_KEY", f"{KEY}-too")
    assert KeyRedactor(Settings())(f"{KEY}-too") == "***"


def test_a_word_in_place_of_a_key_stays_a_word() -> None:
    assert (
        KeyRedactor(Settings(model_api_key=SecretStr("none")))("none is named") == "none is named"
    )


def test_r4_3_a_key_that_is_sent_back_encoded_is_blotted_out_as_well() -> None:
    key = "sk-moth/lamp+0123456789=abc?"
    redact = KeyRedactor(Settings(model_api_key=SecretStr(key)))
    for before in ("", "a", "ab", "user:", "Bearer "):
        for encode in (b64encode, urlsafe_b64encode):
            packed = encode(f"{before}{key}:x".encode()).decode()
            shown = redact(f"the header {packed} is refused")
            assert "***" in shown
            assert len(shown) < len("the header *** is refused") + len(before) * 2 + 12
    for written in (quote(key, safe=""), quote_plus(key), key.encode().hex()):
        assert redact(f"at /?key={written}&x") == "at /?key=***&x"
    plain = "An ordinary sentence, c2stbW90 and all."
    assert redact(plain) == plain


def test_secrets_of_the_service_are_none_to_be_read() -> None:
    settings = Settings(
        secret_key=SecretStr("signs-all-sessions"), oidc_client_secret=SecretStr("known-to-issuer")
    )
    assert KeyRedactor(settings)("signs-all-sessions known-to-issuer") == "*** ***"


def test_a_folder_is_hidden_however_its_path_is_spelled(tmp_path: Path) -> None:
    folder = tmp_path / 'my "best" notes'
    folder.mkdir()
    linked = tmp_path / "linked"
    linked.symlink_to(folder)
    masked = Places([("notes", linked)]).masked
    for path in (linked, folder):
        assert masked(f"cannot read {path}/a.md") == "cannot read folder:notes/a.md"
        assert masked((path / "a.md").as_uri()) == "folder:notes/a.md"
        told = json.loads(masked(json.dumps({"file": str(path / "a.md"), "folder": str(path)})))
        assert told == {"file": "folder:notes/a.md", "folder": "folder:notes"}


def test_places_hide_paths_and_nothing_else(tmp_path: Path) -> None:
    places = Places([("docs", tmp_path / "docs")], [tmp_path / "data"])
    root, data = tmp_path / "docs", tmp_path / "data"
    for text, shown in {
        f'"{root}/a.md"': '"folder:docs/a.md"',
        f"{root.as_uri()}/a%20b.md#x": "folder:docs/a%20b.md#x",
        f"see {root}, or {root}": "see folder:docs, or folder:docs",
        f"{data}/f1/x.md": "folder:f1/x.md",
        f"{root}2/a.md": f"{root}2/a.md",
        f"https://a.example{root}/x": f"https://a.example{root}/x",
    }.items():
        assert places.masked(text) == shown
        assert Places([]).masked(text) == text


def test_a_folder_is_known_by_its_path_and_nothing_else_is(tmp_path: Path) -> None:
    docs, users = tmp_path / "docs", tmp_path / "data"
    places = Places([("docs-2", docs)], [users])
    asked = (docs, users / "5b1c", docs / "mill.md", users, tmp_path, Path("folder/x"), Path())
    assert [places.folder_at(str(each)) for each in asked] == ["docs-2", "5b1c", *[None] * 5]
    assert Places([]).folder_at(str(docs)) is None
