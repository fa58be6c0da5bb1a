"""Language models, embedders, and the account of what they cost."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Protocol

from pydantic import Field

from quaere.domain.model import Completion, ModelCall, ModelRequest, Traits
from quaere.domain.value import Value
from quaere.errors import ModelError, ReasonError


class ChatModel(Protocol):
    """A language model behind some service."""

    @property
    def name(self) -> str:
        """``vendor:model``, or for several in a row the names of all."""
        ...

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and completion may have together."""
        ...

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer, unchecked.

        Raises:
            ModelError: when there is none; ``retryable`` says whether to ask again.
        """
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield the answer piece by piece as text; the last item is the whole completion.

        Raises:
            ModelError: as ``complete``, also in the middle of the answer.
        """
        ...


def thinking_tokens(of: object) -> int:
    """Return the output tokens that a call may take beyond those that it asks for.

    Args:
        of: A model, or what reasons with some; its ``thinking_tokens``, 0 where it has none.
    """
    told: object = getattr(of, "thinking_tokens", 0)
    return told if isinstance(told, int) else 0


def traits_of(of: object) -> Traits:
    """Return what is known of a model, its ``traits``; nothing of most."""
    # Asking whether it is of a protocol would read the attribute twice in each policy around it.
    told: object = getattr(of, "traits", None)
    return told if isinstance(told, Traits) else Traits()


class Embedder(Protocol):
    """Tells how near texts are in meaning, whatever words they use."""

    @property
    def name(self) -> str:
        """``vendor:model``."""
        ...

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return the cosine, -1 to 1, of the embeddings of each pair, in the order of ``pairs``.

        Raises:
            ReasonError: when it could not be reached, or its reply does not hold embeddings.
        """
        ...


class Ledger(Protocol):
    """Keeps account of the model calls of one run."""

    def admit(self, model: str, *, prompt_tokens: int, completion_tokens: int) -> None:
        """Let a call of that size begin.

        Raises:
            BudgetExceeded: when it may cost more than is left.
            ModelRejected: when ``model`` is known to reject every call.
        """
        ...

    def failed(self, model: str, error: ReasonError) -> None:
        """Note that a call of ``model`` raised ``error``."""
        ...

    def tokens_left(self) -> int:
        """Return how many tokens a call may take now, prompt and completion together."""
        ...

    def note(self, call: ModelCall) -> None:
        """Record a call that was made, however it ended."""
        ...

    def ratio(self, model: str) -> float:
        """Return how many tokens ``model`` has counted for each one that was estimated."""
        ...


Piece = str | Completion
"""Text, or as the last item the whole answer."""


async def begin(pieces: AsyncIterator[Piece]) -> AsyncGenerator[Piece]:
    """Return ``pieces`` once the first one that holds anything is there.

    Raises:
        ModelError: when there is none; whatever ``pieces`` raises before it passes through.
    """
    async for piece in pieces:
        if piece:
            return _joined(piece, pieces)
    raise ModelError("the stream ended without a reply")


@asynccontextmanager
async def released(pieces: AsyncIterator[Piece]) -> AsyncGenerator[AsyncIterator[Piece]]:
    """Close ``pieces`` at the end, so that what is left of an answer is not waited for."""
    try:
        yield pieces
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


async def _joined(first: Piece, rest: AsyncIterator[Piece]) -> AsyncGenerator[Piece]:
    async with released(rest):
        yield first
        async for piece in rest:
            yield piece


class Entailed(Value):
    """How a premise and a claim stand to each other, as a network has it."""

    entailed: Annotated[float, Field(ge=0, le=1)]
    """How likely the premise says the claim."""
    contradicted: Annotated[float, Field(ge=0, le=1)] | None = None
    """How likely it says the opposite; None of a network that tells that only of what follows."""
    in_a_word: bool = False
    """Whether it was told as yes or no, so that the likelihoods are no more than that."""


class ToldPairs(Value):
    """What an entailment model tells of some premises with their claims."""

    each: tuple[Entailed | None, ...]
    """In order; None of those of which it could not tell."""
    fault: str = ""
    """Why it could not; empty where it told of all."""


class EntailmentModel(Protocol):
    """Tells whether a claim follows from a text."""

    @property
    def name(self) -> str:
        """``vendor:model``."""
        ...

    async def warm(self) -> None:
        """Load what it needs."""
        ...

    async def entail(
        self, pairs: Sequence[tuple[str, str]], ledger: Ledger, *, within_s: float
    ) -> ToldPairs:
        """Return what it tells of ``pairs``, as far as it comes.

        Args:
            pairs: Premise and claim.
            ledger: Its calls are booked there, where it costs any.
            within_s: Seconds after which it begins nothing more and returns what it has. What
                cannot be interrupted may take a little longer.

        Raises:
            ReasonError: when it cannot be used at all.
        """
        ...
