"""What the events of a run add up to: the one reducer that every view of a run follows.

The terminal, the story, the trace's columns and the figures of a report are read off the
`Progress` that it leaves. An event of which it knows nothing changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from quaere.domain.budget import Budget, Remaining
from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCollected,
    EvidenceCompacted,
    IndexProgress,
    ModelCalled,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SentenceDrafted,
    SentenceWritten,
    SourceRead,
    WarningRaised,
)
from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, SourceKind
from quaere.domain.report import Figures, Report
from quaere.domain.source import ReadStatus
from quaere.domain.verdict import StepMetadata
from quaere.view.describe import READABLE

STAGES = (
    Phase.INDEXING,
    Phase.SEARCHING,
    Phase.READING,
    Phase.PLANNING,
    Phase.EVALUATING,
    Phase.SYNTHESIZING,
    Phase.VERIFYING,
)
"""The phases in the order in which a run enters them first; iterating is searching once more,
and finalizing the end of verifying."""

_SHOWN_AS = {Phase.ITERATING: Phase.SEARCHING, Phase.FINALIZING: Phase.VERIFYING}

LOOPS_BEGIN = 0.05
LOOPS_SHARE = 0.8
"""Share of a run's progress that its loops make up, from `LOOPS_BEGIN` on."""
_AFTER_LOOPS = {Phase.SYNTHESIZING: 0.87, Phase.VERIFYING: 0.92, Phase.FINALIZING: 0.97}


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop that was evaluated."""

    searches: tuple[SearchFinished, ...]
    checklist: Checklist


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a run has come."""

    question: str = ""
    refined_question: str = ""
    stage: Phase | None = None
    share: float = 0.0
    """Of the run, 0 to 1, as far as its budget can tell; never goes back."""
    loop: int = 0
    max_loops: int = 0
    budget: Budget | None = None
    remaining: Remaining | None = None
    """As it was when the stage began."""
    indexing: IndexProgress | None = None
    searches: tuple[SearchFinished, ...] = ()
    loops: tuple[Loop, ...] = ()
    found: int = 0
    read: int = 0
    fetches: Mapping[ReadStatus, int] = field(default_factory=Counter[ReadStatus])
    checklist: Checklist = field(default_factory=Checklist)
    gaps: tuple[str, ...] = ()
    selection: tuple[Evidence, ...] = ()
    """Evidence that is selected, best first; its scores are up to date, the rest as first told."""
    pool: int = 0
    calls: tuple[ModelCall, ...] = ()
    compactions: int = 0
    warnings: int = 0
    started_at: str = ""
    stage_seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    """Of the stages that are over."""
    entered: PhaseStarted | IndexProgress | None = None
    """With what the stage began."""
    synthesized_at: str = ""
    drafted: tuple[str, ...] = ()
    """Sentences of the answer that are yet to be checked, as they were written."""
    written: tuple[str, ...] = ()
    """Sentences of the answer that passed, with their markers."""
    report: Report | None = None

    @property
    def refused(self) -> int:
        """Sources that could not be read, or were not allowed to be."""
        return sum(n for status, n in self.fetches.items() if status not in READABLE)

    def after(self, event: Event) -> Progress:
        """Return the progress once ``event`` has happened."""
        now = replace(
            self,
            found=max(event.sources_considered, self.found),
            read=max(event.sources_read, self.read),
            share=max(self.share, _share(event)),
        )
        match event:
            case SearchFinished():
                return replace(now, searches=(*now.searches, event))
            case SourceRead():
                return replace(now, fetches=Counter(now.fetches) + Counter([event.status]))
            case ModelCalled():
                return replace(now, calls=(*now.calls, event.call))
            case EvidenceCompacted():
                return replace(now, compactions=now.compactions + 1)
            case WarningRaised():
                return replace(now, warnings=now.warnings + 1)
            case PhaseStarted():
                return _entering(now, event)
            case _ if event.topic:  # one line of inquiry of several, not the whole
                return now
            case _:
                return _of_the_whole(now, event)


def _of_the_whole(now: Progress, event: Event) -> Progress:
    match event:
        case RunStarted():
            return replace(now, question=event.question, budget=event.budget, started_at=event.at)
        case IndexProgress():
            entered = now.entered or event
            return replace(now, stage=Phase.INDEXING, indexing=event, entered=entered)
        case PlanMade():
            refined = event.refined_question
            return replace(now, checklist=event.checklist, refined_question=refined)
        case EvidenceCollected():
            return replace(now, selection=event.applied(now.selection), pool=event.pool)
        case Evaluated():
            known = sum(len(loop.searches) for loop in now.loops)
            loop = Loop(now.searches[known:], event.checklist)
            return replace(
                now, checklist=event.checklist, gaps=event.gaps, loops=(*now.loops, loop)
            )
        case SentenceDrafted():
            return replace(now, drafted=(*now.drafted, event.text))
        case SentenceWritten():
            return replace(now, written=(*now.written, event.text))
        case RunFinished():
            return replace(_leaving(now, event), report=event.report)
        case RunFailed():
            return _leaving(now, event)
        case _:
            return now


def figures(progress: Progress) -> Figures:
    """Return the figures of a run that has come as far as ``progress`` (R3.10).

    A search of a provider that has folders is local. Of the others, those of providers that have
    biomedical literature are PubMed's, and all else is the web's.
    """
    away = [each for each in progress.searches if SourceKind.FOLDER not in each.kinds]
    pubmed = sum(SourceKind.PUBMED in each.kinds for each in away)
    return Figures(
        stage_seconds={name: round(s, 3) for name, s in progress.stage_seconds.items()},
        fetches=dict(progress.fetches),
        searches=dict(Counter(each.provider for each in progress.searches)),
        pubmed_queries=pubmed,
        web_queries=len(away) - pubmed,
        evidence_pooled=progress.pool,
        evidence_selected=len(progress.selection),
        retried_searches=sum(each.retries > 0 for each in progress.searches),
        compactions=progress.compactions,
    )


def with_figures(progress: Progress, event: RunFinished) -> RunFinished:
    """Return ``event``, before which things stood at ``progress``, with all that this tells.

    Its report says when the run began and ended, who wrote the answer, and what the run took.
    """
    writing = [call for call in progress.calls if call.step == "synthesize"]
    written = [call.model for call in writing if not call.error]
    known = {
        "started_at": progress.started_at,
        "finished_at": event.at,
        "figures": figures(_leaving(progress, event)),
        "synthesis": StepMetadata(
            timestamp=progress.synthesized_at,
            model=written[-1] if written else event.report.reasoner,
            token_count=sum(call.usage.total_tokens for call in writing),
        ),
    }
    return event.model_copy(update={"report": event.report.model_copy(update=known)})


def _entering(progress: Progress, event: PhaseStarted) -> Progress:
    stage = _SHOWN_AS.get(event.phase, event.phase)
    # A loop begins with its search; what follows the last loop belongs to none.
    loop = event.loop if stage is Phase.SEARCHING else progress.loop
    now = progress if event.topic else _leaving(progress, event)
    return replace(
        now,
        stage=stage,
        loop=loop,
        max_loops=event.max_loops,
        remaining=event.remaining,
        entered=now.entered if event.topic else event,
        drafted=() if event.phase is Phase.SYNTHESIZING else now.drafted,  # as it begins anew
        synthesized_at=event.at if event.phase is Phase.VERIFYING else now.synthesized_at,
    )


def _leaving(progress: Progress, event: Event) -> Progress:
    """Return ``progress`` with the time of the stage that ends with ``event``."""
    entered = progress.entered
    if entered is None or not (entered.at and event.at):
        return progress
    name = str(entered.phase)
    seconds = (event.moment - entered.moment).total_seconds()
    spent = {name: progress.stage_seconds.get(name, 0.0) + max(0.0, seconds)}
    return replace(progress, stage_seconds={**progress.stage_seconds, **spent}, entered=None)


def _share(event: Event) -> float:
    if isinstance(event, RunFinished):
        return 1.0
    if event.phase in _AFTER_LOOPS:
        return _AFTER_LOOPS[event.phase]
    if not event.max_loops:
        return 0.0
    return LOOPS_BEGIN + LOOPS_SHARE * max(0, event.loop - 1) / event.max_loops
