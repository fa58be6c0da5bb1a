"""What keeps the text that a run has read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from quaere.domain.source import Passage


class PageStore(Protocol):
    """Keeps what a run has read, so that its state can hold handles."""

    def add(self, passages: Iterable[Passage]) -> None:
        """Keep ``passages``; one that is there already stays as it is."""
        ...

    def passage(self, passage_id: str) -> Passage:
        """Return the passage of that id.

        Raises:
            KeyError: when it was never added.
        """
        ...

    def of(self, url: str) -> Sequence[Passage]:
        """Return the passages of the page at ``url``, however it is spelt, as they were added."""
        ...
