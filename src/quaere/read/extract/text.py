"""Plain text: the lines as they are, each marked with its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, islice

from quaere.domain.source import Mark, Page
from quaere.ports.read import Body
from quaere.read.charset import decode
from quaere.read.extract.page import empty, make_page
from quaere.read.formats import Format

# A mark weighs some 400 bytes; beyond this many lines only every second, third ... gets one.
_MAX_MARKS = 100_000


class TextExtractor:
    """Reads plain text; the page is called by its file name."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each line.

        Raises:
            ReadError: ``empty`` when there is nothing but white space.
        """
        lines = decode(body.data, body.content_type).split("\n")
        text, marks = marked((number, line.rstrip()) for number, line in enumerate(lines, 1))
        if not text.strip():
            raise empty(body)
        yield make_page(body, Format.TEXT, text, marks=marks)


def marked(lines: Iterable[tuple[int, str]]) -> tuple[str, list[Mark]]:
    """Return numbered lines as one text, and a mark for each line, or every n-th of very many."""
    lines = list(lines)
    step = 1 + len(lines) // _MAX_MARKS
    starts = accumulate((len(line) + 1 for _, line in lines), initial=0)
    marks = [
        Mark(start=start, label=f"line {number}")
        for start, (number, _) in islice(zip(starts, lines, strict=False), 0, None, step)
    ]
    return "\n".join(line for _, line in lines), marks
