"""Searches the whole web: the base of the engines that list pages of results, and the engines.

Wikipedia, or any other MediaWiki, is searched here, too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast
from urllib.parse import parse_qs, urljoin, urlsplit

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope
from quaere.domain.source import Hit
from quaere.errors import SearchError, SearchRejected
from quaere.resilience.thread import computed
from quaere.search.api import (
    Api,
    Fields,
    fields_of,
    garbled,
    iso_date,
    items_of,
    line,
    one_line,
    parse_html,
    period,
    shortened,
    words_of,
)
from quaere.search.results import (
    MAX_STRICT,
    Batch,
    Found,
    ProvidedText,
    batch,
    by_url,
    hits,
    keywords,
    pages,
    quoted,
    widening,
    with_sites,
    worded,
)

if TYPE_CHECKING:
    from quaere.text.markup import Element

Params = Mapping[str, str]

FILTERS = frozenset({Bound.SITES, Bound.DATES})
"""The bounds that engines with operators for sites and a range of days apply themselves."""

WEB_KINDS = frozenset(
    {SourceKind.WEB, SourceKind.NEWS, SourceKind.GOV, SourceKind.STANDARDS, SourceKind.DOCS}
)
"""The web at large includes authorities, standards and manuals; for news there is another index."""


def found_in(
    item: Fields, kind: SourceKind, *, url: str = "url", snippet: str, published: str
) -> Found:
    """Return what a result says whose fields have these names, besides a title and a score."""
    return Found(
        url=item.text(url),
        title=line(item.text("title")),
        snippet=line(item.text(snippet)),
        published=iso_date(item.text(published)),
        kind=kind,
        score=item.number("score"),
    )


def kind_wanted(query: Query) -> SourceKind:
    """Return NEWS for a query that asks only for news, else WEB."""
    news_alone = set(query.source_kinds) == {SourceKind.NEWS}
    return SourceKind.NEWS if news_alone else SourceKind.WEB


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of results as the service lists them."""

    items: Sequence[Fields]
    incomplete: str = ""
    """Why it may lack results; empty for a whole one."""


class WebEngine(ABC):
    """A `SearchProvider` over an API that returns numbered pages of web or news results."""

    name: str
    kinds = WEB_KINDS
    max_chars: int
    """Characters of a query that the service takes."""
    max_words: int | None = None
    page_size: int
    most: int
    """Results that the service returns for one query, over all pages."""
    uneven = False
    """Whether its pages hold more or fewer results than ``page_size``."""

    def __init__(self, api: Api) -> None:
        """Search through ``api``, which adds the key if there is one."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, and at most ``most``; see `SearchProvider`."""
        text = with_sites(
            query.text, query.scope, max_chars=self.max_chars, max_words=self.max_words
        )
        if not text:
            return ()
        kind = kind_wanted(query)
        within = self._within(query.scope, kind)

        async def page(number: int) -> Batch:
            count = min(limit, self.page_size)
            listing = await self._listing({"q": text, **within}, kind, number, count)
            found = (
                replace(self._found(item, kind), incomplete=listing.incomplete)
                for item in listing.items
            )
            return await batch(self.name, found, len(listing.items))

        found = await pages(
            page, limit=limit, size=self.page_size, most=self.most, uneven=self.uneven
        )
        return await hits(self.name, found, query)

    def _within(self, scope: Scope | None, kind: SourceKind) -> Params:
        """Return the parameters that narrow a search for ``kind`` to ``scope``; here none.

        Sites are part of the query.
        """
        del scope, kind
        return {}

    @abstractmethod
    async def _listing(self, query: Params, kind: SourceKind, page: int, count: int) -> Listing:
        """Request up to ``count`` results of ``page``, counted from 0.

        ``query`` has the words, as ``q``, and what narrows the search.

        Raises:
            SearchError: when the answer is not of the documented form, or is an outage.
        """

    @abstractmethod
    def _found(self, item: Fields, kind: SourceKind) -> Found:
        """Return what one result says."""


# Of the languages that search_lang takes, those it calls by their ISO code.
_BRAVE_CODES = """
    ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa
    pl ro ru sk sl sr sv ta te th tr uk vi
"""
_BRAVE_LANGUAGES = frozenset(_BRAVE_CODES.split())


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
        if scope and len(scope.languages) == 1 and _BRAVE_LANGUAGES.issuperset(scope.languages):
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


_BING_TYPES = frozenset({"SearchResponse", "News"})


class Bing(WebEngine):
    """A `SearchProvider` over an endpoint that speaks Bing's v7 format.

    Microsoft's own was retired in August 2025; compatible services and proxies remain.
    """

    # Bing Web Search API v7 reference: count is at most 50 (100 for news); a URL has at most 2,048
    # characters.
    name = "bing"
    narrows = FILTERS
    max_chars = 1_500
    page_size, most = 50, 200

    def _within(self, scope: Scope | None, kind: SourceKind) -> Params:
        days = period(scope)
        if days is None or kind is SourceKind.NEWS:  # news take no range, but all have a date
            return {}
        return {"freshness": f"{days[0]}..{days[1]}"}

    async def _listing(self, query: Params, kind: SourceKind, page: int, count: int) -> Listing:
        params = {
            **query,
            "count": str(count),
            "offset": str(page * self.page_size),
            "textFormat": "Raw",
        }
        path = "news/search" if kind is SourceKind.NEWS else "search"
        answer = fields_of(self.name, await self._api.get_json(path, params))
        results = answer if kind is SourceKind.NEWS else answer.inner("webPages")
        # An answer without results still has a type.
        if not results.has_list("value") and answer.text("_type") not in _BING_TYPES:
            raise garbled(self.name)
        return Listing(results.each("value"))

    def _found(self, item: Fields, kind: SourceKind) -> Found:
        return Found(
            url=item.text("url"),
            title=line(item.text("name")),
            snippet=line(item.text("snippet") or item.text("description")),
            published=iso_date(item.text("datePublished")),
            kind=kind,
        )


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


_MOST_NAMED = 5
"""Engines without an answer that a message names."""
_REASON_CHARS = 60
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
    told = [_engine_told(engine) for engine in engines[:_MOST_NAMED]]
    if len(engines) > _MOST_NAMED:
        told.append(f"and {len(engines) - _MOST_NAMED} more")
    return ", ".join(told)


def _engine_told(engine: object) -> str:
    pair = cast("list[object]", engine[:2]) if isinstance(engine, list) else [engine]
    texts = [str(part) for part in pair]
    name, *reason = (shortened(line(text), _REASON_CHARS) for text in texts or [""])
    name = name or "a nameless engine"
    return f"{name} ({reason[0]})" if reason else name


_NO_RESULT = frozenset({"result--ad", "result--no-result"})
_DUCKDUCKGO = "duckduckgo.com"


class DuckDuckGo:
    """A `SearchProvider` over DuckDuckGo's results, on its page for browsers without scripts."""

    # Our own reading of that page, not the library ``ddgs`` (MIT, alive in version 9.16): it brings
    # a second HTTP stack that passes by the guard, the deadline and the record of a run, gives
    # itself out as a random browser, and has no base URL to be set.

    name = "duckduckgo"
    kinds = frozenset({SourceKind.WEB, SourceKind.GOV, SourceKind.STANDARDS, SourceKind.DOCS})
    max_chars = 499  # a longer query is answered with an error
    page_size, most = 10, 50

    def __init__(self, api: Api) -> None:
        """Ask through ``api``."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 50 at most; see `SearchProvider`."""
        text = with_sites(query.text, query.scope, max_chars=self.max_chars)
        if not text:
            return ()

        async def page(number: int) -> Batch:
            params = {"q": text, "kl": "wt-wt"}
            if number:
                params |= {
                    "s": str(number * self.page_size),
                    "dc": str(number * self.page_size + 1),
                }
            data = await self._api.get("html/", params, headers={"Accept": "text/html"})
            results = await computed(lambda: self._results(parse_html(self.name, data)))
            return await batch(self.name, map(_linked, results), len(results))

        found = await pages(page, limit=limit, size=self.page_size, most=self.most)
        return await hits(self.name, found, query)

    def _results(self, root: Element) -> Sequence[Element]:
        blocks = {block: _classes(block) for block in root.findall(".//div")}
        classes = frozenset[str]().union(*blocks.values())
        if any(name.startswith("anomaly") for name in classes):
            raise SearchError(f"{self.name} shows a CAPTCHA; it received too many requests.")
        if not {"result", "no-results"} & classes:
            raise garbled(self.name)
        return [block for block, names in blocks.items() if _is_result(names)]


def _linked(result: Element) -> Found | None:
    link = next(_links_in(result, "result__a"), None)
    if link is None:
        return None
    return Found(
        url=_target(link.get("href", "")),
        title=one_line(words_of(link)),
        snippet=one_line(words_of(next(_links_in(result, "result__snippet"), None))),
    )


def _links_in(result: Element, name: str) -> Iterator[Element]:
    return (link for link in result.findall(".//a") if name in _classes(link))


def _classes(element: Element) -> frozenset[str]:
    return frozenset(element.get("class", "").split())


def _target(href: str) -> str:
    """Return where ``href`` leads: behind DuckDuckGo's own redirect, if it is one."""
    try:
        parts = urlsplit(urljoin("https://duckduckgo.com/", href))
        if (parts.hostname or "").endswith(_DUCKDUCKGO):
            return parse_qs(parts.query).get("uddg", [""])[0]
    except ValueError:
        return ""
    return parts.geturl()


def _is_result(names: frozenset[str]) -> bool:
    return "result" in names and not names & _NO_RESULT


# https://docs.tavily.com/documentation/api-reference/endpoint/search: max_results is at most 20;
# a query of more than 400 characters is rejected; so are more than 300 domains to include or 150 to
# exclude.
_MOST_INCLUDED, _MOST_EXCLUDED = 300, 150


class Tavily:
    """A `SearchProvider` over Tavily."""

    name = "tavily"
    kinds = WEB_KINDS
    narrows = FILTERS
    max_chars, most = 400, 20

    def __init__(self, api: Api, keep: ProvidedText) -> None:
        """Ask through ``api``, which knows the key."""
        self._api = api
        self._keep = keep

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 20 at most; see `SearchProvider`."""
        text = worded(query.text, max_chars=self.max_chars)
        if not text or limit < 1:
            return ()
        kind = kind_wanted(query)
        payload = {
            "query": text,
            "max_results": min(limit, self.most),
            "topic": "news" if kind is SourceKind.NEWS else "general",
            "search_depth": "basic",
            "include_raw_content": True,
            **_tavily_bounds(query.scope),
        }
        answer = fields_of(self.name, await self._api.post_json("search", payload))
        items = items_of(self.name, answer, "results")
        read = await batch(self.name, (_with_page_text(item, kind) for item in items), len(items))
        return await hits(self.name, read.found[:limit], query, self._keep)


def _tavily_bounds(scope: Scope | None) -> dict[str, object]:
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


def _with_page_text(item: Fields, kind: SourceKind) -> Found:
    found = found_in(item, kind, snippet="content", published="published_date")
    return replace(found, text=item.text("raw_content"))


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
