"""Searches the web and the news through endpoints that speak Bing's v7 format.

Microsoft's own was retired in August 2025; compatible services and proxies remain.
"""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.search.answers import Fields, fields_of, garbled
from quaere.search.api import Api
from quaere.search.found import Batch, Found, batch, hits, pages
from quaere.search.plain import line
from quaere.search.published import iso_date, period
from quaere.search.web import FILTERS, WEB_KINDS, kind_wanted, with_sites

# Bing Web Search API v7 reference: count is at most 50 (100 for news); a URL of 2,048 characters.
_MAX_CHARS = 1_500
_PAGE, _MOST = 50, 200
_TYPES = frozenset({"SearchResponse", "News"})


class Bing:
    """A `SearchProvider` over a Bing v7 endpoint."""

    name = "bing"
    kinds = WEB_KINDS
    narrows = FILTERS

    def __init__(self, api: Api) -> None:
        """Ask through ``api``, which knows the key."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 200 at the most; see `SearchProvider`."""
        text = with_sites(query.text, query.scope, max_chars=_MAX_CHARS)
        if not text:
            return ()
        kind = kind_wanted(query)
        path = "news/search" if kind is SourceKind.NEWS else "search"

        async def page(number: int) -> Batch:
            params = {
                "q": text,
                "count": str(min(limit, _PAGE)),
                "offset": str(number * _PAGE),
                "textFormat": "Raw",
            }
            days = period(query.scope)
            if days and kind is SourceKind.WEB:  # news take no range, but all tell their day
                params["freshness"] = f"{days[0]}..{days[1]}"
            answer = fields_of(self.name, await self._api.get_json(path, params))
            items = self._items(answer, kind)
            return batch(self.name, (_found(item, kind) for item in items), len(items))

        found = await pages(page, limit=limit, size=_PAGE, most=_MOST)
        return await hits(self.name, found, query)

    def _items(self, answer: Fields, kind: SourceKind) -> Sequence[Fields]:
        """Return the results; an answer without any has a type all the same."""
        results = answer if kind is SourceKind.NEWS else answer.inner("webPages")
        if not results.has_list("value") and answer.text("_type") not in _TYPES:
            raise garbled(self.name)
        return results.each("value")


def _found(item: Fields, kind: SourceKind) -> Found:
    return Found(
        url=item.text("url"),
        title=line(item.text("name")),
        snippet=line(item.text("snippet") or item.text("description")),
        published=iso_date(item.text("datePublished")),
        kind=kind,
    )
