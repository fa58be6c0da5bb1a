"""What the service has and can do, what a question would take, and the caller."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from quaere.domain.access import Right
from quaere.domain.budget import Budget
from quaere.domain.precedence import resolve_budget
from quaere.domain.profile import ProfileName
from quaere.domain.report import EarlierRun
from quaere.faces.server.access import (
    COOKIE,
    SESSION_S,
    Administering,
    Reading,
    Running,
    caller_of,
    unknown,
)
from quaere.faces.server.asking import request_of
from quaere.faces.server.context import Shared
from quaere.faces.server.errors import Refused
from quaere.faces.server.forms import MAX_QUESTION, Form, RunForm
from quaere.runtime.doctor import Diagnosis
from quaere.runtime.estimate import Estimate
from quaere.runtime.provider_list import Listing, listed_providers
from quaere.runtime.settings import Access
from quaere.store.keys import Keys
from quaere.version import __version__

router = APIRouter(prefix="/v1", tags=["service"])


class Profile(BaseModel):
    """A profile with the budget that a run under it has here."""

    name: ProfileName
    budget: Budget


class Session(BaseModel):
    """The caller, and how the service is set up."""

    version: str
    access: Access
    signed_in: bool
    user: str | None
    org: str | None
    rights: tuple[Right, ...]
    model: str | None
    """The model of runs that name none; null for none."""
    sharing: bool
    makes_runs: bool
    """Whether this process makes runs itself."""
    stores: Mapping[str, bool]
    """What is kept when a run is over: ``pages``, ``questions``."""


class SignIn(Form):
    """The key that a session in a browser is begun with."""

    key: Annotated[str, Field(min_length=1, max_length=200)]


@router.get("/session")
async def session(request: Request, context: Shared) -> Session:
    """Return the caller, without an error for an unknown one."""
    try:
        caller = await caller_of(request)
    except Refused:
        caller = None
    settings = context.app.settings
    return Session(
        version=__version__,
        access=context.access,
        signed_in=caller is not None,
        user=caller.owner.user if caller else None,
        org=caller.owner.org if caller else None,
        rights=tuple(sorted(caller.rights)) if caller else (),
        model=settings.model if caller else None,
        sharing=settings.sharing,
        makes_runs=context.workers > 0,
        stores={"pages": settings.store_pages, "questions": settings.store_questions},
    )


@router.post("/session", status_code=HTTPStatus.NO_CONTENT)
async def sign_in(form: SignIn, request: Request, context: Shared, response: Response) -> None:
    """Begin a session in a browser by an API key; a cookie takes its place."""
    found = await Keys(await context.app.database()).find(form.key)
    if found is None:
        raise unknown()
    response.set_cookie(
        COOKIE,
        context.signer.session(found.id),
        max_age=SESSION_S,
        httponly=True,
        secure=request.url.scheme == "https",
        samesite="strict",
    )


@router.delete("/session", status_code=HTTPStatus.NO_CONTENT)
async def sign_out(response: Response) -> None:
    """End the session of the browser."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


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
    return await context.app.estimate(await request_of(context, caller, form))


@router.get("/similar")
async def similar(
    context: Shared,
    caller: Reading,
    question: Annotated[str, Query(min_length=1, max_length=MAX_QUESTION)],
) -> EarlierRun | None:
    """Return the last run that asked nearly the same and is still fresh; null for none (R4.5)."""
    return await context.app.similar(question, caller.owner)


@router.get("/doctor")
async def doctor(context: Shared, caller: Administering, *, offline: bool = False) -> Diagnosis:
    """Return what is configured, whether it works, and what to do about it."""
    del caller
    found = await context.app.doctor(offline=offline)
    return Diagnosis.model_validate_json(context.places.masked(found.model_dump_json()))
