"""Searches the web and the news with the Brave Search API."""

from __future__ import annotations

from quaere.domain.question import SourceKind
from quaere.domain.scope import Scope
from quaere.search.api import Fields, fields_of, garbled, iso_date, period
from quaere.search.markup import line
from quaere.search.results import Found
from quaere.search.web_engine import FILTERS, Listing, Params, WebEngine

# Of the languages that search_lang takes, those it calls by their ISO code.
_CODES = """
    ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa
    pl ro ru sk sl sr sv ta te th tr uk vi
"""
_LANGUAGES = frozenset(_CODES.split())


class Brave(WebEngine):
    """A `SearchProvider` over Brave's own index."""

    # https://api-dashboard.search.brave.com/app/documentation: q has at most 400 characters and 50
    # words, count at most 20, offset (in pages) at most 9.
    name = "brave"
    narrows = FILTERS
    max_chars, max_words = 400, 50
    page_size, most = 20, 200

    def _within(self, scope: Scope | None, kind: SourceKind) -> Params:
        del kind  # the same for the web and the news
        params: dict[str, str] = {}
        if days := period(scope):
            params["freshness"] = f"{days[0]}to{days[1]}"
        if scope and len(scope.languages) == 1 and _LANGUAGES.issuperset(scope.languages):
            params["search_lang"] = scope.languages[0]
        return params

    async def _listing(self, query: Params, kind: SourceKind, page: int, count: int) -> Listing:
        vertical = "news" if kind is SourceKind.NEWS else "web"
        params = {**query, "count": str(count), "offset": str(page)}
        answer = fields_of(self.name, await self._api.get_json(f"{vertical}/search", params))
        results = answer.inner("web") if vertical == "web" else answer
        # An answer without results still repeats the query.
        if not results.has_list("results") and not answer.inner("query").text("original"):
            raise garbled(self.name)
        return Listing(results.each("results"))

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return Found(
            url=item.text("url"),
            title=line(item.text("title")),
            snippet=line(" ".join([item.text("description"), *item.texts("extra_snippets")])),
            published=iso_date(item.text("page_age") or item.text("age")),
            kind=kind,
        )
