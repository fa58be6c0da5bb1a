"""One line of text for each event, for the terminal, the story of a run and logs.

A new event gets its line here, by one more ``@describe.register``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from types import MappingProxyType

from quaere.domain import events
from quaere.domain.events import Event, Phase
from quaere.domain.question import ItemStatus
from quaere.domain.source import ReadStatus
from quaere.synthesize.wording import STOP_REASONS, counted, format_usd, verdict_in_words

ITEM_MARKS: Mapping[ItemStatus, str] = MappingProxyType(
    {ItemStatus.SATISFIED: "✓", ItemStatus.PARTIAL: "◐", ItemStatus.UNSATISFIED: "✗"}
)

READABLE = frozenset({ReadStatus.OK, ReadStatus.PROVIDED})
"""How the reading of a source ends that has brought its text."""


@singledispatch
def describe(event: Event) -> str:
    """Return ``event`` in one line, not yet inert.

    Raises:
        NotImplementedError: for an event that has no line yet.
    """
    raise NotImplementedError(type(event).__name__)


@describe.register
def _(event: events.RunStarted) -> str:
    return f"{event.profile} profile, {counted(event.budget.max_iters, 'loop')} at most"


@describe.register
def _(event: events.IndexProgress) -> str:
    # Passages of a file that is still being read are counted before the file is.
    passages = f", {counted(event.passages, 'passage')}" if event.done else ""
    return f"indexing: {event.done:,} of {counted(event.total, 'file')}{passages}"


@describe.register
def _(event: events.PhaseStarted) -> str:
    if event.phase in {Phase.SEARCHING, Phase.ITERATING}:
        return f"{event.phase}, loop {event.loop} of {event.max_loops}"
    return str(event.phase)


@describe.register
def _(event: events.PlanMade) -> str:
    items, queries = len(event.checklist.items), len(event.queries)
    return f"checklist of {items}, queries to ask: {queries}"


@describe.register
def _(event: events.SearchFinished) -> str:
    where = f" at {event.provider}" if event.provider else ""
    outcome = event.error or f"{event.hits} found, {event.fresh} new"
    return f"query ({event.intent}){where}: {event.query}: {outcome}"


@describe.register
def _(event: events.SourceRead) -> str:
    good = event.status in READABLE
    outcome = counted(event.passages, "passage") if good else event.reason
    page = f"{event.title} ({event.url})" if event.title else event.url
    return ": ".join(filter(None, (f"page, {event.status}", page, outcome)))


@describe.register
def _(event: events.EvidenceCollected) -> str:
    chosen = len(event.selected)
    return f"findings: {event.fresh} new, {event.pool} in the pool, {chosen} selected"


@describe.register
def _(event: events.EvidenceCompacted) -> str:
    tokens = f"{event.tokens_before:,} to {event.tokens_after:,} tokens"
    return f"{counted(event.passages, 'passage')} shortened, {tokens}"


@describe.register
def _(event: events.ModelCalled) -> str:
    call = event.call
    paid = "price not known" if call.cost_usd is None else format_usd(call.cost_usd)
    tokens = counted(call.usage.total_tokens, "token")
    parts = [f"{call.seconds:.1f} s", tokens, paid, "again" * event.retried, call.error]
    return f"model call ({call.step}): {call.model}: {', '.join(filter(None, parts))}"


@describe.register
def _(event: events.Evaluated) -> str:
    done = len(event.checklist.with_status(ItemStatus.SATISFIED))
    then = f"stopping: {STOP_REASONS[event.stop_reason]}" if event.stop_reason else "going on"
    return f"{done} of {len(event.checklist.items)} items answered, {then}"


@describe.register
def _(event: events.InquiryRaised) -> str:
    return f"waiting for an answer ({event.inquiry.kind}): {event.inquiry.text}"


@describe.register
def _(event: events.InquiryAnswered) -> str:
    said = event.reply.text or "; ".join(event.reply.topics) or "approved as it is"
    return f"answered ({event.kind}): {said}"


@describe.register
def _(event: events.SentenceDrafted) -> str:
    return f"draft: {event.text}"


@describe.register
def _(event: events.SentenceWritten) -> str:
    said = event.sentence
    verdict = verdict_in_words(said.support, said.by, said.reason)
    return f"sentence ({verdict}): {said.text}"


@describe.register
def _(event: events.Verified) -> str:
    checks = event.checks
    held = checks.supported + checks.repaired
    return f"{held} of {checks.written} sentences supported"


@describe.register
def _(event: events.TextChecked) -> str:
    summary = event.audit.summary
    return (
        f"{counted(summary.claims, 'claim')} checked against {counted(summary.sources, 'source')}"
    )


@describe.register
def _(event: events.WarningRaised) -> str:
    return f"warning: {event.warning.told}"


@describe.register
def _(event: events.RunFinished) -> str:
    return f"answer, {event.report.status}: {event.report.answer}"


@describe.register
def _(event: events.RunFailed) -> str:
    return f"failed: {event.message} ({event.error_type})"
