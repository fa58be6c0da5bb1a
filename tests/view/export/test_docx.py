# pyright: reportUnknownMemberType=false
"""A document in Word, opened again."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from docx import api
from docx.document import Document as Word
from docx.enum.table import WD_TABLE_DIRECTION

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
from quaere.view.export.docx import MONOSPACED, docx


def opened(*blocks: Block) -> Word:
    section = Section("a", "A part", blocks)
    made = Document("The question", words("The summary"), (section,), "")
    return api.Document(io.BytesIO(docx(made)))


def lines(of: Word) -> list[tuple[str, str]]:
    return [(each.style.name or "" if each.style else "", each.text) for each in of.paragraphs]


SOURCE = Source(number=7, title="A mill", href="", file="", place="", quote="It burned.", facts=())


def test_each_block_has_the_style_of_its_kind() -> None:
    items = (words("one"), words("two"))
    made = opened(Bullets(items), Bullets(items[:1], numbered=True), Code("a\n  b", words("[1]")))
    assert lines(made) == [
        ("Title", "The question"),
        ("Normal", "The summary"),
        ("Heading 1", "A part"),
        ("List Bullet", "one"),
        ("List Bullet", "two"),
        ("List Number", "one"),
        ("Normal", "a\n  b"),
        ("Normal", "[1]"),
    ]
    assert made.paragraphs[-2].runs[0].font.name == MONOSPACED


def test_words_look_as_they_are_meant() -> None:
    line = (*(Words(tone.value, tone) for tone in Tone), Marker(3, "", ""))
    shown = opened(Paragraph(line)).paragraphs[-1]
    linked = (run for link in shown.hyperlinks for run in link.runs)
    runs = {run.text: run for run in (*shown.runs, *linked)}
    assert {text for text, run in runs.items() if run.bold} == {"strong"}
    assert {text for text, run in runs.items() if run.italic} == {"doubt"}
    assert {text for text, run in runs.items() if run.font.name} == {"code"}
    assert {text for text, run in runs.items() if run.font.superscript} == {"[3]"}


def test_a_table_has_its_heads_and_its_rows() -> None:
    rows = ((words("Orrin"), words("1788")), (words("Pell"), words("1801")))
    made = opened(Table("Mills", ("Mill", "Built"), rows))
    (table,) = made.tables
    shown = [[cell.text for cell in row.cells] for row in table.rows]
    assert shown == [["Mill", "Built"], ["Orrin", "1788"], ["Pell", "1801"]]
    assert lines(made)[-1] == ("Caption", "Mills")
    assert table.table_direction is None


def test_a_table_from_right_to_left_begins_with_its_column_on_the_right() -> None:
    (table,) = opened(Table("", ("رصيف", "عمق"), ((words("أورين"), words("12")),))).tables
    assert table.table_direction == WD_TABLE_DIRECTION.RTL
    heads = [cell.paragraphs[0].paragraph_format.element for cell in table.rows[0].cells]
    assert all(head.xpath("w:pPr/w:bidi") for head in heads)


def test_each_numbered_list_counts_for_itself_from_its_first_item() -> None:
    one, two = (words("one"),), (words("three"), words("four"))
    made = opened(Bullets(one, numbered=True), Bullets(two, numbered=True, first=3))
    used = made.element.xpath("//w:numPr/w:numId/@w:val")
    assert used[1] == used[2] != used[0]
    numbering = made.part.numbering_part.element
    begins = "w:num[@w:numId={}]/w:lvlOverride/w:startOverride/@w:val"
    assert [numbering.xpath(begins.format(each)) for each in used] == [["1"], ["3"], ["3"]]


def test_a_source_says_where_it_is_what_it_says_and_what_is_known_of_it() -> None:
    full = Source(
        number=8,
        title="A weir",
        href="https://a.org",
        file="",
        place="page 3",
        quote="It holds.",
        facts=("web", "read"),
    )
    made = opened(SOURCE, full)
    assert lines(made)[3:] == [
        ("Normal", "[7] A mill"),
        ("Intense Quote", "It burned."),
        ("Normal", "[8] A weir https://a.org page 3"),
        ("Intense Quote", "It holds."),
        ("Normal", "web; read"),
    ]
    assert made.paragraphs[3].runs[0].bold


def test_a_marker_leads_to_its_source_and_an_address_to_the_quoted_words() -> None:
    href = "https://a.org/weir#:~:text=It%20holds"
    web = Source(8, "A weir", href=href, file="", place="page 3", quote="It holds.", facts=())
    ours = Source(9, "Mine", href="", file="file:///n.md", place="n.md, line 1", quote="", facts=())
    made = opened(Paragraph((Words("It holds"), Marker(8, "", ""))), web, ours)
    cited, entry, _, named, _ = made.paragraphs[3:]
    (marker,), (address,) = cited.hyperlinks, entry.hyperlinks
    assert made.element.xpath("//w:bookmarkStart/@w:name") == ["source_8", "source_9"]
    assert (cited.text, marker.fragment) == ("It holds[8]", "source_8")
    assert (entry.text, address.url) == ("[8] A weir https://a.org/weir page 3", href)
    assert (named.text, named.hyperlinks) == ("[9] Mine n.md, line 1", [])


def test_a_row_stays_on_a_page_and_heads_stand_on_each() -> None:
    (table,) = opened(Table("", ("Mill",), ((words("Orrin"),), (words("Pell"),)))).tables
    rows = table.rows[0].cells[0].paragraphs[0].paragraph_format.element.xpath("//w:tr")
    ways = [[each.tag.partition("}")[2] for each in row.trPr] for row in rows]
    assert ways == [["cantSplit", "tblHeader"], ["cantSplit"], ["cantSplit"]]


def test_a_document_says_of_itself_what_it_is() -> None:
    made = Document(
        "Who built it?" * 30, (), (), written="2026-03-04T05:06:07+00:00", language="de"
    )
    about = api.Document(io.BytesIO(docx(made))).core_properties
    assert (about.title, about.language) == (made.title[:255], "de")
    assert {about.author, about.last_modified_by} == {"Quaere"}
    written = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    assert (about.created, about.modified) == (written, written)


def test_a_paragraph_from_right_to_left_begins_on_the_right() -> None:
    line = (Words("پل در سال ۱۸۹۱ گشوده شد"), Marker(1, "", ""))
    made = opened(Paragraph(line), Paragraph(words("A bridge")))
    turned, plain = made.paragraphs[-2:]
    assert "<w:bidi/>" in turned.paragraph_format.element.xml
    linked = [run for link in turned.hyperlinks for run in link.runs]
    assert linked
    assert all(run.font.rtl for run in (*turned.runs, *linked))
    assert "w:bidi" not in plain.paragraph_format.element.xml
