"""What the events of a run add up to, for somebody who watches it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from quaere.domain.budget import Budget, Remaining
from quaere.domain.events import (
    Evaluated,
    Event,
    IndexProgress,
    Phase,
    PhaseStarted,
    PlanMade,
    RunStarted,
    SearchFinished,
    SourceRead,
    WarningRaised,
)
from quaere.domain.question import Checklist
from quaere.domain.source import ReadStatus

STAGES = (
    Phase.INDEXING,
    Phase.SEARCHING,
    Phase.READING,
    Phase.PLANNING,
    Phase.EVALUATING,
    Phase.SYNTHESIZING,
    Phase.VERIFYING,
)
"""The phases in the order in which a run enters them first; iterating is searching once more."""

_READ = frozenset({ReadStatus.OK, ReadStatus.PROVIDED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run has come."""

    question: str = ""
    stage: Phase | None = None
    loop: int = 0
    max_loops: int = 0
    budget: Budget | None = None
    remaining: Remaining | None = None
    """As it was when the stage began."""
    indexing: IndexProgress | None = None
    searches: tuple[SearchFinished, ...] = ()
    found: int = 0
    read: int = 0
    refused: int = 0
    """Sources that could not be read, or were not allowed to be."""
    checklist: Checklist = field(default_factory=Checklist)
    warnings: int = 0

    def after(self, event: Event) -> Progress:
        """Return the progress once ``event`` has happened."""
        now = self._counting(event)
        match event:
            case RunStarted():
                return replace(now, question=event.question, budget=event.budget)
            case IndexProgress():
                return replace(now, stage=Phase.INDEXING, indexing=event)
            case PhaseStarted():
                return _entering(now, event)
            case SearchFinished():
                return replace(now, searches=(*now.searches, event))
            case SourceRead():
                return replace(now, refused=now.refused + (event.status not in _READ))
            case PlanMade() | Evaluated() if not event.topic:
                return replace(now, checklist=event.checklist)
            case WarningRaised():
                return replace(now, warnings=now.warnings + 1)
            case _:
                return now

    def _counting(self, event: Event) -> Progress:
        """Take over what every event carries; an event outside the loop carries zeros."""
        return replace(
            self,
            found=max(event.sources_considered, self.found),
            read=max(event.sources_read, self.read),
        )


def _entering(progress: Progress, event: PhaseStarted) -> Progress:
    stage = Phase.SEARCHING if event.phase is Phase.ITERATING else event.phase
    # A loop begins with its search; what follows the last loop belongs to none.
    loop = event.loop if stage is Phase.SEARCHING else progress.loop
    return replace(
        progress, stage=stage, loop=loop, max_loops=event.max_loops, remaining=event.remaining
    )
