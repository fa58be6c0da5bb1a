"""Searches Crossref, where publishers register their DOIs, some of them with abstracts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Scope
from quaere.search.api import (
    Fields,
    described,
    doi_of,
    doi_url,
    fields_of,
    from_parts,
    items_of,
)
from quaere.search.markup import line, paragraphs
from quaere.search.results import Batch, Found, PagedIndex, batch
from quaere.search.wording import keywords

_SELECT = "DOI,title,subtitle,abstract,issued,container-title,score,updated-by"
_WITHDRAWING = {"retraction": "Retracted", "withdrawal": "Withdrawn", "removal": "Withdrawn"}


class Crossref(PagedIndex):
    """A `SearchProvider` over Crossref."""

    name = "crossref"
    page_size = 100  # rows is at most 1,000

    def _wordings(self, query: Query) -> Sequence[str]:
        return (" ".join(keywords(query.text)),)

    async def _page(self, text: str, number: int, count: int, scope: Scope | None) -> Batch:
        params = {
            "query.bibliographic": text,
            "rows": str(count),
            "offset": str(number * self.page_size),
            "select": _SELECT,
        }
        if wanted := _filter(scope):
            params["filter"] = wanted
        answer = fields_of(self.name, await self._api.get_json("works", params))
        items = items_of(self.name, answer.inner("message"), "items")
        return await batch(self.name, map(_found, items), len(items))


def _filter(scope: Scope | None) -> str:
    if scope is None:
        return ""
    days = {"from-pub-date": scope.published_after, "until-pub-date": scope.published_before}
    return ",".join(f"{name}:{day}" for name, day in days.items() if day)


def _found(item: Fields) -> Found:
    doi = doi_of(item.text("DOI"))
    text = paragraphs(item.text("abstract"))
    published = _published(item)
    journal = next(iter(item.texts("container-title")), "")
    return Found(
        url=doi_url(doi),
        title=line(": ".join([*item.texts("title")[:1], *item.texts("subtitle")[:1]])),
        snippet=described(text, journal, published, f"doi:{doi}" if doi else ""),
        published=published,
        kind=SourceKind.SCHOLARLY,
        score=item.number("score"),
        text=text,
        standing=_standing(item),
    )


def _published(item: Fields) -> str:
    """Return the date of ``{"date-parts": [[2024, 3, 5]]}``, of which parts may lack."""
    first = next(iter(item.inner("issued").values("date-parts")), None)
    if not isinstance(first, list):
        return ""
    parts = [str(part) for part in cast("list[object]", first)[:3]]
    return from_parts(*parts) if parts else ""


def _standing(item: Fields) -> str:
    standings = (_WITHDRAWING.get(each.text("type").lower()) for each in item.each("updated-by"))
    return next((standing for standing in standings if standing), "")
