"""Searches through a self-hosted SearXNG instance, which queries many engines."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import SourceKind
from quaere.domain.scope import Scope
from quaere.search.fields import Fields, fields_of, iso_date, items_of
from quaere.search.markup import line
from quaere.search.results import Found
from quaere.search.web_engine import Params, WebEngine


class SearXng(WebEngine):
    """A `SearchProvider` over a SearXNG instance; its settings have to allow the format "json"."""

    name = "searxng"
    max_chars = 500  # DuckDuckGo and Google, which instances query, take no more
    page_size, most = 10, 100

    def _within(self, scope: Scope | None, kind: SourceKind) -> Params:
        del kind  # the same for the web and the news
        # No time_range: it only counts back from today, and engines without it return nothing.
        return {"language": scope.languages[0]} if scope and len(scope.languages) == 1 else {}

    async def _items(
        self, query: Params, kind: SourceKind, page: int, count: int
    ) -> Sequence[Fields]:
        del count  # pages have a fixed size
        params = {
            **query,
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
