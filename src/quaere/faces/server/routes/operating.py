"""Keys, and what those see who run the service: the queue, its workers, and what users take."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, FutureDatetime, StringConstraints

from quaere.domain.access import USER_RIGHTS, ApiKey, KeyLimits, Right
from quaere.domain.trace import Owner, OwnerId
from quaere.faces.server.access import Administering, Context, KnownFirst, Reading, Running, Shared
from quaere.faces.server.forms import Form
from quaere.store.fleet import BusyWorker, DayQuality, Quality, QueuedRun, QueueView
from quaere.store.keys import Keys
from quaere.store.usage import DayUsage, UsageSums

router = APIRouter(prefix="/v1", tags=["operating"], route_class=KnownFirst)

Days = Annotated[int, Query(ge=1, le=366, description="Days to look back, today included.")]


class KeyForm(Form):
    """A key to issue."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    user: OwnerId | None = None
    """Whose runs it gives access to; the caller's when left out."""
    org: OwnerId | None = None
    scopes: frozenset[Right] = USER_RIGHTS
    limits: KeyLimits = KeyLimits()
    expires_at: FutureDatetime | None = None


class NewKey(BaseModel):
    """A new key with its secret, which is not shown again."""

    key: ApiKey
    secret: str


class KeyList(BaseModel):
    """Keys without their secrets, the latest first."""

    keys: tuple[ApiKey, ...]


class Me(BaseModel):
    """The caller, what the key allows, and what it has used today."""

    user: str
    org: str | None
    rights: tuple[Right, ...]
    limits: KeyLimits
    runs_today: Annotated[int, Field(ge=0)]
    usd_today: float


class UsageList(BaseModel):
    """What runs used by day in UTC, the latest first; runs that were deleted since do count."""

    days: tuple[DayUsage, ...]


class QualityList(BaseModel):
    """Figures on everybody's runs by day in UTC, the latest first; deleted runs do not count."""

    days: tuple[DayQuality, ...]


class Queue(BaseModel):
    """The runs that are waiting or in progress, in the order of the queue."""

    runs: tuple[QueuedRun, ...]


class Workers(BaseModel):
    """The workers with runs in progress."""

    workers: tuple[BusyWorker, ...]


@router.get("/me")
async def me(context: Shared, caller: Reading) -> Me:
    """Return who the caller is, what its key allows, and what it has used today."""
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
    """Return what the caller's runs used, by day."""
    return await _usage(context, caller.owner, days)


@router.get("/keys")
async def keys(context: Shared, caller: Reading) -> KeyList:
    """Return the caller's keys; with the scope `admin`, everybody's."""
    owner = None if Right.ADMIN in caller.rights else caller.owner
    return KeyList(keys=await Keys(await context.app.database()).list(owner))


@router.post("/keys", status_code=HTTPStatus.CREATED)
async def create_key(form: KeyForm, context: Shared, caller: Administering) -> NewKey:
    """Issue a key; its secret is returned only this once."""
    owner = caller.owner if form.user is None else Owner(user=form.user, org=form.org)
    key, secret = await Keys(await context.app.database()).create(
        owner, form.name, scopes=form.scopes, limits=form.limits, expires_at=form.expires_at
    )
    return NewKey(key=key, secret=secret)


@router.delete("/keys/{key_id}")
async def revoke_key(key_id: str, context: Shared, caller: Running) -> ApiKey:
    """Revoke one of the caller's keys that has no more rights than it; with `admin`, any key."""
    owner = None if Right.ADMIN in caller.rights else caller.owner
    issued = Keys(await context.app.database())
    if owner:
        for key in await issued.list(owner):
            if key_id in (key.id, key.prefix):
                caller.need(*key.scopes)
    return await issued.revoke(key_id, owner)


@router.get("/admin/queue")
async def queue(context: Shared, caller: Administering) -> Queue:
    """Return the runs that are waiting or in progress, without their questions."""
    del caller
    return Queue(runs=await QueueView(await context.app.database()).runs())


@router.get("/admin/workers")
async def workers(context: Shared, caller: Administering) -> Workers:
    """Return the workers that have runs in progress."""
    del caller
    return Workers(workers=await QueueView(await context.app.database()).workers())


@router.get("/admin/usage")
async def everybodys_usage(context: Shared, caller: Administering, days: Days = 30) -> UsageList:
    """Return what everybody's runs used, by user and day."""
    del caller
    return await _usage(context, None, days)


@router.get("/admin/quality")
async def quality(context: Shared, caller: Administering, days: Days = 30) -> QualityList:
    """Return durations, results of checks and failed searches of everybody's runs, by day."""
    del caller
    found = Quality(await context.app.database())
    return QualityList(days=await found.by_day(*_last(days)))


async def _usage(context: Context, owner: Owner | None, days: int) -> UsageList:
    sums = UsageSums(await context.app.database())
    return UsageList(days=await sums.by_day(owner, *_last(days)))


def _last(days: int) -> tuple[date, date]:
    """Return the first and the last of so many days, of which the last is today."""
    today = datetime.now(UTC).date()
    return today - timedelta(days=days - 1), today
