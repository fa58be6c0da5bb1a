"""Replays a run from a cassette, with nothing else at hand."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from typing import cast

from quaere.domain.model import Completion, ModelRequest
from quaere.domain.question import Query
from quaere.domain.report import RunWarning
from quaere.domain.source import Hit, Page, ReadStatus
from quaere.domain.team import Inquiry, Reply
from quaere.errors import ModelRejected, ReadError, SearchError
from quaere.ports.model import Ledger, ToldPairs
from quaere.ports.search import Progress
from quaere.store.recording.cassette import (
    Cassette,
    CassetteError,
    EmbedderEntry,
    EntailmentEntry,
    Marks,
    ModelEntry,
    ProviderEntry,
    Shares,
    Ticks,
)
from quaere.store.recording.entries import HumanReply, Preparation, Recorded
from quaere.store.recording.recording import Recording


class NotRecorded(SearchError):
    """A provider was asked what it was not asked when the cassette was recorded."""

    retryable = False


class Replay:
    """The ports of the run that a cassette was recorded of, with nothing else at hand.

    What was asked several times is answered in that order, and the last answer stays.
    """

    def __init__(self, cassette: Cassette) -> None:
        self.recording = recording = Recording(cassette.of(Recorded), last_stays=True)
        marks, embedders = cassette.of(Marks), cassette.of(EmbedderEntry)
        entailing = cassette.of(EntailmentEntry)
        self.clock = ReplayedClock(cassette)
        self.marks = marks[0].word if marks else ""
        self.providers = tuple(
            recording.provider(_ABSENT[entry.prepares, entry.counts](entry, cassette, recording))
            for entry in cassette.of(ProviderEntry)
        )
        self.reader = recording.reader(_AbsentReader())
        self.models = tuple(
            recording.model(_AbsentModel(entry)) for entry in cassette.of(ModelEntry)
        )
        """Those of planning, evaluating, writing and checking, then those to fall back on; none
        where the run had none."""
        self.embedder = recording.embedder(_AbsentEmbedder(embedders[0])) if embedders else None
        self.same_cosine = embedders[0].same_cosine if embedders else None
        self.entailment = (
            recording.entailment(_AbsentEntailment(entailing[0])) if entailing else None
        )
        replied = cassette.answers(HumanReply)
        self.human = recording.human(_AbsentHuman()) if replied else None
        """``None`` where nobody was asked."""


class ReplayedClock:
    """The clock of the run that was recorded: it says again what it said then.

    A run of another version of this code may look at the clock more often; then it ends up standing
    still, which makes no run longer.
    """

    def __init__(self, cassette: Cassette) -> None:
        self._recorded = cassette.recorded
        self._ticks = deque(second for ticks in cassette.of(Ticks) for second in ticks.seconds)
        self._seconds = 0.0

    def monotonic(self) -> float:
        """Return the next reading."""
        if self._ticks:
            self._seconds = self._ticks.popleft()
        return self._seconds

    def now(self) -> datetime:
        """Return the time of day then."""
        return self._recorded + timedelta(seconds=self._seconds)


class _AbsentProvider:
    """What a replay asks when the cassette holds no answer; so do those that follow."""

    def __init__(self, entry: ProviderEntry, cassette: Cassette, recording: Recording) -> None:
        self.name = entry.name
        self.kinds = frozenset(entry.kinds)
        self._recording = recording
        shares = [each.shares for each in cassette.of(Shares) if each.provider == entry.name]
        self._shares = {word: share for each in shares for word, share in each.items()}

    async def search(self, query: Query, *, limit: int) -> Sequence[Hit]:
        raise NotRecorded(
            f"the cassette contains no reply of {self.name} to {query.text!r} ({limit} hits)"
        )


class _PreparedProvider(_AbsentProvider):
    async def prepare(self, progress: Progress) -> Sequence[RunWarning]:
        recorded = self._recording.recorded(Preparation(provider=self.name))
        if recorded is None:
            raise CassetteError(f"The cassette does not record how {self.name} was prepared.")
        if last := cast("Preparation", recorded).progress:
            progress(*last)
        return recorded.outcome()


class _CountingProvider(_AbsentProvider):
    def document_share(self, word: str) -> float:
        if word not in self._shares:
            raise CassetteError(
                f"The recording does not say how common {word!r} is in {self.name}: it was made "
                "for another question, or with other options."
            )
        return self._shares[word]


class _FolderProvider(_PreparedProvider, _CountingProvider):
    pass


_ABSENT = {
    (False, False): _AbsentProvider,
    (True, False): _PreparedProvider,
    (False, True): _CountingProvider,
    (True, True): _FolderProvider,
}
"""By whether it prepares, and whether it counts."""


class _AbsentReader:
    async def read(self, hit: Hit) -> Page:
        message = f"the cassette does not contain {hit.url}"
        raise ReadError(message, status=ReadStatus.NOT_FOUND)


class _AbsentModel:
    def __init__(self, entry: ModelEntry) -> None:
        self.name = entry.name
        self.context_tokens = entry.context_tokens
        self.thinking_tokens = entry.thinking_tokens
        self.traits = entry.traits

    async def complete(self, request: ModelRequest) -> Completion:
        raise ModelRejected(
            f"the cassette contains no reply of {self.name} to this {request.step!r}"
        )

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | Completion]:
        yield await self.complete(request)


class _AbsentEmbedder:
    def __init__(self, entry: EmbedderEntry) -> None:
        self.name = entry.name

    async def similarities(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        raise ModelRejected(
            f"the cassette does not contain what {self.name} says of these {len(pairs)} texts"
        )


class _AbsentEntailment:
    def __init__(self, entry: EntailmentEntry) -> None:
        self.name = entry.name

    async def warm(self) -> None:
        return None

    async def entail(
        self, pairs: Sequence[tuple[str, str]], ledger: Ledger, *, within_s: float
    ) -> ToldPairs:
        del ledger, within_s
        raise ModelRejected(
            f"the cassette does not contain what {self.name} says of these claims ({len(pairs)})"
        )


class _AbsentHuman:
    async def ask(self, inquiry: Inquiry) -> Reply:
        raise CassetteError(f"The cassette contains no reply to this inquiry ({inquiry.kind}).")
