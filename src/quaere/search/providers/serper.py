"""Searches Google's web and news results through Serper."""

from __future__ import annotations

from quaere.domain.question import SourceKind
from quaere.domain.scope import Scope
from quaere.search.api import Fields, fields_of, garbled, period
from quaere.search.results import Found
from quaere.search.web_engine import FILTERS, Listing, Params, WebEngine, found_in


class Serper(WebEngine):
    """A `SearchProvider` over Serper."""

    name = "serper"
    narrows = FILTERS
    max_chars = 2_000  # Google cuts at 2,048
    page_size, most = 10, 100

    def _within(self, scope: Scope | None, kind: SourceKind) -> Params:
        del kind  # the same for the web and the news
        days = period(scope)
        if days is None:
            return {}
        first, last = (f"{day.month}/{day.day}/{day.year}" for day in days)
        return {"tbs": f"cdr:1,cd_min:{first},cd_max:{last}"}

    async def _listing(self, query: Params, kind: SourceKind, page: int, count: int) -> Listing:
        del count  # pages have a fixed size
        path, listing = ("news", "news") if kind is SourceKind.NEWS else ("search", "organic")
        params = {**query, "num": str(self.page_size), "page": str(page + 1)}
        answer = fields_of(self.name, await self._api.get_json(path, params))
        if not answer.has_list(listing) and "searchParameters" not in answer:
            raise garbled(self.name)
        return Listing(answer.each(listing))

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return found_in(item, kind, url="link", snippet="snippet", published="date")
