"""Answers from a tape, and from nothing else, what was answered when it was recorded."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Generic, TypeVar, cast

from quaere import errors
from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import (
    ModelError,
    ModelRejected,
    ModelTimeout,
    QuaereError,
    ReadError,
    ReasonError,
    SearchError,
    SearchTimeout,
)
from quaere.store.recording.cassette import (
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
    TapeError,
    Ticks,
    likeness_key,
    model_key,
)

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
E = TypeVar("E", bound=QuaereError)


class NotOnTape(SearchError):
    """A provider was asked what it was not asked when the tape was recorded."""

    retryable = False


class Replayer:
    """The ports of the run that ``tape`` was recorded of."""

    def __init__(self, tape: Tape) -> None:
        self.clock = TapeClock(tape)
        self.reader = ReplayedReader(tape)
        answers = _Answers((each.key, each) for each in _of(tape, ModelAnswer))
        models = _of(tape, TapedModel)
        self.models = tuple(ReplayedModel(model, answers) for model in models)
        """Those of planning, evaluating, writing and checking; none where the run had none."""
        self.marks = models[0].marks if models else ""
        embedders = _of(tape, TapedEmbedder)
        self.embedder = ReplayedEmbedder(embedders[0], tape) if embedders else None
        self.same_cosine = embedders[0].same_cosine if embedders else None
        self.providers = tuple(
            ReplayedProvider(provider, tape) for provider in _of(tape, TapedProvider)
        )


class TapeClock:
    """The clock of the run that was recorded: it says again what it said then.

    A run of another version of this code may look at the clock more often; then it ends up standing
    still, which makes no run longer.
    """

    def __init__(self, tape: Tape) -> None:
        self._recorded = tape.recorded
        self._ticks = deque(second for ticks in _of(tape, Ticks) for second in ticks.seconds)
        self._seconds = 0.0

    def monotonic(self) -> float:
        """Return the next reading."""
        if self._ticks:
            self._seconds = self._ticks.popleft()
        return self._seconds

    def now(self) -> datetime:
        """Return the time of day then."""
        return self._recorded + timedelta(seconds=self._seconds)


class _Answers(Generic[K, V]):
    """Answers by what was asked.

    What was asked more than once is answered in that order, and the last answer stays.
    """

    def __init__(self, answers: Iterable[tuple[K, V]]) -> None:
        self._answers: dict[K, deque[V]] = {}
        for key, answer in answers:
            self._answers.setdefault(key, deque()).append(answer)

    def next(self, key: K) -> V | None:
        """Return the next answer to ``key``; None when there never was one."""
        answers = self._answers.get(key)
        if not answers:
            return None
        return answers.popleft() if len(answers) > 1 else answers[0]


class ReplayedProvider:
    """A provider of a tape; prepares and counts where the recorded one did."""

    def __init__(self, provider: TapedProvider, tape: Tape) -> None:
        self.name = provider.name
        self.kinds = frozenset(provider.kinds)
        searches = [each for each in _of(tape, Search) if each.provider == self.name]
        self._searches = _Answers(((each.query, each.limit), each) for each in searches)
        self._preparations = _Answers((each.provider, each) for each in _of(tape, Preparation))
        self._shares = {
            word: share
            for each in _of(tape, Shares)
            if each.provider == self.name
            for word, share in each.shares.items()
        }
        # On the instance: a method of the class would make every provider pass isinstance().
        if provider.prepares:
            self.prepare = self._prepare
        if provider.counts:
            self.document_share = self._document_share

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        """Return the hits on the tape.

        Raises:
            NotOnTape: when this was not asked.
            SearchTimeout: when this was not answered.
            SearchError: as it was raised then.
        """
        played = self._searches.next((query, limit))
        if played is None:
            raise NotOnTape(
                f"the tape holds no answer of {self.name} to {query.text!r} ({limit} hits)"
            )
        if played.error:
            raise revived(played.error, SearchError)
        if played.hits is None:
            raise SearchTimeout(f"{self.name} did not answer while it was recorded")
        return played.hits

    async def _prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        played = self._preparations.next(self.name)
        if played is None:
            raise TapeError(f"The tape does not tell how {self.name} got ready.")
        if played.progress:
            progress(*played.progress)
        if played.error:
            raise revived(played.error, QuaereError)
        if played.warnings is None:
            raise asyncio.CancelledError  # as it was then: its time was over
        return played.warnings

    def _document_share(self, word: str) -> float:
        if word not in self._shares:
            raise TapeError(f"The tape does not tell how common {word!r} is in {self.name}.")
        return self._shares[word]


class ReplayedReader:
    """The reader of a tape."""

    def __init__(self, tape: Tape) -> None:
        self._readings = _Answers((each.url, each) for each in _of(tape, Reading))

    async def read(self, hit: Hit) -> Page:
        """Return the page on the tape.

        Raises:
            ReadError: as it was raised then; ``timeout`` when the reading never ended, and
                ``not_found`` when this page was not read.
        """
        played = self._readings.next(hit.url)
        if played is None:
            message = f"the tape does not hold {hit.url}"
            raise ReadError(message, status=ReadStatus.NOT_FOUND)
        if played.error:
            raise revived(played.error, ReadError)
        if played.page is None:
            message = "the run's time was over before it was read"
            raise ReadError(message, status=ReadStatus.TIMEOUT)
        return played.page


class ReplayedEmbedder:
    """The embedder of a tape."""

    def __init__(self, embedder: TapedEmbedder, tape: Tape) -> None:
        self.name = embedder.name
        self._answers = _Answers((each.key, each) for each in _of(tape, Likenesses))

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """Return the cosines on the tape.

        Raises:
            ModelRejected: when this was not asked.
            ModelTimeout: when this was not answered.
            ReasonError: as it was raised then.
        """
        played = self._answers.next(likeness_key(self.name, pairs))
        if played is None:
            raise ModelRejected(f"the tape does not hold what {self.name} says of these texts")
        if played.error:
            raise revived(played.error, ReasonError)
        if played.cosines is None:
            raise ModelTimeout(f"{self.name} did not answer while it was recorded")
        return played.cosines


class ReplayedModel:
    """A model of a tape."""

    def __init__(self, model: TapedModel, answers: _Answers[str, ModelAnswer]) -> None:
        self.name = model.name
        self.context_tokens = model.context_tokens
        self.thinking_tokens = model.thinking_tokens
        self._answers = answers

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the completion on the tape.

        Raises:
            ModelRejected: when this was not asked.
            ModelTimeout: when this was not answered.
            ModelError: as it was raised then.
        """
        played = self._answers.next(model_key(request))
        if played is None:
            raise ModelRejected(f"the tape holds no answer of {self.name} to this step")
        if played.error:
            raise revived(played.error, ModelError)
        if played.completion is None:
            raise ModelTimeout(f"{self.name} did not answer while it was recorded")
        return played.completion

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        """Yield the completion on the tape in one piece, then whole. Raises as ``complete``."""
        completion = await self.complete(request)
        yield completion.text
        yield completion


def revived(error: TapedError, base: type[E]) -> E:
    """Return ``error`` as it was raised: of its own class where that is a ``base``.

    The classes of adapters are not known here; theirs is made anew, with the same name.
    """
    known: object = getattr(errors, error.name, None)
    if isinstance(known, type) and issubclass(known, base):
        kind = known
    else:
        kind = cast("type[E]", type(error.name, (base,), {"retryable": error.retryable}))
    made = kind(error.message)
    if isinstance(made, SearchError | ModelError):
        made.retry_after = error.retry_after
    if isinstance(made, ReadError):
        made.status = error.status
    return made


def _of(tape: Tape, kind: type[V]) -> list[V]:
    return [entry for entry in tape.entries if isinstance(entry, kind)]
