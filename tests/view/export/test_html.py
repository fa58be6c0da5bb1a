"""A document as a page: what names a table, and where its sources stand."""

from __future__ import annotations

from quaere.view.export.document import Block, Document, Section, Source, Table, Words
from quaere.view.export.html import html

CELL = (Words("21"),)
SOURCE = Source(
    number=1, title="A mill", href="", file="", place="", quote="It burned down.", facts=()
)


def _page(*blocks: Block) -> str:
    section = Section(id="answer", title="Answer", blocks=blocks)
    return html(Document(title="Q", summary=(), sections=(section,), written=""))


def test_a_table_with_a_title_is_named_and_headed_by_it() -> None:
    page = _page(Table(title="Mills < 1900", head=("Year",), rows=((CELL,),)))
    assert 'aria-label="Mills &lt; 1900"' in page
    assert "<caption>Mills &lt; 1900</caption>" in page


def test_a_table_without_a_title_is_named_by_the_heading_of_its_section() -> None:
    page = _page(Table(title="", head=("Year",), rows=((CELL,),)))
    assert 'tabindex="0" aria-labelledby="answer-heading"' in page
    assert "<caption>" not in page


def test_sources_are_one_list_and_a_section_without_them_has_none() -> None:
    assert _page(SOURCE, SOURCE).count('<ol class="sources">') == 1
    assert '<ol class="sources">' not in _page()
