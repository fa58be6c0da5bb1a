"""Answers from a tape, and from nothing else, what was answered when it was recorded."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Generic, TypeVar, cast

from quaere import errors
from quaere.domain.question import Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.errors import QuaereError, ReadError, SearchError, SearchTimeout
from quaere.store.tape import (
    Preparation,
    Reading,
    Search,
    Shares,
    Tape,
    TapedError,
    TapedProvider,
    TapeError,
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
        self.clock = TapeClock(tape.recorded)
        self.reader = ReplayedReader(_of(tape, Reading), self.clock)
        self.providers = tuple(
            ReplayedProvider(provider, tape, self.clock) for provider in _of(tape, TapedProvider)
        )


class TapeClock:
    """The time of the run that was recorded: it goes on with every answer that is played."""

    def __init__(self, recorded: datetime) -> None:
        self._recorded = recorded
        self._seconds = 0.0

    def monotonic(self) -> float:
        """Return the second of the recording that has been reached."""
        return self._seconds

    def now(self) -> datetime:
        """Return the time of day then."""
        return self._recorded + timedelta(seconds=self._seconds)

    def reach(self, seconds: float) -> None:
        """Go on to ``seconds``, if they are not over."""
        self._seconds = max(self._seconds, seconds)


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

    def __init__(self, provider: TapedProvider, tape: Tape, clock: TapeClock) -> None:
        self.name = provider.name
        self.kinds = frozenset(provider.kinds)
        self._clock = clock
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
        self._clock.reach(played.at)
        if played.error:
            raise revived(played.error, SearchError)
        if played.hits is None:
            raise SearchTimeout(f"{self.name} did not answer while it was recorded")
        return played.hits

    async def _prepare(self, progress: Callable[[int, int, int], None]) -> Sequence[RunWarning]:
        played = self._preparations.next(self.name)
        if played is None:
            raise TapeError(f"The tape does not tell how {self.name} got ready.")
        self._clock.reach(played.at)
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

    def __init__(self, readings: Iterable[Reading], clock: TapeClock) -> None:
        self._readings = _Answers((each.url, each) for each in readings)
        self._clock = clock

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
        self._clock.reach(played.at)
        if played.error:
            raise revived(played.error, ReadError)
        if played.page is None:
            message = "the run's time was over before it was read"
            raise ReadError(message, status=ReadStatus.TIMEOUT)
        return played.page


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
    if isinstance(made, SearchError):
        made.retry_after = error.retry_after
    if isinstance(made, ReadError):
        made.status = error.status
    return made


def _of(tape: Tape, kind: type[V]) -> list[V]:
    return [entry for entry in tape.entries if isinstance(entry, kind)]
