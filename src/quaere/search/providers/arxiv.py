"""Searches arXiv's preprints through its Atom API."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Scope
from quaere.errors import SearchError
from quaere.resilience.thread import computed
from quaere.search.api import garbled, iso_date, period
from quaere.search.markup import Element, one_line, parse_xml, shortened, words_at
from quaere.search.results import Batch, Found, PagedIndex, batch
from quaere.search.wording import keywords

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_ID = re.compile(r"https?://arxiv\.org/abs/([\w.-]+(?:/\d{7})?(?:v\d+)?)", re.ASCII)
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)


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
        return await batch(self.name, map(_found, entries), len(entries))

    def _entries(self, feed: Element) -> Sequence[Element]:
        if feed.tag != _ATOM + "feed":
            raise garbled(self.name)
        entries = feed.findall(_ATOM + "entry")
        for entry in entries:
            if "/api/errors" in words_at(entry, _ATOM + "id"):
                problem = one_line(words_at(entry, _ATOM + "summary"))
                raise SearchError(f"{self.name} failed: {shortened(problem, 200)}")
        return entries


def _found(entry: Element) -> Found | None:
    match = _ID.fullmatch(words_at(entry, _ATOM + "id"))
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
