"""Which host a URL leads to, whatever its spelling, and which bounds a scope sets."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from quaere.domain.question import Query
from quaere.domain.scope import Bound, Scope, Sites, is_local_file, web_host
from quaere.domain.url import is_on


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Example.ORG/a", "example.org"),
        ("https://example.org.:443/", "example.org"),
        ("http://good.net@evil.com:8080/", "evil.com"),
        ("https://ex%61mple.org/", "example.org"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://ｅxample。org/", "example.org"),
        ("https:\\\\example.org\\a", "example.org"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("file:///etc/passwd", ""),
        ("javascript:alert(1)", ""),
        ("example.org", ""),
        ("https://[broken", ""),
    ],
)
def test_the_host_is_the_one_that_is_connected_to(url: str, host: str) -> None:
    assert web_host(url) == host


def test_host_names_are_kept_in_one_spelling() -> None:
    sites = Sites(only=("Bücher.Example.",), exclude=("EVIL.com",))
    assert sites == Sites(only=("xn--bcher-kva.example",), exclude=("evil.com",))


@pytest.mark.parametrize("name", ["a b", "http://a.org", "-", "", "a/b", "\u3000", "a\uff0fb"])
def test_what_is_no_host_name_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        Sites(only=(name,))


@given(st.sampled_from(["evil.com", "a.evil.com", "notevil.com", "evil.com.org"]))
def test_a_name_stands_for_its_subdomains_and_for_no_other(host: str) -> None:
    assert is_on(host, ("evil.com",)) is (host in {"evil.com", "a.evil.com"})


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("file:///a/b.txt#row=2", True),
        ("file://evil.com/a", False),
        ("https://a.org/", False),
        ("file://[broken", False),
    ],
)
def test_a_file_is_local_when_it_names_no_host(url: str, *, local: bool) -> None:
    assert is_local_file(url) is local


def test_only_what_rules_sources_out_is_a_bound() -> None:
    assert Scope(urls=("https://a.org",), sites=Sites(prefer=("a.org",))).bounds == ()
    whole = Scope(
        sites=Sites(exclude=("a.org",)), published_before=date(2020, 1, 1), languages=("de",)
    )
    assert whole.bounds == (Bound.SITES, Bound.DATES, Bound.LANGUAGES)


def test_a_query_without_a_scope_is_written_as_it_always_was() -> None:
    """Recordings are told apart by their queries: old ones must go on being found."""
    assert "scope" not in Query(text="moth").model_dump_json()
    scoped = Query(text="moth", scope=Scope(languages=("de",)))
    assert Query.model_validate_json(scoped.model_dump_json()) == scoped
