"""What the nodes of a run work with: ports and the deadline. It is never part of the state."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from quaere.domain.budget import PROFILES, Budget, ProfileName, Remaining, remaining
from quaere.domain.question import SourceKind
from quaere.domain.report import Sentence
from quaere.evidence.features import DocumentShare
from quaere.graphs.state import LoopState
from quaere.models.meter import Meter
from quaere.ports.human import Human
from quaere.ports.model import Embedder, EntailmentModel
from quaere.ports.read import Chunker, PageStore
from quaere.ports.reason import Reasoner
from quaere.ports.search import SearchProvider
from quaere.read.batch import PrefetchingReader
from quaere.resilience.timing import Clock, unless
from quaere.synthesize.compose import Written
from quaere.verify.repair import Outcome

T = TypeVar("T")


@dataclass(slots=True)
class Waits:
    """The time that a run has waited for a person, which is not its own."""

    seconds: float = 0.0


@dataclass(slots=True)
class Told:
    """What a run has told of its answer."""

    drafts: list[Sentence] = field(default_factory=list[Sentence])
    """The sentences that were heard while they were written."""
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    """What checking has made of the first of them, for good."""
    written: list[Written] = field(default_factory=list[Written])
    """The answer so far."""
    is_begun: bool = False
    is_held: bool = False
    """Whether no more may be told before all is checked."""
    broken: str = ""
    """Why no more came of the answer that was heard; empty where it is whole."""

    @property
    def settled(self) -> tuple[Sentence, ...]:
        """The drafts that need no more checking."""
        return tuple(self.drafts[: len(self.outcomes)])


@dataclass(frozen=True, slots=True)
class RunContext:
    """The outside world of one run."""

    providers: Sequence[SearchProvider]
    reasoner: Reasoner
    fallback: Reasoner | None
    """Takes over a step that ``reasoner`` cannot do."""
    ahead: PrefetchingReader
    """Opens hits that came without text, the first ones before they are asked for."""
    chunker: Chunker
    store: PageStore
    clock: Clock
    meter: Meter
    """Keeps account of the run's model calls."""
    started: float
    """``clock.monotonic()`` when the run began."""
    document_share: DocumentShare | None = None
    """How common a word is in what is searched, where a provider knows."""
    hits_per_query: int = 50
    profiles: Mapping[ProfileName, Budget] = field(default_factory=lambda: PROFILES)
    """What the limits of a run are set in place of."""
    reasoner_on: Callable[[Meter], Reasoner] | None = None
    """Makes what ``reasoner`` is for a researcher with a meter of its own."""
    asks_models: bool = False
    """Whether a call of a model is what a step of ``reasoner`` takes."""
    embedder: Embedder | None = None
    """Tells how near texts are in meaning, where the operator has one."""
    same_cosine: float | None = None
    """Cosine from which two topics are the same to that embedder; None where unknown."""
    entailment: EntailmentModel | None = None
    """Tells whether a claim follows from a text, where the operator has one."""
    delegated: bool = False
    """Whether one topic of a larger question is researched."""
    human: Human | None = None
    """The user, where the run may ask back."""
    waits: Waits = field(default_factory=Waits)
    told: Told = field(default_factory=Told)
    stop_requested: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the search is to end and the answer to be written from what is there."""

    @property
    def finishing(self) -> bool:
        """Whether the search is to end and the answer to be written from what is there."""
        return self.stop_requested.is_set()

    async def unless_finishing(self, work: Coroutine[object, object, T]) -> T | None:
        """Return what ``work`` comes to; None, and cancel it, once the search is to end."""
        return await unless(self.stop_requested, work)

    @property
    def kinds(self) -> frozenset[SourceKind]:
        """Kinds of source that its providers search."""
        return frozenset[SourceKind]().union(*(provider.kinds for provider in self.providers))

    def for_topic(self) -> RunContext:
        """Return the context of a researcher: its own time and meter, all else in common."""
        meter = self.meter.branch()
        return replace(
            self,
            reasoner=self.reasoner_on(meter) if self.reasoner_on else self.reasoner,
            meter=meter,
            started=self.clock.monotonic(),
            waits=Waits(),
            told=Told(),
            delegated=True,
        )

    def elapsed(self) -> float:
        """Return the seconds since the run began, without those it has waited for a person."""
        return max(0.0, self.clock.monotonic() - self.started - self.waits.seconds)

    @contextmanager
    def waiting(self) -> Generator[None]:
        """Stop the run's time for as long as a person is asked."""
        began = self.clock.monotonic()
        try:
            yield
        finally:
            self.waits.seconds += self.clock.monotonic() - began

    def remaining(self, state: LoopState) -> Remaining:
        """Return what is left of the run's budget."""
        return remaining(state["budget"], state["spend"], self.elapsed())
