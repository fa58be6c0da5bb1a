"""Checking anybody's text against what it cites: at once, or as a run.

A check at once is made with what a process shares. One that is a run is followed, cancelled, taken
over and kept like research.
"""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from quaere.audit.auditor import Auditor
from quaere.audit.cited_text import CitedText, cited_text
from quaere.audit.second_opinion import Entailment, Judge, JudgeLimits
from quaere.audit.sources import AuditLimits, Finder, LocalFiles
from quaere.domain.access import UNLIMITED, KeyLimits
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
from quaere.domain.request import ModelChoice, RunSpec
from quaere.domain.trace import Owner
from quaere.domain.verdict import StopReason
from quaere.errors import QuotaExceeded, UsageError
from quaere.models.meter import Meter, known_prices, spend_of
from quaere.ports.model import Embedder, EntailmentModel
from quaere.ports.read import Body, Chunker, Reader
from quaere.ports.reason import Accountable, Reasoner
from quaere.ports.search import SearchProvider
from quaere.read.batch import Reading
from quaere.read.chunker import PassageChunker
from quaere.read.extract.page import empty
from quaere.read.extractor import SafeExtractor
from quaere.read.formats import Format, sniff_body
from quaere.read.reader import join_pages
from quaere.resilience.timing import Clock
from quaere.runtime.resources import Resources
from quaere.runtime.wiring_models import build_reasoner, named_models
from quaere.store.db.database import Database
from quaere.store.usage import UsageSums, dollars_left
from quaere.synthesize.wording import VERDICTS, counted
from quaere.text.clean import decode

_AS_IT_IS = frozenset({Format.MARKDOWN, Format.TEXT, Format.RST})
"""Formats whose text shows what it cites without being read as anything."""


async def text_of(extractor: SafeExtractor, body: Body) -> str:
    """Return the text of a document in any format that is read, with what it cites as Markdown.

    Raises:
        ReadError: when it has no text, or not all of it can be read.
    """
    if await asyncio.to_thread(sniff_body, body) in _AS_IT_IS:
        text = await asyncio.to_thread(decode, body.data, body.content_type)
    else:
        read = await extractor.read(body.model_copy(update={"with_citations": True}))
        if read.problem:
            raise read.problem
        text = join_pages(read.pages).text if read.pages else ""
    if not text.strip():
        raise empty(body)
    return text


def to_look_in(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Return ``folders``, in which sources must be looked up.

    Raises:
        UsageError: when there is none.
    """
    found = tuple(folders)
    if not found:
        raise UsageError("look_up searches documents, and this server has none for you.")
    return found


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays for the models that a check asks, and what the key of that user allows."""

    owner: Owner
    limits: KeyLimits = UNLIMITED


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """How a text is checked."""

    roots: tuple[Path, ...] = ()
    """Folders and files that the text may cite."""
    itself: Path | None = None
    """Where the text lies, which is never its own source."""
    model: str | None = None
    """A language model that judges every sentence that is not quoted."""
    max_cost_usd: float | None = None
    looks_up: bool = False
    """Whether sources are looked for of claims that cite nothing, in ``searched``."""
    searched: tuple[Path, ...] = ()
    """Folders and files to look in; those of the settings when left out."""
    limits: AuditLimits = field(default_factory=AuditLimits)
    payer: Payer | None = None
    """To whose usage the check is added; nobody's when left out."""


async def check(
    resources: Resources,
    text: CitedText,
    options: CheckOptions,
    database: Callable[[], Awaitable[Database]],
) -> Audit:
    """Return a verdict on every sentence of ``text``.

    The embedder of the settings looks again at what words leave ``not_judged``, its entailment
    model at all that is not ``quoted``, and then a model where ``options`` name one; the language
    models of the settings are not asked.

    Raises:
        QuotaExceeded: when a model is wanted and its payer has no dollars left today.
        SettingsError: when one of them cannot be used.
        UsageError: when sources should be looked up, and there is no folder to look in.
        StoreError: when there is a payer and the database cannot be used.
    """
    if not options.payer:
        return await _audit(resources, text, options)
    return await _paid(resources, text, options, options.payer, await database())


async def _paid(
    resources: Resources, text: CitedText, options: CheckOptions, payer: Payer, database: Database
) -> Audit:
    """Check within the dollars that ``payer`` has left, and add what it took to their usage."""
    if options.model or resources.entailment:
        options = await _within_means(options, payer, database)
    audit = await _audit(resources, text, options)
    if audit.calls:
        spent = spend_of(audit.calls)
        await UsageSums(database).add(payer.owner, spent.tokens, spent.cost_usd)
    return audit


async def _within_means(options: CheckOptions, payer: Payer, database: Database) -> CheckOptions:
    """Return ``options`` with no more dollars than ``payer`` has left.

    Raises:
        QuotaExceeded: when a model is named and there are none.
    """
    left: float | None = 0.0
    # An entailment model is the operator's wish, so that without it the words are compared.
    with nullcontext() if options.model else suppress(QuotaExceeded):
        async with database.read() as connection:
            left = await dollars_left(connection, payer.owner, payer.limits)
    limits = [usd for usd in (left, options.max_cost_usd) if usd is not None]
    return replace(options, max_cost_usd=min(limits, default=None))


async def _audit(resources: Resources, text: CitedText, options: CheckOptions) -> Audit:
    meter = Meter(known_prices(resources.settings.prices))
    auditor = Auditor(
        resources.reader(options.roots),
        PassageChunker(),
        embedder=resources.embedder(resources.settings.embedder),
        entailment=_entailment(resources, options, meter),
        judge=await asyncio.to_thread(_judge, resources, options, meter),  # may ask servers
        finder=Finder([resources.folder(options.searched)], options.itself)
        if options.looks_up
        else None,
    )
    local = LocalFiles(options.roots, options.itself)
    return await auditor.audit(text, local=local, limits=options.limits)


def _entailment(resources: Resources, options: CheckOptions, meter: Meter) -> Entailment | None:
    model = resources.entailment
    return Entailment(model, meter, JudgeLimits(usd=options.max_cost_usd)) if model else None


def _judge(resources: Resources, options: CheckOptions, meter: Meter) -> Judge | None:
    if not options.model:
        return None
    names = named_models(resources.settings, ModelChoice(general=options.model))
    side = build_reasoner(resources.settings, resources.models, names)
    if side is None:
        return None
    return Judge(side.reasoner, meter, JudgeLimits(usd=options.max_cost_usd))


PROFILE = ProfileName.SIMPLE
"""Under which a check is budgeted; its own limits are in the request."""


class Means(Protocol):
    """What a check needs of the engine that makes it."""

    @property
    def profiles(self) -> Mapping[ProfileName, Budget]:
        """The named budgets."""
        ...

    @property
    def providers(self) -> Sequence[SearchProvider]:
        """Searched for what the text cites nothing for."""
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
        finder=Finder(means.providers) if means.providers else None,
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
