"""Tells embedders apart, and checks that they return one cosine for each pair of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from quaere.errors import ContractError
from quaere.ports.model import Embedder

T = TypeVar("T")


async def cosines_of(embedder: Embedder, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
    """Return the cosine of each of ``pairs`` by ``embedder``, in the order of ``pairs``.

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


def spread(cosines: Mapping[T, float]) -> dict[T, float]:
    """Return ``cosines`` from 0 for the lowest of them to 1 for the highest.

    What counts as near differs between embedders; which of some texts is nearest does not.
    """
    low, high = min(cosines.values(), default=0.0), max(cosines.values(), default=0.0)
    width = (high - low) or 1.0
    return {key: (cosine - low) / width for key, cosine in cosines.items()}


MINILM = "all-minilm-l6-v2"
"""sentence-transformers/all-MiniLM-L6-v2, the only one that was measured."""

_ALIASES: Mapping[str, str] = MappingProxyType(
    {"all-minilm": MINILM, "all-minilm:22m": MINILM, "all-minilm:l6-v2": MINILM}
)
"""What Ollama's library calls it (ollama.com/library/all-minilm)."""


def known_as(name: str) -> str:
    """Return what the embedder called ``name``, ``vendor:model``, is known as.

    >>> known_as("local:sentence-transformers/all-MiniLM-L6-v2")
    'all-minilm-l6-v2'
    """
    model = name.partition(":")[2].rstrip("/").rpartition("/")[2].lower().removesuffix(":latest")
    return _ALIASES.get(model, model)
