"""What is attached to letters, and mailboxes of many letters."""

from __future__ import annotations

import mailbox
from base64 import encodebytes
from email.message import EmailMessage
from pathlib import Path

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.books import chapter, epub
from tests.read.documents import LOCK, body, pdf, word

from quaere.domain.source import Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.extract import docx, mail
from quaere.read.extract.mail import MailExtractor, MboxExtractor
from quaere.read.formats import Format

MB = 1_000_000
PRICES = "item,price\nrope,186.50\nshackle,12.40\n"
PICTURE = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"


def letter(subject: str = "Re: Order", text: str = "See the invoice.") -> EmailMessage:
    made = EmailMessage()
    made["From"] = "rosa@pell.example"
    made["Subject"] = subject
    made["Date"] = "Tue, 4 Feb 2025 09:12:00 +0000"
    if text:
        made.set_content(text)
    return made


def with_file(data: bytes, name: str, *, into: EmailMessage | None = None) -> EmailMessage:
    """Return a letter with a document attached, of which its sender says nothing more."""
    made = into or letter()
    made.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return made


def read(made: EmailMessage | bytes) -> list[Page]:
    data = made if isinstance(made, bytes) else made.as_bytes()
    return list(MailExtractor().extract(body(data, "order.eml")))


class TestMailExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> MailExtractor:
        return MailExtractor()

    @pytest.fixture
    def body(self) -> Body:
        made = with_file(PRICES.encode(), "prices.csv", into=letter(text=FACT))
        made.add_attachment(letter("Old quote", "940 euros."))
        return body(made.as_bytes(), "order.eml")


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (word([FACT]), "plan.docx"),
        (pdf([[FACT]]), "plan.pdf"),
        (epub({"a.xhtml": chapter(f"<p>{FACT}</p>")}, about=""), "plan.epub"),
        (b"{\\rtf1 " + FACT.encode() + b"}", "plan.rtf"),
        (f"# Plan\n\n{FACT}".encode(), "plan.md"),
    ],
)
def test_a_document_that_is_attached_is_a_page_of_its_own(data: bytes, name: str) -> None:
    first, second = read(with_file(data, name))
    assert first.text.endswith(f"See the invoice.\n\nAttachments: {name}")
    assert FACT in second.text
    assert second.url == "file:///docs/order.eml#attachment=1"
    assert name in second.title
    assert second.title.endswith(" in Re: Order")


def test_its_own_title_is_told_with_its_name_and_its_day_is_that_of_the_letter() -> None:
    _, page = read(with_file(b"# Invoice 17\n\n12 euros.", "i.md"))
    assert page.title == "Invoice 17 (i.md) in Re: Order"
    assert (page.published, page.author) == ("2025-02-04", "")


def test_rows_of_a_table_that_is_attached_are_told_apart() -> None:
    _, rope, shackle = read(with_file(PRICES.encode(), "prices.csv"))
    assert rope.url.endswith("#attachment=1&row=1")
    assert shackle.title == "prices.csv row 2 in Re: Order"
    assert shackle.marks[0].label == "row 2"


def test_a_letter_within_a_letter_is_read_and_not_taken_for_the_outer_one() -> None:
    outer = letter(text="")
    outer.add_attachment(letter("Old quote", "The quote was 940 euros."))
    first, second = read(outer)
    assert "940" not in first.text
    assert first.text.endswith("Attachments: Old quote")
    assert second.title == "Old quote in Re: Order"
    assert second.text.endswith("The quote was 940 euros.")


def test_a_letter_that_was_saved_and_attached_is_read_with_what_is_attached_to_it() -> None:
    saved = with_file(b"12 euros.", "i.txt", into=letter("Old quote"))
    urls = [page.url.partition("#")[2] for page in read(with_file(saved.as_bytes(), "old.eml"))]
    assert urls == ["", "attachment=1", "attachment=1&attachment=1"]


def test_letters_are_read_to_a_certain_depth() -> None:
    made = letter("5", "Deepest.")
    for number in range(4, 0, -1):
        outer = letter(str(number))
        outer.add_attachment(made)
        made = outer
    assert len(read(made)) == mail.MAX_DEPTH


def test_no_more_than_so_many_documents_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "MAX_ATTACHED", 2)
    made = letter()
    for number in range(3):
        with_file(f"Text {number}.".encode(), f"{number}.txt", into=made)
    assert len(read(made)) == 3


def test_what_is_attached_twice_is_read_once() -> None:
    made = with_file(b"12 euros.", "i.txt", into=with_file(b"12 euros.", "i.txt"))
    assert len(read(made)) == 2


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (PICTURE, "logo.png"),
        (b"PK\x03\x04 and more", "all.zip"),
        (b"", "nothing.txt"),
    ],
)
def test_pictures_and_archives_are_named_alone(data: bytes, name: str) -> None:
    (page,) = read(with_file(data, name))
    assert page.text.endswith(f"Attachments: {name}")


@pytest.mark.parametrize(
    ("maintype", "subtype", "data"),
    [("application", "pgp-signature", b"iQEz"), ("image", "svg+xml", b"<svg><text>a</text></svg>")],
)
def test_signatures_and_drawings_are_named_alone(maintype: str, subtype: str, data: bytes) -> None:
    made = letter()
    made.add_attachment(data, maintype=maintype, subtype=subtype, filename="a")
    assert len(read(made)) == 1


def test_a_document_is_attached_though_its_program_shows_it_within_the_letter() -> None:
    made = letter()
    made.add_attachment(
        pdf([[FACT]]),
        maintype="application",
        subtype="pdf",
        filename="plan.pdf",
        disposition="inline",
    )
    assert [FACT in page.text for page in read(made)] == [False, True]


@pytest.mark.parametrize("subtype", ["plain", "html"])
def test_words_that_are_attached_are_a_page_and_those_within_the_letter_are_its_own(
    subtype: str,
) -> None:
    made = letter()
    made.add_attachment(f"<p>{FACT}</p>", subtype=subtype, filename=f"plan.{subtype}")
    assert [FACT in page.text for page in read(made)] == [False, True]
    made = letter()
    made.add_attachment(
        f"<p>{FACT}</p>", subtype=subtype, filename=f"plan.{subtype}", disposition="inline"
    )
    assert [FACT in page.text for page in read(made)] == [True]


@pytest.mark.parametrize(("disposition", "is_named"), [("attachment", True), ("inline", False)])
def test_a_picture_is_named_where_it_is_attached_and_not_shown(
    disposition: str, is_named: bool
) -> None:
    made = letter()
    made.add_attachment(
        PICTURE, maintype="image", subtype="png", filename="pier.png", disposition=disposition
    )
    (page,) = read(made)
    assert ("Attachments: pier.png" in page.text) is is_named


def test_words_around_what_is_attached_belong_together() -> None:
    made = letter(text="Before.")
    made.add_attachment("After.", disposition="inline")
    (page,) = read(made)
    assert page.text.endswith("Before.\n\nAfter.")


def test_an_invitation_is_read_as_a_calendar() -> None:
    made = letter()
    made.add_alternative(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Boat day\nEND:VEVENT\nEND:VCALENDAR\n",
        subtype="calendar",
    )
    _, event = read(made)
    assert event.text == "event: Boat day"
    assert event.title == "Boat day (invitation.ics) in Re: Order"


def test_a_letter_that_is_nothing_but_a_document_is_read() -> None:
    made = letter("Scan", "")
    made.set_content(pdf([[FACT]]), maintype="application", subtype="pdf", filename="scan.pdf")
    first, second = read(made)
    assert first.text.endswith("Attachments: scan.pdf")
    assert FACT in second.text
    assert second.title.endswith("in Scan")


def test_parts_that_are_attached_together_are_looked_into() -> None:
    made = with_file(b"12 euros.", "i.txt")
    made["Content-Disposition"] = "attachment"
    assert len(read(made)) == 2


def test_what_could_not_be_read_is_told_after_the_rest() -> None:
    made = with_file(pdf([[FACT]], trailer=LOCK), "bill.pdf")
    pages, error = outcome(MailExtractor(), body(made.as_bytes(), "order.eml"))
    assert len(pages) == 1
    assert error is not None
    assert error.status == ReadStatus.ENCRYPTED
    assert error.message.startswith("order.eml was read but for a part: bill.pdf ")


def test_archives_that_grow_without_measure_are_left_out_after_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mail, "_GROWTH_BYTES", 1000)
    made = letter()
    for number in range(3):
        with_file(word([FACT, "x" * (MB + number)]), "bomb.docx", into=made)
    with_file(b"12 euros.", "i.txt", into=made)
    pages, error = outcome(MailExtractor(), body(made.as_bytes(), "order.eml"))
    assert [page.text[: len(FACT)] for page in pages[1:]] == [FACT, "12 euros."]
    assert error is not None
    assert error.status == ReadStatus.TOO_LARGE
    assert error.message.count("bomb.docx was left out: what is attached unpacks to too much") == 2


def test_a_document_that_takes_all_memory_costs_itself_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def exhausted(*_: object, cites: bool) -> None:
        raise MemoryError(cites)

    monkeypatch.setattr(docx, "_document", exhausted)
    made = with_file(b"12 euros.", "i.txt", into=with_file(word([FACT]), "bomb.docx"))
    pages, error = outcome(MailExtractor(), body(made.as_bytes(), "order.eml"))
    assert pages[-1].text == "12 euros."
    assert error is not None
    assert "bomb.docx needs more memory" in error.message


def test_a_letter_without_words_is_not_empty_where_something_is_attached() -> None:
    made = with_file(b"12 euros.", "i.txt", into=letter("", ""))
    (page,) = read(made)
    assert page.title == "i.txt in rosa@pell.example"


@pytest.fixture(scope="module")
def inbox(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = Path(tmp_path_factory.mktemp("mail")) / "Inbox"
    box = mailbox.mbox(path)
    box.add(with_file(PRICES.encode(), "prices.csv"))
    box.add(letter("Fog", "From the board:\nFrom here on, it is in room 4."))
    box.add(letter("", ""))
    box.add(letter("Ferry", FACT))
    box.close()
    return path.read_bytes()


class TestMboxExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> MboxExtractor:
        return MboxExtractor()

    @pytest.fixture
    def body(self, inbox: bytes) -> Body:
        return body(inbox, "Inbox")


def test_each_letter_of_a_mailbox_is_a_page_with_what_is_attached(inbox: bytes) -> None:
    pages = list(MboxExtractor().extract(body(inbox, "Inbox")))
    assert [page.url.partition("#")[2] for page in pages] == [
        "message=1",
        "message=1&attachment=1&row=1",
        "message=1&attachment=1&row=2",
        "message=2",
        "message=4",
    ]
    assert {page.content_type for page in pages} == {Format.MBOX, Format.CSV}
    assert pages[3].text.endswith("\n\nFrom the board:\nFrom here on, it is in room 4.")
    assert [mark.label for mark in pages[3].marks] == ["message 2"]
    assert pages[3].title == "Fog"


def test_a_mailbox_of_letters_that_say_nothing_is_empty() -> None:
    blank = b"From pell Tue Mar  4 09:00:00 2025\nTo: rosa@pell.example\n\n\n" * 2
    pages, error = outcome(MboxExtractor(), body(blank, "Inbox"))
    assert not pages
    assert error is not None
    assert error.status == ReadStatus.EMPTY


def test_a_letter_that_is_nested_too_deep_costs_itself_alone() -> None:
    heads = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(2000)
    )
    first = f"From pell Tue Mar  4 09:00:00 2025\n{heads}\n\n"
    data = f"{first}From pell Tue Mar  4 09:00:00 2025\nSubject: Ferry\n\n{FACT}\n"
    pages, error = outcome(MboxExtractor(), body(data, "Inbox"))
    assert [page.title for page in pages] == ["Ferry"]
    assert error is not None
    assert error.status == ReadStatus.BROKEN


def test_a_letter_attached_as_a_file_that_is_nested_too_deep_costs_itself_alone() -> None:
    heads = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(2000)
    )
    data = (
        f"Subject: Ferry\nContent-Type: multipart/mixed; boundary=zz\n\n--zz\n\n{FACT}\n--zz\n"
        "Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n"
        "Content-Disposition: attachment; filename=a.eml\n\n"
        f"{encodebytes(heads.encode()).decode()}\n--zz--\n"
    )
    pages, error = outcome(MailExtractor(), body(data, "letter.eml"))
    assert [page.title for page in pages] == ["Ferry"]
    assert error is not None
    assert error.status == ReadStatus.BROKEN


def test_the_name_of_a_file_in_no_character_set_is_none() -> None:
    data = (
        "Subject: Ferry\nContent-Type: application/pdf\n"
        "Content-Disposition: attachment; filename*0*=undefined''%E9\n\nwords"
    )
    pages, _ = outcome(MailExtractor(), body(data, "letter.eml"))
    assert "Attachments: unnamed" in pages[0].text


def test_a_line_of_a_letter_that_begins_like_one_above_a_letter_is_its_own() -> None:
    told = "He wrote:\nFrom the desk of Mara\nNote: pay now."
    data = f"From pell Tue Mar  4 09:00:00 2025\nSubject: Ferry\n\n{told}\n"
    pages, error = outcome(MboxExtractor(), body(data, "a.mbox"))
    assert error is None
    assert [page.text for page in pages] == [f"# Ferry\n\n{told}"]


def test_a_document_without_a_name_is_read() -> None:
    data = encodebytes(word([FACT])).decode()
    head = f"Subject: Scan\nContent-Type: {Format.DOCX}\nContent-Transfer-Encoding: base64"
    pages, error = outcome(MailExtractor(), body(f"{head}\n\n{data}", "letter.eml"))
    assert error is None
    assert [page.title for page in pages] == ["Scan", "unnamed in Scan"]
    assert FACT in pages[1].text
