"""Searches the web and the news with the Brave Search API."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Scope
from quaere.domain.source import Hit
from quaere.search.answers import Fields, fields_of, garbled
from quaere.search.api import Api
from quaere.search.found import Batch, Found, batch, hits, pages
from quaere.search.plain import line
from quaere.search.published import iso_date, period
from quaere.search.web import FILTERS, WEB_KINDS, kind_wanted, with_sites

# https://api-dashboard.search.brave.com/app/documentation: q has at most 400 characters and 50
# words, count at most 20, offset (in pages) at most 9.
_MAX_CHARS, _MAX_WORDS = 400, 50
_PAGE, _PAGES = 20, 10
# Of the languages that search_lang takes, those it calls by their ISO code.
_CODES = """
    ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa
    pl ro ru sk sl sr sv ta te th tr uk vi
"""
_LANGUAGES = frozenset(_CODES.split())


class Brave:
    """A `SearchProvider` over Brave's own index."""

    name = "brave"
    kinds = WEB_KINDS
    narrows = FILTERS

    def __init__(self, api: Api) -> None:
        """Ask through ``api``, which knows the key."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 200 at the most; see `SearchProvider`."""
        text = with_sites(query.text, query.scope, max_chars=_MAX_CHARS, max_words=_MAX_WORDS)
        if not text:
            return ()
        kind = kind_wanted(query)
        vertical = "news" if kind is SourceKind.NEWS else "web"

        async def page(number: int) -> Batch:
            params = {"q": text, "count": str(min(limit, _PAGE)), "offset": str(number)}
            params |= _within(query.scope)
            answer = fields_of(self.name, await self._api.get_json(f"{vertical}/search", params))
            items = self._items(answer, vertical)
            return batch(self.name, (_found(item, kind) for item in items), len(items))

        found = await pages(page, limit=limit, size=_PAGE, most=_PAGE * _PAGES)
        return await hits(self.name, found, query)

    def _items(self, answer: Fields, vertical: str) -> Sequence[Fields]:
        """Return the results; an answer without any still repeats the query."""
        results = answer.inner("web") if vertical == "web" else answer
        if not results.has_list("results") and not answer.inner("query").text("original"):
            raise garbled(self.name)
        return results.each("results")


def _within(scope: Scope | None) -> dict[str, str]:
    params: dict[str, str] = {}
    if days := period(scope):
        params["freshness"] = f"{days[0]}to{days[1]}"
    if scope and len(scope.languages) == 1 and _LANGUAGES.issuperset(scope.languages):
        params["search_lang"] = scope.languages[0]
    return params


def _found(item: Fields, kind: SourceKind) -> Found:
    return Found(
        url=item.text("url"),
        title=line(item.text("title")),
        snippet=line(" ".join([item.text("description"), *item.texts("extra_snippets")])),
        published=iso_date(item.text("page_age") or item.text("age")),
        kind=kind,
    )
