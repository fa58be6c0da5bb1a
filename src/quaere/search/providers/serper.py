"""Searches Google's web and news results through Serper."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import SourceKind
from quaere.search.fields import Fields, fields_of, garbled, iso_date
from quaere.search.markup import line
from quaere.search.results import Found
from quaere.search.web_engine import WebEngine


class Serper(WebEngine):
    """A `SearchProvider` over Serper."""

    name = "serper"
    max_chars = 2_000  # Google cuts at 2,048
    page_size, most = 10, 100

    async def _items(self, text: str, kind: SourceKind, page: int, count: int) -> Sequence[Fields]:
        del count  # pages have a fixed size
        path, listing = ("news", "news") if kind is SourceKind.NEWS else ("search", "organic")
        params = {"q": text, "num": str(self.page_size), "page": str(page + 1)}
        answer = fields_of(self.name, await self._api.get_json(path, params))
        if not answer.has_list(listing) and "searchParameters" not in answer:
            raise garbled(self.name)
        return answer.each(listing)

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return Found(
            url=item.text("link"),
            title=line(item.text("title")),
            snippet=line(item.text("snippet")),
            published=iso_date(item.text("date")),
            kind=kind,
        )
