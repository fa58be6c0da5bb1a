"""Searches through a self-hosted SearXNG instance, which queries many engines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from quaere.domain.question import SourceKind
from quaere.domain.scope import Scope
from quaere.errors import SearchError, SearchRejected
from quaere.search.api import Fields, fields_of, items_of
from quaere.search.markup import line, shortened
from quaere.search.results import Found
from quaere.search.web_engine import Listing, Params, WebEngine, found_in

NAMED = 5
"""Engines without an answer that a message names."""
REASON_CHARS = 60
"""Of what is said of one of them."""


class SearXng(WebEngine):
    """A `SearchProvider` over a SearXNG instance; its settings have to allow the format "json"."""

    name = "searxng"
    max_chars = 500  # DuckDuckGo and Google, which instances query, take no more
    page_size, most = 10, 100
    uneven = True  # a page is what its engines return, less what several of them return

    def _within(self, scope: Scope | None, kind: SourceKind) -> Params:
        del kind  # the same for the web and the news
        # No time_range: it only counts back from today, and engines without it return nothing.
        return {"language": scope.languages[0]} if scope and len(scope.languages) == 1 else {}

    async def _listing(self, query: Params, kind: SourceKind, page: int, count: int) -> Listing:
        """Return a page; without results, engines that did not respond are an outage."""
        del count  # what a page holds is not for us to say
        params = {
            **query,
            "format": "json",
            "categories": "news" if kind is SourceKind.NEWS else "general",
            "pageno": str(page + 1),
        }
        answer = fields_of(self.name, await self._answer(params))
        items = items_of(self.name, answer, "results")
        silent = _unresponsive(answer.values("unresponsive_engines"))
        if silent and not items and not page:
            raise SearchError(f"{self.name} found nothing: its engines did not respond: {silent}.")
        return Listing(items, f"some engines did not respond: {silent}" if silent else "")

    async def _answer(self, params: Params) -> object:
        try:
            return await self._api.get_json("search", params)
        except SearchError as error:
            match error.status:
                case 403:
                    fix = 'allow json in search.formats of its settings: "formats: [html, json]"'
                    message = f"{self.name} refuses to answer in JSON (403); {fix}."
                    raise SearchRejected(message, status=403) from error
                case 429:
                    cause = "its own limiter (server.limiter in its settings, limiter.toml)"
                    message = f"{self.name} received too many requests for {cause}."
                    wait_s = error.retry_after
                    raise SearchError(message, retry_after=wait_s, status=429) from error
                case _:
                    raise

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return found_in(item, kind, snippet="content", published="publishedDate")


def _unresponsive(engines: Sequence[object]) -> str:
    """Return the engines that did not respond, each a pair of its name and the reason."""
    told = [_told(engine) for engine in engines[:NAMED]]
    if len(engines) > NAMED:
        told.append(f"and {len(engines) - NAMED} more")
    return ", ".join(told)


def _told(engine: object) -> str:
    pair = cast("list[object]", engine[:2]) if isinstance(engine, list) else [engine]
    texts = [str(part) for part in pair]
    name, *reason = (shortened(line(text), REASON_CHARS) for text in texts or [""])
    name = name or "a nameless engine"
    return f"{name} ({reason[0]})" if reason else name
