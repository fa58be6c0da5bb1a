"""The passages of one run, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from quaere.domain.source import Passage
from quaere.domain.url import canonical_url


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
