"""What the service has and can do, what a question would take, and whether it can serve now."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from quaere.domain.budget import Budget, ProfileName, resolve_budget
from quaere.domain.report import EarlierRun
from quaere.errors import StoreError, StoreUnavailable
from quaere.faces.server.access import Administering, Context, KnownFirst, Reading, Running, Shared
from quaere.faces.server.asking import request_of
from quaere.faces.server.errors import Refused, stopping
from quaere.faces.server.forms import RunForm
from quaere.runtime.admission import Estimate
from quaere.runtime.doctor import Diagnosis
from quaere.runtime.search import Listing, listed_providers
from quaere.store.jobs import Jobs

MAX_IN_ADDRESS = 5_000
"""Characters, of which each may take twelve; an address has 64 kB at most."""

router = APIRouter(prefix="/v1", tags=["service"], route_class=KnownFirst)


class Profile(BaseModel):
    """A profile with the budget that a run under it has here."""

    name: ProfileName
    budget: Budget


@router.get("/providers")
async def providers(context: Shared, caller: Reading) -> Listing:
    """Return the search services, with the settings that are missing for each."""
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
    """Estimate the calls, cost and time of a run; no model or search service is called."""
    request = await request_of(context, caller, form)
    return await context.app.estimate(request, caller.owner, caller.limits)


@router.get("/similar")
async def similar(
    context: Shared,
    caller: Reading,
    question: Annotated[str, Query(min_length=1, max_length=MAX_IN_ADDRESS)],
) -> EarlierRun | None:
    """Return the latest run that asked nearly the same and is recent enough; else null."""
    return await context.app.similar(question, caller.owner)


@router.get("/doctor")
async def doctor(context: Shared, caller: Administering, *, offline: bool = False) -> Diagnosis:
    """Check the configuration: what is set, whether it works, and how to fix what does not."""
    del caller
    found = await context.app.doctor(offline=offline)
    return Diagnosis.model_validate_json(context.places.masked(found.model_dump_json()))


PROBE_S = 3.0
"""Seconds that the database may take to answer a probe, which is itself waited for for seconds."""

health_router = APIRouter(tags=["service"])


class Alive(BaseModel):
    """The process is alive."""

    status: str = "ok"


@health_router.head("/health/live", include_in_schema=False)
@health_router.get("/health/live")
async def live() -> Alive:
    """Answer with 200 while the process is alive."""
    return Alive()


@health_router.head("/health/ready", include_in_schema=False)
@health_router.get("/health/ready")
async def ready(context: Shared) -> Alive:
    """Answer with 200 once requests can be served: the database is reachable and has its tables."""
    if context.feeds.closing.is_set():
        raise stopping()
    try:
        await _waiting(context)
    except StoreError:
        message = "The database cannot be used at the moment."
        headers = {"Retry-After": "2"}
        raise Refused(
            HTTPStatus.SERVICE_UNAVAILABLE, "not_ready", message, retryable=True, headers=headers
        ) from None
    return Alive()


@health_router.get("/metrics", response_class=Response)
async def metrics(context: Shared, caller: Administering) -> Response:
    """Return the counters of this process in the format of Prometheus."""
    del caller
    try:
        waiting = await _waiting(context)
    except StoreError:  # what was counted can be read all the same
        waiting = None
    return Response(context.metrics.text(context.feeds, waiting), media_type=CONTENT_TYPE_LATEST)


async def _waiting(context: Context) -> int:
    """Return how many runs wait. A probe asks again soon, and gives up before retries would end.

    Raises:
        StoreError: when the database cannot be used now.
    """
    database = await context.app.database()
    asked = asyncio.create_task(Jobs(database.without_waiting()).waiting())
    asked.add_done_callback(lambda task: task.cancelled() or task.exception())
    await asyncio.wait({asked}, timeout=PROBE_S)
    if asked.done():
        return asked.result()
    asked.cancel()  # not waited for: the driver has a server that hangs told of it, for ten seconds
    raise StoreUnavailable(f"{database.name} does not answer within {PROBE_S:g} s.")
