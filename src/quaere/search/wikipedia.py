"""Searches Wikipedia, or any other MediaWiki, through its action API."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import SearchError
from quaere.search.api import Api, Fields, fields_of, garbled, line, one_line
from quaere.search.results import (
    MAX_STRICT,
    Found,
    batch,
    by_url,
    hits,
    keywords,
    quoted,
    widening,
    worded,
)

# https://www.mediawiki.org/wiki/API:Search: srlimit is at most 50 with links
# (500 alone); CirrusSearch rejects more than 300 characters.
_MAX_CHARS = 300
_MOST = 50


class Wikipedia:
    """A `SearchProvider` over the articles of a wiki."""

    name = "wikipedia"
    kinds = frozenset({SourceKind.WEB})

    def __init__(self, api: Api) -> None:
        """Ask through ``api``."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 50 at most; see `SearchProvider`.

        Articles with all words of the query come first, those with any of them after.
        """
        words = quoted(keywords(query.text))
        wordings = [" ".join(words[:MAX_STRICT]), " OR ".join(words)]
        wordings = [worded(each, max_chars=_MAX_CHARS).removesuffix(" OR") for each in wordings]
        if not words or limit < 1:
            return ()
        wanted = min(limit, _MOST)
        found = await widening(
            wordings, lambda text: self._ask(text, wanted), limit=wanted, key=by_url
        )
        return await hits(self.name, found, query)

    async def _ask(self, text: str, limit: int) -> Sequence[Found]:
        # The list has the snippets, the generator the addresses; one request asks for both.
        params = {
            "action": "query",
            "format": "json",
            "formatversion": "2",
            "list": "search",
            "srsearch": text,
            "srlimit": str(limit),
            "srprop": "snippet",
            "generator": "search",
            "gsrsearch": text,
            "gsrlimit": str(limit),
            "prop": "info",
            "inprop": "url",
        }
        answer = fields_of(self.name, await self._api.get_json("api.php", params))
        if "error" in answer:
            raise SearchError(f"{self.name} failed: {line(answer.inner('error').text('code'))}.")
        if not answer.flag("batchcomplete") and not answer.inner("query").names():
            raise garbled(self.name)
        return await self._found(answer.inner("query"))

    async def _found(self, answer: Fields) -> Sequence[Found]:
        pages = {page.text("pageid"): page for page in answer.each("pages")}
        items = answer.each("search")
        found = (_found(item, pages.get(item.text("pageid"), item)) for item in items)
        return (await batch(self.name, found, len(items))).found


def _found(item: Fields, page: Fields) -> Found:
    return Found(
        url=page.text("fullurl"),
        title=one_line(item.text("title")),
        snippet=line(item.text("snippet")),
    )
