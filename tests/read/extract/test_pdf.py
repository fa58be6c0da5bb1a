from __future__ import annotations

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import LOCK, body, pdf

from quaere.domain.source import Mark, Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.chunker import PassageChunker
from quaere.read.extract.pdf import PdfExtractor

REPORT = pdf(
    [["Ferries of the sound", "", FACT], ["Berth four was repaired."], ["Nothing else happened."]],
    title="Harbour report",
    date="D:20240506070809Z",
)


class TestPdfExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> PdfExtractor:
        return PdfExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(REPORT, "report.pdf")


def read(data: bytes, name: str = "report.pdf") -> Page:
    return next(PdfExtractor().extract(body(data, name)))


def status_of(data: bytes) -> str:
    pages, error = outcome(PdfExtractor(), body(data, "report.pdf"))
    assert not pages
    assert error is not None
    assert "report.pdf" in error.message
    return error.status


def test_every_printed_page_is_marked() -> None:
    page = read(REPORT)
    second = page.text.index("Berth four")
    third = page.text.index("Nothing else")
    assert page.marks == (
        Mark(start=0, label="page 1"),
        Mark(start=second, label="page 2"),
        Mark(start=third, label="page 3"),
    )


def test_passages_say_their_page() -> None:
    passages = PassageChunker()(read(REPORT))
    assert [passage.locator for passage in passages] == ["page 1", "page 2", "page 3"]


def test_title_and_date_are_told() -> None:
    page = read(REPORT)
    assert page.title == "Harbour report"
    assert page.published == "2024-05-06"


@pytest.mark.parametrize("title", ["", "untitled", "Microsoft Word - draft.doc", "x.pdf", "1-23-4"])
def test_a_title_that_a_program_left_behind_is_no_title(title: str) -> None:
    # All lines are printed in one size, so that the first page has no headline either.
    assert read(pdf([["x " * 200]], title=title)).title == "report"


def test_what_is_printed_largest_is_the_title() -> None:
    data = pdf([["Ferries of the sound", FACT]]).replace(b"10 Tf", b"24 Tf", 1)
    data = data.replace(b"sound) Tj T*", b"sound) Tj T* /F1 9 Tf")
    assert read(data).title == "Ferries of the sound"


def test_a_page_without_text_keeps_the_numbers_right() -> None:
    page = read(pdf([["First."], [], ["Third."]]))
    assert PassageChunker()(page)[-1].locator == "page 3"


def test_a_locked_document_is_encrypted() -> None:
    assert status_of(pdf([[FACT]], trailer=LOCK)) == ReadStatus.ENCRYPTED


def test_a_scan_without_a_text_layer_is_empty() -> None:
    assert status_of(pdf([[], []])) == ReadStatus.EMPTY


@pytest.mark.parametrize("data", [b"%PDF-1.4\n", b"%PDF-1.4\n%%EOF", b"no PDF"])
def test_what_is_no_pdf_is_broken(data: bytes) -> None:
    assert status_of(data) == ReadStatus.BROKEN


def test_a_lost_cross_reference_table_is_rebuilt() -> None:
    assert FACT in read(REPORT[: REPORT.rindex(b"xref")]).text


def test_a_damaged_page_costs_no_other_page() -> None:
    data = REPORT.replace(b"/Kids [5 0 R 7 0 R 9 0 R]", b"/Kids [5 0 R 4 0 R 9 0 R]")
    pages, error = outcome(PdfExtractor(), body(data, "report.pdf"))
    assert FACT in pages[0].text
    assert "Nothing else" in pages[0].text
    if error:  # PDFium shows some damaged pages as empty ones
        assert error.status == ReadStatus.BROKEN


def test_a_page_tree_that_leads_back_to_itself_ends() -> None:
    data = REPORT.replace(b"/Kids [5 0 R 7 0 R 9 0 R]", b"/Kids [2 0 R 2 0 R 2 0 R]")
    _, error = outcome(PdfExtractor(), body(data, "report.pdf"))
    assert error is not None


def test_what_the_page_says_of_itself_cannot_hold_control_characters() -> None:
    assert read(pdf([[FACT]], title="Report\\012\\011of 2024")).title == "Report of 2024"
