"""Lets the researchers of one run pay once for a query that several of them ask (R1.9)."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.search import SearchProvider
from quaere.resilience.once import Once

Asked = tuple[tuple[str, ...], ...]


def asked_as(query: Query) -> Asked:
    """Return all of ``query`` that a provider may heed; equal for queries with one answer."""
    return (
        (" ".join(query.text.casefold().split()),),
        query.focus,
        query.faint,
        query.titles,
        query.source_kinds,
        (query.scope.model_dump_json(),) if query.scope else (),
    )


class SharedSearch(ForwardingProvider):
    """``inner`` for one run: whoever asks what another has asked gets the same answer."""

    def __init__(self, inner: SearchProvider) -> None:
        super().__init__(inner)
        self._once: Once[tuple[Asked, int], Sequence[Hit]] = Once()

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, best first.

        Raises:
            SearchError: when the provider could not answer.
        """

        async def ask() -> Sequence[Hit]:
            return await self.inner.search(query, limit=limit)

        return await self._once.get((asked_as(query), limit), ask)
