"""Searches OpenAlex, an open catalogue of scholarly works."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope
from quaere.domain.url import pmc_url, pubmed_url
from quaere.search.api import (
    Fields,
    described,
    doi_of,
    doi_url,
    fields_of,
    iso_date,
    items_of,
)
from quaere.search.markup import line, one_line
from quaere.search.results import Batch, Found, PagedIndex, batch
from quaere.search.wording import MAX_STRICT, keywords, quoted

_SELECT = (
    "id,doi,display_name,publication_date,publication_year,abstract_inverted_index,is_retracted,"
    "primary_location,best_oa_location,relevance_score,ids"
)
_MAX_WORDS = 5_000


class OpenAlex(PagedIndex):
    """A `SearchProvider` over OpenAlex; without a key it answers about ten searches a day."""

    name = "openalex"
    narrows = frozenset({Bound.DATES, Bound.LANGUAGES})
    page_size = 100  # https://developers.openalex.org: per-page is at most 100

    def _wordings(self, query: Query) -> Sequence[str]:
        # Only when no work has all words of the query are those asked for that have any.
        words = quoted(keywords(query.text))
        return (" ".join(words[:MAX_STRICT]), " OR ".join(words))

    async def _page(self, text: str, number: int, count: int, scope: Scope | None) -> Batch:
        params = {
            "search": text,
            "per-page": str(count),
            "page": str(number + 1),
            "select": _SELECT,
        }
        if wanted := _filter(scope):
            params["filter"] = wanted
        answer = fields_of(self.name, await self._api.get_json("works", params))
        items = items_of(self.name, answer, "results")
        return await batch(self.name, map(_found, items), len(items))


def _filter(scope: Scope | None) -> str:
    if scope is None:
        return ""
    wanted = {
        "from_publication_date": scope.published_after,
        "to_publication_date": scope.published_before,
        "language": "|".join(scope.languages),
    }
    return ",".join(f"{name}:{value}" for name, value in wanted.items() if value)


def _found(item: Fields) -> Found:
    location = item.inner("primary_location")
    text = _abstract(item.inner("abstract_inverted_index"))
    published = iso_date(item.text("publication_date") or item.text("publication_year"))
    pmid = item.inner("ids").text("pmid").rstrip("/").rpartition("/")[2]
    url = pubmed_url(pmid) or doi_url(doi_of(item.text("doi")))
    venue = location.inner("source").text("display_name")
    return Found(
        url=url or location.text("landing_page_url") or item.text("id"),
        title=line(item.text("display_name")),
        snippet=described(text, venue, published),
        published=published,
        kind=SourceKind.PUBMED if pubmed_url(pmid) else SourceKind.SCHOLARLY,
        score=item.number("relevance_score"),
        text=text,
        standing="Retracted" if item.flag("is_retracted") else "",
        full_text=_full_text(item),
    )


def _full_text(item: Fields) -> str:
    """Return where the work is open: in PubMed Central, else in the best place that is known."""
    best = item.inner("best_oa_location")
    if not best.flag("is_oa"):
        return ""
    number = item.inner("ids").text("pmcid").rstrip("/").rpartition("/")[2].upper()
    archived = pmc_url(f"PMC{number.removeprefix('PMC')}")
    return archived or best.text("pdf_url") or best.text("landing_page_url")


def _abstract(index: Fields) -> str:
    """Return the text of which ``index`` gives every word's places."""
    placed: dict[int, str] = {}
    for word in index.names():
        for place in index.values(word):
            if isinstance(place, int):
                placed.setdefault(place, word)
    return one_line(" ".join(placed[place] for place in sorted(placed)[:_MAX_WORDS]))
