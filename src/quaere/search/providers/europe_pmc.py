"""Searches Europe PMC: PubMed, preprints, patents, theses and guidelines, with their abstracts."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope
from quaere.domain.source import Hit
from quaere.domain.url import pmc_url
from quaere.search.api import (
    MEDLINE_LANGUAGES,
    Fields,
    described,
    fields_of,
    iso_date,
    items_of,
    period,
)
from quaere.search.markup import line, paragraphs
from quaere.search.results import Found, ScholarlyIndex, batch, by_url, widening
from quaere.search.wording import MAX_STRICT, keywords, quoted

_MOST = 100  # the service gives up to 1,000 at once
_RETRACTED = frozenset({"retracted publication"})


class EuropePmc(ScholarlyIndex):
    """A `SearchProvider` over Europe PMC."""

    name = "europe_pmc"
    kinds = frozenset({SourceKind.PUBMED, SourceKind.SCHOLARLY})
    narrows = frozenset({Bound.DATES, Bound.LANGUAGES})

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, 100 at most; see `SearchProvider`.

        Works with all words of the query come first, those with any of them after.
        """
        words = quoted(keywords(query.text))
        wanted = min(limit, _MOST)
        if not words or wanted < 1:
            return ()
        wordings = (" AND ".join(words[:MAX_STRICT]), " OR ".join(words))
        found = await widening(
            wordings,
            lambda text: self._ask(_within(text, query.scope), wanted),
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
        return (await batch(self.name, map(_found, items), len(items))).found


def _within(text: str, scope: Scope | None) -> str:
    """Return ``text`` with the days and the languages of ``scope``, in the service's own syntax."""
    wanted: list[str] = []
    if days := period(scope):
        wanted.append(f"FIRST_PDATE:[{days[0]} TO {days[1]}]")
    if scope and scope.languages:
        codes = [MEDLINE_LANGUAGES.get(code, code) for code in scope.languages]
        wanted.append(f"({' OR '.join(f'LANG:{code}' for code in codes)})")
    return " AND ".join([f"({text})", *wanted]) if wanted else text


def _found(item: Fields) -> Found | None:
    source, number = item.text("source"), item.text("id")
    if not source.isalnum() or not number:
        return None
    text = paragraphs(item.text("abstractText"))
    notice = _notice(item)
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
        standing=_standing(item, notice),
        full_text=pmc_url(item.text("pmcid")) if item.flag("isOpenAccess") else "",
    )


def _standing(item: Fields, notice: str) -> str:
    types = {each.lower() for each in item.inner("pubTypeList").texts("pubType")}
    return "Retracted" if notice or types & _RETRACTED else ""


def _notice(item: Fields) -> str:
    """Return where the work was retracted; empty for one that was not."""
    for correction in item.inner("commentCorrectionList").each("commentCorrection"):
        if correction.text("type").lower() == "retraction in":
            return f"Retraction in: {correction.text('reference')}"
    return ""
