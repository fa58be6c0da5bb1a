"""Searches the web and the news with the Brave Search API."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import SourceKind
from quaere.search.fields import Fields, fields_of, garbled, iso_date
from quaere.search.markup import line
from quaere.search.results import Found
from quaere.search.web_engine import WebEngine


class Brave(WebEngine):
    """A `SearchProvider` over Brave's own index."""

    # https://api-dashboard.search.brave.com/app/documentation: q has at most 400 characters and 50
    # words, count at most 20, offset (in pages) at most 9.
    name = "brave"
    max_chars, max_words = 400, 50
    page_size, most = 20, 200

    async def _items(self, text: str, kind: SourceKind, page: int, count: int) -> Sequence[Fields]:
        vertical = "news" if kind is SourceKind.NEWS else "web"
        params = {"q": text, "count": str(count), "offset": str(page)}
        answer = fields_of(self.name, await self._api.get_json(f"{vertical}/search", params))
        results = answer.inner("web") if vertical == "web" else answer
        # An answer without results still repeats the query.
        if not results.has_list("results") and not answer.inner("query").text("original"):
            raise garbled(self.name)
        return results.each("results")

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return Found(
            url=item.text("url"),
            title=line(item.text("title")),
            snippet=line(" ".join([item.text("description"), *item.texts("extra_snippets")])),
            published=iso_date(item.text("page_age") or item.text("age")),
            kind=kind,
        )
