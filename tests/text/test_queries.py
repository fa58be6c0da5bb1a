"""Questions and queries as people and models type them."""

from __future__ import annotations

import pytest

from quaere.domain.question import Query, SourceKind
from quaere.text.queries import (
    as_understood,
    has_pubmed_tags,
    names_site,
    with_apostrophes,
    without_pubmed_tags,
    without_sites,
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("whats the default of gully?", "what's the default of gully?"),
        (
            "Wheres the tide gate, and why cant it open?",
            "Where's the tide gate, and why can't it open?",
        ),
        ("dont gulls wont DOESNT", "don't gulls won't DOESN'T"),
        ("its hulls were wed; ill winds", "its hulls were wed; ill winds"),
        ("what's left, whats_left, whats-new", "what's left, whats_left, whats-new"),
    ],
)
def test_apostrophes_are_put_back_where_no_other_word_is_meant(typed: str, meant: str) -> None:
    assert with_apostrophes(typed) == meant


@pytest.mark.parametrize(
    ("text", "tagged"),
    [
        ("asthma[tiab]", True),
        ("asthma [Title/Abstract] AND budesonide[MH]", True),
        ('"night cough"[tiab:~2]', True),
        ("2021[dp]", True),
        ("asthma", False),
        ("rows[1]", False),
        ("asthma[sic]", False),
        ("asthma (tiab)", False),
    ],
)
def test_a_tag_of_pubmed_tells_its_syntax(text: str, tagged: bool) -> None:
    assert has_pubmed_tags(text) is tagged


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("inhalers site:fda.gov", True),
        ("SITE:example.org moths", True),
        ("moths -site:example.org", True),
        ("the website:example.org", False),
        ("site: fda.gov", False),
        ("a camp site", False),
    ],
)
def test_a_site_is_named_by_its_host(text: str, named: bool) -> None:
    assert names_site(text) is named


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("asthma[tiab] AND (budesonide[mh] OR steroids[tiab])", "asthma budesonide steroids"),
        ("asthma[tiab] NOT children[mh]", "asthma"),
        ('asthma[tiab] NOT "young children"[mh] AND 2021[dp]', "asthma 2021"),
        ("research AND development", "research AND development"),
        ("(Not) Waving", "(Not) Waving"),
    ],
)
def test_the_web_takes_the_words_without_tags_and_what_is_excluded(text: str, bare: str) -> None:
    assert without_pubmed_tags(text) == bare


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("inhalers site:fda.gov recall", "inhalers recall"),
        ("moths -site:example.org", "moths"),
        ("site:a.example site:b.example", ""),
        ("moths  of\tHask", "moths of Hask"),
    ],
)
def test_pubmed_takes_the_words_without_sites(text: str, bare: str) -> None:
    assert without_sites(text) == bare


BOTH = Query(text="asthma[tiab] site:fda.gov", titles=("Asthma",))


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        ({SourceKind.PUBMED}, "asthma[tiab]"),
        ({SourceKind.PUBMED, SourceKind.SCHOLARLY}, "asthma[tiab]"),
        ({SourceKind.WEB}, "asthma site:fda.gov"),
        (set[SourceKind](), "asthma site:fda.gov"),
    ],
)
def test_each_service_is_asked_in_its_own_syntax(kinds: set[SourceKind], text: str) -> None:
    asked = as_understood(BOTH, kinds)
    assert asked == BOTH.model_copy(update={"text": text})


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("site:fda.gov", {SourceKind.PUBMED}),
        ("NOT children[mh]", {SourceKind.WEB}),
        ("plain words", {SourceKind.WEB}),
        ("plain words", {SourceKind.PUBMED}),
    ],
)
def test_a_query_stays_where_nothing_would_change_or_be_left(
    text: str, kinds: set[SourceKind]
) -> None:
    query = Query(text=text)
    assert as_understood(query, kinds) is query
