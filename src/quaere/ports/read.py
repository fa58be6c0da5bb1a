"""What turns a hit into text and passages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from quaere.domain.source import Hit, Page, Passage
from quaere.domain.value import Value

OUT_OF_TIME = "the run ran out of time before this page was read"
"""Why a page is missing that was still being read when the time of its run was over."""


class Reader(Protocol):
    """Turns a hit into its full text."""

    async def read(self, hit: Hit) -> Page:
        """Return the page of ``hit``.

        Raises:
            ReadError: with the status that tells why there is none.
        """
        ...


class Body(Value):
    """Bytes as they came from a file or a server, with what their sender says about them."""

    data: bytes
    url: str
    content_type: str = ""
    """As declared by a header or a file's name. Extractors sniff, they don't trust."""
    retrieved_at: str = ""


class Extractor(Protocol):
    """Turns bytes into text: one page, or one page per record of a table."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the pages of ``body``; their URLs are its own, with a fragment that names a record.

        Raises:
            ReadError: when there is no text to be had, with the status that tells why.
        """
        ...


class Chunker(Protocol):
    """Divides pages into passages."""

    def __call__(self, page: Page) -> Sequence[Passage]:
        """Return the passages of ``page`` in order; each is an exact stretch of its text."""
        ...

    def in_steps(self, page: Page) -> Iterator[Sequence[Passage]]:
        """Yield the same passages in parts, each after some milliseconds; a part may be empty.

        A long page takes seconds; a caller that must not wait so long stops between two parts.
        """
        ...
