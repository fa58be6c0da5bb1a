"""A check as a run: followed, cancelled, taken over and kept like research."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from typing import Protocol

from quaere.audit.auditor import Auditor
from quaere.audit.cited_text import CitedText, cited_text
from quaere.audit.second_opinion import Entailment, Judge, JudgeLimits
from quaere.audit.sources import AuditLimits, LocalFiles
from quaere.domain.audit import Audit
from quaere.domain.budget import Budget, ProfileName, Spend, remaining
from quaere.domain.events import (
    Event,
    ModelCalled,
    Phase,
    PhaseStarted,
    RunFinished,
    RunStarted,
    SentenceWritten,
    SourceRead,
    TextChecked,
    WarningRaised,
)
from quaere.domain.model import Prices
from quaere.domain.report import (
    AnswerStatus,
    CheckedBy,
    Direct,
    DirectKind,
    Report,
    Sentence,
    Support,
)
from quaere.domain.request import RunSpec
from quaere.domain.verdict import StopReason
from quaere.models.meter import Meter, spend_of
from quaere.ports.model import Embedder, EntailmentModel
from quaere.ports.read import Chunker, Reader
from quaere.ports.reason import Accountable, Reasoner
from quaere.read.batch import Reading
from quaere.resilience.timing import Clock
from quaere.synthesize.wording import VERDICTS
from quaere.view.layout import counted

PROFILE = ProfileName.SIMPLE
"""Under which a check is budgeted; its own limits are in the request."""


class Means(Protocol):
    """What a check needs of the engine that makes it."""

    @property
    def profiles(self) -> Mapping[ProfileName, Budget]:
        """The named budgets."""
        ...

    @property
    def reader(self) -> Reader:
        """Opens what the text cites."""
        ...

    @property
    def chunker(self) -> Chunker:
        """Makes passages of pages."""
        ...

    @property
    def reasoner(self) -> Reasoner | Accountable:
        """Its model judges, where it has one."""
        ...

    @property
    def embedder(self) -> Embedder | None:
        """Asked of what words cannot tell."""
        ...

    @property
    def entailment(self) -> EntailmentModel | None:
        """Tells whether a claim follows from a text."""
        ...

    @property
    def prices(self) -> Prices:
        """What models cost."""
        ...

    @property
    def marks(self) -> str:
        """Word that marks page text in prompts."""
        ...

    @property
    def clock(self) -> Clock:
        """Times the check."""
        ...


async def checking(means: Means, spec: RunSpec) -> AsyncGenerator[Event]:
    """Check the text of ``spec`` and yield what happens; the last event carries a report.

    Its answer sums up the verdicts, which `TextChecked` has told one by one.

    Raises:
        ReasonError: when a model that looks again cannot be used at all.
    """
    budget, began = means.profiles[PROFILE], means.clock.monotonic()
    yield RunStarted(question=spec.request.question, profile=PROFILE, budget=budget)
    left = remaining(budget, Spend(), 0.0)
    yield PhaseStarted(phase=Phase.READING, remaining=left)
    text = await asyncio.to_thread(cited_text, spec.checked_text or "")
    # What is told while the text is checked, and then the verdicts.
    told: asyncio.Queue[Event | None] = asyncio.Queue()

    def read(reading: Reading) -> None:
        told.put_nowait(_source_read(reading))

    auditing = asyncio.create_task(_audited(means, spec, text, budget, read))
    auditing.add_done_callback(lambda _: told.put_nowait(None))
    try:
        while event := await told.get():
            yield event
        audit = auditing.result()
    finally:
        auditing.cancel()
    for ending in _ending(audit):
        yield ending
    seconds = means.clock.monotonic() - began
    report = _report(spec, audit, budget, seconds, means.reasoner.name)
    yield RunFinished(phase=Phase.FINALIZING, report=report)


async def _audited(
    means: Means,
    spec: RunSpec,
    text: CitedText,
    budget: Budget,
    on_reading: Callable[[Reading], None],
) -> Audit:
    may = JudgeLimits(tokens=budget.token_budget, usd=budget.max_cost_usd)
    reasoner, meter = means.reasoner, Meter(means.prices)
    auditor = Auditor(
        means.reader,
        means.chunker,
        embedder=means.embedder,
        entailment=Entailment(means.entailment, meter, may) if means.entailment else None,
        judge=Judge(reasoner, meter, may, marks=means.marks)
        if isinstance(reasoner, Accountable)
        else None,
    )
    return await auditor.audit(
        text,
        local=LocalFiles(spec.request.docs),
        limits=AuditLimits(budget.max_reads, budget.max_execution_time_s),
        on_reading=on_reading,
    )


def _source_read(reading: Reading) -> SourceRead:
    page = reading.page
    return SourceRead(
        phase=Phase.READING,
        url=reading.hit.url,
        final_url=page.url if page and page.url != reading.hit.url else "",
        title=page.title if page else reading.hit.title,
        provider=reading.hit.provider,
        status=reading.status,
        passages=len(reading.passages),
        bytes=page.size if page else 0,
        retrieved_at=page.retrieved_at if page else "",
        reason=reading.reason,
    )


def _ending(audit: Audit) -> Iterator[Event]:
    """Yield what was found: calls, warnings, the verdicts, and what they come to."""
    phase = Phase.VERIFYING
    for call in audit.calls:
        yield ModelCalled(phase=phase, call=call)
    for warning in audit.warnings:
        yield WarningRaised(phase=phase, warning=warning)
    yield TextChecked(phase=phase, audit=audit)
    said = _summing_up(audit)
    yield SentenceWritten(phase=phase, text=said.text, sentence=said, appended=said.text)


def _summing_up(audit: Audit) -> Sentence:
    summary = audit.summary
    counts = [
        f"{count:,} {VERDICTS[verdict]}"
        for verdict, count in summary.verdicts.items()
        if count and verdict is not Support.NOT_A_CLAIM
    ]
    told = f"{counted(summary.claims, 'claim')}, {summary.cited:,} cited: {', '.join(counts)}."
    text = told if counts else "The text makes no claim."
    return Sentence(text=text, support=Support.NOT_A_CLAIM, by=CheckedBy.WORDS)


def _report(spec: RunSpec, audit: Audit, budget: Budget, seconds: float, reasoner: str) -> Report:
    said = _summing_up(audit)
    late = any(warning.kind == "verify" for warning in audit.warnings)
    read = audit.summary.sources - audit.summary.sources_unread
    return Report(
        run_id=spec.run_id,
        question=spec.request.question,
        answer=said.text,
        direct=Direct(kind=DirectKind.SENTENCE, text=said.text, confidence=1.0),
        status=AnswerStatus.ANSWERED,
        sentences=(said,),
        confidence=1.0,
        stop_reason=StopReason.TIMEOUT if late else StopReason.SUFFICIENT,
        profile=PROFILE,
        budget=budget,
        spend=spend_of(audit.calls) + Spend(reads=read),
        seconds=seconds,
        warnings=audit.warnings,
        calls=audit.calls,
        reasoner=reasoner,
    )
