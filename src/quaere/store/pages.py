"""Keeps the passages of one run in memory."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.domain.source import Passage


class MemoryPageStore:
    """A page store that lives as long as its run."""

    def __init__(self) -> None:
        self._passages: dict[str, Passage] = {}

    def add(self, passages: Iterable[Passage]) -> None:
        """Keep ``passages``; one that is there already stays as it is."""
        for passage in passages:
            self._passages.setdefault(passage.id, passage)

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id.

        Raises:
            KeyError: when it was never added.
        """
        return self._passages[passage_id]
