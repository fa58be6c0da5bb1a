"""What the events of a run add up to: for every view of it, its trace and its closing log line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic import JsonValue

from quaere.domain import events
from quaere.domain.budget import Budget, Remaining
from quaere.domain.events import Event, Phase
from quaere.domain.evidence import Evidence
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, ItemStatus, Query, SourceKind
from quaere.domain.report import Figures, QueryOutcome, Report
from quaere.domain.source import ReadStatus
from quaere.domain.team import InquiryKind
from quaere.domain.trace import WAITS_FOR
from quaere.domain.url import pmid_of, source_type
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

    searches: tuple[events.SearchFinished, ...]
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
    indexing: events.IndexProgress | None = None
    searches: tuple[events.SearchFinished, ...] = ()
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
    entered: events.PhaseStarted | events.IndexProgress | None = None
    """With what the stage began."""
    synthesized_at: str = ""
    drafted: tuple[str, ...] = ()
    """Sentences of the answer that are yet to be checked, as they were written."""
    written: tuple[str, ...] = ()
    """Sentences of the answer that passed, with their markers."""
    waits_for: InquiryKind | None = None
    """What the user is asked, until there is a reply."""
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
            case events.SearchFinished():
                return replace(now, searches=(*now.searches, event))
            case events.SourceRead():
                return replace(now, fetches=Counter(now.fetches) + Counter([event.status]))
            case events.ModelCalled():
                return replace(now, calls=(*now.calls, event.call))
            case events.EvidenceCompacted():
                return replace(now, compactions=now.compactions + 1)
            case events.WarningRaised():
                return replace(now, warnings=now.warnings + 1)
            case events.InquiryRaised():
                return replace(now, waits_for=event.inquiry.kind)
            case events.InquiryAnswered():
                return replace(now, waits_for=None)
            case events.PhaseStarted():
                return _entering(now, event)
            case _ if event.topic:  # one line of inquiry of several, not the whole
                return now
            case _:
                return _of_the_whole(now, event)


def _of_the_whole(now: Progress, event: Event) -> Progress:
    match event:
        case events.RunStarted():
            return replace(now, question=event.question, budget=event.budget, started_at=event.at)
        case events.IndexProgress():
            entered = now.entered or event
            return replace(now, stage=Phase.INDEXING, indexing=event, entered=entered)
        case events.PlanMade():
            refined = event.refined_question
            return replace(now, checklist=event.checklist, refined_question=refined)
        case events.EvidenceCollected():
            return replace(now, selection=event.applied(now.selection), pool=event.pool)
        case events.Evaluated():
            known = sum(len(loop.searches) for loop in now.loops)
            loop = Loop(now.searches[known:], event.checklist)
            return replace(
                now, checklist=event.checklist, gaps=event.gaps, loops=(*now.loops, loop)
            )
        case events.SentenceDrafted():
            return replace(now, drafted=(*now.drafted, event.text))
        case events.SentenceWritten():
            return replace(now, written=(*now.written, event.text))
        case events.RunFinished():
            return replace(_leaving(now, event), report=event.report)
        case events.RunFailed():
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


def with_figures(progress: Progress, event: events.RunFinished) -> events.RunFinished:
    """Return ``event``, before which things stood at ``progress``, with all that this tells.

    Its report says when the run began and ended, who wrote the answer, and what the run took.
    """
    writing = _writing(progress, event)
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


def _writing(progress: Progress, event: events.RunFinished) -> Sequence[ModelCall]:
    """Return the calls that wrote the answer: the last judgement, where it carried the answer."""
    calls, report = progress.calls, event.report
    writing = [call for call in calls if call.step == "synthesize"]
    if writing or not report.citations:
        return writing
    judging = [call for call in calls if call.step in {"plan", "evaluate"} and not call.error]
    return [call for call in judging[-1:] if call.model == report.reasoner]


def _entering(progress: Progress, event: events.PhaseStarted) -> Progress:
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
    if isinstance(event, events.RunFinished):
        return 1.0
    if event.phase in _AFTER_LOOPS:
        return _AFTER_LOOPS[event.phase]
    if not event.max_loops:
        return 0.0
    return round(LOOPS_BEGIN + LOOPS_SHARE * max(0, event.loop - 1) / event.max_loops, 3)


@dataclass(frozen=True, slots=True)
class Summary:
    """A `quaere.store.traces.recorder.RunSummary`; it grows event by event."""

    progress: Progress = field(default_factory=Progress)
    stage: str = ""

    def after(self, event: Event) -> Summary:
        """Return the summary once ``event`` has happened."""
        return Summary(self.progress.after(event), str(event.phase))

    @property
    def share(self) -> float:
        """How far the run is, from 0 to 1."""
        return self.progress.share

    @property
    def result(self) -> dict[str, JsonValue]:
        """The answer as R4.3 has it; empty before the report."""
        return result_of(self.progress.report) if self.progress.report else {}

    @property
    def metrics(self) -> dict[str, JsonValue]:
        """What the run took; before the report, what its models did."""
        now = self.progress
        if not now.report:
            return _spent(now.calls)
        failed = Counter(each.provider for each in now.searches if each.error)
        return {**metrics_of(now.report), "failed_searches": dict(failed)}

    @property
    def state(self) -> dict[str, JsonValue]:
        """The tool's state as R4.3 has it: question, checklist, knowledge and loops."""
        now = self.progress
        return {
            "refined_question": now.refined_question,
            "checklist": [
                {
                    "id": item.id,
                    "description": item.description,
                    "satisfied": item.status is ItemStatus.SATISFIED,
                    "status": str(item.status),
                    "evidence": list(item.evidence),
                }
                for item in now.checklist.items
            ],
            "knowledge_base": _knowledge(now),
            "iterations": [_loop(number, loop) for number, loop in enumerate(now.loops, 1)],
            **({WAITS_FOR: str(now.waits_for)} if now.waits_for else {}),
        }


def _knowledge(now: Progress) -> JsonValue:
    """Return what is known: facts of the answer, sources and what is missing."""
    facts = now.report.sentences if now.report else ()
    return {
        "facts": [sentence.text for sentence in facts if sentence.evidence],
        "sources": [
            {
                "id": f"src_{each.id}",
                "type": source_type(each.url),
                "pmid": pmid_of(each.url) or None,
                "title": each.title,
                "url": each.url,
            }
            for each in now.selection
        ],
        "gaps": list(now.gaps),
    }


def _loop(number: int, loop: Loop) -> JsonValue:
    return {
        "iteration": number,
        "queries": list(dict.fromkeys(search.query for search in loop.searches)),
        "results_count": sum(search.hits for search in loop.searches),
        "checklist_progress": _done(loop.checklist),
    }


def result_of(report: Report) -> dict[str, JsonValue]:
    """Return the ``result`` of a trace as R4.3 has it; the whole report is in the event log."""
    counts = {status: len(report.checklist.with_status(status)) for status in ItemStatus}
    return {
        "answer": report.answer,
        "sources": [
            {
                "id": f"src_{citation.id}",
                "type": citation.type,
                "title": citation.title,
                "url": citation.url,
                "snippet": citation.quote.text,
            }
            for citation in report.citations
        ],
        "checklist_coverage": {str(status): count for status, count in counts.items()},
        "status": str(report.status),
        "stop_reason": str(report.stop_reason),
        "confidence": report.confidence,
    }


def metrics_of(report: Report) -> dict[str, JsonValue]:
    """Return the ``metrics`` of a trace: what the run took."""
    spend, figures = report.spend, report.figures
    return {
        "total_iterations": spend.iterations,
        "queries": spend.queries,
        "failed_queries": sum(bool(each.error) for each in report.queries),
        "poor_queries": sum(each.poor and not each.error for each in report.queries),
        "sources_processed": max((step.considered for step in report.steps), default=0),
        "pages_read": spend.reads,
        "pubmed_queries": figures.pubmed_queries,
        "web_queries": figures.web_queries,
        "searches": dict(figures.searches),
        "verdicts": dict(Counter(str(each.support) for each in report.sentences)),
        "fetches": {str(status): count for status, count in figures.fetches.items()},
        "evidence_pooled": figures.evidence_pooled,
        "evidence_selected": figures.evidence_selected,
        "stage_seconds": dict(figures.stage_seconds),
        "llm_calls": spend.model_calls,
        "tokens": spend.tokens,
        "cost_usd": spend.cost_usd,
        "seconds": round(report.seconds, 3),
    }


def _spent(calls: Sequence[ModelCall]) -> dict[str, JsonValue]:
    return {
        "llm_calls": len(calls),
        "tokens": sum(call.usage.total_tokens for call in calls),
        "cost_usd": sum(call.cost_usd or 0.0 for call in calls),
    }


def closing_line(progress: Progress, last: Event | None, seconds: float) -> dict[str, JsonValue]:
    """Return the fields of the one line that is logged when a run ends (R3.10): no text of it.

    Args:
        progress: How far it has come.
        last: Its last event.
        seconds: How long it took.

    The status is that of the answer; ``failed``, with the kind of error as the reason; or
    ``stopped``, when it was cancelled or goes on elsewhere.
    """
    if report := progress.report:
        metrics = metrics_of(report)
        status, reason = str(report.status), str(report.stop_reason)
    else:
        metrics = _so_far(progress, seconds)
        failed = isinstance(last, events.RunFailed)
        status, reason = ("failed", last.error_type) if failed else ("stopped", "")
    return {
        "loops": metrics["total_iterations"],
        "stop_reason": reason,
        "status": status,
        **{
            name: metrics[name]
            for name in ("queries", "failed_queries", "poor_queries", "searches", "fetches")
        },
        **{
            name: metrics[name]
            for name in ("evidence_pooled", "evidence_selected", "llm_calls", "tokens", "cost_usd")
        },
        "seconds": metrics["seconds"],
        "stage_seconds": metrics["stage_seconds"],
    }


def _so_far(progress: Progress, seconds: float) -> dict[str, JsonValue]:
    """Return what `metrics_of` does, of a run that has come to no report."""
    made, asked = figures(progress), _asked(progress.searches)
    return {
        **_spent(progress.calls),
        "total_iterations": len(progress.loops),
        "queries": len(asked),
        "failed_queries": sum(bool(each.error) for each in asked),
        "poor_queries": sum(each.poor and not each.error for each in asked),
        "searches": dict(made.searches),
        "fetches": {str(status): count for status, count in made.fetches.items()},
        "evidence_pooled": made.evidence_pooled,
        "evidence_selected": made.evidence_selected,
        "stage_seconds": dict(made.stage_seconds),
        "seconds": round(seconds, 3),
    }


def _asked(searches: Sequence[events.SearchFinished]) -> tuple[QueryOutcome, ...]:
    """Return the outcome of each query, which has failed where every service it was sent to has."""
    by_query: dict[str, list[events.SearchFinished]] = {}
    for each in searches:
        by_query.setdefault(each.query, []).append(each)
    return tuple(
        QueryOutcome(
            query=Query(text=query),
            iteration=0,
            hits=sum(each.hits for each in told),
            error=told[0].error if all(each.error for each in told) else "",
        )
        for query, told in by_query.items()
    )


def _done(checklist: Checklist) -> str:
    return f"{len(checklist.with_status(ItemStatus.SATISFIED))}/{len(checklist.items)}"
