"""Searches the evidence of an earlier run.

Its passages are found, scored and checked like any others: an earlier run lends its evidence to a
new one, never its words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Passage
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms


class EarlierEvidence:
    """Searches the ``passages`` of one earlier run."""

    name = "earlier"
    kinds = frozenset(SourceKind)
    with_text = True

    def __init__(self, passages: Sequence[Passage], *, notice: str) -> None:
        """Search ``passages``; ``notice`` is the report's warning about where they come from."""
        self._passages = tuple(passages)
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
