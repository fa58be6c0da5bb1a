"""How a run is admitted: what a key's limits leave it, what it may take, its way into the queue.

The number of runs is counted where they are added (`quaere.store.usage`). Runs that come while
others are being written are written together: a commit waits for the disk, so that one by one a
database takes as many runs a second as its disk can confirm, and together as many as the processor
can prepare.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from quaere.domain.access import UNLIMITED, KeyLimits, profile_rank
from quaere.domain.budget import Budget, Limits, OperatorLimits, ProfileName, resolve_budget
from quaere.domain.request import RunRequest, RunSpec, Settled
from quaere.domain.trace import Owner, Trace
from quaere.domain.value import Value
from quaere.errors import NotAllowed, StoreError, StoreUnavailable
from quaere.models.meter import known_prices
from quaere.models.vendors import ModelSpec
from quaere.plan.delegation import choose_tier
from quaere.plan.forecast import Forecast, forecast
from quaere.runtime.news import QUEUE, News
from quaere.runtime.resources import Resources
from quaere.runtime.wiring import provider_names, settle, settled_of
from quaere.store.carriers import Carrier
from quaere.store.db.database import Database
from quaere.store.fleet import Fleet
from quaere.store.jobs import Jobs
from quaere.store.submission import Entry
from quaere.store.usage import spent_today

logger = logging.getLogger(__name__)


async def allowed(
    settled: Settled,
    limits: KeyLimits,
    owner: Owner,
    operator: OperatorLimits,
    database: Callable[[], Awaitable[Database]],
) -> Settled:
    """Return ``settled`` with budgets that keep to ``limits``.

    Limits that are asked for above those of the highest profile are lowered to them. Where
    planning is to choose the profile, it may name a higher one, under the budget of the highest.

    Args:
        settled: What the run may take without a key.
        limits: Those of the key.
        owner: Whose key it is.
        operator: The operator's limits.
        database: Opens the one that tells what the owner has spent; asked for only where it counts.

    Raises:
        NotAllowed: when a profile is asked for that is above the highest.
        StoreError: when the database cannot be used.
    """
    if limits == UNLIMITED:
        return settled
    if limits.highest_profile is not None:
        settled = _below(settled, limits, operator)
    if limits.usd_per_day is None:
        return settled
    async with (await database()).read() as connection:
        _, spent = await spent_today(connection, owner)
    return _lowered(settled, Limits(max_cost_usd=max(0.0, limits.usd_per_day - spent)))


def _below(settled: Settled, limits: KeyLimits, operator: OperatorLimits) -> Settled:
    highest = limits.highest_profile
    if highest is None:
        return settled
    if settled.profile and profile_rank(settled.profile) > profile_rank(highest):
        raise NotAllowed(
            f"This key allows runs up to the profile {highest}; this one asks for "
            f"{settled.profile}."
        )
    most = resolve_budget(highest, operator=operator)
    return _lowered(settled, cast("Limits", most.model_dump(exclude_none=True)))


def _lowered(settled: Settled, most: Limits) -> Settled:
    """Return ``settled`` with no limit above ``most``."""
    budgets = {name: _at_most(budget, most) for name, budget in settled.budgets.items()}
    asked = {
        name: min(cast("float", value), cast("float", most.get(name, value)))
        for name, value in settled.limits.items()
        if value is not None
    }
    if (cost := most.get("max_cost_usd")) is not None:
        asked.setdefault("max_cost_usd", cost)
    return settled.model_copy(update={"budgets": budgets, "limits": cast("Limits", asked)})


def _at_most(budget: Budget, most: Limits) -> Budget:
    own = budget.model_dump()
    lower = {
        name: limit if own[name] is None else min(own[name], limit)
        for name, limit in cast("dict[str, float]", most).items()
    }
    return budget.override(cast("Limits", lower))


class Estimate(Value):
    """A forecast, and what it is made for."""

    profile: ProfileName
    chosen: bool
    """Whether the profile was asked for; if not, planning may choose another."""
    budget: Budget
    providers: tuple[str, ...]
    forecast: Forecast


async def estimate(
    resources: Resources,
    request: RunRequest,
    owner: Owner,
    limits: KeyLimits,
    database: Callable[[], Awaitable[Database]],
) -> Estimate:
    """Return what the run of ``request`` may take; a model needs neither key nor client.

    Raises:
        UsageError: when a folder, a provider, a model or a limit cannot be used.
        NotAllowed: when ``limits``, those of the key of ``owner``, never allow it.
        StoreError: when what the owner has spent cannot be read.
    """
    spec = await asyncio.to_thread(settle, resources, RunSpec(request=request, owner=owner))
    operator = resources.settings.operator_limits
    settled = await allowed(settled_of(spec), limits, owner, operator, database)
    return _forecast(resources, spec, settled)


def _forecast(resources: Resources, spec: RunSpec, settled: Settled) -> Estimate:
    tier = choose_tier(settled.profile, None)
    budget = settled.budgets[tier]
    own = resources.own_models
    names = {
        step: name if name in own else ModelSpec.parse(name).name
        for step, name in (settled.models or {}).items()
    }
    searched = provider_names(resources, spec)
    return Estimate(
        profile=tier,
        chosen=settled.profile is not None,
        budget=budget,
        providers=searched,
        forecast=forecast(
            budget,
            tier,
            names,
            known_prices(resources.settings.prices),
            providers=len(searched),
        ),
    )


MAX_TOGETHER = 100
"""Runs in one transaction, so that other writers of a file get their turn."""


Added = list[Trace | StoreError]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Runs that are written together, and the task that writes them."""

    entries: list[Entry]
    writing: asyncio.Task[Added]


class Intake:
    """The way of runs into the queue, from one process."""

    def __init__(self, database: Database, carrier: Carrier, news: News) -> None:
        """Add runs to the queue in ``database``, and have ``carrier`` bring them to workers."""
        self._database = database
        self._jobs = Jobs(database)
        self._carrier = carrier
        self._news = news
        self._next: _Batch | None = None
        self._turn = asyncio.Lock()
        self._writing: set[asyncio.Task[Added]] = set()

    async def submit(self, entry: Entry, limits: KeyLimits = UNLIMITED) -> Trace:
        """Add a run to the queue; it is durable when this returns.

        Raises:
            QuotaExceeded: when the owner has as many runs as ``limits`` allow.
            TraceConflict: when another owner has a run with this id.
            StoreError: when it cannot be saved.
        """
        if limits == UNLIMITED:
            trace = await self._add(entry)
        else:
            trace = await self._jobs.submit(entry, limits)
        await self._offer(trace.id, entry.priority)
        return trace

    async def requeue(self, run_id: str) -> None:
        """Put a run that was given up back into the queue.

        Raises:
            NotFound: when no run of that id was given up.
            StoreError: when the database cannot be used.
        """
        await self._offer(run_id, await Fleet(self._database).requeue(run_id))

    async def aclose(self) -> None:
        """Wait until what was added is written, though nobody waits for it any more."""
        if self._writing:
            await asyncio.wait(self._writing)

    async def _offer(self, run_id: str, priority: int) -> None:
        """Have a run brought to a worker, now or, if the carrier is away, when it is swept."""
        self._news.ring(QUEUE)
        try:
            await self._carrier.offer(run_id, priority)
        except StoreError as error:
            logger.info("the run %s is not offered yet: %s", run_id, error.message)

    async def _add(self, entry: Entry) -> Trace:
        batch = self._next
        if batch is None or len(batch.entries) >= MAX_TOGETHER:
            batch = self._next = self._begun()
        place = len(batch.entries)
        batch.entries.append(entry)
        # A caller that is cut off meanwhile takes nothing from the others.
        added = (await asyncio.shield(batch.writing))[place]
        if isinstance(added, StoreError):
            raise added
        return added

    def _begun(self) -> _Batch:
        entries: list[Entry] = []
        writing = asyncio.create_task(self._written(entries))
        self._writing.add(writing)
        writing.add_done_callback(self._writing.discard)
        return _Batch(entries, writing)

    async def _written(self, entries: list[Entry]) -> Added:
        async with self._turn:
            if self._next and self._next.entries is entries:
                self._next = None
            try:
                return [*await self._jobs.submit_together(entries)]
            except StoreError as error:
                if len(entries) == 1 or isinstance(error, StoreUnavailable):
                    return [error for _ in entries]
                # What is wrong with one of them is not to harm the others.
                return [await self._alone(entry) for entry in entries]

    async def _alone(self, entry: Entry) -> Trace | StoreError:
        try:
            (added,) = await self._jobs.submit_together([entry])
        except StoreError as error:
            return error
        return added
