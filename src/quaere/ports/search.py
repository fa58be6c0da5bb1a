"""What finds sources."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from quaere.domain.question import Query, SourceKind
from quaere.domain.report import RunWarning
from quaere.domain.scope import Bound
from quaere.domain.source import Hit

Progress = Callable[[int, int, int], None]
"""Takes how far a preparation is: documents done, documents in all, passages so far."""


class SearchProvider(Protocol):
    """Finds sources for a query."""

    name: str
    kinds: frozenset[SourceKind]

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, best first; empty when there are none.

        Raises:
            SearchError: when it could not answer. An outage is never an empty result.
        """
        ...


@runtime_checkable
class Preparable(Protocol):
    """A provider with work to do before its first search, such as refreshing an index."""

    async def prepare(self, progress: Progress) -> Sequence[RunWarning]:
        """Get ready, telling ``progress`` now and then; return what went wrong.

        It may be cancelled at any moment and leaves the provider usable with what is done by then.
        """
        ...


@runtime_checkable
class TermStatistics(Protocol):
    """A provider that knows how common a word is in what it searches."""

    def document_share(self, word: str) -> float:
        """Return the share of passages, 0 to 1, that hold ``word``."""
        ...


@runtime_checkable
class Narrowing(Protocol):
    """A provider that heeds the ``scope`` of a query by itself, at least in part."""

    narrows: frozenset[Bound]
    """What it guarantees: all its hits keep to these, also those that do not show it."""
