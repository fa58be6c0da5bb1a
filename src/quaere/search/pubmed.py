"""Searches PubMed through NCBI's E-utilities: ``esearch`` finds the ids, ``efetch`` the records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import date
from typing import TYPE_CHECKING

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope
from quaere.domain.source import Hit
from quaere.domain.url import pmc_url, pubmed_url
from quaere.errors import SearchError
from quaere.resilience.limits import ConcurrencyLimit, Pace
from quaere.resilience.thread import computed
from quaere.resilience.timing import own_work
from quaere.search.api import (
    MEDLINE_LANGUAGES,
    Api,
    described,
    fields_of,
    from_parts,
    garbled,
    line,
    one_line,
    parse_xml,
    period,
    words_at,
    words_of,
)
from quaere.search.results import (
    MAX_STRICT,
    Found,
    ProvidedText,
    ScholarlyIndex,
    batch,
    keywords,
    quoted,
    widening,
    worded,
)
from quaere.text.lazy_regex import lazy_regex

if TYPE_CHECKING:
    from quaere.text.markup import Element

_MEDLINE_DATE = lazy_regex(r"([1-9]\d{3})(?:\s+([A-Z][a-z]{2}))?")
_MAX_HEADINGS = 12


def read_records(root: Element) -> dict[str, Found]:
    """Return the articles and book chapters below ``root`` by their PMID, in document order."""
    records: dict[str, Found] = {}
    for path, read in (("PubmedArticle", _article), ("PubmedBookArticle", _chapter)):
        for element in root.findall(path):
            pmid, found = read(element)
            if pmid.isascii() and pmid.isdigit():
                records[pmid] = found
    return records


def _article(element: Element) -> tuple[str, Found]:
    pmid = words_at(element, "MedlineCitation/PMID")
    article = "MedlineCitation/Article/"
    published = _published(element)
    journal = words_at(element, article + "Journal/ISOAbbreviation")
    text = _abstract(element, article + "Abstract") or _abstract(
        element, "MedlineCitation/OtherAbstract"
    )
    notices = list(_notices(element))
    types = {words_of(each) for each in element.findall(article + "PublicationTypeList/*")}
    return pmid, Found(
        url=pubmed_url(pmid),
        title=_title(element, article),
        snippet=described(text, *notices, journal, published, *_ids(element), _headings(element)),
        published=published,
        kind=SourceKind.PUBMED,
        text=text,
        standing="Retracted" if _is_retracted(types, notices) else "",
        full_text=next((url for each in _ids(element) if (url := pmc_url(each))), ""),
    )


def _chapter(element: Element) -> tuple[str, Found]:
    pmid = words_at(element, "BookDocument/PMID")
    book = words_at(element, "BookDocument/Book/BookTitle")
    date = "BookDocument/Book/PubDate/"
    published = _date(element, date)
    text = _abstract(element, "BookDocument/Abstract")
    return pmid, Found(
        url=pubmed_url(pmid),
        title=one_line(words_at(element, "BookDocument/ArticleTitle") or book).rstrip("."),
        snippet=described(text, book, published),
        published=published,
        kind=SourceKind.PUBMED,
        text=text,
    )


def _title(element: Element, article: str) -> str:
    title = words_at(element, article + "ArticleTitle")
    return one_line(title or words_at(element, article + "VernacularTitle")).rstrip(".")


def _abstract(element: Element, path: str) -> str:
    """Return the abstract at ``path`` as paragraphs, a section's label at its head.

    A label comes as "RESULTS" and is shown as "Results", as PubMed itself does: in capitals it
    would read like a name.
    """
    sections: list[str] = []
    for section in element.findall(path + "/AbstractText"):
        text = one_line(words_of(section))
        label = one_line(section.get("Label", "")).rstrip(":").capitalize()
        if text:
            sections.append(f"{label}: {text}" if label and label != "Unlabelled" else text)
    return "\n\n".join(sections)


def _published(element: Element) -> str:
    """Return the date of the issue, or of the electronic publication where that has none."""
    issue = _date(element, "MedlineCitation/Article/Journal/JournalIssue/PubDate/")
    electronic = _date(element, "MedlineCitation/Article/ArticleDate/")
    return electronic if not issue or electronic.startswith(issue) else issue


def _date(element: Element, path: str) -> str:
    year, month, day = (words_at(element, path + part) for part in ("Year", "Month", "Day"))
    if year:
        return from_parts(year, month, day)
    match = _MEDLINE_DATE.search(words_at(element, path + "MedlineDate"))
    return from_parts(match[1], match[2] or "") if match else ""


def _notices(element: Element) -> Iterator[str]:
    """Yield what has been published against the article."""
    names = {
        "RetractionIn": "Retraction in",
        "ExpressionOfConcernIn": "Expression of concern in",
        "ErratumIn": "Erratum in",
    }
    path = "MedlineCitation/CommentsCorrectionsList/CommentsCorrections"
    for correction in element.findall(path):
        if name := names.get(correction.get("RefType", "")):
            source, pmid = words_at(correction, "RefSource"), words_at(correction, "PMID")
            yield f"{name}: {source}" + (f" (PMID {pmid})" if pmid else "")


def _is_retracted(types: Collection[str], notices: Iterable[str]) -> bool:
    is_notice = any(notice.startswith("Retraction in") for notice in notices)
    return "Retracted Publication" in types or is_notice


def _ids(element: Element) -> Iterator[str]:
    # Not any ArticleId: those of the references stand further down.
    for each in element.findall("PubmedData/ArticleIdList/ArticleId"):
        if each.get("IdType", "") == "doi":
            yield f"doi:{words_of(each)}"
        if each.get("IdType", "") == "pmc":
            yield words_of(each)


def _headings(element: Element) -> str:
    path = "MedlineCitation/MeshHeadingList/MeshHeading/DescriptorName"
    headings = [words_of(each) for each in element.findall(path)][:_MAX_HEADINGS]
    return f"MeSH: {'; '.join(headings)}" if headings else ""


# https://www.ncbi.nlm.nih.gov/books/NBK25497: 3 requests a second, 10 with a key.
REQUESTS_PER_S = 3
REQUESTS_PER_S_WITH_KEY = 10

_MAX_CHARS = 1_500  # NCBI asks for a POST for anything much longer than this
_MOST = 100
_TAG = lazy_regex(r"\[[A-Za-z][A-Za-z /:_~-]{1,40}(?::~?\d+)?\]")
_BOOLEAN = lazy_regex(r"\S\s+(?:AND|OR|NOT)\s+\S")
_LOUD = lazy_regex(r"[^a-z]*")


class PubMed(ScholarlyIndex):
    """A `SearchProvider` over PubMed; it keeps the pace that NCBI asks for by itself."""

    name = "pubmed"
    kinds = frozenset({SourceKind.PUBMED, SourceKind.SCHOLARLY})
    narrows = frozenset({Bound.DATES, Bound.LANGUAGES})

    def __init__(
        self, api: Api, keep: ProvidedText, pace: Pace, *, at_once: int = REQUESTS_PER_S
    ) -> None:
        """Ask through ``api``; every request of a search, two or three, waits at ``pace``.

        ``at_once`` searches are under way at most: more would wait for each other, each with a part
        of its requests made, until all are out of time.
        """
        super().__init__(api, keep)
        self._pace = pace
        self._places = ConcurrencyLimit(at_once)

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 100 at most; see `SearchProvider`.

        A query in PubMed's own syntax is asked as it stands. Of any other, the articles with all
        its words come first, those with any of them after.
        """
        wanted = min(limit, _MOST)
        terms = _terms(query.text)
        if not terms or wanted < 1:
            return ()
        async with AsyncExitStack() as held:
            with own_work():
                await held.enter_async_context(self._places.hold(self.name))
            ids = await widening(
                terms, lambda term: self._find(term, wanted, query.scope), limit=wanted, key=str
            )
            found = await self._records(ids) if ids else ()
        return await self._hits(found, query)

    async def _turn(self) -> None:
        """Return when the next request may begin; the service is not to blame for the wait."""
        with own_work():
            await self._pace.wait(self.name)

    async def _find(self, term: str, limit: int, scope: Scope | None) -> Sequence[str]:
        """Return the ids of the articles within ``scope`` that best match ``term``."""
        params = {
            "db": "pubmed",
            "term": _in_languages(term, scope),
            "retmax": str(limit),
            "retmode": "json",
            "sort": "relevance",
            **_between(period(scope)),
        }
        await self._turn()
        answer = fields_of(self.name, await self._api.get_json("esearch.fcgi", params))
        result = answer.inner("esearchresult")
        if problem := answer.text("error") or result.text("ERROR"):
            raise SearchError(f"{self.name} failed: {line(problem, 200)}")
        if not result.has_list("idlist"):
            raise garbled(self.name)
        return [each for each in result.texts("idlist") if each.isascii() and each.isdigit()]

    async def _records(self, ids: Sequence[str]) -> Sequence[Found]:
        """Return the articles in the order of ``ids``."""
        params = {"db": "pubmed", "id": ",".join(ids), "retmode": "xml"}
        await self._turn()
        data = await self._api.get("efetch.fcgi", params, headers={"Accept": "text/xml"})
        records = await computed(lambda: read_records(parse_xml(self.name, data)))
        return (await batch(self.name, map(records.get, ids), len(ids))).found


def _terms(text: str) -> tuple[str, ...]:
    """Return what to ask for, the narrowest first."""
    if _TAG.search(text) or (_BOOLEAN.search(text) and not _LOUD.fullmatch(text)):
        return (_balanced(worded(text, max_chars=_MAX_CHARS)),)
    words = quoted(keywords(text))
    if not words:
        return ()
    return " AND ".join(words[:MAX_STRICT]), " OR ".join(words)


def _balanced(term: str) -> str:
    """Return ``term`` without the quotes or brackets of which one lacks its other half."""
    if term.count('"') % 2:
        term = term.replace('"', " ")
    for opening, closing in ("()", "[]"):
        if not _nested(term, opening, closing):
            term = term.replace(opening, " ").replace(closing, " ")
    return " ".join(term.split())


def _nested(term: str, opening: str, closing: str) -> bool:
    depth = 0
    for character in term:
        depth += (character == opening) - (character == closing)
        if depth < 0:
            return False
    return depth == 0


def _in_languages(term: str, scope: Scope | None) -> str:
    if not scope or not scope.languages:
        return term
    codes = " OR ".join(f"{MEDLINE_LANGUAGES.get(code, code)}[la]" for code in scope.languages)
    return f"({term}) AND ({codes})"


def _between(days: tuple[date, date] | None) -> dict[str, str]:
    """Return the parameters that narrow a search to articles published on these days."""
    if not days:
        return {}
    first, last = (day.strftime("%Y/%m/%d") for day in days)
    return {"datetype": "pdat", "mindate": first, "maxdate": last}
