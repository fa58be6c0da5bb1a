from __future__ import annotations

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import LOCK, body, drawn_pdf, pdf

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


@pytest.mark.parametrize(
    "title",
    ["Document12", "Form 10-K", "UNITED STATES", "Microsoft PowerPoint - talk", "minutes.docx"],
)
def test_a_title_of_no_words_of_its_own_gives_way_to_the_headline(title: str) -> None:
    assert read(headed("Ferries of the sound", title=title)).title == "Ferries of the sound"


@pytest.mark.parametrize("title", ["Document of faith", "United States ferries", "Report no.5"])
def test_a_title_that_only_begins_like_one_left_behind_is_kept(title: str) -> None:
    assert read(headed("Ferries of the sound", title=title)).title == title


def headed(*headline: str, title: str = "", below: str = FACT) -> bytes:
    """Return a PDF whose first lines are printed in 24 points, and the rest in 9."""
    data = pdf([[*headline, below]], title=title).replace(b"10 Tf", b"24 Tf", 1)
    last = headline[-1].encode("cp1252")
    return data.replace(last + b") Tj T*", last + b") Tj T* /F1 9 Tf")


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["Ferries of the sound", "and their crews"], "Ferries of the sound and their crews"),
        (["Ferries sail"], "Ferries sail"),
        (["Ferries"], "report"),
        ([" ".join(["ab"] * 29)], " ".join(["ab"] * 29)),
        ([" ".join(["ab"] * 30)], "report"),
        (["1 2 3 4"], "report"),
    ],
)
def test_a_headline_is_a_line_or_two_of_words(lines: list[str], title: str) -> None:
    assert read(headed(*lines)).title == title


def test_what_is_printed_as_large_further_down_is_not_of_the_title() -> None:
    drawn = (
        "BT /F1 9 Tf 12 TL 72 760 Td (Volume nine) Tj T* /F1 24 Tf 30 TL T* (Ferries sail) Tj T*"
        " /F1 9 Tf (They are slow.) Tj T* /F1 24 Tf T* (Berths rest) Tj ET"
    )
    assert read(drawn_pdf([drawn])).title == "Ferries sail"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("D:2024", "2024"),
        ("D:202405", "2024-05"),
        ("D:20240506", "2024-05-06"),
        ("2024-05-06", ""),
        ("", ""),
    ],
)
def test_a_date_is_as_exact_as_the_document_has_it(written: str, date: str) -> None:
    assert read(pdf([[FACT]], date=written)).published == date


def test_the_author_is_told() -> None:
    drawn = f"BT /F1 10 Tf 72 760 Td ({FACT}) Tj ET"
    assert read(drawn_pdf([drawn], about="/Author (Mara Lind)")).author == "Mara Lind"
    assert read(drawn_pdf([drawn])).author == ""


@pytest.mark.parametrize(
    ("name", "title"), [("report.pdf", "report"), ("a.pdf.txt", "a.pdf.txt"), ("notes", "notes")]
)
def test_a_document_without_a_title_has_the_name_of_its_file(name: str, title: str) -> None:
    assert read(pdf([["x"]]), name).title == title


def test_pages_are_parted_by_an_empty_line() -> None:
    assert read(pdf([["One."], ["Two."]])).text == "One.\n\nTwo."


def test_divided_words_stay_where_they_are_not_to_be_joined() -> None:
    data = pdf([["It is a well-", "known ferry."], ["Well-known it is."]])
    assert "a well-known ferry" in read(data).text
    apart = next(PdfExtractor(joins_words=False).extract(body(data, "report.pdf")))
    assert "a well-known ferry" not in apart.text


TURNED = {90: "0 1 -1 0 300 100", 180: "-1 0 0 -1 500 500", 270: "0 -1 1 0 300 700"}
"""How letters are placed that are turned to the left by so many degrees."""


@pytest.mark.parametrize("degrees", TURNED)
def test_lines_of_turned_text_are_read_from_the_first_to_the_last(degrees: int) -> None:
    lines = ("Ferries sail at dawn.", "Barges follow at noon.", "Nobody sails at night.")
    shown = " ".join(f"({line}) Tj T*" for line in lines)
    drawn = f"BT /F1 10 Tf 12 TL {TURNED[degrees]} Tm {shown} ET"
    assert [line.strip() for line in read(drawn_pdf([drawn])).text.split("\n")] == list(lines)


def test_a_turned_note_in_the_margin_turns_no_page() -> None:
    drawn = (
        f"BT /F1 10 Tf 12 TL 72 760 Td ({FACT}) Tj T* (Barges follow at noon.) Tj ET"
        " BT /F1 10 Tf 0 1 -1 0 40 300 Tm (draft) Tj ET"
    )
    text = read(drawn_pdf([drawn])).text
    assert text.index(FACT) < text.index("Barges follow at noon.")
    assert "draft" in text


def test_what_is_wrong_with_a_document_is_told_with_what_to_do() -> None:
    for data, told in (
        (pdf([[FACT]], trailer=LOCK), "is locked with a password; save it without one"),
        (pdf([[]]), "has no text layer, only pictures of text; run OCR on it first"),
        (b"no PDF", "is not a complete PDF; download it again or print it to a new one"),
    ):
        _, error = outcome(PdfExtractor(), body(data, "report.pdf"))
        assert error is not None
        assert told in error.message


def test_damaged_pages_are_told_by_their_numbers_at_the_end() -> None:
    whole = pdf([[FACT], *[["Lost."]] * 6])
    for count, told in (
        (1, "page 2"),
        (5, "pages 2, 3, 4, 5, 6"),
        (6, "pages 2, 3, 4, 5, 6, ..."),
    ):
        data = whole
        for number in range(count):  # no such object
            data = data.replace(b" %d 0 R" % (7 + 2 * number), b" 99 0 R", 1)
        pages, error = outcome(PdfExtractor(), body(data, "report.pdf"))
        assert FACT in pages[0].text
        assert error is not None
        assert error.message.endswith(f"no text could be extracted from {told}")


def test_a_document_of_damaged_pages_alone_is_broken_and_not_a_scan() -> None:
    assert status_of(pdf([[FACT]]).replace(b"/Kids [5 0 R]", b"/Kids [99 0 R]")) == "broken"
