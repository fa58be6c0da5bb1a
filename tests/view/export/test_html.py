"""A document as a page: what names a table, and where its sources stand."""

from __future__ import annotations

from quaere.view.export.document import (
    Block,
    Bullets,
    Code,
    Document,
    Section,
    Source,
    Table,
    Words,
)
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


def test_a_list_begins_with_the_number_of_its_first_item() -> None:
    def shown(first: int, *, numbered: bool = True) -> str:
        return _page(Bullets(items=(CELL, CELL), numbered=numbered, first=first))

    assert "<ol>\n" in shown(1)
    assert '<ol start="2">' in shown(2)
    assert '<ol start="7">' in shown(7)
    assert "<ul>\n" in shown(1, numbered=False)
    assert shown(7).count('<li dir="auto">') == 2


def test_code_keeps_its_lines_and_its_marks_stand_below_it() -> None:
    page = _page(Code(text="a < b\n  c", signs=CELL))
    assert '<pre><code>a &lt; b\n  c</code></pre>\n<p class="signs">' in page


def test_headings_follow_how_deep_a_section_is() -> None:
    inner = Section(id="part", title="Part")
    outer = Section(id="parts", title="Parts", sections=(inner,))
    page = html(Document(title="Q", summary=(), sections=(outer,), written=""))
    assert '<h1 dir="auto"' in page
    assert '<h2 id="parts-heading"' in page
    assert '<h3 id="part-heading"' in page


def test_paper_has_no_style_for_screens() -> None:
    document = Document(title="Q", summary=(), sections=(), written="")
    screen, paper = html(document), html(document, paper=True)
    assert len(paper) < len(screen)
    assert ("prefers-color-scheme" in screen, "prefers-color-scheme" in paper) == (True, False)
