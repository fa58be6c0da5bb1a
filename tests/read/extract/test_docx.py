from __future__ import annotations

import io
import zipfile

import docx
import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body, word

from quaere.domain.source import Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.extract import office
from quaere.read.extract.docx import DocxExtractor

DOCUMENT = word(["Berth four was repaired.", FACT], heading="Ferries of the sound")


class TestDocxExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> DocxExtractor:
        return DocxExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(DOCUMENT, "report.docx")


def read(data: bytes) -> Page:
    return next(DocxExtractor().extract(body(data, "report.docx")))


def status_of(data: bytes) -> str:
    pages, error = outcome(DocxExtractor(), body(data, "report.docx"))
    assert not pages
    assert error is not None
    return error.status


def changed(data: bytes, part: str, old: str, new: str) -> bytes:
    """Return the document with ``old`` in one of its parts replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old_zip, zipfile.ZipFile(out, "w") as new_zip:
        for name in old_zip.namelist():
            content = old_zip.read(name)
            if name == part:
                assert old.encode() in content
                content = content.replace(old.encode(), new.encode())
            new_zip.writestr(name, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def test_headings_paragraphs_and_tables_come_in_order() -> None:
    assert read(DOCUMENT).text == (
        "# Ferries of the sound\n\nBerth four was repaired.\n\n"
        f"{FACT}\n\n| Quay | Length |\n| North | 140 m |"
    )


def test_the_first_heading_is_the_title_unless_the_document_has_one() -> None:
    assert read(DOCUMENT).title == "Ferries of the sound"
    assert read(word([FACT], heading="Ferries", title="Report")).title == "Report"
    assert read(word([FACT])).title == "report.docx"


def test_author_and_date_are_told() -> None:
    page = read(DOCUMENT)
    assert page.author == "Mara Lind"
    assert len(page.published) == len("2024-05-06")


def test_heads_of_two_rows_are_one() -> None:
    document = docx.Document()
    table = document.add_table(rows=0, cols=4)
    for told in (
        ("Item", "Per person", "", "Group of 18"),
        ("", "Child", "Adult", "Total"),
        ("Ferry", "£4.00", "£8.00", "£96.00"),
    ):
        for cell, text in zip(table.add_row().cells, told, strict=True):
            cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    out = io.BytesIO()
    document.save(out)
    assert read(out.getvalue()).text == (
        "| Item | Per person Child | Per person Adult | Group of 18 Total |\n"
        "| Ferry | £4.00 | £8.00 | £96.00 |"
    )


@pytest.mark.parametrize("weight", ["1.3 kg", "1.3"])
def test_labels_with_their_values_have_an_empty_head(weight: str) -> None:
    document = docx.Document()
    table = document.add_table(rows=0, cols=2)
    for told in (("Weight", weight), ("Cable", "80 cm")):
        for cell, text in zip(table.add_row().cells, told, strict=True):
            cell.text = text
    out = io.BytesIO()
    document.save(out)
    assert read(out.getvalue()).text == f"|  |  |\n| Weight | {weight} |\n| Cable | 80 cm |"


def test_lists_breaks_and_tabs_are_shown() -> None:
    document = docx.Document()
    document.add_paragraph("oil", style="List Bullet")
    document.add_paragraph("one\ttwo\nthree")
    out = io.BytesIO()
    document.save(out)
    assert read(out.getvalue()).text == "- oil\n\none two\nthree"


def test_insertions_are_text_and_deletions_are_not() -> None:
    run = "<w:r><w:t>Berth four was repaired.</w:t></w:r>"
    tracked = (
        '<w:ins w:id="1"><w:r><w:t>Berth five</w:t></w:r></w:ins>'
        '<w:del w:id="2"><w:r><w:delText>Berth four</w:delText></w:r></w:del>'
        "<w:r><w:t> was repaired.</w:t></w:r>"
    )
    assert (
        "\n\nBerth five was repaired.\n\n"
        in read(changed(DOCUMENT, "word/document.xml", run, tracked)).text
    )


def test_a_part_that_unpacks_to_more_than_it_may_is_refused_unread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(office, "MAX_PART_BYTES", 1000)
    assert status_of(DOCUMENT) == ReadStatus.TOO_LARGE


def test_a_zip_bomb_is_refused() -> None:
    bomb = changed(
        DOCUMENT, "word/document.xml", FACT, f"{FACT}{' ' * (office.MAX_PART_BYTES + 1)}"
    )
    assert len(bomb) < 200_000
    assert status_of(bomb) == ReadStatus.TOO_LARGE


def test_a_size_that_the_archive_lies_about_is_not_believed() -> None:
    data = bytearray(DOCUMENT)
    at = data.rindex(b"word/document.xml") - 46 + 24  # the size in the central directory
    data[at : at + 4] = (20).to_bytes(4, "little")
    assert status_of(bytes(data)) == ReadStatus.BROKEN


def test_entities_are_refused() -> None:
    hostile = changed(
        DOCUMENT, "word/document.xml", "<w:document", '<!DOCTYPE a [<!ENTITY b "b">]><w:document'
    )
    assert status_of(hostile) == ReadStatus.BROKEN


def test_a_locked_part_is_encrypted() -> None:
    data = bytearray(DOCUMENT)
    at = data.rindex(b"word/document.xml") - 46 + 8  # the flags in the central directory
    data[at] |= 1
    assert status_of(bytes(data)) == ReadStatus.ENCRYPTED


def test_damage_elsewhere_does_not_matter() -> None:
    kept = changed(DOCUMENT, "word/_rels/document.xml.rels", "styles.xml", "NULL")
    assert FACT in read(kept).text


@pytest.mark.parametrize("data", [DOCUMENT[:2000], DOCUMENT[:-30], b"PK\x03\x04 word/document"])
def test_a_damaged_archive_is_broken(data: bytes) -> None:
    assert status_of(data) == ReadStatus.BROKEN


def test_a_document_without_words_is_empty() -> None:
    out = io.BytesIO()
    docx.Document().save(out)
    assert status_of(out.getvalue()) == ReadStatus.EMPTY


def test_a_cell_over_several_rows_is_in_each_and_one_over_columns_in_the_first() -> None:
    document = docx.Document()
    table = document.add_table(rows=4, cols=3)
    written = ["Pier Ship Leaves", "North Heron 07:15", "_ Sorrel 09:40", "Total _ 2"]
    for row, texts in zip(table.rows, written, strict=True):
        for cell, text in zip(row.cells, texts.split(), strict=True):
            cell.text = text.strip("_")
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(3, 0).merge(table.cell(3, 1))
    out = io.BytesIO()
    document.save(out)
    assert read(out.getvalue()).text == (
        "| Pier | Ship | Leaves |\n| North | Heron | 07:15 |\n| North | Sorrel | 09:40 |\n"
        "| Total |  | 2 |"
    )


def test_a_form_without_figures_keeps_its_rows() -> None:
    document = docx.Document()
    table = document.add_table(rows=0, cols=3)
    for told in (("Contact", "Anna", ""), ("", "Berlin", "Germany"), ("Note", "late", "")):
        for cell, text in zip(table.add_row().cells, told, strict=True):
            cell.text = text
    out = io.BytesIO()
    document.save(out)
    assert "| Contact | Anna |  |\n|  | Berlin | Germany |" in read(out.getvalue()).text


def cited(data: bytes) -> str:
    asked = body(data, "report.docx").model_copy(update={"with_citations": True})
    return next(DocxExtractor().extract(asked)).text


def test_links_and_raised_numbers_are_written_as_markdown_where_citations_are_wanted() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("The quay is 140 m long")
    paragraph.add_run("2").font.superscript = True
    paragraph.add_run(", says ONE (to TWO).")
    out = io.BytesIO()
    document.save(out)
    link = '</w:t></w:r><w:hyperlink r:id="{}"><w:r><w:t>{}</w:t></w:r></w:hyperlink><w:r><w:t>'
    target = '<Relationship Id="{}" Type="http://x.example/hyperlink" Target="{}"/>'
    targets = target.format("a", "https://sound.example/survey") + target.format("b", "no one")
    data = out.getvalue()
    for part, old, new in (
        ("word/document.xml", "ONE", link.format("a", "the survey")),
        ("word/document.xml", "TWO", link.format("b", "nobody")),
        ("word/_rels/document.xml.rels", "</Relationships>", f"{targets}</Relationships>"),
    ):
        data = changed(data, part, old, new)
    shown = "The quay is 140 m long<sup>2</sup>, says [the survey](https://sound.example/survey)"
    assert cited(data) == f"{shown} (to nobody)."
    assert read(data).text == "The quay is 140 m long², says the survey (to nobody)."


def test_notes_are_numbered_where_citations_are_wanted() -> None:
    main = '<w:footnoteReference w:id="2"/></w:r></w:p><w:sectPr'
    note = "<w:p><w:r><w:t>{}</w:t></w:r></w:p>"
    notes = (
        '<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        f'<w:footnote w:id="0"><w:p/></w:footnote><w:footnote w:id="2">{note.format("survey.md")}'
        "</w:footnote></w:footnotes>"
    )
    data = changed(
        word(["Berth four is shut."]), "word/document.xml", "<w:sectPr", f"<w:p><w:r>{main}"
    )
    with zipfile.ZipFile(held := io.BytesIO(data), "a") as archive:
        archive.writestr("word/footnotes.xml", notes)
    assert cited(held.getvalue()).endswith("[^2]\n\n[^2]: survey.md")
    assert "[^" not in read(held.getvalue()).text


@pytest.mark.parametrize(("value", "seen"), [("", False), (' w:val="0"', True)])
def test_words_that_their_writer_has_hidden_are_left_out(value: str, *, seen: bool) -> None:
    run = f"<w:rPr><w:vanish{value}/></w:rPr><w:t>{FACT}"
    text = read(changed(DOCUMENT, "word/document.xml", f"<w:t>{FACT}", run)).text
    assert (FACT in text) == seen
    assert "Berth four was repaired." in text
