"""What the events of a run add up to in the columns of its trace, and in its closing log line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from quaere.domain.events import Event, RunFailed, SearchFinished
from quaere.domain.model import ModelCall
from quaere.domain.question import Checklist, ItemStatus, Query
from quaere.domain.report import QueryOutcome, Report
from quaere.domain.url import pmid_of, source_type
from quaere.view.reduce import Loop, Progress, figures


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
        facts = now.report.sentences if now.report else ()
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
            "knowledge_base": {
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
            },
            "iterations": [_loop(number, loop) for number, loop in enumerate(now.loops, 1)],
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
        failed = isinstance(last, RunFailed)
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


def _asked(searches: Sequence[SearchFinished]) -> tuple[QueryOutcome, ...]:
    """Return the outcome of each query, which has failed where every service it was sent to has."""
    by_query: dict[str, list[SearchFinished]] = {}
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
