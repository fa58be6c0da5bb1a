"""A document as a page: what names a table, and where its sources stand."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import cast

import pypdfium2
import pytest

from quaere.view.export.document import (
    Block,
    Bullets,
    Code,
    Document,
    Marker,
    Paragraph,
    Section,
    Source,
    Table,
    Tone,
    Words,
    words,
)
from quaere.view.export.html import html, pdf

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


def test_no_two_landmarks_have_one_name_and_small_tables_fit_a_phone() -> None:
    page = _page(Table(title="", head=("Year",), rows=((CELL,),)))
    assert 'role="group" tabindex="0"' in page, "its section is the landmark of that name"
    assert "table:has(th:nth-child(4)) { min-width" in page


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


CITED = Paragraph(line=(Words("It fell "), Marker(1, "It burned <down>.", "A mill, page 3")))


def _of(*blocks: Block, paper: bool = False) -> str:
    section = Section(id="answer", title="Answer", blocks=blocks)
    made = Document(title="Q", summary=(), sections=(section,), written="")
    return html(made, paper=paper)


def test_a_marker_leads_to_its_source_and_the_source_back_to_the_first() -> None:
    page = _of(CITED, CITED, SOURCE, replace(SOURCE, number=2))
    assert page.count('<a href="#source-1"') == 2
    assert page.count(' id="cited-1"') == 1
    assert page.index('id="cited-1"') < page.index('aria-describedby="hint-2"')
    assert '<a class="back" href="#cited-1" aria-label="Back to where 1 is cited">' in page
    assert "#cited-2" not in page, "it is not cited"
    assert (
        '<q dir="auto">It burned &lt;down&gt;.</q> <cite dir="auto">A mill, page 3</cite>' in page
    )


def test_paper_has_no_hints_no_way_back_and_no_links_to_files() -> None:
    local = replace(SOURCE, file="file:///notes/mill.md")
    page = _of(CITED, local, paper=True)
    assert '<a href="#source-1" class="marker" id="cited-1">[1]</a>' in page
    assert "tooltip" not in page
    assert 'class="back"' not in page
    assert "file:///" not in page
    assert '<a href="file:///notes/mill.md" rel="noreferrer noopener">' in _of(CITED, local)


def test_a_source_shows_what_is_known_of_it() -> None:
    full = replace(
        SOURCE, href="https://a.org/?a=1&b=2", file="", place="page 3", facts=("web", "read <now>")
    )
    page = _of(full)
    assert '<a href="https://a.org/?a=1&amp;b=2" rel' in page
    assert ' <span class="place" dir="auto">page 3</span>' in page
    assert '<p class="facts">web; read &lt;now&gt;</p>' in page
    assert '<li id="source-1" value="1">' in page
    bare = _of(SOURCE)
    assert '<p><cite dir="auto">A mill</cite></p>' in bare
    assert 'class="facts"' not in bare


def test_words_sound_as_they_are_meant_and_other_languages_are_named() -> None:
    page = _of(Paragraph(tuple(Words(tone.value, tone) for tone in Tone)))
    assert "plain<strong>strong</strong><small>quiet</small><em>doubt</em><code>code</code>" in page
    german = "Die Mühle wurde im Jahr 1788 von einer Müllerin gebaut und steht noch heute."
    assert f'<p dir="auto" lang="de">{german}</p>' in _of(Paragraph((Words(german),)))


def test_a_page_names_its_sections_and_its_own_style_alone() -> None:
    page = _of(CITED)
    assert '<li><a href="#answer">Answer</a></li>' in page
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in page


def test_text_from_right_to_left_says_so_itself_because_paper_knows_no_auto() -> None:
    text = "(۱) پل در سال ۱۸۹۱ گشوده شد"
    line = (Words(text), Marker(1, "", ""))
    page = _of(
        Paragraph(line), Bullets((line,)), Table(title="", head=("A",), rows=((line,),)), paper=True
    )
    assert page.count(' dir="rtl"') == 4
    assert ' dir="auto"' not in page.split("</h2>")[1]
    assert '<ul dir="rtl">' in page, "marks of items beyond the edge"


def test_a_table_from_right_to_left_begins_with_its_column_on_the_right() -> None:
    page = _page(Table(title="", head=("رصيف", "عمق"), rows=((CELL, CELL),)))
    assert '<table dir="rtl">' in page
    assert page.count('<th scope="col" dir="rtl">') == 2


PAPER_WIDTH = 595.3
"""That of A4, in points."""


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="weasyprint is not installed")
def test_paper_holds_a_table_of_many_columns_and_the_number_that_a_list_begins_with() -> None:
    head = tuple(f"Column {n} of the quay" for n in range(14))
    row = tuple(words(f"dredged{n} northernmost") for n in range(14))
    part = Section("a", "A", (Table("", head, (row,)), Bullets((words("wait"),), True, 7)))
    paper = pypdfium2.PdfDocument(pdf(Document("Q", (), (part,), "")))
    told = paper[0].get_textpage()
    count = cast("int", told.count_chars())
    box = cast("Callable[[int], tuple[float, float, float, float]]", told.get_charbox)
    edges = [box(at)[2] for at in range(count)]
    said = told.get_text_range()
    assert max(edges) < PAPER_WIDTH
    assert "7." in said


NO_FONT_HAS_IT = "\U0010fffd"


@pytest.mark.skipif(find_spec("weasyprint") is None, reason="weasyprint is not installed")
@pytest.mark.parametrize(("text", "is_told"), [(NO_FONT_HAS_IT, True), ("plain", False)])
def test_paper_says_where_boxes_stand_for_what_no_font_has(text: str, *, is_told: bool) -> None:
    part = Section("a", "A", (Paragraph(words(f"{text} {text}")),))
    paper = pypdfium2.PdfDocument(pdf(Document("Q", (), (part,), "")))
    said = " ".join(paper[0].get_textpage().get_text_range().split())
    assert ("has no font for 1 character of this report; boxes are printed" in said) is is_told
