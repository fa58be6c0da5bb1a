"""Checks that any embedder returns one cosine for each pair of texts."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.errors import ContractError
from quaere.ports.model import Embedder


async def cosines_of(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
    """Return the cosine of each of ``pairs`` by ``embedder``, in their order.

    Raises:
        ReasonError: when it cannot say, or says something else.
    """
    cosines = tuple(await embedder.similarities(pairs))
    if len(cosines) != len(pairs):
        raise ContractError(
            f"{embedder.name} returned {len(cosines)} similarities for {len(pairs)} pairs of texts."
        )
    if not all(-1 <= cosine <= 1 for cosine in cosines):
        raise ContractError(f"{embedder.name} returned a similarity outside -1 to 1.")
    return cosines
