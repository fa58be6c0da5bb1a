"""Item 17 of issue 21: full texts come as JATS, and are read as articles."""

from __future__ import annotations

import pytest
from tests.read.documents import body

from quaere.domain.source import Page, ReadStatus
from quaere.errors import ReadError
from quaere.read.extract.xml import XmlExtractor

FRONT = """<front><journal-meta><journal-title>J Imag Biol</journal-title></journal-meta>
<article-meta><article-id pub-id-type="pmcid">PMC4100</article-id>
<title-group><article-title>Glow of the <italic>lantern</italic> moth</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Krell</surname>
<given-names>Ida</given-names></name><xref ref-type="aff">1</xref></contrib>
<contrib contrib-type="editor"><name><surname>Oss</surname></name></contrib></contrib-group>
<pub-date pub-type="collection"><year>2022</year></pub-date>
<pub-date pub-type="epub"><day>3</day><month>5</month><year>2021</year></pub-date>
<permissions><copyright-statement>Free to all.</copyright-statement></permissions>
<abstract><p>Moths glow.</p></abstract></article-meta></front>"""

BODY = """<body><sec><title>Methods</title><p>We counted <bold>41</bold> moths <xref>[1]</xref>.</p>
<sec><title>Nets</title><p>Nets were of silk.<list><list-item><p>a large one</p></list-item>
<list-item><p>a small one</p></list-item></list></p></sec></sec>
<sec><title>Results</title><table-wrap><label>Table 1</label>
<caption><p>Brightness by night.</p></caption>
<table><thead><tr><th>Night</th><th>Lux</th></tr></thead>
<tbody><tr><td>first</td><td>0.3</td></tr></tbody></table></table-wrap>
<fig><label>Figure 1</label><caption><p>A moth at rest.</p></caption></fig>
<disp-formula>E = mc</disp-formula></sec></body>"""

BACK = """<back><ack><p>We thank nobody.</p></ack><ref-list><ref><mixed-citation>Oss, On nets.
</mixed-citation></ref></ref-list></back>"""


def read(inner: str, root: str = "article") -> Page:
    text = f'<?xml version="1.0"?><{root} xmlns:xlink="x">{inner}</{root}>'
    return next(XmlExtractor().extract(body(text, "article.xml")))


def test_an_article_has_its_title_headings_lists_and_tables() -> None:
    page = read(FRONT + BODY + BACK)
    assert page.title == "Glow of the lantern moth"
    assert page.text.split("\n\n") == [
        "# Glow of the lantern moth",
        "## Abstract",
        "Moths glow.",
        "## Methods",
        "We counted 41 moths [1].",
        "### Nets",
        "Nets were of silk.",
        "- a large one\n- a small one",
        "## Results",
        "Brightness by night.",
        "| Night | Lux |\n| --- | --- |\n| first | 0.3 |",
        "A moth at rest.",
    ]


def test_an_article_says_who_wrote_it_and_when_it_appeared_first() -> None:
    page = read(FRONT + BODY)
    assert (page.author, page.published) == ("Ida Krell", "2021-05-03")


@pytest.mark.parametrize(
    ("date", "published"),
    [
        ("<year>2021</year><month>5</month>", "2021-05"),
        ("<year>2021</year><month>13</month>", "2021"),
        ("<year>2021</year><month>5</month><day>40</day>", "2021-05"),
        ("<year>soon</year>", ""),
        ("<year>2021</year><month>²</month>", "2021"),
    ],
)
def test_a_date_goes_as_far_as_it_makes_sense(date: str, published: str) -> None:
    front = f"<front><article-meta><pub-date>{date}</pub-date></article-meta></front>"
    assert read(front + BODY).published == published


def test_an_article_without_words_is_empty() -> None:
    with pytest.raises(ReadError) as caught:
        read("<front><article-meta/></front><body/>")
    assert caught.value.status == ReadStatus.EMPTY


def test_other_xml_that_is_called_an_article_is_read_as_such() -> None:
    assert "Moths glow." in read("<p>Moths glow.</p>").text
    assert "Moths glow" in read(f"{FRONT}", root="set").text


def dated(inner: str) -> str:
    return read(f"<front><article-meta>{inner}</article-meta></front>{BODY}").published


@pytest.mark.parametrize(
    ("parts", "date"),
    [
        ("<year>2021</year><month>1</month><day>1</day>", "2021-01-01"),
        ("<year>2021</year><month>12</month><day>31</day>", "2021-12-31"),
        ("<year>2021</year><month>12</month><day>32</day>", "2021-12"),
        ("<year>2021</year><month>12</month><day>0</day>", "2021-12"),
        ("<year>2021</year><month>12</month>", "2021-12"),
        ("<year>2021</year><month>13</month><day>1</day>", "2021"),
        ("<year>2021</year><month>0</month><day>1</day>", "2021"),
        ("<year>2021</year><month>May</month>", "2021"),
        ("<year>21</year><month>5</month>", ""),
    ],
)
def test_a_date_goes_as_far_as_a_calendar_has_it(parts: str, date: str) -> None:
    assert dated(f'<pub-date pub-type="epub">{parts}</pub-date>') == date
    assert dated(f'<pub-date date-type="pub">{parts}</pub-date>') == date
    assert dated(f"<pub-date>{parts}</pub-date>") == date


def test_twenty_authors_are_named_at_most() -> None:
    people = "".join(
        f'<contrib contrib-type="author"><name><surname>Krell{n}</surname></name></contrib>'
        for n in range(25)
    )
    page = read(
        f"<front><article-meta><contrib-group>{people}</contrib-group></article-meta></front>{BODY}"
    )
    assert "Krell19" in page.author
    assert "Krell20" not in page.author


def test_raised_figures_are_not_glued_to_what_is_before_them() -> None:
    told = "<body><p>It has 10<sup>6</sup> cells.<xref><sup>3</sup></xref> It grows.</p></body>"
    assert "It has 10⁶ cells.³ It grows." in read(FRONT + told).text
