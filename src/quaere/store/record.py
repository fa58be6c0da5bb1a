"""Takes down what the ports of a run answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeVar

from quaere.domain.question import Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page
from quaere.domain.value import encodable
from quaere.errors import QuaereError, ReadError, SearchError
from quaere.ports import Clock, Preparable, Reader, SearchProvider, TermStatistics
from quaere.store.tape import (
    Entry,
    Preparation,
    Reading,
    Search,
    Shares,
    Tape,
    TapedError,
    TapedProvider,
    Ticks,
)

T = TypeVar("T")


class Recorder:
    """Wraps the ports of one run and holds what they answer."""

    def __init__(self, clock: Clock) -> None:
        """Let the run take its time from ``self.clock``, which takes it from ``clock``."""
        self.clock = RecordedClock(clock)
        self._providers: list[TapedProvider] = []
        self._answers: list[Entry] = []
        self._shares: dict[str, dict[str, float]] = {}

    @property
    def tape(self) -> Tape:
        """What has been taken down so far."""
        ticks = Ticks(seconds=tuple(self.clock.ticks))
        shares = [Shares(provider=name, shares=kept) for name, kept in self._shares.items()]
        return Tape(self.clock.begun, (*self._providers, ticks, *self._answers, *shares))

    def provider(self, inner: SearchProvider) -> RecordedProvider:
        """Return ``inner`` with every answer taken down."""
        taped = TapedProvider(
            name=inner.name,
            kinds=tuple(sorted(inner.kinds)),
            prepares=isinstance(inner, Preparable),
            counts=isinstance(inner, TermStatistics),
        )
        self._providers.append(taped)
        return RecordedProvider(inner, self)

    def reader(self, inner: Reader) -> RecordedReader:
        """Return ``inner`` with every page taken down."""
        return RecordedReader(inner, self)

    def shares(self, provider: str) -> dict[str, float]:
        """Return the term statistics of ``provider``, to be added to."""
        return self._shares.setdefault(provider, {})

    async def take(
        self,
        call: Awaitable[T],
        entry: Callable[[T | None, TapedError | None], Entry],
    ) -> T:
        """Return what ``call`` comes to, and take down the ``entry`` of it.

        ``entry`` gets what was returned or raised: neither, when the call was cancelled or met a
        bug.
        """
        outcome: T | None = None
        problem: TapedError | None = None
        try:
            answer = await call
            outcome = answer
            return answer
        except QuaereError as error:
            problem = taped(error)
            raise
        finally:
            self._answers.append(entry(outcome, problem))


class RecordedClock:
    """``inner`` from its first reading on, every reading taken down."""

    def __init__(self, inner: Clock) -> None:
        self.begun = inner.now()
        self.ticks: list[float] = []
        self._inner = inner
        self._first = 0.0

    def monotonic(self) -> float:
        """Return the seconds since this was called first."""
        reading = self._inner.monotonic()
        if not self.ticks:
            self.begun, self._first = self._inner.now(), reading
        seconds = max(0.0, reading - self._first)
        self.ticks.append(seconds)
        return seconds

    def now(self) -> datetime:
        """Return the time of day."""
        return self._inner.now()


class RecordedProvider:
    """``inner``, every answer of which is taken down; prepares and counts where ``inner`` does."""

    def __init__(self, inner: SearchProvider, recorder: Recorder) -> None:
        self.name = inner.name
        self.kinds = inner.kinds
        self._inner = inner
        self._recorder = recorder
        # On the instance: a method of the class would make every wrapper pass isinstance().
        if isinstance(inner, Preparable):
            self._prepare = inner.prepare
            self.prepare = self._prepare_taped
        if isinstance(inner, TermStatistics):
            self._share = inner.document_share
            self._shares = recorder.shares(inner.name)
            self.document_share = self._share_taped

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return what ``inner`` finds; raises what it raises."""

        async def ask() -> tuple[Hit, ...]:
            return tuple(await self._inner.search(query, limit=limit))

        return await self._recorder.take(
            ask(),
            lambda hits, error: Search(
                provider=self.name, query=query, limit=limit, hits=hits, error=error
            ),
        )

    async def _prepare_taped(
        self, progress: Callable[[int, int, int], None]
    ) -> Sequence[RunWarning]:
        last: tuple[int, int, int] | None = None

        def tell(done: int, total: int, passages: int) -> None:
            nonlocal last
            last = (done, total, passages)
            progress(done, total, passages)

        async def get_ready() -> tuple[RunWarning, ...]:
            return tuple(await self._prepare(tell))

        return await self._recorder.take(
            get_ready(),
            lambda warnings, error: Preparation(
                provider=self.name, progress=last, warnings=warnings, error=error
            ),
        )

    def _share_taped(self, word: str) -> float:
        if word not in self._shares:
            self._shares[word] = self._share(word)
        return self._shares[word]


class RecordedReader:
    """``inner``, every page of which is taken down."""

    def __init__(self, inner: Reader, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder

    async def read(self, hit: Hit) -> Page:
        """Return the page that ``inner`` reads; raises what it raises."""
        return await self._recorder.take(
            self._inner.read(hit),
            lambda page, error: Reading(url=hit.url, page=page, error=error),
        )


def taped(error: QuaereError) -> TapedError:
    """Return what a tape keeps of ``error``."""
    return TapedError(
        name=type(error).__name__,
        message=encodable(error.message),
        retryable=error.retryable,
        retry_after=error.retry_after if isinstance(error, SearchError) else None,
        status=error.status if isinstance(error, ReadError) else "",
    )
