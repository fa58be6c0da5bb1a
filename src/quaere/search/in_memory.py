"""Search providers over passages that are already there."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Passage
from quaere.domain.url import canonical_url
from quaere.errors import UsageError
from quaere.search.results import is_web_url
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms


class EarlierEvidence:
    """Searches the ``passages`` of one earlier run."""

    name = "earlier"
    kinds = frozenset(SourceKind)
    with_text = True

    def __init__(self, passages: Sequence[Passage], *, notice: str) -> None:
        """Search ``passages``; ``notice`` is the report's warning about where they come from.

        Whole tables are left out: a search for tables brings them again, and is what tells them
        from passages.
        """
        self._passages = tuple(each for each in passages if not each.whole_table)
        self._notice = notice
        self._index = Bm25([terms(f"{each.title}\n{each.text}") for each in self._passages])

    async def prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        """Say, for the report, that an earlier run is drawn on."""
        del progress
        return [RunWarning(kind="earlier", message=self._notice)]

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the passages that share words with ``query``, best first."""
        scores = self._index.scores(terms(query.text))
        ranked = sorted(range(len(scores)), key=lambda n: (-scores[n], self._passages[n].id))
        found = [self._passages[n] for n in ranked if scores[n] > 0][:limit]
        return [
            Hit(
                url=each.url,
                title=each.title,
                provider=self.name,
                rank=rank,
                kind=SourceKind.FOLDER if each.url.startswith("file:") else SourceKind.WEB,
                published=each.published,
                passages=(each,),
            )
            for rank, each in enumerate(found)
        ]


class GivenPages:
    """A `SearchProvider` whose hits are always the same pages, in the order they were given.

    Every query finds them all: whatever a page holds for a later query is found again, and a page
    that one loop had no budget to open is there for the next. They are read as any other page is.
    """

    name = "given"
    kinds = frozenset(SourceKind)

    def __init__(self, urls: Sequence[str]) -> None:
        """Find ``urls``, each once.

        Raises:
            UsageError: when one of them is not an http or https URL. Files are given as documents.
        """
        for url in urls:
            if not is_web_url(url.strip()):
                raise UsageError(f"{url:.200} is not the URL of a web page.")
        first: dict[str, str] = {}
        for url in urls:
            first.setdefault(canonical_url(url), url.strip())
        self.urls = tuple(first.values())

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the first ``limit`` pages."""
        del query
        return tuple(
            Hit(url=url, title=url, provider=self.name, rank=rank)
            for rank, url in enumerate(self.urls[:limit])
        )
