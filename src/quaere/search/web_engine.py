"""The base of the providers that search the whole web page by page of results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.search.api import Api
from quaere.search.fields import Fields
from quaere.search.results import Batch, Found, batch, hits, pages
from quaere.search.wording import worded

WEB_KINDS = frozenset(
    {SourceKind.WEB, SourceKind.NEWS, SourceKind.GOV, SourceKind.STANDARDS, SourceKind.DOCS}
)
"""The web at large includes authorities, standards and manuals; for news there is another index."""


def kind_wanted(query: Query) -> SourceKind:
    """Return NEWS for a query that asks only for news, else WEB."""
    news_alone = set(query.source_kinds) == {SourceKind.NEWS}
    return SourceKind.NEWS if news_alone else SourceKind.WEB


class WebEngine(ABC):
    """A `SearchProvider` over an API that returns numbered pages of web or news results."""

    name: str
    kinds = WEB_KINDS
    max_chars: int
    """Characters of a query that the service takes."""
    max_words: int | None = None
    page_size: int
    most: int
    """Results that the service returns for one query, over all pages."""

    def __init__(self, api: Api) -> None:
        """Search through ``api``, which adds the key if there is one."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, and at most ``most``; see `SearchProvider`."""
        text = worded(query.text, max_chars=self.max_chars, max_words=self.max_words)
        if not text:
            return ()
        kind = kind_wanted(query)

        async def page(number: int) -> Batch:
            items = await self._items(text, kind, number, min(limit, self.page_size))
            return batch(self.name, (self._found(item, kind) for item in items), len(items))

        found = await pages(page, limit=limit, size=self.page_size, most=self.most)
        return await hits(self.name, found, query)

    @abstractmethod
    async def _items(self, text: str, kind: SourceKind, page: int, count: int) -> Sequence[Fields]:
        """Request up to ``count`` results of ``page``, counted from 0.

        Raises:
            SearchError: when the answer is not of the documented form.
        """

    @abstractmethod
    def _found(self, item: Fields, kind: SourceKind) -> Found:
        """Return what one result says."""
