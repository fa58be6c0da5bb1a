"""Checking anybody's text against what it cites, with what a process shares."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from quaere.audit.auditor import Auditor
from quaere.audit.cited_text import CitedText
from quaere.audit.second_opinion import Entailment, Judge, JudgeLimits
from quaere.audit.sources import AuditLimits, LocalFiles
from quaere.domain.access import UNLIMITED, KeyLimits
from quaere.domain.audit import Audit
from quaere.domain.request import ModelChoice
from quaere.domain.trace import Owner
from quaere.errors import QuotaExceeded
from quaere.models.meter import Meter, known_prices, spend_of
from quaere.read.chunker import PassageChunker
from quaere.runtime.resources import Resources
from quaere.runtime.wiring_models import build_reasoner, named_models
from quaere.store.db.database import Database
from quaere.store.quotas import dollars_left
from quaere.store.usage import UsageSums


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
