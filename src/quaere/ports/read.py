"""What turns a hit into text and passages, and keeps them for a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Protocol

from quaere.domain.source import Hit, Page, Passage
from quaere.domain.url import canonical_url
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
    with_citations: bool = False
    """Whether its text is to show what it cites, as Markdown does: links with their addresses,
    raised numbers, notes. Formats of text do so anyway."""


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


class PageStore(Protocol):
    """Keeps what a run has read, so that its state can hold handles."""

    def add(self, passages: Iterable[Passage]) -> None:
        """Keep ``passages``; one that is there already stays as it is."""
        ...

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id.

        Raises:
            KeyError: when it was never added.
        """
        ...

    def of(self, url: str) -> Sequence[Passage]:
        """Return the passages of the page at ``url``, however it is spelt, as they were added."""
        ...


class MemoryPageStore:
    """A page store for the lifetime of one run."""

    def __init__(self) -> None:
        self._passages: dict[str, Passage] = {}
        self._pages: dict[str, list[Passage]] = {}

    def add(self, passages: Iterable[Passage]) -> None:
        """Add ``passages``; existing ones are not replaced."""
        for url, together in groupby(passages, key=lambda passage: passage.url):
            page = self._pages.setdefault(canonical_url(url), [])
            for passage in together:
                if passage.id not in self._passages:
                    self._passages[passage.id] = passage
                    page.append(passage)

    def passage(self, passage_id: str) -> Passage:
        """Return the passage with that id.

        Raises:
            KeyError: when it was never added.
        """
        return self._passages[passage_id]

    def of(self, url: str) -> Sequence[Passage]:
        """Return the passages of the page at ``url`` or an equivalent URL, in the order added."""
        return tuple(self._pages.get(canonical_url(url), ()))
