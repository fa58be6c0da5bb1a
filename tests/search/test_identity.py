"""Which hits lead to the same source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import SourceKind
from quaere.domain.source import Hit, Passage
from quaere.domain.works import identifiers, title_key
from quaere.search.identity import same_sources

TITLE = "Slow colonisation of quarried sandstone by crustose lichens"


def hit(url: str, title: str = "", kind: SourceKind = SourceKind.WEB, passage: str = "") -> Hit:
    text = (Passage(id=passage, url=url, title=title, text="x", start=0, end=1),) if passage else ()
    return Hit(url=url, title=title, provider="p", rank=0, kind=kind, passages=text)


def same(*hits: Hit) -> bool:
    return len(same_sources(hits)) == 1


@pytest.mark.parametrize(
    ("url", "ids"),
    [
        ("https://doi.org/10.5555/Moss.2020.17", {"doi": "10.5555/moss.2020.17"}),
        ("https://press.test/doi/full/10.5555/moss.17", {"doi": "10.5555/moss.17"}),
        ("https://press.test/doi/10.5555/moss.17/full", {"doi": "10.5555/moss.17"}),
        ("https://press.test/content/pdf/10.5555/moss.17.pdf", {"doi": "10.5555/moss.17"}),
        ("https://press.test/a?id=10.5555/moss.17&type=print", {"doi": "10.5555/moss.17"}),
        ("https://press.test/a?id=10.5555%2Fmoss.17", {"doi": "10.5555/moss.17"}),
        ("https://pre.test/content/10.5555/2020.01.17v2.full.pdf", {"doi": "10.5555/2020.01.17"}),
        ("https://press.test/10.5555/rev2", {"doi": "10.5555/rev2"}),
        ("https://press.test/10.5555/S0140(05)67-1", {"doi": "10.5555/s0140(05)67-1"}),
        ("https://pubmed.ncbi.nlm.nih.gov/12345678/", {"pmid": "12345678"}),
        ("https://www.ncbi.nlm.nih.gov/pubmed/12345678?dopt=x", {"pmid": "12345678"}),
        ("https://europepmc.org/article/MED/12345678", {"pmid": "12345678"}),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC765432/", {"pmc": "pmc765432"}),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC765432/", {"pmc": "pmc765432"}),
        ("https://europepmc.org/article/PMC/PMC765432", {"pmc": "pmc765432"}),
        ("https://arxiv.org/abs/2101.01234v3", {"arxiv": "2101.01234"}),
        ("https://arxiv.org/pdf/2101.01234.pdf", {"arxiv": "2101.01234"}),
        ("https://export.arxiv.org/abs/hep-th/9901001", {"arxiv": "hep-th/9901001"}),
        ("https://doi.org/10.48550/arXiv.2101.01234", {"arxiv": "2101.01234"}),
        ("https://moss.test/12345678", {}),
        ("https://moss.test/version/10.5/notes", {}),
        ("", {}),
        ("http://[broken", {}),
    ],
)
def test_identifiers(url: str, ids: dict[str, str]) -> None:
    assert identifiers(url) == ids


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://moss.test/a", "http://www.moss.test/a/?utm_source=x"),
        ("https://en.wiki.test/Moss", "https://en.m.wiki.test/Moss"),
        ("https://moss.test/news/1", "https://amp.moss.test/news/1/amp"),
        ("https://doi.org/10.5555/moss.17", "https://press.test/doi/full/10.5555/MOSS.17"),
        ("https://arxiv.org/abs/2101.01234", "https://doi.org/10.48550/arXiv.2101.01234"),
        ("https://pubmed.ncbi.nlm.nih.gov/17/", "https://europepmc.org/article/MED/17"),
        ("no url at all", " no url at all "),
    ],
)
def test_one_source_under_two_addresses(one: str, other: str) -> None:
    assert same(hit(one, "Moss"), hit(other, "Lichen"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://moss.test/a", "https://moss.test/b"),
        ("https://moss.test/a?page=1", "https://moss.test/a?page=2"),
        ("https://a-m.moss.test/", "https://a.moss.test/"),
        ("https://m.test/", "https://test/"),
        ("https://doi.org/10.5555/moss.17", "https://doi.org/10.5555/moss.171"),
        ("ftp://moss.test/a", "https://moss.test/a"),
    ],
)
def test_different_sources(one: str, other: str) -> None:
    assert not same(hit(one), hit(other))


def test_hits_without_address_are_told_apart_by_their_words() -> None:
    assert not same(hit("", "Moss"), hit("", "Lichen"))
    assert same(hit("", "Moss"), hit(" ", "Moss"))


@pytest.mark.parametrize(
    ("title", "url"),
    [
        (TITLE, "https://moss.test/1"),
        (TITLE.upper() + ".", "https://pubmed.ncbi.nlm.nih.gov/17/"),
        (f"[PDF] {TITLE}", "https://archive.test/17.pdf"),
        (f"[2101.01234] {TITLE}", "https://arxiv.org/abs/2101.01234"),
        (f"{TITLE} - PubMed", "https://pubmed.ncbi.nlm.nih.gov/17/"),
        (f"{TITLE} | Annals of Moss | Press", "https://press.test/17"),
        (f"{TITLE} – Stone – Moss Letters", "https://mossletters.stone.test/17"),
    ],
)
def test_a_title_without_its_trimmings(title: str, url: str) -> None:
    assert title_key(title, url) == title_key(TITLE, "https://lib.test/9") != ""


@pytest.mark.parametrize(
    "title", ["", "Annual report 2024", "Frequently asked questions", "- - - | | |", "🌿" * 50]
)
def test_a_title_that_many_bear_is_no_key(title: str) -> None:
    assert title_key(title, "https://moss.test/1") == ""


def test_a_subtitle_is_not_taken_for_a_site() -> None:
    review, protocol = f"{TITLE} - a review", f"{TITLE} - a protocol"
    assert not same(hit("https://one.test/1", review), hit("https://two.test/1", protocol))


def test_a_letter_is_not_taken_for_a_site() -> None:
    assert not same(hit("https://one.test/1", TITLE), hit("https://two.test/1", f"{TITLE} - T"))


def test_one_paper_found_four_ways_is_one_source() -> None:
    hits = [
        hit("https://doi.org/10.5555/moss.17", TITLE, SourceKind.SCHOLARLY),
        hit("https://pubmed.ncbi.nlm.nih.gov/17/", f"{TITLE}.", SourceKind.PUBMED),
        hit("https://arxiv.org/abs/2101.01234", TITLE, SourceKind.SCHOLARLY),
        hit("https://press.test/doi/full/10.5555/moss.17", f"{TITLE} | Annals of Moss"),
    ]
    assert same(*hits)


def test_a_title_on_two_pages_of_one_host_tells_nothing() -> None:
    pages = [hit(f"https://docs.test/{v}/stone", TITLE) for v in ("3.1", "3.2")]
    assert len(same_sources([*pages, hit("https://copy.test/stone", TITLE)])) == 3


def test_a_title_of_two_works_tells_nothing() -> None:
    works = [hit(f"https://doi.org/10.5555/moss.{n}", TITLE) for n in (1, 2)]
    works[1] = hit("https://press.test/10.5555/moss.2", TITLE)
    assert not same(*works)


def test_the_unit_of_a_folder_is_the_passage() -> None:
    def found(file: str, passage: str) -> Hit:
        return hit(f"file:///notes/{file}", TITLE, SourceKind.FOLDER, passage)

    hits = [found("a.md", "p1"), found("a.md", "p2"), found("b.md", "p1"), found("a.md", "p1")]
    assert same_sources(hits) == [[0, 3], [1], [2]]


ADDRESSES = st.sampled_from(
    [
        "https://moss.test/a",
        "http://www.moss.test/a",
        "https://moss.test/b",
        "https://doi.org/10.5555/a",
        "https://press.test/10.5555/a",
        "https://doi.org/10.5555/b",
        "https://arxiv.org/abs/2101.01234",
        "file:///notes/a.md",
        "",
    ]
)
HITS = st.lists(
    st.builds(
        hit,
        url=ADDRESSES,
        title=st.sampled_from(["", TITLE, f"{TITLE} - a review"]),
        kind=st.sampled_from([SourceKind.WEB, SourceKind.FOLDER]),
        passage=st.sampled_from(["", "p1", "p2"]),
    ),
    max_size=12,
)


@given(HITS, st.data())
def test_groups_do_not_depend_on_the_order(hits: list[Hit], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(hits))))
    shuffled = same_sources([hits[place] for place in order])
    assert {frozenset(group) for group in same_sources(hits)} == {
        frozenset(order[place] for place in group) for group in shuffled
    }


@given(st.lists(st.builds(hit, url=st.text(), title=st.text(min_size=20)), max_size=6))
def test_odd_input_is_grouped_and_never_raises(hits: list[Hit]) -> None:
    groups = same_sources(hits)
    assert sorted(place for group in groups for place in group) == list(range(len(hits)))


def test_a_retracted_work_is_still_the_same_work() -> None:
    title = "A long title about herons that nest in the reeds of the river Ask"
    plain = Hit(url="https://a.example/1", title=title, provider="x", rank=0)
    marked = plain.model_copy(update={"title": f"Retracted: {title}"})
    assert title_key(plain.title, plain.url) == title_key(marked.title, marked.url) != ""
