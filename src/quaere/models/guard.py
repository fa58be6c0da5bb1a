"""Language models that take care of themselves, and several of them in a row."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Self, TypeVar

from quaere.domain.model import Completion, ModelRequest, Traits
from quaere.errors import (
    BudgetExceeded,
    ModelError,
    ModelRejected,
    ModelTimeout,
    ModelUnavailable,
    QuaereError,
    UsageError,
)
from quaere.models.failures import ModelUnusable, is_unusable
from quaere.ports.forwarding import ForwardingModel
from quaere.ports.model import ChatModel, Piece, begin, released, thinking_tokens, traits_of
from quaere.resilience.breaker import Breaker, BreakerPolicy
from quaere.resilience.retry import RetryPolicy, fall_back, retry
from quaere.resilience.timing import REAL_TIME, Timing

T = TypeVar("T")

BETWEEN_NAMES = ", "
"""Parts the names of models that are asked one after the other."""


PAUSE_S = 20.0


@dataclass(frozen=True, slots=True)
class ModelPolicy:
    """The policies for one model. Times in seconds."""

    retry: RetryPolicy = field(default_factory=RetryPolicy)
    breaker: BreakerPolicy = field(default_factory=BreakerPolicy)
    attempt_timeout_s: float = 120.0
    """For a whole answer, or the first piece of a streamed one, before which a model may think.
    Longer than ``retry.within_s``, so a server that hangs is asked once a step. A run that has less
    left waits no longer than that."""
    pause_s: float = PAUSE_S
    """Between two pieces of a streamed answer."""

    @classmethod
    def within(cls, seconds: float) -> Self:
        """Return the policies for a model whose calls may take ``seconds``."""
        return cls(attempt_timeout_s=seconds, pause_s=max(PAUSE_S, seconds / 6))


class ResilientModel(ForwardingModel):
    """``inner`` under ``policy``.

    Retry goes round the breaker: the breaker counts attempts, an open circuit ends the retries and
    those of every later call. All runs share one model, so that they learn from each
    other that it is down. ``ModelRejected`` does not count: a service that refuses is alive, and
    the next request may be a better one.

    A streamed answer is asked for again only until its first piece is there. What fails afterwards
    passes through, since text that was shown cannot be taken back.
    """

    def __init__(
        self,
        inner: ChatModel,
        policy: ModelPolicy = ModelPolicy(),
        *,
        timing: Timing = REAL_TIME,
    ) -> None:
        super().__init__(inner)
        self.policy = policy
        self._timing = timing
        self._breaker = Breaker(
            inner.name,
            policy.breaker,
            timing.monotonic,
            refusal=ModelUnavailable,
            ignored=(UsageError, ModelRejected),
        )

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer, unchecked.

        Raises:
            ModelError: when there is none in the attempts it has.
            ModelUnavailable: when it is not asked for now.
        """
        return await self._attempts(lambda: self.inner.complete(request))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece]:
        """Yield the answer piece by piece as text; the last item is the whole completion.

        Raises:
            ModelError: as ``complete``, also in the middle of the answer.
        """
        begun = await self._attempts(lambda: begin(self.inner.stream(request)))
        pause_s = self.policy.pause_s
        async with released(begun):
            while (piece := await self._in_time(anext(begun, None), pause_s)) is not None:
                yield piece

    async def _attempts(self, call: Callable[[], Awaitable[T]]) -> T:
        def attempt() -> Awaitable[T]:
            return self._in_time(call(), self.policy.attempt_timeout_s)

        return await retry(
            lambda: self._breaker.run(attempt),
            self.policy.retry,
            name=self.name,
            timing=self._timing,
        )

    async def _in_time(self, call: Awaitable[T], seconds: float) -> T:
        try:
            async with asyncio.timeout(seconds):
                return await call
        except TimeoutError as error:
            raise ModelTimeout(f"{self.name} ran out of time ({seconds:g} s)") from error


class FallbackModel:
    """Models of which each is asked only when those before it failed.

    A model that rejects the request is passed over too, since its key or its name may be at fault,
    and so is one whose call would cost too much: each must be metered by itself. A streamed answer
    stays with the model that gave its first piece.
    """

    def __init__(self, models: Sequence[ChatModel]) -> None:
        """Ask ``models`` in order.

        Raises:
            UsageError: when there are none.
        """
        if not models:
            raise UsageError("A fallback needs at least one model.")
        self.models = tuple(models)

    @property
    def name(self) -> str:
        """The names of all, with commas between them."""
        return BETWEEN_NAMES.join(model.name for model in self.models)

    @property
    def context_tokens(self) -> int:
        """The smallest of all, so that a prompt fits every one of them."""
        return min(model.context_tokens for model in self.models)

    @property
    def thinking_tokens(self) -> int:
        """The most of all, so that there is room for every one of them."""
        return max(map(thinking_tokens, self.models))

    @property
    def traits(self) -> Traits:
        """Small if one of them is; the schema is unseen if none sees it."""
        traits = [traits_of(model) for model in self.models]
        return Traits(
            small=any(each.small for each in traits),
            schema_unseen=all(each.schema_unseen for each in traits),
        )

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer of the first model that gives one.

        Raises:
            ModelError: when none does, with all their reasons; ``ModelUnusable`` when all will
                say the same again.
            BudgetExceeded: when the calls of all would cost more than is left.
        """
        return await self._first(lambda model: model.complete(request))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Piece]:
        """Yield the answer of the first model that begins one.

        Raises:
            ModelError: as ``complete``, also in the middle of the answer.
            BudgetExceeded: as ``complete``.
        """
        async with released(await self._first(lambda m: begin(m.stream(request)))) as pieces:
            async for piece in pieces:
                yield piece

    async def _first(self, call: Callable[[ChatModel], Awaitable[T]]) -> T:
        return await fall_back(
            [(model.name, partial(call, model)) for model in self.models],
            _failure,
        )


def _failure(message: str, causes: Sequence[QuaereError]) -> QuaereError:
    if all(isinstance(cause, BudgetExceeded) for cause in causes):
        return BudgetExceeded(message)
    return ModelUnusable(message) if all(map(is_unusable, causes)) else ModelError(message)
