"""What can be searched, as far as the settings tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from quaere.runtime.provider_list import Listed, listed_providers
from quaere.runtime.resources import Resources
from quaere.runtime.settings import Settings
from quaere.search.registry import DEFAULT_PROVIDERS


def listed(settings: Settings) -> dict[str, Listed]:
    found = listed_providers(Resources(settings)).providers
    assert [each.name for each in found] == sorted(each.name for each in found)
    return {each.name: each for each in found}


def defaults(settings: Settings) -> set[str]:
    return {name for name, each in listed(settings).items() if each.default}


def test_without_settings_what_needs_no_key_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAVE_API_KEY", raising=False)
    found = listed(Settings())
    assert defaults(Settings()) == set(DEFAULT_PROVIDERS)
    assert all(found[name].ready for name in DEFAULT_PROVIDERS)
    brave = found["brave"]
    assert (brave.ready, brave.missing) == (False, ("BRAVE_API_KEY",))
    assert brave.host == "api.search.brave.com"
    folder = found["folder"]
    assert (folder.ready, folder.missing) == (False, ("QUAERE_DOCS",))


def test_a_folder_is_searched_in_place_of_the_web_unless_services_are_named(
    tmp_path: Path,
) -> None:
    docs = Settings(docs=(tmp_path,))
    assert defaults(docs) == {"folder"}
    assert listed(docs)["folder"].ready
    assert listed(docs)["folder"].missing == ()
    assert defaults(Settings(docs=(tmp_path,), providers=("arxiv",))) == {"folder", "arxiv"}
    assert defaults(Settings(providers=("arxiv",))) == {"arxiv"}


def test_a_service_is_ready_once_its_key_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", "secret-key")
    brave = listed(Settings())["brave"]
    assert (brave.ready, brave.missing, brave.needs) == (True, (), ("BRAVE_API_KEY",))
    assert "secret-key" not in brave.model_dump_json()


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://ann:secret@sx.example:8080/search", "sx.example"),
        ("https://[sx", ""),
        ("sx.example", ""),
    ],
)
def test_of_a_base_url_only_its_host_is_shown(
    url: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEARXNG_BASE_URL", url)
    assert listed(Settings())["searxng"].host == host
