"""Keys, and what those see who run the service: the queue, its workers, and what users take."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, FutureDatetime, StringConstraints

from quaere.domain.access import USER_RIGHTS, ApiKey, KeyLimits, Right
from quaere.domain.trace import Owner, OwnerId
from quaere.faces.server.access import Administering, Context, Reading, Running, Shared
from quaere.faces.server.forms import Form
from quaere.store.fleet import BusyWorker, DayQuality, Quality, QueuedRun, QueueView
from quaere.store.keys import Keys
from quaere.store.usage import DayUsage, UsageSums

router = APIRouter(prefix="/v1", tags=["operating"])

Days = Annotated[int, Query(ge=1, le=366, description="Days to look back, this one included.")]


class KeyForm(Form):
    """A key to be issued."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    user: OwnerId | None = None
    """Whose runs it gives access to; the caller's when left out."""
    org: OwnerId | None = None
    scopes: frozenset[Right] = USER_RIGHTS
    limits: KeyLimits = KeyLimits()
    expires_at: FutureDatetime | None = None


class NewKey(BaseModel):
    """A key with its secret, which cannot be had again."""

    key: ApiKey
    secret: str


class KeyList(BaseModel):
    """Keys without their secrets, the latest first."""

    keys: tuple[ApiKey, ...]


class Me(BaseModel):
    """The caller, what the key allows, and what was taken of it today."""

    user: str
    org: str | None
    rights: tuple[Right, ...]
    limits: KeyLimits
    runs_today: Annotated[int, Field(ge=0)]
    usd_today: float


class UsageList(BaseModel):
    """What runs took by day in UTC, the latest day first; also runs that were deleted since."""

    days: tuple[DayUsage, ...]


class QualityList(BaseModel):
    """How everybody's runs went by day in UTC, the latest day first; no run that was deleted."""

    days: tuple[DayQuality, ...]


class Queue(BaseModel):
    """The runs that wait or are being made, in the order of the queue."""

    runs: tuple[QueuedRun, ...]


class Workers(BaseModel):
    """The workers that make runs."""

    workers: tuple[BusyWorker, ...]


@router.get("/me")
async def me(context: Shared, caller: Reading) -> Me:
    """Return who the caller is, what its key allows, and what was taken of it today."""
    today = datetime.now(UTC).date()
    days = await UsageSums(await context.app.database()).by_day(caller.owner, today, today)
    return Me(
        user=caller.owner.user,
        org=caller.owner.org,
        rights=tuple(right for right in Right if right in caller.rights),
        limits=caller.limits,
        runs_today=sum(day.runs for day in days),
        usd_today=sum(day.cost_usd for day in days),
    )


@router.get("/usage")
async def usage(context: Shared, caller: Reading, days: Days = 30) -> UsageList:
    """Return what the caller's runs took."""
    return await _usage(context, caller.owner, days)


@router.get("/keys")
async def keys(context: Shared, caller: Reading) -> KeyList:
    """Return the caller's keys; to those with the scope `admin`, everybody's."""
    owner = None if Right.ADMIN in caller.rights else caller.owner
    return KeyList(keys=await Keys(await context.app.database()).list(owner))


@router.post("/keys", status_code=HTTPStatus.CREATED)
async def create_key(form: KeyForm, context: Shared, caller: Administering) -> NewKey:
    """Issue a key; its secret is in this answer and nowhere else."""
    owner = caller.owner if form.user is None else Owner(user=form.user, org=form.org)
    key, secret = await Keys(await context.app.database()).create(
        owner, form.name, scopes=form.scopes, limits=form.limits, expires_at=form.expires_at
    )
    return NewKey(key=key, secret=secret)


@router.delete("/keys/{key_id}")
async def revoke_key(key_id: str, context: Shared, caller: Running) -> ApiKey:
    """Revoke a key of the caller's that may do no more than it; with `admin`, anybody's."""
    owner = None if Right.ADMIN in caller.rights else caller.owner
    issued = Keys(await context.app.database())
    if owner:
        for key in await issued.list(owner):
            if key_id in (key.id, key.prefix):
                caller.need(*key.scopes)
    return await issued.revoke(key_id, owner)


@router.get("/admin/queue")
async def queue(context: Shared, caller: Administering) -> Queue:
    """Return the runs that wait or are being made, without what was asked."""
    del caller
    return Queue(runs=await QueueView(await context.app.database()).runs())


@router.get("/admin/workers")
async def workers(context: Shared, caller: Administering) -> Workers:
    """Return the workers that make runs."""
    del caller
    return Workers(workers=await QueueView(await context.app.database()).workers())


@router.get("/admin/usage")
async def everybodys_usage(context: Shared, caller: Administering, days: Days = 30) -> UsageList:
    """Return what everybody's runs took, by user and day."""
    del caller
    return await _usage(context, None, days)


@router.get("/admin/quality")
async def quality(context: Shared, caller: Administering, days: Days = 30) -> QualityList:
    """Return how long everybody's runs took, what their checks found, and what searches failed."""
    del caller
    last = datetime.now(UTC).date()
    found = Quality(await context.app.database())
    return QualityList(days=await found.by_day(last - timedelta(days=days - 1), last))


async def _usage(context: Context, owner: Owner | None, days: int) -> UsageList:
    last = datetime.now(UTC).date()
    sums = UsageSums(await context.app.database())
    return UsageList(days=await sums.by_day(owner, last - timedelta(days=days - 1), last))
