"""Questions and queries as people and models type them."""

from __future__ import annotations

import pytest
from tests.timing import cpu_s

from quaere.domain.question import Query, SourceKind
from quaere.text.queries import (
    as_understood,
    both_ends,
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


LONG = "How long is the Halden bridge and why does it matter to those who live there? " * 40


def test_both_ends_of_a_long_text_are_whole_sentences() -> None:
    kept = both_ends(LONG, 1_000)
    assert len(kept) <= 2_001
    assert {each.strip() for each in kept.split("?")} == {LONG.split("?", maxsplit=1)[0], ""}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("short", "short"),
        ("mill " * 100, "mill " * 7),
        ("It is so. " + "mill " * 100, "It is so. " + "mill " * 5),  # ends too early
        ("橋は長い。" * 100, "橋は長い。" * 4 + " " + "橋は長い。" * 3),
        ("x" * 100, "x" * 20 + " " + "x" * 20),
        ("a b " * 20 + "why is it so long and wide? Thanks.", None),
    ],
)
def test_where_no_sentence_ends_a_word_does(text: str, kept: str | None) -> None:
    found = both_ends(text, 20)
    assert found == kept or (kept is None and found.endswith("and wide? Thanks."))


@pytest.mark.parametrize("text", [".", ". ", "?", "\n", "a ", "。", " "])
def test_both_ends_of_hostile_text_are_found_in_no_time(text: str) -> None:
    assert cpu_s(lambda: both_ends(text * 50_000, 20_000), enough_s=1) < 1
