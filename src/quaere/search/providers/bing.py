"""Searches the web and the news through endpoints that speak Bing's v7 format.

Microsoft's own was retired in August 2025; compatible services and proxies remain.
"""

from __future__ import annotations

from quaere.domain.question import SourceKind
from quaere.domain.scope import Scope
from quaere.search.api import Fields, fields_of, garbled, iso_date, period
from quaere.search.markup import line
from quaere.search.results import Found
from quaere.search.web_engine import FILTERS, Listing, Params, WebEngine

_TYPES = frozenset({"SearchResponse", "News"})


class Bing(WebEngine):
    """A `SearchProvider` over a Bing v7 endpoint."""

    # Bing Web Search API v7 reference: count is at most 50 (100 for news); a URL has at most 2,048
    # characters.
    name = "bing"
    narrows = FILTERS
    max_chars = 1_500
    page_size, most = 50, 200

    def _within(self, scope: Scope | None, kind: SourceKind) -> Params:
        days = period(scope)
        if days is None or kind is SourceKind.NEWS:  # news take no range, but all have a date
            return {}
        return {"freshness": f"{days[0]}..{days[1]}"}

    async def _listing(self, query: Params, kind: SourceKind, page: int, count: int) -> Listing:
        params = {
            **query,
            "count": str(count),
            "offset": str(page * self.page_size),
            "textFormat": "Raw",
        }
        path = "news/search" if kind is SourceKind.NEWS else "search"
        answer = fields_of(self.name, await self._api.get_json(path, params))
        results = answer if kind is SourceKind.NEWS else answer.inner("webPages")
        # An answer without results still has a type.
        if not results.has_list("value") and answer.text("_type") not in _TYPES:
            raise garbled(self.name)
        return Listing(results.each("value"))

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return Found(
            url=item.text("url"),
            title=line(item.text("name")),
            snippet=line(item.text("snippet") or item.text("description")),
            published=iso_date(item.text("datePublished")),
            kind=kind,
        )
