"""The base of the providers that search the whole web page by page of results."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope, Sites
from quaere.domain.source import Hit
from quaere.search.api import Api, Fields, iso_date
from quaere.search.markup import line
from quaere.search.results import Batch, Found, batch, hits, pages
from quaere.search.wording import worded

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


def _operators(sites: Sites, room: int, places: int) -> str:
    """Return the operators for ``sites`` that fit in so many characters and words."""
    asked = ""
    for operator in filter(None, (_only(sites.only), *(f"-site:{host}" for host in sites.exclude))):
        longer = f"{asked} {operator}".lstrip()
        if len(longer) < room and len(longer.split()) <= places:
            asked = longer
        elif operator.startswith("-"):
            break
    return asked


def _only(hosts: Sequence[str]) -> str:
    listed = " OR ".join(f"site:{host}" for host in hosts)
    return f"({listed})" if len(hosts) > 1 else listed


def with_sites(
    text: str, scope: Scope | None, *, max_chars: int, max_words: int | None = None
) -> str:
    """Return ``text`` worded for an engine, with operators for the sites of ``scope``.

    The operators get at most half of the room. A list of the only sites is sent whole or not at
    all, because half of it would lose sources; of the excluded ones as many are sent as fit.
    """
    room, places = max_chars // 2, (max_words or max_chars) // 2
    asked = _operators(scope.sites, room, places) if scope else ""
    words_left = max_words - len(asked.split()) if max_words else None
    chars_left = max_chars - len(asked) - 1 if asked else max_chars
    said = worded(text, max_chars=chars_left, max_words=words_left)
    return f"{said} {asked}".strip() if said else ""


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
