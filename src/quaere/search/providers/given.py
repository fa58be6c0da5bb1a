"""Answers from pages that the asker named by URL."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit
from quaere.domain.url import canonical_url
from quaere.errors import UsageError
from quaere.search.results import is_web_url


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
            UsageError: when one of them is no http or https URL. Files are given as documents.
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
