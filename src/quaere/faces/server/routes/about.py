"""What the service has and can do, and what a question would take."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from quaere.domain.budget import Budget, ProfileName, resolve_budget
from quaere.domain.report import EarlierRun
from quaere.faces.server.access import Administering, Reading, Running
from quaere.faces.server.asking import request_of
from quaere.faces.server.context import Shared
from quaere.faces.server.forms import RunForm
from quaere.runtime.admission import Estimate
from quaere.runtime.doctor import Diagnosis
from quaere.runtime.search import Listing, listed_providers

MAX_IN_ADDRESS = 5_000
"""Characters, of which each may take twelve; an address has 64 kB at most."""

router = APIRouter(prefix="/v1", tags=["service"])


class Profile(BaseModel):
    """A profile with the budget that a run under it has here."""

    name: ProfileName
    budget: Budget


@router.get("/providers")
async def providers(context: Shared, caller: Reading) -> Listing:
    """Return the search services, and what those need that are not ready."""
    del caller
    return listed_providers(context.app.resources)


@router.get("/profiles")
async def profiles(context: Shared, caller: Reading) -> list[Profile]:
    """Return the profiles with their budgets."""
    del caller
    operator = context.app.settings.operator_limits
    return [
        Profile(name=name, budget=resolve_budget(name, operator=operator)) for name in ProfileName
    ]


@router.post("/estimate")
async def estimate(form: RunForm, context: Shared, caller: Running) -> Estimate:
    """Return what a run may take, before it is begun; no service is asked."""
    request = await request_of(context, caller, form)
    return await context.app.estimate(request, caller.owner, caller.limits)


@router.get("/similar")
async def similar(
    context: Shared,
    caller: Reading,
    question: Annotated[str, Query(min_length=1, max_length=MAX_IN_ADDRESS)],
) -> EarlierRun | None:
    """Return the last run that asked nearly the same and is still fresh; null for none (R4.5)."""
    return await context.app.similar(question, caller.owner)


@router.get("/doctor")
async def doctor(context: Shared, caller: Administering, *, offline: bool = False) -> Diagnosis:
    """Return what is configured, whether it works, and what to do about it."""
    del caller
    found = await context.app.doctor(offline=offline)
    return Diagnosis.model_validate_json(context.places.masked(found.model_dump_json()))
