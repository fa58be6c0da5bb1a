"""A search provider for a file of bookmarks with notes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from quaere.domain.question import Query, SourceKind
from quaere.domain.source import Hit, Passage, passage_id
from quaere.errors import SearchRejected
from quaere.search.registry import ProviderInfo

FILE = "BOOKMARKS_FILE"


class Bookmarks:
    """Finds the bookmarks whose title and notes have most words of the query."""

    name = "bookmarks"
    kinds = frozenset({SourceKind.WEB})

    def __init__(self, path: Path) -> None:
        """Search the file at ``path``, which is read at every search."""
        self._path = path

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` bookmarks, best first.

        Raises:
            SearchError: when the file cannot be read. That is not the same as finding nothing.
        """
        return await asyncio.to_thread(self._found, query.text, limit)

    def _found(self, text: str, limit: int) -> list[Hit]:
        wanted = set(text.casefold().split())
        scored = [(self._score(wanted, each), each) for each in self._bookmarks()]
        best = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])[:limit]
        return [self._hit(rank, each) for rank, (_, each) in enumerate(best)]

    def _bookmarks(self) -> list[Mapping[str, str]]:
        try:
            lines = self._path.read_text("utf-8").splitlines()
            return [json.loads(line) for line in lines if line.strip()]
        except (OSError, ValueError) as error:
            raise SearchRejected(f"The file of bookmarks cannot be read: {error}.") from error

    def _score(self, wanted: set[str], bookmark: Mapping[str, str]) -> int:
        return len(wanted & set(f"{bookmark['title']} {bookmark['notes']}".casefold().split()))

    def _hit(self, rank: int, bookmark: Mapping[str, str]) -> Hit:
        url, title, notes = bookmark["url"], bookmark["title"], bookmark["notes"]
        # A hit that comes with its text need not be opened; leave ``passages`` out otherwise.
        passage = Passage(
            id=passage_id(url, 0, notes), url=url, title=title, text=notes, start=0, end=len(notes)
        )
        return Hit(url=url, title=title, provider=self.name, rank=rank, passages=(passage,))


INFO = ProviderInfo(
    name="bookmarks",
    kinds=Bookmarks.kinds,
    needs=(FILE,),
    description="Bookmarks with notes, from a file",
    factory=lambda settings: Bookmarks(Path(settings[FILE]).expanduser()),
    with_text=True,
)
