"""One spelling per source: what is folded away from a URL and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.url import canonical_url

ANYTHING = st.text(st.characters())
URL_LIKE = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["http://", "HTTPS://", "ftp://", "file:///", "file:", "//", "x:", "A://"]),
        st.text("aZé.-:@[]1\\ \x0c%", max_size=8),
        st.text("/.ab%2Fé ;+=\ud800", max_size=12),
        st.sampled_from(["", "?"]),
        st.text("&=+%20bAutm_gclid;é/?\ud800", max_size=16),
        st.sampled_from(["", "#row=1", "#"]),
    ),
)


@given(st.one_of(ANYTHING, URL_LIKE))
def test_is_idempotent_and_never_raises(url: str) -> None:
    once = canonical_url(url)
    assert canonical_url(once) == once


@given(URL_LIKE)
def test_no_white_space_around(url: str) -> None:
    assert canonical_url(f" \n{url}\t ") == canonical_url(url)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTPS://Tidal.Example/Guide", "https://tidal.example/Guide"),
        ("http://tidal.example:80/", "http://tidal.example"),
        ("https://tidal.example:443/a/", "https://tidal.example/a"),
        ("https://tidal.example:8443/a", "https://tidal.example:8443/a"),
        ("http://tidal.example:443/", "http://tidal.example:443"),
        ("https://reader:secret@tidal.example/a", "https://tidal.example/a"),
        ("https://tidal.example./a", "https://tidal.example/a"),
        ("https://tidal.example/a/./b/../c", "https://tidal.example/a/c"),
        ("https://tidal.example/../../a/%2e%2e", "https://tidal.example"),
        ("https://tidal.example/a#part", "https://tidal.example/a"),
        ("https://tidal.example/a?z=1&b=2", "https://tidal.example/a?b=2&z=1"),
        ("https://tidal.example/a?b=", "https://tidal.example/a?b="),
        ("https://tidal.example/a?b", "https://tidal.example/a?b"),
        ("https://tidal.example/a?&&b=1&", "https://tidal.example/a?b=1"),
        ("http://[2001:DB8::1]/a", "http://[2001:db8::1]/a"),
        ("http://[2001:db8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
    ],
)
def test_folds_what_makes_no_difference(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("https://tidal.example/a%20b", "https://tidal.example/a b"),
        ("https://tidal.example/caf%c3%a9", "https://tidal.example/café"),
        ("https://tidal.example/%61", "https://tidal.example/a"),
        ("https://tidal.example/?q=high+tide", "https://tidal.example/?q=high%20tide"),
    ],
)
def test_spellings_of_one_page_are_one(a: str, b: str) -> None:
    assert canonical_url(a) == canonical_url(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("https://tidal.example/a/b", "https://tidal.example/a%2Fb"),
        ("https://tidal.example/a?b=1", "https://tidal.example/a%3Fb=1"),
        ("https://tidal.example/?q=%E9", "https://tidal.example/?q=%E8"),
        ("https://tidal.example/?q=a%26b", "https://tidal.example/?q=a&b"),
        ("https://tidal.example/?q=1%2B1", "https://tidal.example/?q=1+1"),
        ("https://tidal.example/A", "https://tidal.example/a"),
        ("http://tidal.example/", "https://tidal.example/"),
        ("https://tidal.example/?page=1", "https://tidal.example/?page=2"),
    ],
)
def test_different_pages_stay_apart(a: str, b: str) -> None:
    assert canonical_url(a) != canonical_url(b)


@pytest.mark.parametrize(
    "text",
    [
        "mailto:Ann@tidal.example",
        "//Tidal.Example/a/",
        "Tidal.Example/a/",
        "../A/./b/",
        "https:///A/./b/",
        "javascript:Alert(1)/./",
    ],
)
def test_what_has_no_scheme_or_no_host_stays_as_it_is(text: str) -> None:
    assert canonical_url(f" {text}\n") == text


@pytest.mark.parametrize(
    "name",
    ["utm_source", "UTM_Medium", "utm_anything", "fbclid", "gclid", "msclkid", "mc_eid", "_hsenc"],
)
def test_tracking_parameters_are_removed(name: str) -> None:
    assert (
        canonical_url(f"https://tidal.example/a?{name}=x1&id=7") == "https://tidal.example/a?id=7"
    )


@given(st.permutations(["a=1", "b=2", "a=0", "utm_campaign=x", "c"]))
def test_order_of_parameters_makes_no_difference(pairs: list[str]) -> None:
    url = "https://tidal.example/?" + "&".join(pairs)
    assert canonical_url(url) == "https://tidal.example?a=0&a=1&b=2&c"


@pytest.mark.parametrize("name", ["gclids", "my_utm_source", "ref", "id", "page", "v"])
def test_other_parameters_stay(name: str) -> None:
    assert f"{name}=1" in canonical_url(f"https://tidal.example/?{name}=1")


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("file:///notes/tides.csv#row=7", "file:///notes/tides.csv#row=7"),
        ("FILE:///Notes/a b.md?x", "file:///Notes/a b.md?x"),
    ],
)
def test_file_urls_keep_their_fragment(url: str, canonical: str) -> None:
    assert canonical_url(url) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tides",
        "notes/tides.md",
        "//tidal.example/a",
        "mailto:a@tidal.example",
        "http://[::1",
        "http://tidal.example:99999/",
        "http:///a",
        "javascript:alert(1)",
        "http://a\x0cb/",
    ],
)
def test_what_is_no_url_comes_back(text: str) -> None:
    assert canonical_url(f" {text} ") == text


def test_time_is_linear_in_dot_segments() -> None:
    assert canonical_url("http://a/" + "b/" * 100_000 + "../" * 100_000) == "http://a"
