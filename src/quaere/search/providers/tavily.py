"""Searches the web with Tavily, which returns the text of the pages with its hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Scope
from quaere.domain.source import Hit
from quaere.search.api import Api, Fields, fields_of, items_of
from quaere.search.results import Found, ProvidedText, batch, hits
from quaere.search.web_engine import FILTERS, WEB_KINDS, found_in, kind_wanted
from quaere.search.wording import worded

# https://docs.tavily.com/documentation/api-reference/endpoint/search: max_results is at most 20;
# a query of more than 400 characters is rejected; so are more than 300 domains to include or 150 to
# exclude.
_MOST_INCLUDED, _MOST_EXCLUDED = 300, 150
_MAX_CHARS = 400
_MOST = 20


class Tavily:
    """A `SearchProvider` over Tavily."""

    name = "tavily"
    kinds = WEB_KINDS
    narrows = FILTERS

    def __init__(self, api: Api, keep: ProvidedText) -> None:
        """Ask through ``api``, which knows the key."""
        self._api = api
        self._keep = keep

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 20 at most; see `SearchProvider`."""
        text = worded(query.text, max_chars=_MAX_CHARS)
        if not text or limit < 1:
            return ()
        kind = kind_wanted(query)
        payload = {
            "query": text,
            "max_results": min(limit, _MOST),
            "topic": "news" if kind is SourceKind.NEWS else "general",
            "search_depth": "basic",
            "include_raw_content": True,
            **_within(query.scope),
        }
        answer = fields_of(self.name, await self._api.post_json("search", payload))
        items = items_of(self.name, answer, "results")
        read = await batch(self.name, (_found(item, kind) for item in items), len(items))
        return await hits(self.name, read.found[:limit], query, self._keep)


def _within(scope: Scope | None) -> dict[str, object]:
    if scope is None:
        return {}
    only, exclude = scope.sites.only, scope.sites.exclude
    wanted: dict[str, object] = {
        "include_domains": only if len(only) <= _MOST_INCLUDED else (),
        "exclude_domains": exclude[:_MOST_EXCLUDED],
        "start_date": scope.published_after and scope.published_after.isoformat(),
        "end_date": scope.published_before and scope.published_before.isoformat(),
    }
    return {name: value for name, value in wanted.items() if value}


def _found(item: Fields, kind: SourceKind) -> Found:
    found = found_in(item, kind, snippet="content", published="published_date")
    return replace(found, text=item.text("raw_content"))
