"""Records what the ports of a run answer, and answers with what is recorded.

A run is a function of what its ports answer. With the answers that are recorded it comes to the
same again, which takes no time and costs nothing: that is how a run that was stopped is resumed
(`Journal`), and how a whole run is replayed (`quaere.store.recording.cassette`).
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from typing import Protocol, TypeVar, cast

from quaere.domain.model import Completion, Finish, ModelCall, ModelRequest
from quaere.domain.question import Query
from quaere.domain.source import Hit, Page
from quaere.domain.team import Inquiry, Reply
from quaere.errors import QuaereError, ReasonError
from quaere.models.similarity import cosines_of
from quaere.ports.forwarding import (
    ForwardingEmbedder,
    ForwardingModel,
    ForwardingProvider,
    ForwardingReader,
)
from quaere.ports.human import Human
from quaere.ports.model import (
    ChatModel,
    Embedder,
    EntailmentModel,
    Ledger,
    ToldPairs,
    released,
)
from quaere.ports.read import Reader
from quaere.ports.search import SearchProvider
from quaere.resilience.timing import Clock
from quaere.store.recording.entries import (
    Answer,
    AnyAnswer,
    Entailments,
    FinishRequest,
    HumanReply,
    ModelAnswer,
    Reading,
    Recorded,
    Search,
    Similarities,
    Told,
)

T = TypeVar("T")

TOGETHER_S = 0.05
"""Seconds in which calls that were begun together take up what is recorded of them."""


class Recording:
    """Wraps the ports of one run: what is recorded is answered from here, all else is asked.

    What was asked several times is answered in that order. A run that was told to finish finishes
    again, as soon as it asks for more than had been answered until then.
    """

    def __init__(self, past: Iterable[Recorded] = (), *, last_stays: bool = False) -> None:
        """Answer with ``past``; its last answer to a question again and again if it ``stays``."""
        self._past: defaultdict[str, deque[Recorded]] = defaultdict(deque)
        self._last_stays = last_stays
        self.finishing = asyncio.Event()
        """Set once the search is to end."""
        self._told_to_finish = False
        self._until_told = 0
        for recorded in past:
            if isinstance(recorded.answer, FinishRequest):
                self._told_to_finish = True
                continue
            self._past[recorded.answer.key].append(recorded)
            self._until_told += not self._told_to_finish

    @property
    def left(self) -> int:
        """Answers that are recorded and that nobody has asked for again yet."""
        return sum(map(len, self._past.values()))

    def provider(self, inner: SearchProvider) -> SearchProvider:
        """Return ``inner`` with its searches recorded."""
        return RecordedProvider(inner, self)

    def reader(self, inner: Reader) -> Reader:
        """Return ``inner`` with its pages recorded."""
        return RecordedReader(inner, self)

    def model(self, inner: ChatModel) -> ChatModel:
        """Return ``inner``, a single model, with its completions recorded."""
        return RecordedModel(inner, self)

    def embedder(self, inner: Embedder, same_cosine: float | None = None) -> Embedder:
        """Return ``inner`` with its similarities recorded, and what is set of it where needed."""
        del same_cosine  # a journal has it in the request of its run
        return RecordedEmbedder(inner, self)

    def entailment(self, inner: EntailmentModel) -> EntailmentModel:
        """Return ``inner`` with what it says of claims recorded."""
        return RecordedEntailment(inner, self)

    def human(self, inner: Human) -> Human:
        """Return ``inner`` with its replies recorded."""
        return RecordedHuman(inner, self)

    async def answer(self, call: Answer[T], ask: Callable[[], Awaitable[T]]) -> T:
        """Return what is recorded of ``call``, or else what ``ask`` comes to; raise likewise."""
        if recorded := self.recorded(call):
            return recorded.outcome()
        await self.go_beyond()
        try:
            result = await ask()
        except QuaereError as error:
            await self.record(call.with_outcome(None, error))
            raise
        except BaseException:
            self.abandon(call)
            raise
        await self.record(call.with_outcome(result))
        return result

    def recorded(self, call: Answer[T]) -> Answer[T] | None:
        """Return the next answer to ``call`` that is recorded."""
        past = self._past.get(call.key)
        if not past:
            return None
        recorded = past[0] if self._last_stays and len(past) == 1 else past.popleft()
        self._until_told = max(0, self._until_told - 1)
        self.reached(recorded)
        return cast("Answer[T]", recorded.answer)

    async def finish(self) -> None:
        """Record that the search is to end, and end it."""
        if not (self.finishing.is_set() or self._told_to_finish):
            await self.record(FinishRequest(result=True))
            self.finishing.set()

    async def finish_later(self) -> None:
        """Record that the search is to end as soon as the run asks for more than is recorded."""
        if not self._told_to_finish:
            await self.record(FinishRequest(result=True))
            self._told_to_finish = True
            self._until_told = self.left

    async def go_beyond(self) -> None:
        """Take notice that the run asks for more than is recorded.

        One that was told to finish was waiting for this, or about to ask for it: now its search
        ends, and the calls that were cut off then are cut off before anything is asked.
        """
        if not self._told_to_finish or self.finishing.is_set():
            return
        if self._until_told > 0:  # calls that began together with this one take theirs first
            await asyncio.sleep(TOGETHER_S)
        self.finishing.set()
        await asyncio.sleep(TOGETHER_S)

    def reached(self, recorded: Recorded) -> None:
        """Take notice that the run has come to ``recorded`` again."""

    async def record(self, answer: Answer[T]) -> None:
        """Keep ``answer``."""

    def abandon(self, call: Answer[T]) -> None:
        """Take notice that ``call`` was cancelled, or failed with an internal error."""

    def pause(self) -> AbstractContextManager[None]:
        """Leave the time that the block takes out of the time of the run."""
        return nullcontext()


class RecordedProvider(ForwardingProvider):
    """``inner`` with its searches recorded."""

    def __init__(self, inner: SearchProvider, recording: Recording) -> None:
        super().__init__(inner)
        self._recording = recording

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the hits that are recorded, else those of ``inner``; raises likewise."""

        async def ask() -> tuple[Hit, ...]:
            return tuple(await self.inner.search(query, limit=limit))

        call = Search.of(self.name, query, limit)
        return await self._recording.answer(call, ask)


class RecordedReader(ForwardingReader):
    """``inner`` with its pages recorded."""

    def __init__(self, inner: Reader, recording: Recording) -> None:
        super().__init__(inner)
        self._recording = recording

    async def read(self, hit: Hit) -> Page:
        """Return the page that is recorded, else that of ``inner``; raises likewise."""
        return await self._recording.answer(Reading(url=hit.url), lambda: self.inner.read(hit))


class RecordedModel(ForwardingModel):
    """``inner`` with its completions recorded."""

    def __init__(self, inner: ChatModel, recording: Recording) -> None:
        super().__init__(inner)
        self._recording = recording

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the completion that is recorded, else that of ``inner``; raises likewise."""
        call = ModelAnswer.to(self.name, request)
        return await self._recording.answer(call, lambda: self.inner.complete(request))

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield what is recorded in one piece, else the pieces of ``inner``; then the whole.

        A stream that was left, or that was interrupted, is recorded as far as it was read.
        """
        call = ModelAnswer.to(self.name, request)
        if recorded := self._recording.recorded(call):
            if recorded.result:
                yield recorded.result.text
            yield recorded.outcome()
            return
        await self._recording.go_beyond()
        read: list[str] = []
        done = False
        try:
            async with released(self.inner.stream(request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Completion):
                        done = True
                        await self._recording.record(call.with_outcome(piece))
                    else:
                        read.append(piece)
                    yield piece
        except BaseException as end:
            if not done:
                await self._keep_part(call, self._part(read), end)
            raise

    async def _keep_part(self, call: ModelAnswer, part: Completion, end: BaseException) -> None:
        """Keep ``part`` of an answer that ``end`` cut off."""
        if isinstance(end, GeneratorExit | QuaereError):
            error = end if isinstance(end, QuaereError) else None
            await self._recording.record(call.with_outcome(part, error))
        else:
            self._recording.abandon(call.with_outcome(part))

    def _part(self, read: Sequence[str]) -> Completion:
        return Completion(text="".join(read), finish=Finish.LENGTH, model=self.name)


class RecordedEmbedder(ForwardingEmbedder):
    """``inner`` with its similarities recorded."""

    def __init__(self, inner: Embedder, recording: Recording) -> None:
        super().__init__(inner)
        self._recording = recording

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return the cosines that are recorded, else those of ``inner``; raises likewise.

        Raises:
            ContractError: when ``inner`` gives something else.
        """
        call = Similarities.to(self.name, pairs)
        return await self._recording.answer(call, lambda: cosines_of(self.inner, pairs))


class RecordedEntailment:
    """``inner`` with what it says of claims recorded, and with the calls that it took for that."""

    def __init__(self, inner: EntailmentModel, recording: Recording) -> None:
        self.inner = inner
        self._recording = recording

    @property
    def name(self) -> str:
        """The name of ``inner``."""
        return self.inner.name

    async def warm(self) -> None:
        """Let ``inner`` load what it needs."""
        await self.inner.warm()

    async def entail(
        self, pairs: Sequence[tuple[str, str]], ledger: Ledger, *, within_s: float
    ) -> ToldPairs:
        """Return what is recorded, its calls booked again, else what ``inner`` says."""
        call = Entailments.to(self.name, pairs)
        if recorded := self._recording.recorded(call):
            told = recorded.outcome()
            for each in told.calls:
                ledger.note(each)
            return ToldPairs(each=told.entailed, fault=told.fault)
        noting = _Noting(ledger)

        async def ask() -> Told:
            told = await self.inner.entail(pairs, noting, within_s=within_s)
            return Told(entailed=told.each, fault=told.fault, calls=tuple(noting.calls))

        told = await self._recording.answer(call, ask)
        return ToldPairs(each=told.entailed, fault=told.fault)


class _Noting:
    """A ledger that remembers the calls which are booked on ``inner``."""

    def __init__(self, inner: Ledger) -> None:
        self._inner = inner
        self.calls: list[ModelCall] = []

    def admit(self, model: str, *, prompt_tokens: int, completion_tokens: int) -> None:
        self._inner.admit(model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)

    def failed(self, model: str, error: ReasonError) -> None:
        self._inner.failed(model, error)

    def tokens_left(self) -> int:
        return self._inner.tokens_left()

    def note(self, call: ModelCall) -> None:
        self.calls.append(call)
        self._inner.note(call)

    def ratio(self, model: str) -> float:
        return self._inner.ratio(model)


class RecordedHuman:
    """``inner`` with its replies recorded; the time they take is not the run's."""

    def __init__(self, inner: Human, recording: Recording) -> None:
        self.inner = inner
        self._recording = recording

    async def ask(self, inquiry: Inquiry) -> Reply:
        """Return the reply that is recorded, else that of ``inner``; raises likewise."""

        async def ask() -> Reply:
            with self._recording.pause():
                return await self.inner.ask(inquiry)

        return await self._recording.answer(HumanReply(inquiry=inquiry), ask)


class JournalSink(Protocol):
    """Keeps the answers of one run."""

    async def append(self, recorded: Recorded) -> None:
        """Keep ``recorded``; when this returns, it survives a kill.

        An answer that cannot be kept is an answer all the same: the sink reports that elsewhere,
        and raises nothing that would be taken for a failure of the service that gave it.
        """
        ...


class Journal(Recording):
    """The recording of a run that can be resumed: answers are kept in ``sink`` as they come in.

    No call that had ended is made again, and the result is that of a run that was never stopped.
    A call that never ended, because the run was stopped or did not wait for it, is not kept: it is
    made again.
    """

    def __init__(self, sink: JournalSink, clock: Clock, past: Iterable[Recorded] = ()) -> None:
        """Go on after ``past``; the run's time, in ``self.clock``, goes on where it stopped."""
        super().__init__(past)
        self.clock = JournalClock(clock)
        self._sink = sink

    def reached(self, recorded: Recorded) -> None:
        """Turn the clock on to the time of ``recorded``."""
        self.clock.reach(recorded.at, live=not self.left)

    async def record(self, answer: Answer[T]) -> None:
        """Keep ``answer`` in the sink."""
        kept = cast("AnyAnswer", answer)
        await self._sink.append(Recorded(at=self.clock.monotonic(), answer=kept))

    def pause(self) -> AbstractContextManager[None]:
        """Stop the clock for the block."""
        return self.clock.stopped()


class JournalClock:
    """The time of a run: what it had taken when it was stopped, then the time that passes now."""

    def __init__(self, inner: Clock) -> None:
        self._inner = inner
        self._reached = 0.0
        self._since = inner.monotonic()
        self._stops = 0

    def monotonic(self) -> float:
        """Return the seconds that the run has taken, its pauses left out."""
        if self._stops:
            return self._reached
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

    @contextmanager
    def stopped(self) -> Generator[None]:
        """Stand still while the block runs."""
        self._reached = self.monotonic()
        self._stops += 1
        try:
            yield
        finally:
            self._stops -= 1
            self._since = self._inner.monotonic()
