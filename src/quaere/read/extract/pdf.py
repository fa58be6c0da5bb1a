"""PDF: the text layer, page by page."""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2

from quaere.domain.source import Mark, Page
from quaere.ports import Body
from quaere.read.clean import clean_text
from quaere.read.extract.page import broken, empty, make_page
from quaere.read.sniff import Kind


class PdfExtractor:
    """Reads PDF files."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each sheet."""
        try:
            document = pypdfium2.PdfDocument(body.data)
        except pypdfium2.PdfiumError as error:
            raise broken(body, f"is no PDF: {error}") from error
        text, marks = "", []
        for number, sheet in enumerate(document, 1):
            marks.append(Mark(start=len(text), label=f"page {number}"))
            text += clean_text(sheet.get_textpage().get_text_bounded()).strip() + "\n\n"
        if not text.strip():
            raise empty(body)
        yield make_page(body, Kind.PDF, text.rstrip(), marks=marks)
