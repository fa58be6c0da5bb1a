"""The canonical form of addresses, and which of them belong to one work."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.url import (
    ABSTRACT,
    FULL_TEXT,
    Copy,
    canonical_url,
    host_of,
    identifiers,
    is_annals,
    needs_annals,
    page_key,
    part_of,
    pmc_url,
    pmcid_of,
    same_works,
    source_keys,
    source_type,
    title_key,
)

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


TITLE = "Slow colonisation of quarried sandstone by crustose lichens"
URLS = st.sampled_from(
    [
        "https://doi.org/10.5555/moss.17",
        "https://press.test/doi/full/10.5555/moss.17",
        "https://pubmed.ncbi.nlm.nih.gov/123/",
        "https://press.test/a",
        "http://www.press.test/a/",
        "https://other.test/a",
        "",
    ]
)


def copy(url: str, title: str = "") -> Copy:
    return Copy(page_key(url), url, title)


COPIES = st.lists(st.builds(copy, URLS, st.sampled_from([TITLE, ""])), max_size=8)


def same(*copies: Copy) -> bool:
    return len(same_works(copies)) == 1


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://www.moss.test/a/?utm_source=x#top", "moss.test/a"),
        ("https://m.moss.test/a/amp", "moss.test/a"),
        ("https://blog.moss.test/a", "blog.moss.test/a"),
        ("file:///shelf/moss.md#row-2", "file:///shelf/moss.md#row-2"),
        ("not a url", "not a url"),
        ("", ""),
    ],
)
def test_a_page_has_one_key_whichever_way_it_is_reached(url: str, key: str) -> None:
    assert page_key(url) == key


@pytest.mark.parametrize(
    ("url", "host"), [("https://Moss.test./a", "moss.test"), ("moss", ""), ("http://[x", "")]
)
def test_the_host_of_a_url(url: str, host: str) -> None:
    assert host_of(url) == host


def test_one_paper_at_four_places_is_one_work() -> None:
    assert same(
        copy("https://doi.org/10.5555/Moss.17"),
        copy("https://press.test/doi/full/10.5555/moss.17", TITLE),
        copy("https://mirror.test/lichens", f"[PDF] {TITLE}"),
        copy("https://store.test/1", f"{TITLE} - Store"),
    )


def test_ids_that_differ_are_stronger_than_a_title_they_share() -> None:
    assert not same(
        copy("https://press.test/10.5555/moss.1", TITLE),
        copy("https://press2.test/10.5555/moss.2", TITLE),
    )
    assert not same(copy("https://press.test/a", TITLE), copy("https://press.test/b", TITLE))


def test_in_a_folder_only_the_place_counts() -> None:
    assert not same(Copy("file:///a", title=TITLE), Copy("file:///b", title=TITLE))
    assert same(Copy("file:///a"), Copy("file:///a"))


def test_a_short_title_tells_nothing() -> None:
    assert title_key("Annual report 2024", "https://moss.test") == ""
    assert not same(copy("https://a.test", "Moss"), copy("https://b.test", "Moss"))


@given(COPIES, st.randoms(use_true_random=False))
def test_groups_do_not_depend_on_the_order(copies: list[Copy], random: Random) -> None:
    shuffled = random.sample(copies, len(copies))
    one = {frozenset(copies[i] for i in group) for group in same_works(copies)}
    other = {frozenset(shuffled[i] for i in group) for group in same_works(shuffled)}
    assert one == other


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_can_be_an_address(url: str, title: str) -> None:
    assert isinstance(identifiers(url), dict)
    assert same_works([copy(url, title)]) == [[0]]


@pytest.mark.parametrize(
    ("url", "provided", "part"),
    [
        ("https://pubmed.ncbi.nlm.nih.gov/29456894/", True, ABSTRACT),
        ("https://pubmed.ncbi.nlm.nih.gov/29456894/", False, ABSTRACT),
        ("https://europepmc.org/article/MED/29456894", True, ABSTRACT),
        ("https://doi.org/10.5555/7", True, ABSTRACT),
        ("https://doi.org/10.5555/7", False, ""),
        ("https://arxiv.org/abs/2105.04100v2", True, ABSTRACT),
        ("https://arxiv.org/abs/2105.04100v2", False, ABSTRACT),
        ("https://arxiv.org/pdf/2105.04100v2", False, FULL_TEXT),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC4100/", False, FULL_TEXT),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC4100/", True, ""),
        ("https://example.org/2105.04100", False, ""),
        ("file:///notes/PMC4100.txt", False, ""),
    ],
)
def test_what_of_a_work_was_read(url: str, provided: bool, part: str) -> None:
    assert part_of(url, provided=provided) == part


def test_an_address_in_the_archive_is_made_of_ids_alone() -> None:
    assert pmcid_of(pmc_url("PMC4100")) == "PMC4100"
    assert (
        pmc_url("PMC") == pmc_url("4100") == pmc_url("PMC1/../x") == pmcid_of("https://a.b/") == ""
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ChangeLog-2013.gz", True),
        ("changelog.Debian.gz", True),
        ("CHANGELOG.md", True),
        ("NEWS.gz", True),
        ("copyright", True),
        ("LICENSE", True),
        ("README.md", False),
        ("news.html", False),
        ("licensing-costs.md", False),
        ("changes-in-climate.md", False),
    ],
)
def test_files_of_changes_and_rights_are_told_by_their_names(name: str, *, expected: bool) -> None:
    assert is_annals(f"file:///usr/share/doc/orrin/{name}") is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What changed in version 3?", True),
        ("Which licence has it?", True),
        ("Who wrote it?", True),
        ("Which version of the kernel does it need?", False),
        ("How do I show all pages?", False),
    ],
)
def test_some_questions_are_for_such_files(question: str, *, expected: bool) -> None:
    assert needs_annals(question) is expected


def test_pages_of_one_title_on_one_site_are_of_one_source() -> None:
    def shared(one: tuple[str, str], other: tuple[str, str]) -> bool:
        return not source_keys(*one).isdisjoint(source_keys(*other))

    first = ("Kilns", "https://a.test/1")
    assert shared(first, ("Kilns", "https://a.test/2"))
    assert not shared(first, ("Kilns", "https://b.test/2"))
    assert not shared(first, ("Ovens", "https://a.test/2"))
    assert not shared(("", "https://a.test/1"), ("", "https://a.test/2"))
    assert not shared(("Kilns", "one.md"), ("Kilns", "two.md"))


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://pubmed.ncbi.nlm.nih.gov/123/", "pubmed"),
        ("HTTPS://a.test/kilns", "web"),
        ("", "web"),
        ("file:///kilns.md", "folder"),
    ],
)
def test_the_type_of_a_source_is_that_of_its_address_r4_1(url: str, kind: str) -> None:
    assert source_type(url) == kind
