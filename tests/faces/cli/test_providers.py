"""``quaere providers``: what is ready, what is missing, and never a key."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.faces.cli.conftest import Run

from quaere.runtime.search import Listed, Listing
from quaere.search.services import DEFAULT_PROVIDERS, SERVICES

KEY = "sk-nobody-may-see-this"


def listed(quaere: Run, env: Mapping[str, str] | None = None) -> dict[str, Listed]:
    done = quaere("providers", "--format", "json", env=env)
    assert (done.returncode, done.stderr) == (0, "")
    listing = Listing.model_validate_json(done.stdout)
    names = [each.name for each in listing.providers]
    assert names == sorted(names)
    return {each.name: each for each in listing.providers}


def test_every_service_is_listed_with_what_it_needs(quaere: Run) -> None:
    rows = listed(quaere)
    assert set(rows) == {service.provider.name for service in SERVICES} | {"folder"}
    assert {name for name, row in rows.items() if row.default} == set(DEFAULT_PROVIDERS)
    assert all(rows[name].ready for name in DEFAULT_PROVIDERS)
    brave = rows["brave"]
    assert (brave.ready, brave.missing) == (False, ("BRAVE_API_KEY",))
    assert (brave.host, brave.options) == ("api.search.brave.com", ("BRAVE_BASE_URL",))
    assert "news" in brave.kinds
    assert (rows["folder"].missing, rows["folder"].ready) == (("QUAERE_DOCS",), False)
    assert rows["pubmed"].options == ("NCBI_API_KEY", "NCBI_EMAIL", "PUBMED_BASE_URL")


def test_the_environment_makes_them_ready(quaere: Run) -> None:
    env = {
        "BRAVE_API_KEY": KEY,
        "SEARXNG_BASE_URL": f"http://me:{KEY}@127.0.0.1:8080/{KEY}",
        "QUAERE_DOCS": "somewhere",
        "QUAERE_PROVIDERS": "brave, pubmed",
    }
    rows = listed(quaere, env)
    assert [rows[name].ready for name in ("brave", "searxng", "folder", "tavily")] == [
        *(True, True, True),
        False,
    ]
    assert rows["searxng"].host == "127.0.0.1"
    assert {name for name, row in rows.items() if row.default} == {"brave", "pubmed", "folder"}


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_key_is_shown(quaere: Run, form: str) -> None:
    names = {setting.name for service in SERVICES for setting in service.settings}
    assert "NCBI_API_KEY" in names
    bases = {service.base_url_setting for service in SERVICES}
    done = quaere("providers", "-f", form, env=dict.fromkeys([*names, *bases], KEY))
    assert done.returncode == 0
    assert KEY not in done.stdout + done.stderr


def test_the_text_is_a_table_for_a_person(quaere: Run) -> None:
    lines = {line.split()[0]: line for line in quaere("providers").stdout.splitlines()}
    assert "wikipedia *" in lines["wikipedia"]
    assert "ready" in lines["wikipedia"]
    assert "en.wikipedia.org" in lines["wikipedia"]
    assert "needs SERPER_API_KEY" in lines["serper"]
    starts = {line.index("needs") for line in lines.values() if "needs" in line}
    assert len(starts) == 1
