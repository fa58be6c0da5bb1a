"""Searches DuckDuckGo through the page that it keeps for browsers without scripts.

Our own reading of that page, not the library ``ddgs`` (MIT, alive in version 9.16), which reads the
same one: the library brings a second HTTP stack that passes by the guard, the deadline and the
record of a run, gives itself out as a random browser, and has no base URL to be set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import parse_qs, urljoin, urlsplit

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.errors import SearchError
from quaere.resilience.thread import computed
from quaere.search.api import Api, garbled
from quaere.search.markup import Element, one_line, parse_html, words_of
from quaere.search.results import (
    Batch,
    Found,
    batch,
    hits,
    pages,
)
from quaere.search.web_engine import with_sites

_MAX_CHARS = 499  # a longer query is answered with an error
_PAGE, _MOST = 10, 50
_OTHERS = frozenset({"result--ad", "result--no-result"})
_REDIRECT = "duckduckgo.com"


class DuckDuckGo:
    """A `SearchProvider` over DuckDuckGo's results."""

    name = "duckduckgo"
    kinds = frozenset({SourceKind.WEB, SourceKind.GOV, SourceKind.STANDARDS, SourceKind.DOCS})

    def __init__(self, api: Api) -> None:
        """Ask through ``api``."""
        self._api = api

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 50 at most; see `SearchProvider`."""
        text = with_sites(query.text, query.scope, max_chars=_MAX_CHARS)
        if not text:
            return ()

        async def page(number: int) -> Batch:
            params = {"q": text, "kl": "wt-wt"}
            if number:
                params |= {"s": str(number * _PAGE), "dc": str(number * _PAGE + 1)}
            data = await self._api.get("html/", params, headers={"Accept": "text/html"})
            results = await computed(lambda: self._results(parse_html(self.name, data)))
            return await batch(self.name, map(_found, results), len(results))

        found = await pages(page, limit=limit, size=_PAGE, most=_MOST)
        return await hits(self.name, found, query)

    def _results(self, root: Element) -> Sequence[Element]:
        blocks = {block: _classes(block) for block in root.findall(".//div")}
        classes = frozenset[str]().union(*blocks.values())
        if any(name.startswith("anomaly") for name in classes):
            raise SearchError(f"{self.name} shows a CAPTCHA; it received too many requests.")
        if not {"result", "no-results"} & classes:
            raise garbled(self.name)
        return [block for block, names in blocks.items() if _is_result(names)]


def _found(result: Element) -> Found | None:
    link = next(_links(result, "result__a"), None)
    if link is None:
        return None
    return Found(
        url=_target(link.get("href", "")),
        title=one_line(words_of(link)),
        snippet=one_line(words_of(next(_links(result, "result__snippet"), None))),
    )


def _links(result: Element, name: str) -> Iterator[Element]:
    return (link for link in result.findall(".//a") if name in _classes(link))


def _classes(element: Element) -> frozenset[str]:
    return frozenset(element.get("class", "").split())


def _target(href: str) -> str:
    """Return where ``href`` leads: behind DuckDuckGo's own redirect, if it is one."""
    try:
        parts = urlsplit(urljoin("https://duckduckgo.com/", href))
        if (parts.hostname or "").endswith(_REDIRECT):
            return parse_qs(parts.query).get("uddg", [""])[0]
    except ValueError:
        return ""
    return parts.geturl()


def _is_result(names: frozenset[str]) -> bool:
    return "result" in names and not names & _OTHERS
