from __future__ import annotations

import pytest
from tests.contracts.extractor import FACT, ExtractorContract
from tests.read.documents import body

from quaere.domain.source import Mark, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.markdown import TextExtractor


class TestTextExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> TextExtractor:
        return TextExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(f"Ferries\r\n=======\r\n\r\n{FACT}\r\n")


def test_every_line_keeps_its_number() -> None:
    (page,) = TextExtractor().extract(body("one  \r\n\r\nthree\n"))
    assert page.text == "one\n\nthree\n"
    assert page.marks == tuple(
        Mark(start=start, label=f"line {n}") for n, start in enumerate((0, 4, 5, 11), 1)
    )
    assert page.title == "notes.txt"


def test_very_many_lines_get_fewer_marks() -> None:
    (page,) = TextExtractor().extract(body("x\n" * 250_000))
    assert len(page.marks) <= 100_000
    before = [mark.label for mark in page.marks if mark.start <= 2 * 299]
    assert before[-1] == "line 298"


def test_white_space_is_no_text() -> None:
    with pytest.raises(ReadError) as caught:
        list(TextExtractor().extract(body(" \n\u200b\n")))
    assert caught.value.status == ReadStatus.EMPTY


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("TIDE TABLES\n===========\nHigh water is at six.", "TIDE TABLES"),
        ("Tables of the tide\n\nHigh water is at six.", "Tables of the tide"),
        ("# Tables #\nHigh water is at six.", "Tables"),
        ("\n\nHigh water is at six.\n\nLow water is not.", "notes.txt"),
        ("High water is\nat six.", "notes.txt"),
        ("one\n\nthree", "notes.txt"),
        ("12 30\n\n13 40", "notes.txt"),
    ],
)
def test_a_text_is_called_by_the_heading_that_it_begins_with(text: str, title: str) -> None:
    (page,) = TextExtractor().extract(body(text))
    assert page.title == title
