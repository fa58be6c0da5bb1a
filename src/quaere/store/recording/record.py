"""Takes down what the ports of a run answer."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import TypeVar, cast

from quaere.domain.model import Completion, Finish, ModelRequest
from quaere.domain.question import Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page
from quaere.domain.value import encodable
from quaere.errors import ModelError, QuaereError, ReadError, SearchError
from quaere.models.similarity import cosines_of
from quaere.ports.clock import Clock
from quaere.ports.model import ChatModel, Embedder, thinking_tokens
from quaere.ports.read import Reader
from quaere.ports.search import Preparable, SearchProvider, TermStatistics
from quaere.store.recording.cassette import (
    Entry,
    Likenesses,
    ModelAnswer,
    Preparation,
    Reading,
    Search,
    Shares,
    Tape,
    TapedEmbedder,
    TapedError,
    TapedModel,
    TapedProvider,
    Ticks,
    likeness_key,
    model_key,
)

T = TypeVar("T")


class Recorder:
    """Wraps the ports of one run and holds what they answer."""

    def __init__(self, clock: Clock) -> None:
        """Let the run take its time from ``self.clock``, which takes it from ``clock``."""
        self.clock = RecordedClock(clock)
        self.marks = secrets.token_hex(4)
        """The word with which the run is to mark its data."""
        self._providers: list[TapedProvider] = []
        self._models: list[TapedModel] = []
        self._embedders: list[TapedEmbedder] = []
        self._answers: list[Entry] = []
        self._shares: dict[str, dict[str, float]] = {}

    @property
    def tape(self) -> Tape:
        """What has been taken down so far."""
        ticks = Ticks(seconds=tuple(self.clock.ticks))
        shares = [Shares(provider=name, shares=kept) for name, kept in self._shares.items()]
        who = (*self._providers, *self._models, *self._embedders)
        return Tape(self.clock.begun, (*who, ticks, *self._answers, *shares))

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

    def model(self, inner: ChatModel) -> RecordedModel:
        """Return ``inner`` with every answer taken down."""
        self._models.append(
            TapedModel(
                name=inner.name,
                context_tokens=inner.context_tokens,
                thinking_tokens=thinking_tokens(inner),
                marks=self.marks,
            )
        )
        return RecordedModel(inner, self)

    def embedder(self, inner: Embedder, same_cosine: float | None = None) -> RecordedEmbedder:
        """Return ``inner`` with every answer taken down; ``same_cosine`` is what is set of it."""
        self._embedders.append(TapedEmbedder(name=inner.name, same_cosine=same_cosine))
        return RecordedEmbedder(inner, self)

    def reader(self, inner: Reader) -> RecordedReader:
        """Return ``inner`` with every page taken down."""
        return RecordedReader(inner, self)

    def shares(self, provider: str) -> dict[str, float]:
        """Return the term statistics of ``provider``, to be added to."""
        return self._shares.setdefault(provider, {})

    def note(self, entry: Entry) -> None:
        """Take ``entry`` down."""
        self._answers.append(entry)

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


class RecordedEmbedder:
    """``inner``, every answer of which is taken down."""

    def __init__(self, inner: Embedder, recorder: Recorder) -> None:
        self.name = inner.name
        self._inner = inner
        self._recorder = recorder

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return what ``inner`` says; raises what it raises, or that it says something else."""
        key = likeness_key(self.name, pairs)
        return await self._recorder.take(
            cosines_of(self._inner, pairs),
            lambda cosines, error: Likenesses(key=key, cosines=cosines, error=error),
        )


class RecordedModel:
    """``inner``, every completion of which is taken down."""

    def __init__(self, inner: ChatModel, recorder: Recorder) -> None:
        self._inner = inner
        self._recorder = recorder

    @property
    def name(self) -> str:
        """``vendor:model``."""
        return self._inner.name

    @property
    def context_tokens(self) -> int:
        """Tokens that prompt and completion may have together."""
        return self._inner.context_tokens

    @property
    def thinking_tokens(self) -> int:
        """Output tokens that a call may take beyond those that it asks for."""
        return thinking_tokens(self._inner)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return what ``inner`` answers; raises what it raises."""
        return await self._recorder.take(
            self._inner.complete(request),
            lambda done, error: ModelAnswer(key=model_key(request), completion=done, error=error),
        )

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield what ``inner`` writes; the whole is taken down, or as much as was read of it."""
        pieces = cast("AsyncGenerator[str | Completion]", self._inner.stream(request))
        read: list[str] = []
        done: Completion | None = None
        problem: TapedError | None = None
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    if isinstance(piece, Completion):
                        done = piece
                    else:
                        read.append(piece)
                    yield piece
        except QuaereError as error:
            problem = None if read else taped(error)
            raise
        finally:
            if problem is None and done is None:
                done = Completion(text="".join(read), finish=Finish.LENGTH, model=self.name)
            self._recorder.note(ModelAnswer(key=model_key(request), completion=done, error=problem))


def taped(error: QuaereError) -> TapedError:
    """Return what a tape keeps of ``error``."""
    return TapedError(
        name=type(error).__name__,
        message=encodable(error.message),
        retryable=error.retryable,
        retry_after=error.retry_after if isinstance(error, SearchError | ModelError) else None,
        status=error.status if isinstance(error, ReadError) else "",
    )
