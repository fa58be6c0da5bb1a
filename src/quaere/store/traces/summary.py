"""What the events of a run add up to in the columns of its trace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from pydantic import JsonValue

from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCollected,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
)
from quaere.domain.question import Checklist, ItemStatus
from quaere.domain.report import Report
from quaere.domain.trace import TraceStatus
from quaere.domain.works import pmid_of, source_type
from quaere.errors import RunCancelled

_LOOPS = 0.8
"""Share of a run's progress that its loops make up, beginning at `_BEGUN`."""
_BEGUN = 0.05
_STATEFUL = (PlanMade, Evaluated, RunFinished)
"""Events after which the state is written anew; others change next to nothing of it."""
_AT = {Phase.SYNTHESIZING: 0.87, Phase.VERIFYING: 0.92, Phase.FINALIZING: 0.97}


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How far a run has come; it grows event by event."""

    stage: str = ""
    progress: float = 0.0
    refined_question: str = ""
    checklist: Checklist = field(default_factory=Checklist)
    gaps: tuple[str, ...] = ()
    sources: tuple[tuple[int, str, str], ...] = ()
    """Number, title and URL of the evidence that is selected."""
    searches: tuple[SearchFinished, ...] = ()
    """Of the loop that is under way."""
    iterations: tuple[dict[str, JsonValue], ...] = ()
    report: Report | None = None

    def after(self, event: Event) -> Summary:
        """Return the summary once ``event`` has happened."""
        now = replace(
            self,
            stage=str(event.phase),
            progress=max(self.progress, _reached(event)),
        )
        if event.topic and not isinstance(event, RunFinished):
            return now  # one line of inquiry of several says nothing of the whole
        match event:
            case PlanMade():
                refined = event.refined_question
                return replace(now, checklist=event.checklist, refined_question=refined)
            case PhaseStarted(phase=Phase.SEARCHING | Phase.ITERATING):
                return replace(now, searches=())
            case SearchFinished():
                return replace(now, searches=(*now.searches, event))
            case EvidenceCollected():
                sources = tuple((each.id, each.title, each.url) for each in event.selected)
                return replace(now, sources=sources)
            case Evaluated():
                return _evaluated(now, event)
            case RunFinished():
                return replace(now, report=event.report)
            case _:
                return now

    @property
    def state(self) -> dict[str, JsonValue]:
        """The tool's state as R4.3 has it: question, checklist, knowledge and loops."""
        facts = self.report.sentences if self.report else ()
        return {
            "refined_question": self.refined_question,
            "checklist": [
                {
                    "id": item.id,
                    "description": item.description,
                    "satisfied": item.status is ItemStatus.SATISFIED,
                    "status": str(item.status),
                    "evidence": list(item.evidence),
                }
                for item in self.checklist.items
            ],
            "knowledge_base": {
                "facts": [sentence.text for sentence in facts if sentence.evidence],
                "sources": [
                    {
                        "id": f"src_{number}",
                        "type": source_type(url),
                        "pmid": pmid_of(url) or None,
                        "title": title,
                        "url": url,
                    }
                    for number, title, url in self.sources
                ],
                "gaps": list(self.gaps),
            },
            "iterations": list(self.iterations),
        }


def _evaluated(summary: Summary, event: Evaluated) -> Summary:
    loop: dict[str, JsonValue] = {
        "iteration": len(summary.iterations) + 1,
        "queries": [search.query for search in summary.searches],
        "results_count": sum(search.hits for search in summary.searches),
        "checklist_progress": _done(event.checklist),
    }
    return replace(
        summary,
        checklist=event.checklist,
        gaps=event.gaps,
        searches=(),
        iterations=(*summary.iterations, loop),
    )


def columns(summary: Summary, events: Iterable[Event]) -> dict[str, object]:
    """Return the columns of a trace that ``events`` change, the last of those in ``summary``."""
    changes: dict[str, object] = {
        "status": str(TraceStatus.IN_PROGRESS),
        "current_stage": summary.stage,
        "progress": summary.progress,
    }
    for event in events:
        if isinstance(event, _STATEFUL):
            changes["state"] = summary.state
        if isinstance(event, RunStarted):
            changes["started_at"] = moment(event)
        if isinstance(event, RunFinished):
            changes["result"] = result_of(event.report)
            changes["metrics"] = metrics_of(event.report)
            changes |= {"status": str(TraceStatus.COMPLETED), "completed_at": moment(event)}
        if isinstance(event, RunFailed):
            changes["error_message"] = event.message
            cancelled = event.error_type == RunCancelled("").type
            status = TraceStatus.CANCELLED if cancelled else TraceStatus.FAILED
            changes |= {"status": str(status), "completed_at": moment(event)}
    return changes


def moment(event: Event) -> datetime:
    """Return when ``event`` happened; now, where it does not say."""
    return datetime.fromisoformat(event.at) if event.at else datetime.now(UTC)


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
    spend = report.spend
    return {
        "total_iterations": spend.iterations,
        "queries": spend.queries,
        "failed_queries": len(report.failed_queries),
        "sources_processed": max((step.considered for step in report.steps), default=0),
        "pages_read": spend.reads,
        "llm_calls": spend.model_calls,
        "tokens": spend.tokens,
        "cost_usd": spend.cost_usd,
        "seconds": round(report.seconds, 3),
    }


def _done(checklist: Checklist) -> str:
    return f"{len(checklist.with_status(ItemStatus.SATISFIED))}/{len(checklist.items)}"


def _reached(event: Event) -> float:
    """Return the share of the run that lies behind ``event``, as far as its budget can tell."""
    if isinstance(event, RunFinished):
        return 1.0
    if event.phase in _AT:
        return _AT[event.phase]
    if not event.max_loops:
        return 0.0
    return _BEGUN + _LOOPS * max(0, event.loop - 1) / event.max_loops
