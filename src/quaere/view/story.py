"""A run told from its event log alone: plan, loops, queries, pages, findings, decisions, costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCollected,
    IndexProgress,
    InquiryRaised,
    PhaseStarted,
    PlanMade,
    RunFinished,
    SentenceDrafted,
    Verified,
)
from quaere.domain.evidence import Evidence
from quaere.domain.question import Checklist
from quaere.domain.report import Checks, Report
from quaere.domain.trace import Source, Trace
from quaere.synthesize.inert import plain, visible
from quaere.synthesize.wording import calls_in_words, format_usd, verdict_in_words
from quaere.view.describe import ITEM_MARKS, describe
from quaere.view.layout import counted
from quaere.view.reduce import Progress

EXCERPT_CHARS = 160
EVIDENCE_SHOWN = 10
"""Most evidence shown at each selection; `quaere trace export` has all of it."""


def story(trace: Trace, events: Sequence[Event], sources: Sequence[Source]) -> str:
    """Return what happened in a run, in the order in which it happened.

    Args:
        trace: Whose log it is.
        events: The log.
        sources: Passages of the evidence, for their words.
    """
    texts = {source.evidence.passage: source.text for source in sources}
    lines = [*_heading(trace)]
    progress = Progress()
    for event in events:
        progress = progress.after(event)
        if isinstance(event, PhaseStarted):
            after = (event.moment - events[0].moment).total_seconds()
            lines += ["", f"[{after:6.1f} s] {_phase(event)}"]
        elif not _told_elsewhere(event):
            lines.append(f"  {visible(describe(event))}")
            lines += [f"  {line}" for line in _details(event, progress, texts)]
    return "\n".join(lines) + "\n"


def _told_elsewhere(event: Event) -> bool:
    """Whether a later event has the same with more in it."""
    if isinstance(event, IndexProgress):
        return event.done < event.total
    return isinstance(event, SentenceDrafted)


def _details(event: Event, progress: Progress, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield what there is to say of ``event`` beyond its one line."""
    match event:
        case PlanMade():
            yield from _plan(event)
        case EvidenceCollected():
            yield from _evidence(progress.selection, texts)
        case Evaluated():
            yield from _evaluated(event)
        case InquiryRaised():
            yield from (f"  {visible(topic)}" for topic in event.inquiry.topics)
        case Verified():
            yield _checks(event.checks)
        case RunFinished():
            yield from _report(event.report)
        case _:
            return


def _heading(trace: Trace) -> Iterator[str]:
    yield visible(trace.question)
    when = trace.created_at.strftime("%Y-%m-%d %H:%M:%S UTC")
    yield f"  {visible(trace.id)}, {trace.status}, {when}"
    if trace.error_message:
        yield f"  {visible(trace.error_message)}"


def _phase(event: PhaseStarted) -> str:
    parts = [describe(event)]
    if event.topic:
        parts.append(f"topic: {visible(event.topic)}")
    left = event.remaining
    parts.append(f"left: {left.seconds:.0f} s, {left.queries} queries, {left.tokens:,} tokens")
    return ", ".join(parts)


def _plan(event: PlanMade) -> Iterator[str]:
    yield f"plan: {visible(event.refined_question)}"
    yield from _items(event.checklist)
    for query in event.queries:
        why = f" ({visible(query.purpose)})" if query.purpose else ""
        yield f"will ask: {visible(query.text)}{why}"


def _items(checklist: Checklist) -> Iterator[str]:
    for item in checklist.items:
        yield f"{ITEM_MARKS[item.status]} {visible(item.description)}"


def _evidence(selection: Sequence[Evidence], texts: Mapping[str, str]) -> Iterator[str]:
    for evidence in selection[:EVIDENCE_SHOWN]:
        yield f"  {_finding(evidence)}"
        if words := plain(texts.get(evidence.passage, "")):
            more = "…" if len(words) > EXCERPT_CHARS else ""
            yield f"      “{words[:EXCERPT_CHARS]}{more}”"
    if len(selection) > EVIDENCE_SHOWN:
        yield f"  and {len(selection) - EVIDENCE_SHOWN} more"


def _finding(evidence: Evidence) -> str:
    place = ", ".join(filter(None, (visible(evidence.title), visible(evidence.locator))))
    return f"#{evidence.id} {evidence.score.total:.2f} {place} <{visible(evidence.url)}>"


def _evaluated(event: Evaluated) -> Iterator[str]:
    yield from _items(event.checklist)
    yield f"coverage {event.coverage:.0%}, confidence {event.confidence:.0%}"
    for gap in event.gaps:
        yield f"missing: {visible(gap)}"
    why = f": {visible(event.reason)}" if event.reason else ""
    decision = f"stop, {event.stop_reason}" if event.stop_reason else "go on"
    yield f"decision: {decision}{why}"
    for query in event.next_queries:
        yield f"will ask: {visible(query)}"


def _checks(checks: Checks) -> str:
    return (
        f"{checks.written} written, {checks.supported} supported, {checks.repaired} repaired, "
        f"{checks.marked} marked, {checks.dropped} dropped"
    )


def _report(report: Report) -> Iterator[str]:
    for said in report.dropped:
        verdict = verdict_in_words(said.support, said.by, visible(said.reason))
        yield f"  left out ({verdict}): {visible(said.text)}"
    for citation in report.citations:
        yield f"  [{citation.id}] {visible(citation.title)} <{visible(citation.location)}>"
    spend = report.spend
    paid = calls_in_words(report.calls) or f"{spend.tokens:,} tokens, {format_usd(spend.cost_usd)}"
    yield (
        f"cost: {report.seconds:.1f} s, {counted(spend.iterations, 'loop')}, "
        f"{counted(spend.queries, 'query', 'queries')}, {counted(spend.reads, 'page')} opened, "
        f"{paid}"
    )
