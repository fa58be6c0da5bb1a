from __future__ import annotations

import pytest
from tests.read.documents import LOREM, web_page

from quaere.read.extract.about import About, describe
from quaere.read.extract.markup import parse_html

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
