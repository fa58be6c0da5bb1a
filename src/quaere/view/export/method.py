"""How a report came about and where it ends: its limits and its method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from quaere.domain.evidence import Evidence, Score
from quaere.domain.model import ModelCall
from quaere.domain.question import ItemStatus
from quaere.domain.report import QueryOutcome, Report, Sentence, Step
from quaere.synthesize.inert import plain
from quaere.synthesize.wording import (
    calls_in_words,
    checks_in_words,
    degradations_in_words,
    format_usd,
    loops_and_queries,
    place_in,
    sources_in_words,
    stopped,
    sureness,
    unused_model,
    verdicts_in,
)
from quaere.text.languages.language import Frame, frame_of
from quaere.text.languages.phrases import Account, tell
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

_PARTS = frozenset(Score.model_fields) - {"total", "weighed"}


def limits(report: Report) -> Section:
    """Return what the report does not say, and how far what it says was checked."""
    said = frame_of(report.asked)
    checks: tuple[Block, ...] = (
        Paragraph(words(checks_in_words(report.checks, said))),
        *_verdicts(report.sentences, said),
        Paragraph(words(said.account.not_checked)),
    )
    named = said.headings
    warned = (f"{each.kind}: {each.told}" for each in report.warnings)
    parts = (
        Section("open", named.open, _bullets(_open(report, said))),
        Section("end", named.ended, _bullets(_end(report, said))),
        Section("checks", named.checked, checks),
        Section(
            "warnings",
            named.warnings,
            _bullets(warned),
        ),
    )
    return Section("limits", named.limits, sections=tuple(part for part in parts if part.blocks))


def method(report: Report) -> Section:
    """Return what was done to write the report, and what it cost."""
    said = frame_of(report.asked)
    named, account = said.headings, said.account
    tables = (
        _queries(report.queries, named.queries, account),
        _loops(report.steps, named.loops, account),
        _calls(report.calls, named.calls, account),
        _evidence(report.evidence, named.evidence, account),
    )
    return Section(
        "method",
        named.method,
        (*_bullets(_course(report, said)), *(table for table in tables if table.rows)),
    )


def _bullets(lines: Iterable[str]) -> tuple[Block, ...]:
    items = tuple(words(shown) for line in lines if (shown := plain(line)))
    return (Bullets(items),) if items else ()


def _open(report: Report, said: Frame) -> Iterator[str]:
    in_part = said.headings.in_part
    for item in report.checklist.items:
        if item.status is not ItemStatus.SATISFIED:
            is_partial = item.status is ItemStatus.PARTIAL
            part = f" ({in_part[:1].lower()}{in_part[1:]})" if is_partial else ""
            yield f"{item.description}{part}"
    described = {item.description for item in report.checklist.items}
    for gap in report.gaps:  # "Not found: the price", or what is missing alone
        if described.isdisjoint((gap, gap.partition(said.colon)[2])):
            yield gap


def _end(report: Report, said: Frame) -> Iterator[str]:
    cut_short = said.cut_short if report.truncated else ""
    ended, unused = stopped(report, said.account), unused_model(report.degradations, said)
    yield from filter(None, [ended, cut_short, unused])
    yield from degradations_in_words(report.degradations, said)


def _verdicts(sentences: Iterable[Sentence], said: Frame) -> Iterator[Block]:
    """Yield how many of the sentences shown have which verdict."""
    named = verdicts_in(said)
    counts = Counter(named[sentence.support] for sentence in sentences)
    if counts:
        listed = ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items()))
        yield Paragraph(words(said.account.shown.format(listed=listed)))


def _course(report: Report, said: Frame) -> Iterator[str]:
    spend, account = report.spend, said.account
    if report.refined_question not in {"", report.question, report.read_as}:
        yield account.understood.format(question=report.refined_question)
    reasoner = report.reasoner or account.unnamed
    yield account.profile.format(profile=report.profile, reasoner=reasoner)
    yield from (account.given.format(topic=topic) for topic in report.dispatched_topics)
    yield from (account.refused.format(topic=topic) for topic in report.skipped_topics)
    yield from loops_and_queries(report, account)
    sources, most = sources_in_words(report, said), report.budget.max_reads
    yield tell(account, account.opened, sources=sources, count=spend.reads, most=most)
    yield sureness(report, account)
    calls = calls_in_words(report.calls, said) or _spent(report, account)
    yield tell(account, account.took, seconds=report.seconds, calls=calls)
    yield account.run.format(run=report.run_id)


def _spent(report: Report, said: Account) -> str:
    """Return what a run has spent that lists no call."""
    spend = report.spend
    tokens, cost = tell(said, said.tokens, tokens=spend.tokens), format_usd(spend.cost_usd, said)
    return tell(said, said.calls, calls=spend.model_calls, tokens=tokens, cost=cost)


def _queries(outcomes: Iterable[QueryOutcome], title: str, said: Account) -> Table:
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
    return Table(title, said.query_heads, rows)


def _loops(steps: Iterable[Step], title: str, said: Account) -> Table:
    rows = tuple(
        _row(
            str(step.iteration + 1),
            str(step.considered),
            str(step.read),
            f"{step.coverage:.0%}",
            f"{step.confidence:.0%}",
            tell(said, "{seconds} s", seconds=step.seconds),
        )
        for step in steps
    )
    return Table(title, said.loop_heads, rows)


def _calls(calls: Iterable[ModelCall], title: str, said: Account) -> Table:
    rows = tuple(
        _row(
            call.step,
            call.model,
            str(call.usage.total_tokens),
            said.unknown if call.cost_usd is None else f"{call.cost_usd:.4f} USD",
            tell(said, "{seconds} s", seconds=call.seconds),
            call.error,
        )
        for call in calls
    )
    return Table(title, said.call_heads, rows)


def _evidence(evidence: Iterable[Evidence], title: str, said: Account) -> Table:
    rows = tuple(
        (
            *_row(str(entry.id), _named(entry, said)),
            _score(entry),
            *_row(f"{entry.score.weighed or entry.score.total:.2f}"),
        )
        for entry in evidence
    )
    return Table(title, said.evidence_heads, rows)


def _named(entry: Evidence, said: Account) -> str:
    return ", ".join(filter(None, (entry.title, place_in(entry.locator, said))))


def _score(entry: Evidence) -> Line:
    """Return the parts of a score that are not zero, and what is remarked of the source."""
    parts = (f"{name} {value:.2f}" for name, value in entry.score if name in _PARTS and value)
    return (Words("; ".join((", ".join(parts), *map(plain, entry.remarks))), Tone.QUIET),)


def _row(*cells: str) -> tuple[Line, ...]:
    return tuple(words(plain(cell)) for cell in cells)
