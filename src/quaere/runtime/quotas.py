"""What a run may take under the limits of a key: never more than its highest profile and its money.

The number of runs is counted where they are added (`quaere.store.quotas`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import cast

from quaere.domain.access import UNLIMITED, KeyLimits, profile_rank
from quaere.domain.budget import Budget, Limits, OperatorLimits, resolve_budget
from quaere.domain.request import Settled
from quaere.domain.trace import Owner
from quaere.errors import NotAllowed
from quaere.store.db.database import Database
from quaere.store.quotas import spent_today


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
