"""Searches Google's web and news results through Serper."""

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

_MAX_CHARS = 2_000  # Google cuts at 2,048
_PAGE, _MOST = 10, 100


class Serper:
    """A `SearchProvider` over Serper."""

    name = "serper"
    kinds = WEB_KINDS
    narrows = FILTERS

    def __init__(self, api: Api) -> None:
        """Ask through ``api``, which knows the key."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 100 at the most; see `SearchProvider`."""
        text = with_sites(query.text, query.scope, max_chars=_MAX_CHARS)
        if not text:
            return ()
        kind = kind_wanted(query)
        path, listing = ("news", "news") if kind is SourceKind.NEWS else ("search", "organic")

        async def page(number: int) -> Batch:
            params = {"q": text, "num": str(_PAGE), "page": str(number + 1)}
            if days := period(query.scope):
                first, last = (f"{day.month}/{day.day}/{day.year}" for day in days)
                params["tbs"] = f"cdr:1,cd_min:{first},cd_max:{last}"
            answer = fields_of(self.name, await self._api.get_json(path, params))
            if not answer.has_list(listing) and "searchParameters" not in answer:
                raise garbled(self.name)
            items = answer.each(listing)
            return batch(self.name, (_found(item, kind) for item in items), len(items))

        found = await pages(page, limit=limit, size=_PAGE, most=_MOST)
        return await hits(self.name, found, query)


def _found(item: Fields, kind: SourceKind) -> Found:
    return Found(
        url=item.text("link"),
        title=line(item.text("title")),
        snippet=line(item.text("snippet")),
        published=iso_date(item.text("date")),
        kind=kind,
    )
