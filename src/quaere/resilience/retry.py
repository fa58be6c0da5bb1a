"""What is done about a call that fails or is late: it is made again, twice, or elsewhere.

One that failed for a passing reason is made again, after a wait that grows. One whose answer is
late is made a second time in parallel, and the answer that begins first is taken. In place of an
implementation that has failed, the next one is asked.

The loop that retries is our own: it is shorter than the set-up of a retry library, which would add
80 ms to the start of every command and could be given neither this clock nor the wait that a server
asked for.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

from quaere.errors import ModelError, QuaereError, SearchError, UsageError, named
from quaere.resilience.timing import REAL_TIME, Timing, settle

logger = logging.getLogger(__name__)

T = TypeVar("T")


class RetryBudget:
    """Bounds the retries of all calls that share it.

    Of ``n`` calls no more than ``at_start + share * n`` are retried. Retrying alone multiplies
    calls when they are least welcome: where half of them fail, three attempts each make 1.75 calls
    of one. A shared budget keeps the sum near what it would be without faults, and does not matter
    where few fail. After Finagle's ``RetryBudget`` and gRPC's retry throttling (gRFC A6).
    """

    def __init__(self, share: float = 0.2, *, at_start: float = 3.0, most: float = 10.0) -> None:
        """Allow ``share`` retries a call.

        Args:
            share: Retries earned by each call, failed or not.
            at_start: Retries for the first calls, which have earned none yet: the very first one
                has all its three attempts (R0.8). From thirty calls on, the two defaults keep the
                sum under 1.3 times the calls.
            most: Retries that are kept for later; what is earned beyond is lost, so that a quiet
                day does not pay for a storm.
        """
        self._share = share
        self._most = most
        self._left = at_start

    def earn(self) -> None:
        """Count a call, not a retry of one."""
        self._left = min(self._left + self._share, max(self._most, self._left))

    def spend(self) -> bool:
        """Return whether a retry may be made now, and count it if so."""
        # Sums of floats fall short of a whole by some 1e-16 a term.
        if self._left < 1.0 - 1e-9:
            return False
        self._left -= 1.0
        return True


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a call is made and how long it is waited for in between (R0.8). Times in seconds.

    The wait after a failed attempt is ``min(unit_s * (2**n + U(0, 1)), max_wait_s)``, where ``n``
    counts the attempts before it. An error that carries a number in ``retry_after`` decides for
    itself, up to ``max_retry_after_s``. No attempt begins later than ``within_s`` after the first.
    """

    attempts: int = 3
    unit_s: float = 1.0
    max_wait_s: float = 10.0
    max_retry_after_s: float = 30.0
    within_s: float = 15.0

    def wait_s(self, failed: int, jitter: float, retry_after: float | None = None) -> float:
        """Return the wait after ``failed`` (at least 1) attempts; ``jitter`` is from U(0, 1)."""
        if retry_after is not None:
            return min(retry_after + jitter, self.max_retry_after_s)
        return min(self.unit_s * (2 ** (failed - 1) + jitter), self.max_wait_s)


@dataclass(slots=True)
class RetryCount:
    """How many attempts were repeated."""

    count: int = 0


_counting: ContextVar[RetryCount | None] = ContextVar("counting", default=None)


@contextmanager
def count_retries() -> Generator[RetryCount]:
    """Yield what counts the retries of every call made inside, however deep it is wrapped."""
    token = _counting.set(counted := RetryCount())
    try:
        yield counted
    finally:
        _counting.reset(token)


async def retry(
    call: Callable[[], Awaitable[T]],
    policy: RetryPolicy,
    *,
    name: str,
    timing: Timing = REAL_TIME,
    budget: RetryBudget | None = None,
) -> T:
    """Return what ``call`` returns, calling again after errors that say they are ``retryable``.

    Raises:
        QuaereError: the last error, when the attempts, the time or the ``budget`` are used up, or
            the first that is not retryable. Whatever else ``call`` raises passes through at once.
    """
    if budget is not None:
        budget.earn()
    deadline = timing.monotonic() + policy.within_s
    failed = 0
    while True:
        try:
            return await call()
        except QuaereError as error:
            failed += 1
            wait_s = _wait_s(error, failed, policy, timing)
            if wait_s is None or timing.monotonic() + wait_s > deadline or not _pays(budget):
                raise
            logger.warning(
                "%s failed (attempt %d of %d), again in %.1f s: %s",
                *(name, failed, policy.attempts, wait_s, error.message),
            )
            _count()
        await timing.sleep(wait_s)


def _wait_s(error: QuaereError, failed: int, policy: RetryPolicy, timing: Timing) -> float | None:
    """Return the seconds to wait before the next attempt, None if no attempt is left."""
    if not error.retryable or failed >= policy.attempts:
        return None
    return policy.wait_s(failed, timing.jitter(), _retry_after(error))


def _pays(budget: RetryBudget | None) -> bool:
    """Take another attempt from the ``budget``, if there is one; tell whether it had one left."""
    return budget is None or budget.spend()


def _count() -> None:
    if (counted := _counting.get()) is not None:
        counted.count += 1


def _retry_after(error: QuaereError) -> float | None:
    """Return the wait in seconds that ``error`` asks for, ``None`` if it asks for none."""
    seconds = error.retry_after if isinstance(error, SearchError | ModelError) else None
    return max(0.0, seconds) if seconds is not None and math.isfinite(seconds) else None


Begun = Callable[[], None]
"""Called by a call as soon as its answer begins to come."""


async def hedged(
    call: Callable[[Begun], Coroutine[object, object, T]],
    *,
    after_s: float,
    budget: RetryBudget,
) -> T:
    """Return what ``call`` returns; after ``after_s`` seconds without a sign, call a second time.

    That one request hangs rarely means that the next will: most often it is answered at once.
    The first goes on, so that one that is only slow is not lost; the one that is answered first is
    waited for, the other is cancelled. See Dean and Barroso, "The Tail at Scale" (2013), on hedged
    requests.

    Args:
        call: Makes a call that may be made twice, and cancelled; tells when its answer begins.
        after_s: Seconds.
        budget: Pays for the second call; without it the first is waited for.

    Raises:
        Exception: what the call that was answered first raises, or the last where none is answered.
    """
    attempts = [_Attempt(call)]
    try:
        await asyncio.wait([attempts[0].sign], timeout=after_s)
        if not attempts[0].sign.done() and budget.spend():
            attempts.append(_Attempt(call))
        taken = await _first(attempts)
        await settle([each.task for each in attempts if each is not taken], 0.0)
        return await taken.task
    finally:
        await settle([each.task for each in attempts], 0.0)


class _Attempt(Generic[T]):
    """A call on its way."""

    def __init__(self, call: Callable[[Begun], Coroutine[object, object, T]]) -> None:
        self.sign: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once its answer begins, or the call has ended."""
        self.task = asyncio.create_task(call(self._begun))
        self.task.add_done_callback(lambda _: self._begun())

    @property
    def failed(self) -> bool:
        """Whether it has ended without a result."""
        ended = self.task.done()
        return ended and (self.task.cancelled() or self.task.exception() is not None)

    def _begun(self) -> None:
        if not self.sign.done():
            self.sign.set_result(None)


async def _first(attempts: list[_Attempt[T]]) -> _Attempt[T]:
    """Return the attempt that is answered first, or the last one to fail."""
    left = list(attempts)
    while True:
        await asyncio.wait([each.sign for each in left], return_when=asyncio.FIRST_COMPLETED)
        for each in [each for each in left if each.sign.done()]:
            if not each.failed or len(left) == 1:
                return each
            left.remove(each)


@dataclass(frozen=True, slots=True)
class FallbackDetails:
    """An implementation that failed and the one that is asked in its place."""

    failed: str
    following: str
    error: QuaereError


def search_failure(message: str, _: Sequence[QuaereError]) -> QuaereError:
    """Return the error for a search that nobody could do."""
    return SearchError(message)


async def fall_back(
    calls: Sequence[tuple[str, Callable[[], Awaitable[T]]]],
    failure: Callable[[str, Sequence[QuaereError]], QuaereError] = search_failure,
    passed_over: list[FallbackDetails] | None = None,
) -> T:
    """Return what the first of the named ``calls`` that does not fail returns.

    Those that fail before it are logged, and added to ``passed_over``.

    Raises:
        SearchError: or what else ``failure`` makes of a message and the causes, when all failed.
            The message names every cause, and the errors themselves are the ``ExceptionGroup`` in
            its ``__cause__``.
        UsageError: at once; the others would say the same.
    """
    causes: list[QuaereError] = []
    reasons: list[str] = []
    following = [name for name, _ in calls[1:]]
    for name, call in calls:
        try:
            return await call()
        except UsageError:
            raise
        except QuaereError as error:
            causes.append(error)
            reasons.append(named(name, error.message))
            if following:
                details = FallbackDetails(name, following.pop(0), error)
                logger.warning("%s failed, asking %s: %s", name, details.following, error.message)
                if passed_over is not None:
                    passed_over.append(details)
    if not causes:
        raise failure("no search service is configured", causes)
    message = f"all failed: {'; '.join(reasons)}"
    raise failure(message, causes) from ExceptionGroup("causes", causes)
