"""Holds an embedder to its contract, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.errors import ContractError
from quaere.ports.model import Embedder


async def cosines_of(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
    """Return what ``embedder`` says of ``pairs``: one cosine each, in their order.

    Raises:
        ReasonError: when it cannot say, or says something else.
    """
    cosines = tuple(await embedder.similarities(pairs))
    if len(cosines) != len(pairs):
        raise ContractError(
            f"{embedder.name} gave {len(cosines)} cosines of {len(pairs)} pairs of texts."
        )
    if not all(-1 <= cosine <= 1 for cosine in cosines):
        raise ContractError(f"{embedder.name} gave what is no cosine.")
    return cosines
