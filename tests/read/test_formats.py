from __future__ import annotations

import json

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.books import chapter, epub
from tests.read.decks import deck, shape
from tests.read.documents import body, pdf, web_page, word
from tests.read.opendocuments import frame, opendocument, paragraph, row
from tests.read.workbooks import workbook

from quaere.domain.source import ReadStatus
from quaere.ports.read import Body
from quaere.read.extractor import SniffingExtractor
from quaere.read.formats import Format, extractor_for

OPEN_DOCUMENTS = {
    "text": paragraph(FACT),
    "spreadsheet": f"<table:table>{row(FACT)}</table:table>",
    "presentation": f"<draw:page>{frame(paragraph(FACT))}</draw:page>",
}


class TestSniffingExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> SniffingExtractor:
        return SniffingExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(FACT, "LICENSE")


@pytest.mark.parametrize("kind", Format)
def test_every_format_has_an_extractor(kind: Format) -> None:
    assert kind.reading.seconds > 0
    assert extractor_for(kind) is extractor_for(kind)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (web_page(f"<p>{FACT}</p>").encode(), "a.html"),
        (pdf([[FACT]]), "a.html"),
        (word([FACT]), "a.bin"),
        (workbook({"Ferries": [[FACT]]}), "a.docx"),
        (deck([shape([FACT])]), "a.ppt"),
        *((opendocument(kind, content), "a.zip") for kind, content in OPEN_DOCUMENTS.items()),
        (f"# Ferries\n\n{FACT}".encode(), "a.md"),
        (FACT.encode("utf-16"), "a.txt"),
        (f"name,remark\nPell,{FACT}\n".encode(), "a.csv"),
        (f"name\tremark\nPell\t{FACT}\n".encode(), "a.tsv"),
        (json.dumps([{"text": FACT}]).encode(), "a.json"),
        (json.dumps({"text": FACT}).encode(), "a.jsonl"),
        (f"<?xml version='1.0'?><a>{FACT}</a>".encode(), "a.xml"),
        (epub({"a.xhtml": chapter(f"<p>{FACT}</p>")}), "a.epub"),
        (f"{{\\rtf1 {FACT}}}".encode(), "a.rtf"),
        (json.dumps({"cells": [{"source": FACT}], "nbformat": 4}).encode(), "a.json"),
        (f"WEBVTT\n\n00:01.000 --> 00:02.000\n{FACT}\n".encode(), "a"),
        (f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:{FACT}\nEND:VEVENT\n".encode(), "a"),
        (f"From pell Tue Mar  4 09:00:00 2025\nSubject: a\n\n{FACT}\n".encode(), "Inbox"),
    ],
)
def test_each_format_is_read_as_what_it_is(data: bytes, name: str) -> None:
    pages, error = outcome(SniffingExtractor(), body(data, name))
    assert error is None
    assert [FACT in page.text for page in pages] == [True]


@pytest.mark.parametrize(
    ("data", "status", "hint"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0d", ReadStatus.UNSUPPORTED, "image"),
        (b"PK\x03\x04\x14\x00ppt/presentation.xml", ReadStatus.BROKEN, "is damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", ReadStatus.UNSUPPORTED, "DOCX"),
        (b"\x7fELF\x02\x01\x01\x00\x00\x00\x00", ReadStatus.UNSUPPORTED, "program"),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00", ReadStatus.UNSUPPORTED, "unpack"),
        (bytes(200), ReadStatus.UNSUPPORTED, "binary"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            ReadStatus.ENCRYPTED,
            "password",
        ),
        (b"", ReadStatus.EMPTY, "no text"),
    ],
)
def test_what_is_not_read_says_what_it_is(data: bytes, status: ReadStatus, hint: str) -> None:
    pages, error = outcome(SniffingExtractor(), body(data, "thing.txt"))
    assert not pages
    assert error is not None
    assert error.status == status
    assert hint in error.message
    assert "thing.txt" in error.message
