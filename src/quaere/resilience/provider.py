"""Search providers under policies: with retry, limits and breaker, and with others in reserve."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.errors import (
    CircuitOpen,
    SearchError,
    SearchTimeout,
    SearchUnreachable,
    ServiceAway,
)
from quaere.ports.forwarding import ForwardingProvider
from quaere.ports.search import SearchProvider
from quaere.resilience.breaker import Breaker, BreakerPolicy, SharedBreakers
from quaere.resilience.limits import ConcurrencyLimit, Pace
from quaere.resilience.retry import FallbackDetails, RetryBudget, RetryPolicy, fall_back, retry
from quaere.resilience.timing import REAL_TIME, Timing, others_time
from quaere.text.queries import as_understood


@dataclass(frozen=True, slots=True)
class Resilience:
    """The policies for one provider.

    Providers that are given the same limit still wait apart; those given the same budget share it.
    """

    retry: RetryPolicy = field(default_factory=RetryPolicy)
    breaker: BreakerPolicy = field(default_factory=BreakerPolicy)
    attempt_timeout_s: float = 8.0
    """Time for one attempt, without the waits for its turn and without own computing. Keep it under
    the time that a whole search is given: an attempt that is cut off from outside does not count as
    a failure."""
    rate: Pace | None = None
    concurrency: ConcurrencyLimit | None = None
    budget: RetryBudget | None = None
    max_hits: int | None = None
    """Most hits asked for: with many services every ten cost a request."""


class ResilientProvider(ForwardingProvider):
    """``inner`` under ``resilience``.

    An attempt waits for its turn first and asks the breaker last, so that one which queued while
    the circuit opened is not made. Retry goes round the breaker: the breaker counts attempts, an
    open circuit ends the retries, and a probe is one call.
    """

    def __init__(
        self,
        inner: SearchProvider,
        resilience: Resilience = Resilience(),
        *,
        timing: Timing = REAL_TIME,
        shared: SharedBreakers | None = None,
    ) -> None:
        """Ask ``inner``; other processes hear of its failures where breakers are ``shared``."""
        super().__init__(inner)
        self._shared = shared
        self._resilience = resilience
        self._timing = timing
        self._reached = True
        self._breaker = Breaker(
            inner.name, resilience.breaker, timing.monotonic, refusal=self._left_alone
        )

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return at most ``limit`` hits, or as many as the policies ask for, best first.

        Raises:
            SearchError: when the provider could not answer in the attempts it has.
            CircuitOpen: when it is not asked for now; ServiceAway where it was not reached before.
        """
        wanted = min(limit, self._resilience.max_hits or limit)

        async def attempt() -> Sequence[Hit]:
            async with self._turn():
                if self._shared:
                    return await self._shared.run(self._breaker, ask)
                return await self._breaker.run(ask)

        async def ask() -> Sequence[Hit]:
            self._reached = True
            try:
                async with others_time(self._resilience.attempt_timeout_s):
                    return await self.inner.search(query, limit=wanted)
            except SearchUnreachable:
                self._reached = False
                raise
            except TimeoutError as error:
                limit_s = self._resilience.attempt_timeout_s
                raise SearchTimeout(f"{self.name} ran out of time ({limit_s:g} s)") from error

        return await retry(
            attempt,
            self._resilience.retry,
            name=self.name,
            timing=self._timing,
            budget=self._resilience.budget,
        )

    def _left_alone(self, message: str) -> SearchError:
        return CircuitOpen(message) if self._reached else ServiceAway(message)

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        """Wait for the limits and hold a place."""
        async with AsyncExitStack() as held:
            if self._resilience.concurrency is not None:
                await held.enter_async_context(self._resilience.concurrency.hold(self.name))
            if self._resilience.rate is not None:
                await self._resilience.rate.wait(self.name)
            yield


class FallbackProvider(ForwardingProvider):
    """A provider, and others that replace it, each asked when those before it failed.

    Under whatever name they answer here, hits carry the name of the provider they came from.
    """

    def __init__(self, first: SearchProvider, others: Sequence[SearchProvider]) -> None:
        super().__init__(first)
        self.providers = (first, *others)

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the hits of the first provider that answers, be they none.

        Those of another than the first are incomplete, and say which ones failed and why.

        Raises:
            SearchError: when none answers, with all their reasons.
        """
        failed: list[FallbackDetails] = []
        hits = await fall_back(
            [
                (p.name, partial(p.search, as_understood(query, p.kinds), limit=limit))
                for p in self.providers
            ],
            passed_over=failed,
        )
        if not failed:
            return hits
        return [hit.model_copy(update={"incomplete": _instead(failed)}) for hit in hits]


def _instead(failed: Sequence[FallbackDetails]) -> str:
    """Return who was asked instead of those that have ``failed``, and why."""
    reasons = "; ".join(details.error.message.rstrip(".") for details in failed)
    return f"{failed[-1].following} was asked instead: {reasons}."
