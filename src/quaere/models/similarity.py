"""Tells how near texts are in meaning, by the cosine between embeddings, whatever makes them.

Embedders are told apart, and checked: one cosine for each pair of texts.
"""

from __future__ import annotations

import asyncio
import math
from array import array
from collections.abc import Mapping, Sequence
from operator import mul
from types import MappingProxyType
from typing import Protocol, TypeVar

from quaere.errors import ContractError, ModelTimeout, ReasonError
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


MAX_CHARS = 2_000
"""Of a longer text only the beginning is embedded: the smallest models take 256 tokens, and some
services refuse what is too long for theirs."""
BATCH = 32
"""Texts to a request: what servers of one's own take as they come."""
AT_ONCE = 4
"""Requests that are under way at the same time."""
KEPT = 4_096
"""Embeddings that are kept, for topics and sources come again."""
TIMEOUT_S = 20.0
"""Seconds for all that is asked at once. Others wait for it, and can do without."""

Vector = Sequence[float]


class Embeddings(Protocol):
    """Makes the embeddings of a few texts."""

    @property
    def name(self) -> str:
        """``vendor:model``."""
        ...

    async def warm(self) -> None:
        """Get ready, however long it takes: a network may have to be fetched first."""
        ...

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return the embedding of each of ``texts``, at most BATCH of them.

        Raises:
            ModelError: when there are none.
        """
        ...


class CosineEmbedder:
    """Implements the ``Embedder`` port. A text is embedded once, as long as it is kept."""

    def __init__(self, embeddings: Embeddings, *, timeout_s: float = TIMEOUT_S) -> None:
        self._embeddings = embeddings
        self._timeout_s = timeout_s
        self._kept: dict[str, Vector] = {}

    @property
    def name(self) -> str:
        """``vendor:model``."""
        return self._embeddings.name

    async def warm(self) -> None:
        """Get ready, however long it takes.

        Raises:
            ModelError: when it cannot.
        """
        await self._embeddings.warm()

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the cosine of each pair; 0.0 where a text has nothing that could be embedded."""
        texts = sorted({text for pair in pairs for text in map(_embedded, pair) if text})
        try:
            async with asyncio.timeout(self._timeout_s):
                vectors = await self._vectors(texts)
        except TimeoutError as error:
            raise ModelTimeout(
                f"{self.name} did not answer within {self._timeout_s:g} s."
            ) from error
        return [_cosine(vectors, _embedded(a), _embedded(b)) for a, b in pairs]

    async def _vectors(self, texts: Sequence[str]) -> dict[str, Vector]:
        known = {text: self._kept[text] for text in texts if text in self._kept}
        found = known | await self._embedded([text for text in texts if text not in known])
        sizes = set(map(len, found.values()))
        if len(sizes) > 1:
            self._kept.clear()  # useless once the name refers to another model
            raise ContractError(f"{self.name} returned embeddings of different lengths.")
        return found

    async def _embedded(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return the embeddings of ``texts``, made in several batches at once."""
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(batch: Sequence[str]) -> dict[str, Vector]:
            async with gate:
                vectors = self._checked(await self._embeddings.embed(batch), len(batch))
            made = dict(zip(batch, vectors, strict=True))
            self._keep(made)  # even if there is no time for the others
            return made

        batches = [texts[at : at + BATCH] for at in range(0, len(texts), BATCH)]
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(batch)) for batch in batches]
        except* ReasonError as several:
            raise several.exceptions[0] from None
        found: dict[str, Vector] = {}
        for task in tasks:
            found |= task.result()
        return found

    def _keep(self, fresh: Mapping[str, Vector]) -> None:
        self._kept |= fresh
        for text in list(self._kept)[: max(0, len(self._kept) - KEPT)]:
            del self._kept[text]

    def _checked(self, vectors: Sequence[Vector], count: int) -> list[Vector]:
        """Return ``vectors`` with a length of one each, if they can be embeddings."""
        if len(vectors) != count:
            raise ContractError(
                f"{self.name} returned {len(vectors)} embeddings for {count} texts."
            )
        lengths = [math.hypot(*vector) for vector in vectors]
        if not all(0 < length < math.inf for length in lengths):
            raise ContractError(f"{self.name} returned an embedding of length zero.")
        return [
            array("d", (x / length for x in vector))  # a quarter of the memory of a tuple
            for vector, length in zip(vectors, lengths, strict=True)
        ]


def _embedded(text: str) -> str:
    """Return what is embedded of ``text``: a service takes no lone surrogates."""
    return text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8").strip()


def _cosine(vectors: Mapping[str, Vector], a: str, b: str) -> float:
    if not a or not b:
        return 0.0
    return max(-1.0, min(1.0, sum(map(mul, vectors[a], vectors[b]))))
