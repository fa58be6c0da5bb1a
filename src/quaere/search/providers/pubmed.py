"""Searches PubMed through NCBI's E-utilities: ``esearch`` finds the ids, ``efetch`` the records."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope
from quaere.domain.source import Hit
from quaere.errors import SearchError
from quaere.resilience.limits import RateLimit
from quaere.search.api import Api
from quaere.search.fields import fields_of, garbled, period
from quaere.search.markup import line, parse_xml
from quaere.search.pubmed_records import read_records
from quaere.search.results import (
    Found,
    ProvidedText,
    batch,
    hits,
    widening,
)
from quaere.search.scholarly import MEDLINE_LANGUAGES
from quaere.search.wording import MAX_STRICT, keywords, quoted, worded

# https://www.ncbi.nlm.nih.gov/books/NBK25497: 3 requests a second, 10 with a key.
REQUESTS_PER_S = 3
REQUESTS_PER_S_WITH_KEY = 10

_MAX_CHARS = 1_500  # NCBI asks for a POST for anything much longer than this
_MOST = 100
_TAG = re.compile(r"\[[A-Za-z][A-Za-z /:_~-]{1,40}(?::~?\d+)?\]")
_BOOLEAN = re.compile(r"\S\s+(?:AND|OR|NOT)\s+\S")
_LOUD = re.compile(r"[^a-z]*")


class PubMed:
    """A `SearchProvider` over PubMed; it keeps the pace that NCBI asks for by itself."""

    name = "pubmed"
    kinds = frozenset({SourceKind.PUBMED, SourceKind.SCHOLARLY})
    narrows = frozenset({Bound.DATES, Bound.LANGUAGES})

    def __init__(self, api: Api, keep: ProvidedText, pace: RateLimit) -> None:
        """Ask through ``api``; every request of a search, two or three, waits at ``pace``."""
        self._api = api
        self._keep = keep
        self._pace = pace

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 100 at the most; see `SearchProvider`.

        A query in PubMed's own syntax is asked as it stands. Of any other, the articles with all
        its words come first, those with any of them after.
        """
        wanted = min(limit, _MOST)
        terms = _terms(query.text)
        if not terms or wanted < 1:
            return ()
        ids = await widening(
            terms, lambda term: self._find(term, wanted, query.scope), limit=wanted, key=str
        )
        found = await self._records(ids) if ids else ()
        return await hits(self.name, found, query, self._keep)

    async def _find(self, term: str, limit: int, scope: Scope | None) -> Sequence[str]:
        """Return the ids of the articles within ``scope`` that best match ``term``."""
        params = {
            "db": "pubmed",
            "term": term,
            "retmax": str(limit),
            "retmode": "json",
            "sort": "relevance",
        }
        if scope and scope.languages:
            codes = [MEDLINE_LANGUAGES.get(code, code) for code in scope.languages]
            params["term"] = f"({term}) AND ({' OR '.join(f'{code}[la]' for code in codes)})"
        if days := period(scope):
            first, last = (day.strftime("%Y/%m/%d") for day in days)
            params |= {"datetype": "pdat", "mindate": first, "maxdate": last}
        await self._pace.wait(self.name)
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
        await self._pace.wait(self.name)
        data = await self._api.get("efetch.fcgi", params, headers={"Accept": "text/xml"})
        records = read_records(parse_xml(self.name, data))
        return batch(self.name, map(records.get, ids), len(ids)).found


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
