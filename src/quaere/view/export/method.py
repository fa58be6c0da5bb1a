"""How a report came about and where it ends: its limits and its method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from quaere.domain.evidence import Evidence, Score
from quaere.domain.model import ModelCall
from quaere.domain.question import ItemStatus
from quaere.domain.report import QueryOutcome, Report, RunWarning, Sentence, Step, Support
from quaere.synthesize.compose import TRUNCATED
from quaere.synthesize.inert import plain
from quaere.synthesize.wording import (
    STOP_REASONS,
    calls_in_words,
    checks_in_words,
    degradations_in_words,
    format_usd,
    sources_in_words,
    unused_model,
    verdicts_in,
)
from quaere.text.languages.language import frame_of
from quaere.view.export.document import (
    Block,
    Bullets,
    Line,
    Paragraph,
    Section,
    Table,
    Tone,
    Words,
    words,
)

NOT_CHECKED = (
    "Each sentence was compared with the words that it cites. Whether those words are true, and "
    "what sources say that were not read, was not checked."
)

_PARTS = frozenset(Score.model_fields) - {"total", "weighed"}


def limits(report: Report) -> Section:
    """Return what the report does not say, and how far what it says was checked."""
    checks: tuple[Block, ...] = (
        Paragraph(words(checks_in_words(report.checks))),
        *_verdicts(report.sentences, verdicts_in(frame_of(report.question))),
        Paragraph(words(NOT_CHECKED)),
    )
    named = frame_of(report.question).headings
    parts = (
        Section("open", named.open, _bullets(_open(report))),
        Section("end", named.ended, _bullets(_end(report))),
        Section("checks", named.checked, checks),
        Section("warnings", named.warnings, _bullets(map(_warned, report.warnings))),
    )
    return Section("limits", named.limits, sections=tuple(part for part in parts if part.blocks))


def method(report: Report) -> Section:
    """Return what was done to write the report, and what it cost."""
    named = frame_of(report.question).headings
    tables = (
        _queries(report.queries, named.queries),
        _loops(report.steps, named.loops),
        _calls(report.calls, named.calls),
        _evidence(report.evidence, named.evidence),
    )
    return Section(
        "method",
        named.method,
        (*_bullets(_course(report)), *(table for table in tables if table.rows)),
    )


def _bullets(lines: Iterable[str]) -> tuple[Block, ...]:
    items = tuple(words(shown) for line in lines if (shown := plain(line)))
    return (Bullets(items),) if items else ()


def _open(report: Report) -> Iterator[str]:
    for item in report.checklist.items:
        if item.status is not ItemStatus.SATISFIED:
            part = " (answered in part)" if item.status is ItemStatus.PARTIAL else ""
            yield f"{item.description}{part}"
    described = {item.description for item in report.checklist.items}
    yield from (gap for gap in report.gaps if gap not in described)


def _end(report: Report) -> Iterator[str]:
    yield f"Searching ended because {STOP_REASONS[report.stop_reason]} ({report.stop_reason})."
    if report.truncated:
        yield TRUNCATED
    yield from filter(None, [unused_model(report.degradations)])
    yield from degradations_in_words(report.degradations)


def _verdicts(sentences: Iterable[Sentence], named: Mapping[Support, str]) -> Iterator[Block]:
    """Yield how many of the sentences shown have which verdict."""
    counts = Counter(named[sentence.support] for sentence in sentences)
    if counts:
        listed = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        yield Paragraph(words(f"Of the sentences shown: {listed}."))


def _warned(warning: RunWarning) -> str:
    return ": ".join(filter(None, (warning.kind, warning.subject, warning.message)))


def _course(report: Report) -> Iterator[str]:
    spend = report.spend
    if report.refined_question and report.refined_question != report.question:
        yield f"Question as it was understood: {report.refined_question}"
    yield f"Profile: {report.profile}; reasoner: {report.reasoner or 'not named'}"
    yield from (f"Topic given to a researcher: {topic}" for topic in report.dispatched_topics)
    yield from (f"Topic refused, as it repeats another: {topic}" for topic in report.skipped_topics)
    yield f"Loops: {spend.iterations} of at most {report.budget.max_iters}"
    yield f"Queries: {spend.queries} of at most {report.budget.max_queries}"
    sources = sources_in_words(report)
    yield f"{sources}; pages opened: {spend.reads} of at most {report.budget.max_reads}"
    yield f"Confidence {report.confidence:.0%}, coverage {report.checklist.coverage:.0%}"
    took = f"{spend.model_calls} model calls, {spend.tokens:,} tokens, {format_usd(spend.cost_usd)}"
    yield f"Cost: {report.seconds:.1f} s, {calls_in_words(report.calls) or took}"
    yield f"Run: {report.run_id}"


def _queries(outcomes: Iterable[QueryOutcome], title: str) -> Table:
    rows = tuple(
        _row(
            str(outcome.iteration + 1),
            outcome.query.text,
            outcome.query.intent.value,
            str(outcome.hits),
            str(outcome.fresh),
            outcome.error,
        )
        for outcome in outcomes
    )
    return Table(title, ("Loop", "Query", "Intent", "Hits", "New", "Error"), rows)


def _loops(steps: Iterable[Step], title: str) -> Table:
    rows = tuple(
        _row(
            str(step.iteration + 1),
            str(step.considered),
            str(step.read),
            f"{step.coverage:.0%}",
            f"{step.confidence:.0%}",
            f"{step.seconds:.1f} s",
        )
        for step in steps
    )
    head = ("Loop", "Sources found", "Sources read", "Coverage", "Confidence", "Time")
    return Table(title, head, rows)


def _calls(calls: Iterable[ModelCall], title: str) -> Table:
    rows = tuple(
        _row(
            call.step,
            call.model,
            str(call.usage.total_tokens),
            "unknown" if call.cost_usd is None else f"{call.cost_usd:.4f} USD",
            f"{call.seconds:.1f} s",
            call.error,
        )
        for call in calls
    )
    return Table(title, ("Step", "Model", "Tokens", "Cost", "Time", "Error"), rows)


def _evidence(evidence: Iterable[Evidence], title: str) -> Table:
    rows = tuple(
        (
            *_row(str(entry.id), ", ".join(filter(None, (entry.title, entry.locator)))),
            _score(entry),
            *_row(f"{entry.score.weighed or entry.score.total:.2f}"),
        )
        for entry in evidence
    )
    return Table(title, ("Id", "Source", "Parts of the score", "Score"), rows)


def _score(entry: Evidence) -> Line:
    """Return the parts of a score that are not zero, and what is remarked of the source."""
    parts = (f"{name} {value:.2f}" for name, value in entry.score if name in _PARTS and value)
    return (Words("; ".join((", ".join(parts), *map(plain, entry.remarks))), Tone.QUIET),)


def _row(*cells: str) -> tuple[Line, ...]:
    return tuple(words(plain(cell)) for cell in cells)
