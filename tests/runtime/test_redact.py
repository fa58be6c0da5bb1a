"""No secret is written."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from quaere.runtime.redact import Blotter
from quaere.runtime.settings import Settings

KEY = "sk-nobody-may-see-this"


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "BRAVE_API_KEY", "NCBI_API_KEY"])
def test_keys_of_vendors_and_services_are_taken_out(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, KEY)
    assert Blotter(Settings())(f"{KEY} was refused: {KEY}") == "*** was refused: ***"


def test_the_key_for_servers_of_ones_own_is_taken_out() -> None:
    blot = Blotter(Settings(model_api_key=SecretStr(KEY)))
    assert blot(f"Bearer {KEY}.") == "Bearer ***."


def test_of_a_url_the_user_and_the_password_are_taken_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SEARXNG_BASE_URL", f"http://somebody:{KEY}@127.0.0.1/search")
    models = {"": "https://another-user:another-word@models.test/v1"}
    blot = Blotter(Settings(model_base_url=models))
    told = blot(f"http://somebody:{KEY}@127.0.0.1/search, {models['']}, and {KEY} alone")
    assert told == "http://***@127.0.0.1/search, https://***@models.test/v1, and *** alone"


def test_a_key_within_another_leaves_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("GROQ_API_KEY", f"{KEY}-too")
    assert Blotter(Settings())(f"{KEY}-too") == "***"


def test_a_word_in_place_of_a_key_stays_a_word() -> None:
    assert Blotter(Settings(model_api_key=SecretStr("none")))("none is named") == "none is named"
