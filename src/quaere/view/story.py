"""A run told from its event log alone: plan, loops, queries, pages, findings, decisions, costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCollected,
    IndexProgress,
    InquiryAnswered,
    InquiryRaised,
    Phase,
    PhaseStarted,
    PlanMade,
    RunFailed,
    RunFinished,
    RunStarted,
    SearchFinished,
    SentenceWritten,
    SourceRead,
    Verified,
    WarningRaised,
)
from quaere.domain.evidence import Evidence
from quaere.domain.question import Checklist
from quaere.domain.report import Checks, Report
from quaere.domain.source import ReadStatus
from quaere.domain.trace import Source, Trace
from quaere.faces.cli.render import ITEM_MARKS, described
from quaere.synthesize.inert import plain, visible
from quaere.synthesize.wording import calls_in_words, format_usd
from quaere.view.layout import counted

EXCERPT_CHARS = 160
EVIDENCE_SHOWN = 10
"""Evidence that is told of at each selection; `quaere trace export` has all of it."""


def story(trace: Trace, events: Sequence[Event], sources: Sequence[Source]) -> str:
    """Return what happened in a run, in the order in which it happened.

    Args:
        trace: Whose log it is.
        events: The log.
        sources: Passages behind the evidence, for their words.
    """
    texts = {source.evidence.passage: source.text for source in sources}
    lines = [*_heading(trace)]
    begun = _moment(events[0]) if events else None
    for event in events:
        if isinstance(event, PhaseStarted):
            after = (_moment(event) - begun).total_seconds() if begun else 0.0
            lines += ["", f"[{after:6.1f} s] {_phase(event)}"]
        lines += [f"  {line}" for line in told(event, texts)]
    return "\n".join(lines) + "\n"


def told(event: Event, texts: Mapping[str, str]) -> Iterator[str]:
    """Yield ``event`` in lines; none for one that another one tells of better."""
    match event:
        case RunStarted():
            yield f"{event.profile} profile, {counted(event.budget.max_iters, 'loop')} at most"
        case IndexProgress() if event.done == event.total:
            yield f"{counted(event.total, 'file')}, {counted(event.passages, 'passage')}"
        case PlanMade():
            yield from _plan(event)
        case SearchFinished():
            outcome = event.error or f"{event.hits} found, {event.fresh} new"
            yield f"query ({event.intent}): {visible(event.query)}: {visible(outcome)}"
        case SourceRead():
            yield _read(event)
        case EvidenceCollected():
            yield from _evidence(event, texts)
        case Evaluated():
            yield from _evaluated(event)
        case _:
            yield from _told_of_the_end(event)


def _told_of_the_end(event: Event) -> Iterator[str]:
    match event:
        case InquiryRaised():
            yield f"asked ({event.inquiry.kind}): {visible(event.inquiry.text)}"
            yield from (f"  {visible(topic)}" for topic in event.inquiry.topics)
        case InquiryAnswered():
            said = event.reply.text or "; ".join(event.reply.topics) or "as it is"
            yield f"answered ({event.kind}): {visible(said)}"
        case SentenceWritten():
            yield f"sentence, {event.sentence.support}: {plain(event.sentence.text)}"
        case Verified():
            yield _checks(event.checks)
        case WarningRaised():
            yield f"warning: {described(event.warning)}"
        case RunFinished():
            yield from _report(event.report)
        case RunFailed():
            yield f"failed: {visible(event.message)} ({event.error_type})"
        case _:
            return


def _heading(trace: Trace) -> Iterator[str]:
    yield visible(trace.question)
    when = trace.created_at.strftime("%Y-%m-%d %H:%M:%S UTC")
    yield f"  {visible(trace.id)}, {trace.status}, {when}"
    if trace.error_message:
        yield f"  {visible(trace.error_message)}"


def _phase(event: PhaseStarted) -> str:
    parts = [str(event.phase)]
    if event.phase in {Phase.SEARCHING, Phase.ITERATING}:
        parts.append(f"loop {event.loop} of {event.max_loops}")
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
        yield f"{ITEM_MARKS[item.status][0]} {visible(item.description)}"


def _read(event: SourceRead) -> str:
    place = visible(event.url)
    named = f"{visible(event.title)} <{place}>" if event.title else place
    good = event.status in {ReadStatus.OK, ReadStatus.PROVIDED}
    outcome = counted(event.passages, "passage") if good else visible(event.reason)
    return f"page, {event.status}: {named}: {outcome}"


def _evidence(event: EvidenceCollected, texts: Mapping[str, str]) -> Iterator[str]:
    chosen = len(event.selected)
    yield f"findings: {event.fresh} new, {event.pool} in the pool, {chosen} selected"
    for evidence in event.selected[:EVIDENCE_SHOWN]:
        yield f"  {_finding(evidence)}"
        if words := plain(texts.get(evidence.passage, "")):
            more = "…" if len(words) > EXCERPT_CHARS else ""
            yield f"      “{words[:EXCERPT_CHARS]}{more}”"
    if chosen > EVIDENCE_SHOWN:
        yield f"  and {chosen - EVIDENCE_SHOWN} more"


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
    yield f"answer, {report.status}: {visible(report.answer)}"
    for citation in report.citations:
        yield f"  [{citation.id}] {visible(citation.title)} <{visible(citation.location)}>"
    spend = report.spend
    paid = calls_in_words(report.calls) or f"{spend.tokens:,} tokens, {format_usd(spend.cost_usd)}"
    yield (
        f"cost: {report.seconds:.1f} s, {counted(spend.iterations, 'loop')}, "
        f"{counted(spend.queries, 'query', 'queries')}, {counted(spend.reads, 'page')} opened, "
        f"{paid}"
    )


def _moment(event: Event) -> datetime:
    return datetime.fromisoformat(event.at)
