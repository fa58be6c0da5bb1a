"""An embedder that follows a script."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quaere.errors import ReasonError

Likeness = Callable[[str, str], float]


class ScriptedEmbedder:
    """A `quaere.ports.Embedder` that says of two texts what it is told to, and remembers them."""

    def __init__(
        self,
        likeness: Likeness,
        *,
        name: str = "test:all-MiniLM-L6-v2",
        error: ReasonError | None = None,
    ) -> None:
        """Say of each pair what ``likeness`` does.

        Args:
            likeness: Returns the cosine, -1 to 1.
            name: ``vendor:model``. By the one it has when left out it counts as an embedder that
                was measured, so that verification and the topic check ask it.
            error: Raised in place of any answer.
        """
        self.name = name
        self.asked: list[tuple[str, str]] = []
        """All pairs, in the order in which they came."""
        self._likeness = likeness
        self._error = error

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the cosine of each pair."""
        self.asked += pairs
        if self._error:
            raise self._error
        return [self._likeness(a, b) for a, b in pairs]
