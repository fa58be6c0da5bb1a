"""Searches through a self-hosted SearXNG instance, which queries many engines."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import SourceKind
from quaere.search.fields import Fields, fields_of, iso_date, items_of
from quaere.search.markup import line
from quaere.search.results import Found
from quaere.search.web_engine import WebEngine


class SearXng(WebEngine):
    """A `SearchProvider` over a SearXNG instance; its settings have to allow the format "json"."""

    name = "searxng"
    max_chars = 500  # DuckDuckGo and Google, which instances query, take no more
    page_size, most = 10, 100

    async def _items(self, text: str, kind: SourceKind, page: int, count: int) -> Sequence[Fields]:
        del count  # pages have a fixed size
        params = {
            "q": text,
            "format": "json",
            "categories": "news" if kind is SourceKind.NEWS else "general",
            "pageno": str(page + 1),
        }
        answer = fields_of(self.name, await self._api.get_json("search", params))
        return items_of(self.name, answer, "results")

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return Found(
            url=item.text("url"),
            title=line(item.text("title")),
            snippet=line(item.text("content")),
            published=iso_date(item.text("publishedDate")),
            kind=kind,
            score=item.number("score"),
        )
