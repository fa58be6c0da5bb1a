"""Searches Semantic Scholar's graph of scholarly works."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.domain.works import pmid_of, pubmed_url
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
from quaere.search.results import Batch, Found, ScholarlyIndex, batch, pages
from quaere.search.wording import keywords, worded

_PAGE, _MOST = 100, 200  # https://api.semanticscholar.org/api-docs: limit is at most 100
_MAX_CHARS = 300
_FIELDS = "title,abstract,url,externalIds,publicationDate,year,venue"


class SemanticScholar(ScholarlyIndex):
    """A `SearchProvider` over Semantic Scholar; without a key all the world shares one limit."""

    name = "semantic_scholar"

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 200 at most; see `SearchProvider`."""
        # Its documentation: hyphenated terms find nothing, replace the hyphen with a space.
        text = " ".join(keywords(query.text)).replace("-", " ")
        text = worded(text, max_chars=_MAX_CHARS)
        if not text:
            return ()

        async def page(number: int) -> Batch:
            params = {
                "query": text,
                "limit": str(min(limit, _PAGE)),
                "offset": str(number * _PAGE),
                "fields": _FIELDS,
            }
            if query.scope and query.scope.dated:
                first, last = query.scope.published_after, query.scope.published_before
                params["publicationDateOrYear"] = f"{first or ''}:{last or ''}"
            answer = fields_of(self.name, await self._api.get_json("paper/search", params))
            if not answer.has_list("data") and answer.text("total") != "0":
                raise garbled(self.name)
            items = answer.each("data")
            return await batch(self.name, map(_found, items), len(items))

        found = await pages(page, limit=limit, size=_PAGE, most=_MOST)
        return await self._hits(found, query)


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
