from __future__ import annotations

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body

from quaere.domain.source import Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.extract.xml import XmlExtractor

RECORD = f"""<?xml version="1.0"?>
<set xmlns="urn:x"><record><id>17</id><ArticleTitle>Ferries</ArticleTitle>
<abstract>{FACT.replace("Pell", "<i>Pell</i>")}</abstract></record></set>"""


class TestXmlExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> XmlExtractor:
        return XmlExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(RECORD, "record.xml")


def read(text: str) -> Page:
    return next(XmlExtractor().extract(body(text, "record.xml")))


def test_each_element_with_words_is_a_paragraph() -> None:
    page = read(RECORD)
    assert page.text == f"id: 17\n\nFerries\n\n{FACT}"
    assert page.title == "Ferries"


def test_a_feed_carries_html_whose_words_count() -> None:
    page = read(
        "<rss><item><title><![CDATA[<script>alert(1)</script>Tide]]></title>"
        "<description>&lt;img src=x onerror=alert(1)&gt;High &lt;b&gt;water&lt;/b&gt; came twice a"
        " day&lt;/p&gt;</description></item></rss>"
    )
    assert page.text == "Tide\n\nHigh water came twice a day"


def test_code_in_a_drawing_is_no_text() -> None:
    page = read("<svg xmlns='x'><script>alert(1)</script><style>a{}</style><text>Pell</text></svg>")
    assert page.text == "text: Pell"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>', ReadStatus.BROKEN),
        ("<a><b></a>", ReadStatus.BROKEN),
        ("<a>" * 1000, ReadStatus.BROKEN),
        ("<a><b/></a>", ReadStatus.EMPTY),
        ("<script>x</script>", ReadStatus.EMPTY),
    ],
)
def test_what_cannot_be_read_says_why(text: str, status: ReadStatus) -> None:
    pages, error = outcome(XmlExtractor(), body(text, "record.xml"))
    assert not pages
    assert error is not None
    assert error.status == status
    assert "record.xml" in error.message
