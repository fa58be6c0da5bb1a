"""Searches through a SearXNG instance of one's own, which asks many engines."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.search.answers import Fields, fields_of, items_of
from quaere.search.api import Api
from quaere.search.found import Batch, Found, batch, hits, pages
from quaere.search.plain import line
from quaere.search.published import iso_date
from quaere.search.web import WEB_KINDS, kind_wanted, with_sites

_MAX_CHARS = 500  # DuckDuckGo and Google, which instances ask, take no more
_PAGE, _MOST = 10, 100


class SearXng:
    """A `SearchProvider` over a SearXNG instance; its settings have to allow the format "json"."""

    name = "searxng"
    kinds = WEB_KINDS

    def __init__(self, api: Api) -> None:
        """Ask through ``api``."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 100 at the most; see `SearchProvider`."""
        text = with_sites(query.text, query.scope, max_chars=_MAX_CHARS)
        if not text:
            return ()
        kind = kind_wanted(query)
        category = "news" if kind is SourceKind.NEWS else "general"

        async def page(number: int) -> Batch:
            params = {
                "q": text,
                "format": "json",
                "categories": category,
                "pageno": str(number + 1),
            }
            # No time_range: it only counts back from today, and engines without it fall silent.
            if query.scope and len(query.scope.languages) == 1:
                params["language"] = query.scope.languages[0]
            answer = fields_of(self.name, await self._api.get_json("search", params))
            items = items_of(self.name, answer, "results")
            return batch(self.name, (_found(item, kind) for item in items), len(items))

        found = await pages(page, limit=limit, size=_PAGE, most=_MOST)
        return await hits(self.name, found, query)


def _found(item: Fields, kind: SourceKind) -> Found:
    return Found(
        url=item.text("url"),
        title=line(item.text("title")),
        snippet=line(item.text("content")),
        published=iso_date(item.text("publishedDate")),
        kind=kind,
        score=item.number("score"),
    )
