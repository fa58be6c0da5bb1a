"""Searches Semantic Scholar's graph of scholarly works."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Scope
from quaere.domain.url import pmid_of, pubmed_url
from quaere.search.api import (
    Fields,
    described,
    doi_of,
    doi_url,
    fields_of,
    garbled,
    iso_date,
)
from quaere.search.markup import one_line
from quaere.search.results import Batch, Found, PagedIndex, batch
from quaere.search.wording import keywords, worded

_MAX_CHARS = 300
_FIELDS = "title,abstract,url,externalIds,publicationDate,year,venue"


class SemanticScholar(PagedIndex):
    """A `SearchProvider` over Semantic Scholar; without a key all the world shares one limit."""

    name = "semantic_scholar"
    page_size = 100  # https://api.semanticscholar.org/api-docs: limit is at most 100

    def _wordings(self, query: Query) -> Sequence[str]:
        # Its documentation: hyphenated terms find nothing, replace the hyphen with a space.
        text = " ".join(keywords(query.text)).replace("-", " ")
        return (worded(text, max_chars=_MAX_CHARS),)

    async def _page(self, text: str, number: int, count: int, scope: Scope | None) -> Batch:
        params = {
            "query": text,
            "limit": str(count),
            "offset": str(number * self.page_size),
            "fields": _FIELDS,
        }
        if scope and scope.dated:
            first, last = scope.published_after, scope.published_before
            params["publicationDateOrYear"] = f"{first or ''}:{last or ''}"
        answer = fields_of(self.name, await self._api.get_json("paper/search", params))
        if not answer.has_list("data") and answer.text("total") != "0":
            raise garbled(self.name)
        items = answer.each("data")
        return await batch(self.name, map(_found, items), len(items))


def _found(item: Fields) -> Found:
    text = one_line(item.text("abstract"))
    published = iso_date(item.text("publicationDate") or item.text("year"))
    url = _url(item)
    return Found(
        url=url,
        title=one_line(item.text("title")),
        snippet=described(text, item.text("venue"), published),
        published=published,
        kind=SourceKind.PUBMED if pmid_of(url) else SourceKind.SCHOLARLY,
        text=text,
    )


def _url(item: Fields) -> str:
    """Return the address by which other providers know the work best."""
    ids = item.inner("externalIds")
    if url := pubmed_url(ids.text("PubMed")):
        return url
    if arxiv := ids.text("ArXiv"):
        return f"https://arxiv.org/abs/{arxiv}"
    return doi_url(doi_of(ids.text("DOI"))) or item.text("url")
