"""HTML: the article without what surrounds it."""

from __future__ import annotations

from collections.abc import Iterator

from trafilatura import bare_extraction

from quaere.domain.source import Page
from quaere.ports import Body
from quaere.read.charset import decode
from quaere.read.clean import clean_text
from quaere.read.extract.page import empty, make_page
from quaere.read.sniff import Kind


class HtmlExtractor:
    """Reads web pages and HTML files."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``empty`` when there is no text.
        """
        document = bare_extraction(
            decode(body.data, body.content_type),
            favor_precision=True,
            include_comments=False,
            with_metadata=True,
        )
        if document is None or not document.text:
            raise empty(body)
        yield make_page(body, Kind.HTML, clean_text(document.text), title=document.title or "")
