"""What a run was told from outside, kept as it comes in, so that a run that was killed can go on.

A run is a function of what its ports answer. To resume it is to run it again from the start with
the answers that are kept, which takes no time and costs nothing, and to ask the ports from there
on: no call that had ended is made again, and the result is that of a run that was never stopped.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import Annotated, Protocol, TypeVar, cast

from pydantic import Field, TypeAdapter

from quaere.domain.model import Completion, Finish, ModelRequest
from quaere.domain.question import Query
from quaere.domain.source import Hit, Page
from quaere.domain.value import Value
from quaere.errors import ModelError, QuaereError, ReadError, ReasonError, SearchError
from quaere.models.similarity import cosines_of
from quaere.ports.clock import Clock
from quaere.ports.model import ChatModel, Embedder, thinking_tokens
from quaere.ports.read import Reader
from quaere.ports.search import Preparable, SearchProvider, TermStatistics
from quaere.store.recording.cassette import (
    Likenesses,
    ModelAnswer,
    Reading,
    Search,
    TapedError,
    likeness_key,
    model_key,
)
from quaere.store.recording.record import taped
from quaere.store.recording.replay import revived

T = TypeVar("T")


AnyAnswer = Search | Reading | ModelAnswer | Likenesses
Answer = Annotated[AnyAnswer, Field(discriminator="kind")]


class Noted(Value):
    """An answer, and when it was there: seconds of the run, pauses left out."""

    at: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    answer: Answer


NOTED: TypeAdapter[Noted] = TypeAdapter(Noted)


class JournalSink(Protocol):
    """Keeps the answers of one run."""

    async def append(self, noted: Noted) -> None:
        """Keep ``noted``; when this returns, it survives a kill.

        An answer that cannot be kept is an answer all the same: the sink tells of it elsewhere,
        and raises nothing that would be taken for a failure of the service that gave it.
        """
        ...


class Journal:
    """Wraps the ports of one run: what is kept is answered from here, the rest is asked and kept.

    An answer that was never finished, because the run was stopped or did not wait for it, is not
    kept: it is asked for again.
    """

    def __init__(self, sink: JournalSink, clock: Clock, past: Iterable[Noted] = ()) -> None:
        """Go on after ``past``; the run's time goes on where it stopped."""
        self.clock = JournalClock(clock)
        self._sink = sink
        self._past: defaultdict[str, deque[Noted]] = defaultdict(deque)
        for noted in past:
            self._past[_key(noted.answer)].append(noted)

    @property
    def left(self) -> int:
        """Answers that are kept and that nobody has asked for again yet."""
        return sum(map(len, self._past.values()))

    def provider(self, inner: SearchProvider) -> SearchProvider:
        """Return ``inner`` with its answers kept; it prepares and counts where ``inner`` does."""
        return _JournaledProvider(inner, self)

    def reader(self, inner: Reader) -> Reader:
        """Return ``inner`` with its pages kept."""
        return _JournaledReader(inner, self)

    def model(self, inner: ChatModel) -> ChatModel:
        """Return ``inner`` with its completions kept."""
        return _JournaledModel(inner, self)

    def embedder(self, inner: Embedder) -> Embedder:
        """Return ``inner`` with what it says kept."""
        return _JournaledEmbedder(inner, self)

    def kept(self, key: str) -> Noted | None:
        """Return the next answer that is kept under ``key``, and turn the clock on to it."""
        past = self._past.get(key)
        if not past:
            return None
        noted = past.popleft()
        self.clock.reach(noted.at, live=not self.left)
        return noted

    async def keep(
        self,
        call: Awaitable[T],
        answer: Callable[[T | None, TapedError | None], AnyAnswer],
    ) -> T:
        """Return what ``call`` comes to and keep the ``answer`` made of it, a typed error too."""
        try:
            outcome = await call
        except QuaereError as error:
            await self.note(answer(None, taped(error)))
            raise
        await self.note(answer(outcome, None))
        return outcome

    async def note(self, answer: AnyAnswer) -> None:
        """Keep ``answer``."""
        await self._sink.append(Noted(at=self.clock.monotonic(), answer=answer))


class JournalClock:
    """The time of a run: what it had taken when it was stopped, then the time that passes now."""

    def __init__(self, inner: Clock) -> None:
        self._inner = inner
        self._reached = 0.0
        self._since = inner.monotonic()

    def monotonic(self) -> float:
        """Return the seconds that the run has taken, its pauses left out."""
        return self._reached + max(0.0, self._inner.monotonic() - self._since)

    def now(self) -> datetime:
        """Return the time of day."""
        return self._inner.now()

    def reach(self, seconds: float, *, live: bool) -> None:
        """Turn on to ``seconds``, at which an answer was there; never back.

        What going over kept answers takes is not the run's time; only when they are used up, as
        ``live`` says, does it go on from there.
        """
        if seconds >= self._reached or live:
            self._reached = max(self._reached, seconds)
            self._since = self._inner.monotonic()


class _JournaledProvider:
    def __init__(self, inner: SearchProvider, journal: Journal) -> None:
        self.name = inner.name
        self.kinds = inner.kinds
        self._inner = inner
        self._journal = journal
        # On the instance: a method of the class would make every wrapper pass isinstance().
        if isinstance(inner, Preparable):
            self.prepare = inner.prepare
        if isinstance(inner, TermStatistics):
            self.document_share = inner.document_share

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the hits that are kept, else those of ``inner``; raises what was raised."""
        noted = self._journal.kept(_search_key(self.name, query, limit))
        if noted is not None:
            played = cast("Search", noted.answer)
            if played.error:
                raise revived(played.error, SearchError)
            return played.hits or ()

        async def ask() -> tuple[Hit, ...]:
            return tuple(await self._inner.search(query, limit=limit))

        return await self._journal.keep(
            ask(),
            lambda hits, error: Search(
                provider=self.name, query=query, limit=limit, hits=hits, error=error
            ),
        )


class _JournaledReader:
    def __init__(self, inner: Reader, journal: Journal) -> None:
        self._inner = inner
        self._journal = journal

    async def read(self, hit: Hit) -> Page:
        """Return the page that is kept, else that of ``inner``; raises what was raised."""
        noted = self._journal.kept(_reading_key(hit.url))
        if noted is None:
            return await self._journal.keep(
                self._inner.read(hit),
                lambda page, error: Reading(url=hit.url, page=page, error=error),
            )
        played = cast("Reading", noted.answer)
        if played.error or played.page is None:
            raise revived(played.error or _LOST, ReadError)
        return played.page


class _JournaledModel:
    def __init__(self, inner: ChatModel, journal: Journal) -> None:
        self._inner = inner
        self._journal = journal

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def context_tokens(self) -> int:
        return self._inner.context_tokens

    @property
    def thinking_tokens(self) -> int:
        return thinking_tokens(self._inner)

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the completion that is kept, else that of ``inner``; raises what was raised."""
        key = model_key(request)
        if noted := self._journal.kept(key):
            return _completed(noted)
        return await self._journal.keep(
            self._inner.complete(request),
            lambda completion, error: ModelAnswer(key=key, completion=completion, error=error),
        )

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield the pieces of ``inner``, or what is kept of them in one piece; then the whole."""
        key = model_key(request)
        if noted := self._journal.kept(key):
            played = cast("ModelAnswer", noted.answer)
            if played.completion:  # with an error, what had come before it
                yield played.completion.text
            yield _completed(noted)
            return
        pieces = cast("AsyncGenerator[str | Completion]", self._inner.stream(request))
        taken: list[str] = []
        done = False
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    if isinstance(piece, Completion):
                        done = True
                        await self._journal.note(ModelAnswer(key=key, completion=piece))
                    else:
                        taken.append(piece)
                    yield piece
        except (GeneratorExit, QuaereError) as end:
            if not done:  # whoever reads had enough, or no more came: it will be the same again
                part = Completion(text="".join(taken), finish=Finish.LENGTH, model=self.name)
                error = taped(end) if isinstance(end, QuaereError) else None
                await self._journal.note(ModelAnswer(key=key, completion=part, error=error))
            raise


class _JournaledEmbedder:
    def __init__(self, inner: Embedder, journal: Journal) -> None:
        self._inner = inner
        self._journal = journal

    @property
    def name(self) -> str:
        return self._inner.name

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return the cosines that are kept, else those of ``inner``; raises what was raised."""
        key = likeness_key(self.name, pairs)
        if noted := self._journal.kept(key):
            played = cast("Likenesses", noted.answer)
            if played.error:
                raise revived(played.error, ReasonError)
            return played.cosines or ()
        return await self._journal.keep(
            cosines_of(self._inner, pairs),
            lambda cosines, error: Likenesses(key=key, cosines=cosines, error=error),
        )


_LOST = TapedError(name="ReadError", message="nothing was kept of this page", retryable=False)


def _completed(noted: Noted) -> Completion:
    played = cast("ModelAnswer", noted.answer)
    if played.error:
        raise revived(played.error, ModelError)
    return played.completion or Completion(text="")


def _key(answer: AnyAnswer) -> str:
    match answer:
        case Search(provider=provider, query=query, limit=limit):
            return _search_key(provider, query, limit)
        case Reading(url=url):
            return _reading_key(url)
        case ModelAnswer(key=key) | Likenesses(key=key):
            return key


def _search_key(provider: str, query: Query, limit: int) -> str:
    return f"search {provider} {limit} {query.model_dump_json()}"


def _reading_key(url: str) -> str:
    return f"reading {url}"
