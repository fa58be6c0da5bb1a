"""What a run may take, before it is made."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from quaere.domain.access import KeyLimits
from quaere.domain.budget import Budget, ProfileName
from quaere.domain.request import RunRequest, RunSpec, Settled
from quaere.domain.trace import Owner
from quaere.domain.value import Value
from quaere.models.pricing import known_prices
from quaere.models.spec import ModelSpec
from quaere.plan.delegation import choose_tier
from quaere.plan.forecast import Forecast, forecast
from quaere.runtime.quotas import allowed
from quaere.runtime.resources import Resources
from quaere.runtime.wiring import provider_names, settle, settled_of
from quaere.store.db.database import Database


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
