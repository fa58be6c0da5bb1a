from __future__ import annotations

import pytest
from tests.read.documents import LOREM, web_page

from quaere.read.extract.html_metadata import (
    About,
    below_headline,
    describe,
    headline,
    page_title,
)
from quaere.text.markup import parse_html

TEXT = f"<p>{LOREM}</p>"


def about(html: str, url: str | None = None) -> About:
    return describe(parse_html(html), html, url)


def test_json_tells_title_author_date_and_site() -> None:
    head = (
        '<script type="application/ld+json">{"@context": "https://schema.org",'
        ' "@type": "NewsArticle", "headline": "The ferry sails", "datePublished": "2024-05-06",'
        ' "author": {"@type": "Person", "name": "Mara Lind"},'
        ' "publisher": {"@type": "Organization", "name": "Sound Gazette"}}</script>'
    )
    found = about(web_page(TEXT, head=head))
    assert (found.author, found.date) == ("Mara Lind", "2024-05-06")
    assert found.sitename == "Sound Gazette"


@pytest.mark.parametrize(
    "byline",
    [
        '<a rel="author">Mara Lind</a>',
        '<p class="byline">Mara Lind</p>',
        "<author>Mara Lind</author>",
    ],
)
def test_a_byline_tells_the_author(byline: str) -> None:
    assert about(web_page(byline + TEXT)).author == "Mara Lind"


@pytest.mark.parametrize(
    ("named", "author"), [("Mara Lind", "Mara Lind"), ("editor", "Tamsin Wray")]
)
def test_a_meta_tag_tells_the_author_unless_it_has_one_word(named: str, author: str) -> None:
    head = f'<meta name="author" content="{named}">'
    assert about(web_page(f'<p class="byline">Tamsin Wray</p>{TEXT}', head=head)).author == author


def test_nobody_is_named_where_no_author_is() -> None:
    assert not about(web_page(TEXT)).author


def test_the_site_of_a_twitter_account_is_its_name() -> None:
    head = '<meta name="twitter:site" content="@gazette">'
    assert about(web_page(TEXT, head=head)).sitename == "gazette"


@pytest.mark.parametrize(
    "json",
    [
        "[1, null, {}]",
        '{"@context": "https://schema.org", "@type": 7, "author": [[null]]}',
        '{"@context": "https://schema.org", "@type": "Person", "name": {"a": 1}}',
        '{"@context": "https://schema.org", "@graph": 3}',
        "[" * 50_000,
    ],
)
def test_json_of_any_shape_leaves_the_rest(json: str) -> None:
    head = f'<script type="application/ld+json">{json}</script>'
    assert about(web_page(TEXT, title="The ferry sails", head=head)).title


@pytest.mark.parametrize(
    ("html", "told", "site", "expected"),
    [
        ("<title>Ferries - Gazette</title><h1>Ferries</h1>", "Ferries - Gazette", "", "Ferries"),
        ("<title>Paper | OLD FERRY</title><h1>Paper</h1><h1>Old ferry</h1>", "", "", "Old ferry"),
        ("<title>Gazette: Old ferries</title><h1>Old ferries</h1>", "", "", "Old ferries"),
        ("<title>Ferries are late - Gazette</title><h1>Ferries</h1>", "Ferries are late - Gazette",
         "Gazette", "Ferries are late"),
        ("<title>Ferries are late</title><h1>Gazette</h1>", "Gazette", "", "Ferries are late"),
        ("<title>Home</title>", "Ferries are late", "", "Ferries are late"),
        ("<title>Gazette</title>", "Gazette", "Gazette", "Gazette"),
        ("<title></title><h1>Ferries</h1>", "Ferries", "", "Ferries"),
        ("<title>Straße – Ort</title><h1>Strasse</h1>", "Straße – Ort", "", "Strasse"),
        ("<p>x", "", "", ""),
    ],
)  # fmt: skip
def test_the_title_is_the_article_s_not_the_site_s(
    html: str, told: str, site: str, expected: str
) -> None:
    assert headline(parse_html(html), told, site) == expected


LEAD = "The ferry will stay in port until the storm is over."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"# Old ferry\n\n{LEAD}", LEAD),
        (
            f"News\n\n## OLD  FERRY\n\n{LEAD}\n\n# Old ferry\n\n{LEAD}",
            f"{LEAD}\n\n# Old ferry\n\n{LEAD}",
        ),
        (f"# Gazette\n\n## Old ferry\n\n{LEAD} {LEAD}", f"{LEAD} {LEAD}"),
    ],
)
def test_the_article_begins_below_its_headline(text: str, left: str) -> None:
    assert below_headline(text, "Old ferry") == left


@pytest.mark.parametrize(
    "text",
    ["", "# Old ferry", LEAD, f"# Old ferry sinks\n\n{LEAD}", f"{LEAD}\n\n# Old ferry\n\n{LEAD}"],
)
def test_without_a_headline_above_it_a_text_stays_whole(text: str) -> None:
    assert below_headline(text, "Old ferry") == text


@pytest.mark.parametrize("dash", "|–—»«·•:-")
@pytest.mark.parametrize("tag", ["Ferries are late{}Gazette", "Gazette {} Ferries are late"])
def test_any_dash_or_bar_sets_the_title_off(tag: str, dash: str) -> None:
    html = (
        f"<title>{tag.format(dash)}</title><h1>Gazette of the sound</h1><h1>Ferries are late</h1>"
    )
    assert headline(parse_html(html), "Gazette", "") == "Ferries are late"


@pytest.mark.parametrize(
    ("html", "told", "site", "expected"),
    [
        ("<title>Ferries late</title><h1>Ferries</h1>", "Gazette", "", "Gazette"),
        ("<title>Ferries late</title><h1>late</h1>", "Gazette", "", "Gazette"),
        ("<title>Ferries are late</title>", "ferries", "", "Ferries are late"),
        ("<title>Ferries are late</title>", "Ferries", "", "Ferries"),
        ("<title>Late | Gazette</title><h1> </h1>", "Late | Gazette", "GAZETTE", "Late"),
        ("<title>x</title>", "Late -  Gazette", " Gazette ", "Late"),
        ("<title>x</title>", "Gazette | Late", "Gazette", "Gazette | Late"),
        ("<title>One | Two</title><h1>One</h1><h1>Two</h1>", "", "", "One"),
    ],
)
def test_without_a_heading_that_the_page_repeats_its_metadata_tell_the_title(
    html: str, told: str, site: str, expected: str
) -> None:
    assert headline(parse_html(html), told, site) == expected


def test_a_page_is_called_what_its_title_says_on_one_line() -> None:
    assert page_title(parse_html("<title> Ferries\n are  late </title>")) == "Ferries are late"
    assert page_title(parse_html("<title></title><p>x")) == ""
    assert page_title(parse_html("<p>x")) == ""


@pytest.mark.parametrize(("rank", "is_heading"), [(1, True), (6, True), (7, False)])
def test_headings_have_six_ranks(rank: int, is_heading: bool) -> None:
    text = f"{'#' * rank} Old ferry\n\n{LEAD}"
    assert below_headline(text, "Old ferry") == (LEAD if is_heading else text)


def test_a_headline_is_in_the_first_quarter_of_a_text() -> None:
    for above, is_headline in ((25, True), (26, False)):
        heading = "x" * (above - 1) + "\n# Old ferry\n"
        text = heading.ljust(100, "y")
        assert (below_headline(text, "Old ferry") != text) is is_headline


def test_a_page_says_where_it_is_else_it_is_where_it_was_read() -> None:
    canonical = '<link rel="canonical" href="https://gazette.test/ferry">'
    assert about(web_page(TEXT, head=canonical)).url == "https://gazette.test/ferry"
    assert about(web_page(TEXT), "https://gazette.test/a").url == "https://gazette.test/a"


def test_the_title_of_a_page_is_what_its_metadata_say_else_what_it_shows() -> None:
    told = '<meta property="og:title" content="The ferry sails">'
    shown = "<h1>Old ferries of the sound</h1>"
    assert about(web_page(shown + TEXT, head=told)).title == "The ferry sails"
    bare = f"<html><head></head><body>{shown}{TEXT}</body></html>"
    assert about(bare).title == "Old ferries of the sound"
