"""Runs told from their event logs alone: how one went, and in what two of them differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import ndiff
from typing import Final

from quaere.domain.events import (
    Evaluated,
    Event,
    EvidenceCollected,
    IndexProgress,
    InquiryRaised,
    PhaseStarted,
    PlanMade,
    RunFinished,
    SearchFinished,
    SentenceDrafted,
    Verified,
)
from quaere.domain.evidence import Evidence
from quaere.domain.question import Checklist
from quaere.domain.report import Checks, Report
from quaere.domain.trace import Source, Trace
from quaere.domain.url import canonical_url
from quaere.domain.value import Value
from quaere.synthesize.inert import plain, visible
from quaere.synthesize.wording import calls_in_words, columns, counted, format_usd, verdict_in_words
from quaere.view.describe import ITEM_MARKS, describe
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


class Sides(Value):
    """What one side has, the other has, and both have, in the order of its appearance."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    both: tuple[str, ...]


class Figure(Value):
    """A figure of two runs; None where it is not known.

    That is so for a run that ended before there was one, and for what calls without a price cost.
    """

    name: str
    first: float | None
    second: float | None


class Comparison(Value):
    """Two runs side by side."""

    traces: tuple[str, str]
    statuses: tuple[str, str]
    questions: tuple[str, str]
    queries: Sides
    sources: Sides
    """Canonical URLs that the answers cite."""
    answers: tuple[str, str]
    figures: tuple[Figure, ...]


class Side(Value):
    """One run, as far as it is compared."""

    trace: Trace
    queries: tuple[str, ...]
    report: Report | None


def side(trace: Trace, events: Sequence[Event]) -> Side:
    """Return what of a run is compared."""
    reports = [event.report for event in events if isinstance(event, RunFinished)]
    queries = [event.query for event in events if isinstance(event, SearchFinished)]
    return Side(
        trace=trace,
        queries=tuple(dict.fromkeys(queries)),
        report=reports[-1] if reports else None,
    )


def compare(first: Side, second: Side) -> Comparison:
    """Return the two runs side by side."""
    return Comparison(
        traces=(first.trace.id, second.trace.id),
        statuses=(str(first.trace.status), str(second.trace.status)),
        questions=(first.trace.question, second.trace.question),
        queries=_sides(first.queries, second.queries),
        sources=_sides(_cited(first.report), _cited(second.report)),
        answers=(_answer(first.report), _answer(second.report)),
        figures=tuple(
            Figure(name=name, first=one, second=other)
            for (name, one), (_, other) in zip(
                _figures(first.report), _figures(second.report), strict=True
            )
        ),
    )


def comparison_text(comparison: Comparison) -> str:
    """Return ``comparison`` for a person: what only the first has after -, the second after +."""
    lines = [
        f"- {visible(comparison.traces[0])}, {comparison.statuses[0]}",
        f"+ {visible(comparison.traces[1])}, {comparison.statuses[1]}",
    ]
    lines += _differing("Question", *comparison.questions)
    lines += _listed("Queries", comparison.queries)
    lines += _listed("Sources", comparison.sources)
    lines += _differing("Answer", *comparison.answers)
    rows = [(f.name, _shown(f.first), _shown(f.second)) for f in comparison.figures]
    return "\n".join(lines) + "\n\nCost\n" + columns([("", "-", "+"), *rows])


def _sides(first: Sequence[str], second: Sequence[str]) -> Sides:
    return Sides(
        first=tuple(each for each in first if each not in second),
        second=tuple(each for each in second if each not in first),
        both=tuple(each for each in first if each in second),
    )


def _cited(report: Report | None) -> tuple[str, ...]:
    if report is None:
        return ()
    return tuple(dict.fromkeys(canonical_url(each.url) for each in report.citations))


def _answer(report: Report | None) -> str:
    return report.answer if report else ""


def _paid(report: Report) -> float | None:
    """Return what ``report`` cost; None where a call has no known price."""
    if any(call.cost_usd is None for call in report.calls):
        return None
    return report.spend.cost_usd


_FIGURES: Final[Mapping[str, Callable[[Report], float | None]]] = {
    "confidence": lambda report: report.confidence,
    "loops": lambda report: report.spend.iterations,
    "queries": lambda report: report.spend.queries,
    "pages opened": lambda report: report.spend.reads,
    "citations": lambda report: len(report.citations),
    "model calls": lambda report: report.spend.model_calls,
    "tokens": lambda report: report.spend.tokens,
    "dollars": _paid,
    "seconds": lambda report: round(report.seconds, 1),
}


def _figures(report: Report | None) -> list[tuple[str, float | None]]:
    return [(name, figure(report) if report else None) for name, figure in _FIGURES.items()]


def _listed(title: str, sides: Sides) -> list[str]:
    shown = [f"- {visible(each)}" for each in sides.first]
    shown += [f"+ {visible(each)}" for each in sides.second]
    shown += [f"  {visible(each)}" for each in sides.both]
    return ["", title, *shown] if shown else []


def _differing(title: str, first: str, second: str) -> list[str]:
    one, other = ([visible(line) for line in text.splitlines()] for text in (first, second))
    if not one and not other:
        return []
    return ["", title, *(line for line in ndiff(one, other) if not line.startswith("?"))]


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:,g}" if figure % 1 else f"{figure:,.0f}"
