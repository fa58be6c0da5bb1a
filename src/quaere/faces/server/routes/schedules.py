"""Questions that are asked again and again: scheduled, listed and removed."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from quaere.faces.server.access import Context, KnownFirst, Reading, Running, Shared
from quaere.faces.server.asking import asked_of, check_webhooks, request_of
from quaere.faces.server.forms import ResearchForm, WebhookUrl
from quaere.runtime.schedules import add_schedule
from quaere.store.schedules import FORMS, Schedule, Schedules, Timing

router = APIRouter(prefix="/v1/schedules", tags=["schedules"], route_class=KnownFirst)

Words = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class ScheduleForm(ResearchForm):
    """A question, and when it is asked."""

    times: Annotated[Words, Field(description=FORMS, examples=["every monday 8:00"])]
    zone: Annotated[Words, Field(examples=["Europe/Berlin"])] = "UTC"
    """Time zone of the times."""
    webhook: WebhookUrl | None = None
    """Address that is told when a run finds something else than the one before."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "question": "What is new about lantern moths?",
                    "times": "every monday 8:00",
                    "zone": "Europe/Berlin",
                }
            ]
        }
    )


class ScheduleState(BaseModel):
    """A scheduled question, and how its last run ended."""

    id: str
    question: str
    times: str
    zone: str
    reports_changes: bool
    """Whether an address hears of changes, which only those know who named it."""
    next_at: datetime
    last_run: str | None
    """Id of the run that was begun last."""
    baseline: str | None
    """Id of the last run before it that came to an answer."""
    error: str | None
    """Why nothing was begun the last time."""
    request: dict[str, JsonValue]


class ScheduleList(BaseModel):
    """The caller's schedules, the oldest first."""

    schedules: tuple[ScheduleState, ...]


@router.get("")
async def listed(context: Shared, caller: Reading) -> ScheduleList:
    """Return the caller's scheduled questions."""
    found = await (await _schedules(context)).listed(caller.owner)
    return ScheduleList(schedules=tuple(_state(context, each) for each in found))


@router.post("", status_code=HTTPStatus.CREATED)
async def create(
    form: ScheduleForm, context: Shared, caller: Running, response: Response
) -> ScheduleState:
    """Schedule a question to be asked again and again, each time in a new run.

    The limits of the key apply to all of them, and none starts once the key is no longer valid.
    """
    check_webhooks(context, form.webhook)
    made = await add_schedule(
        context.app,
        caller.owner,
        await request_of(context, caller, form),
        Timing.of(form.times, form.zone),
        webhook=form.webhook,
        key_id=caller.key or None,
    )
    response.headers["Location"] = f"/v1/schedules/{made.id}"
    return _state(context, made)


@router.get("/{schedule_id}")
async def one(schedule_id: str, context: Shared, caller: Reading) -> ScheduleState:
    """Return when a question will be asked next, and how its last run ended."""
    return _state(context, await (await _schedules(context)).get(caller.owner, schedule_id))


@router.delete("/{schedule_id}", status_code=HTTPStatus.NO_CONTENT)
async def remove(schedule_id: str, context: Shared, caller: Running) -> None:
    """Remove a scheduled question; its runs stay."""
    await (await _schedules(context)).remove(caller.owner, schedule_id)


async def _schedules(context: Context) -> Schedules:
    return Schedules(await context.app.database())


def _state(context: Context, schedule: Schedule) -> ScheduleState:
    return ScheduleState(
        id=schedule.id,
        question=schedule.request.question,
        times=schedule.timing.text,
        zone=schedule.timing.zone,
        reports_changes=schedule.webhook is not None,
        next_at=schedule.next_at,
        last_run=schedule.last_run,
        baseline=schedule.baseline,
        error=context.places.masked(schedule.error) if schedule.error else None,
        request=asked_of(context, schedule.request.model_dump(mode="json", exclude_defaults=True)),
    )
