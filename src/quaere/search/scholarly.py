"""Searches indexes of scholarly works, most of which bring abstracts along; PubMed has a file.

arXiv has preprints, by its Atom API; Crossref is where publishers register their DOIs; OpenAlex is
an open catalogue, Semantic Scholar a graph of works. Europe PMC has PubMed, preprints, patents,
theses and guidelines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope
from quaere.domain.source import Hit
from quaere.domain.url import pmc_url, pmid_of, pubmed_url
from quaere.errors import SearchError
from quaere.resilience.thread import computed
from quaere.search.api import (
    MEDLINE_LANGUAGES,
    Fields,
    described,
    doi_of,
    doi_url,
    fields_of,
    from_parts,
    garbled,
    iso_date,
    items_of,
    line,
    one_line,
    paragraphs,
    parse_xml,
    period,
    shortened,
    words_at,
)
from quaere.search.results import (
    MAX_STRICT,
    Batch,
    Found,
    PagedIndex,
    ScholarlyIndex,
    batch,
    by_url,
    keywords,
    quoted,
    widening,
    worded,
)
from quaere.text.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from quaere.text.markup import Element

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_ARXIV_ID = lazy_regex(r"https?://arxiv\.org/abs/([\w.-]+(?:/\d{7})?(?:v\d+)?)", re.ASCII)
_WITHDRAWN = lazy_regex(r"\bwithdrawn\b", re.IGNORECASE)


class Arxiv(PagedIndex):
    """A `SearchProvider` over arXiv."""

    name = "arxiv"
    page_size = 50  # a page may have 2,000, but takes long

    def _wordings(self, query: Query) -> Sequence[str]:
        # One request is all that three seconds allow: any of the words, and arXiv's ranking puts
        # the preprints with most of them first.
        text = " OR ".join(f'all:"{word}"' for word in keywords(query.text))
        if text and (days := period(query.scope)):
            first, last = (day.strftime("%Y%m%d") for day in days)
            text = f"({text}) AND submittedDate:[{first}0000 TO {last}2359]"
        return (text,)

    async def _page(self, text: str, number: int, count: int, scope: Scope | None) -> Batch:
        del scope  # its days are part of the text
        params = {
            "search_query": text,
            "start": str(number * self.page_size),
            "max_results": str(count),
            "sortBy": "relevance",
            "sortOrder": "descending",
        }
        accept = {"Accept": "application/atom+xml"}
        data = await self._api.get("query", params, headers=accept)
        entries = await computed(lambda: self._entries(parse_xml(self.name, data)))
        return await batch(self.name, map(_arxiv_work, entries), len(entries))

    def _entries(self, feed: Element) -> Sequence[Element]:
        if feed.tag != _ATOM + "feed":
            raise garbled(self.name)
        entries = feed.findall(_ATOM + "entry")
        for entry in entries:
            if "/api/errors" in words_at(entry, _ATOM + "id"):
                problem = one_line(words_at(entry, _ATOM + "summary"))
                raise SearchError(f"{self.name} failed: {shortened(problem, 200)}")
        return entries


def _arxiv_work(entry: Element) -> Found | None:
    match = _ARXIV_ID.fullmatch(words_at(entry, _ATOM + "id"))
    if not match:
        return None
    abstract = one_line(words_at(entry, _ATOM + "summary"))
    withdrawn = _WITHDRAWN.search(words_at(entry, _ARXIV + "comment"))
    return Found(
        url=f"https://arxiv.org/abs/{match[1]}",
        title=one_line(words_at(entry, _ATOM + "title")),
        snippet=shortened(abstract, 400),
        published=iso_date(words_at(entry, _ATOM + "published")),
        kind=SourceKind.SCHOLARLY,
        text=abstract,
        standing="Withdrawn" if withdrawn else "",
        full_text="" if withdrawn else f"https://arxiv.org/pdf/{match[1]}",
    )


_CROSSREF_FIELDS = "DOI,title,subtitle,abstract,issued,container-title,score,updated-by"
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
            "select": _CROSSREF_FIELDS,
        }
        if wanted := _crossref_filter(scope):
            params["filter"] = wanted
        answer = fields_of(self.name, await self._api.get_json("works", params))
        items = items_of(self.name, answer.inner("message"), "items")
        return await batch(self.name, map(_crossref_work, items), len(items))


def _crossref_filter(scope: Scope | None) -> str:
    return _filter(
        scope and {"from-pub-date": scope.published_after, "until-pub-date": scope.published_before}
    )


def _filter(wanted: Mapping[str, object] | None) -> str:
    """Return the parameter by which Crossref and OpenAlex narrow a search; empty for nothing."""
    return ",".join(f"{name}:{value}" for name, value in (wanted or {}).items() if value)


def _crossref_work(item: Fields) -> Found:
    doi = doi_of(item.text("DOI"))
    text = paragraphs(item.text("abstract"))
    published = _crossref_date(item)
    journal = next(iter(item.texts("container-title")), "")
    return Found(
        url=doi_url(doi),
        title=line(": ".join([*item.texts("title")[:1], *item.texts("subtitle")[:1]])),
        snippet=described(text, journal, published, f"doi:{doi}" if doi else ""),
        published=published,
        kind=SourceKind.SCHOLARLY,
        score=item.number("score"),
        text=text,
        standing=_crossref_standing(item),
    )


def _crossref_date(item: Fields) -> str:
    """Return the date of ``{"date-parts": [[2024, 3, 5]]}``, of which parts may lack."""
    first = next(iter(item.inner("issued").values("date-parts")), None)
    if not isinstance(first, list):
        return ""
    parts = [str(part) for part in cast("list[object]", first)[:3]]
    return from_parts(*parts) if parts else ""


def _crossref_standing(item: Fields) -> str:
    standings = (_WITHDRAWING.get(each.text("type").lower()) for each in item.each("updated-by"))
    return next((standing for standing in standings if standing), "")


_OPENALEX_FIELDS = (
    "id,doi,display_name,publication_date,publication_year,abstract_inverted_index,is_retracted,"
    "primary_location,best_oa_location,relevance_score,ids"
)
_MOST_WORDS = 5_000


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
            "select": _OPENALEX_FIELDS,
        }
        if wanted := _openalex_filter(scope):
            params["filter"] = wanted
        answer = fields_of(self.name, await self._api.get_json("works", params))
        items = items_of(self.name, answer, "results")
        return await batch(self.name, map(_openalex_work, items), len(items))


def _openalex_filter(scope: Scope | None) -> str:
    return _filter(
        scope
        and {
            "from_publication_date": scope.published_after,
            "to_publication_date": scope.published_before,
            "language": "|".join(scope.languages),
        }
    )


def _openalex_work(item: Fields) -> Found:
    location = item.inner("primary_location")
    text = _openalex_abstract(item.inner("abstract_inverted_index"))
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
        full_text=_openalex_full_text(item),
    )


def _openalex_full_text(item: Fields) -> str:
    """Return where the work is open: in PubMed Central, else in the best place that is known."""
    best = item.inner("best_oa_location")
    if not best.flag("is_oa"):
        return ""
    number = item.inner("ids").text("pmcid").rstrip("/").rpartition("/")[2].upper()
    archived = pmc_url(f"PMC{number.removeprefix('PMC')}")
    return archived or best.text("pdf_url") or best.text("landing_page_url")


def _openalex_abstract(index: Fields) -> str:
    """Return the text of which ``index`` gives every word's places."""
    placed: dict[int, str] = {}
    for word in index.names():
        for place in index.values(word):
            if isinstance(place, int):
                placed.setdefault(place, word)
    return one_line(" ".join(placed[place] for place in sorted(placed)[:_MOST_WORDS]))


_SEMANTIC_SCHOLAR_FIELDS = "title,abstract,url,externalIds,publicationDate,year,venue"


class SemanticScholar(PagedIndex):
    """A `SearchProvider` over Semantic Scholar; without a key all the world shares one limit."""

    name = "semantic_scholar"
    page_size = 100  # https://api.semanticscholar.org/api-docs: limit is at most 100
    max_chars = 300

    def _wordings(self, query: Query) -> Sequence[str]:
        # Its documentation: hyphenated terms find nothing, replace the hyphen with a space.
        text = " ".join(keywords(query.text)).replace("-", " ")
        return (worded(text, max_chars=self.max_chars),)

    async def _page(self, text: str, number: int, count: int, scope: Scope | None) -> Batch:
        params = {
            "query": text,
            "limit": str(count),
            "offset": str(number * self.page_size),
            "fields": _SEMANTIC_SCHOLAR_FIELDS,
        }
        if scope and scope.dated:
            first, last = scope.published_after, scope.published_before
            params["publicationDateOrYear"] = f"{first or ''}:{last or ''}"
        answer = fields_of(self.name, await self._api.get_json("paper/search", params))
        if not answer.has_list("data") and answer.text("total") != "0":
            raise garbled(self.name)
        items = answer.each("data")
        return await batch(self.name, map(_semantic_scholar_work, items), len(items))


def _semantic_scholar_work(item: Fields) -> Found:
    text = one_line(item.text("abstract"))
    published = iso_date(item.text("publicationDate") or item.text("year"))
    url = _best_known_url(item)
    return Found(
        url=url,
        title=one_line(item.text("title")),
        snippet=described(text, item.text("venue"), published),
        published=published,
        kind=SourceKind.PUBMED if pmid_of(url) else SourceKind.SCHOLARLY,
        text=text,
    )


def _best_known_url(item: Fields) -> str:
    """Return the address by which other providers know the work best."""
    ids = item.inner("externalIds")
    if url := pubmed_url(ids.text("PubMed")):
        return url
    if arxiv := ids.text("ArXiv"):
        return f"https://arxiv.org/abs/{arxiv}"
    return doi_url(doi_of(ids.text("DOI"))) or item.text("url")


_RETRACTED_TYPES = frozenset({"retracted publication"})


class EuropePmc(ScholarlyIndex):
    """A `SearchProvider` over Europe PMC."""

    name = "europe_pmc"
    kinds = frozenset({SourceKind.PUBMED, SourceKind.SCHOLARLY})
    narrows = frozenset({Bound.DATES, Bound.LANGUAGES})
    most = 100  # the service gives up to 1,000 at once

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 100 at most; see `SearchProvider`.

        Works with all words of the query come first, those with any of them after.
        """
        words = quoted(keywords(query.text))
        wanted = min(limit, self.most)
        if not words or wanted < 1:
            return ()
        wordings = (" AND ".join(words[:MAX_STRICT]), " OR ".join(words))
        found = await widening(
            wordings,
            lambda text: self._ask(_europe_pmc_text(text, query.scope), wanted),
            limit=wanted,
            key=by_url,
        )
        return await self._hits(found, query)

    async def _ask(self, text: str, limit: int) -> Sequence[Found]:
        params = {
            "query": text,
            "format": "json",
            "resultType": "core",
            "pageSize": str(limit),
        }
        answer = fields_of(self.name, await self._api.get_json("search", params))
        items = items_of(self.name, answer.inner("resultList"), "result")
        return (await batch(self.name, map(_europe_pmc_work, items), len(items))).found


def _europe_pmc_text(text: str, scope: Scope | None) -> str:
    """Return ``text`` with the days and the languages of ``scope``, in the service's own syntax."""
    wanted: list[str] = []
    if days := period(scope):
        wanted.append(f"FIRST_PDATE:[{days[0]} TO {days[1]}]")
    if scope and scope.languages:
        codes = [MEDLINE_LANGUAGES.get(code, code) for code in scope.languages]
        wanted.append(f"({' OR '.join(f'LANG:{code}' for code in codes)})")
    return " AND ".join([f"({text})", *wanted]) if wanted else text


def _europe_pmc_work(item: Fields) -> Found | None:
    source, number = item.text("source"), item.text("id")
    if not source.isalnum() or not number:
        return None
    text = paragraphs(item.text("abstractText"))
    notice = _retraction_notice(item)
    published = iso_date(item.text("firstPublicationDate") or item.text("pubYear"))
    doi = item.text("doi")
    return Found(
        url=f"https://europepmc.org/article/{source}/{number}",
        title=line(item.text("title")).rstrip("."),
        snippet=described(
            text,
            notice,
            item.inner("journalInfo", "journal").text("title"),
            published,
            f"doi:{doi}" if doi else "",
            item.text("pmcid"),
        ),
        published=published,
        kind=SourceKind.PUBMED if source == "MED" else SourceKind.SCHOLARLY,
        text=text,
        standing=_europe_pmc_standing(item, notice),
        full_text=pmc_url(item.text("pmcid")) if item.flag("isOpenAccess") else "",
    )


def _europe_pmc_standing(item: Fields, notice: str) -> str:
    types = {each.lower() for each in item.inner("pubTypeList").texts("pubType")}
    return "Retracted" if notice or types & _RETRACTED_TYPES else ""


def _retraction_notice(item: Fields) -> str:
    """Return where the work was retracted; empty for one that was not."""
    for correction in item.inner("commentCorrectionList").each("commentCorrection"):
        if correction.text("type").lower() == "retraction in":
            return f"Retraction in: {correction.text('reference')}"
    return ""
